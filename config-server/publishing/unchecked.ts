import type { Checked } from '#config-server/check.ts'
import { sourcesOf } from '#config-server/files.ts'
import { liveOrNone, logged, notFound, type PublishingContext, shasOfRelease, textsOfRelease } from '#config-server/publishing/context.ts'
import { infoNow, insertRelease, rollBack, show } from '#config-server/publishing/pointer.ts'
import type { Publishing } from '#config-server/publishing/publishing.ts'
import { type DocumentRevision, makeRelease, revisionOf, sha256 } from '#config-server/release.rules.ts'
import type { Json } from '#language/documents/documents.ts'
import { parse } from '#language/documents/parse.ts'
import { canonical } from '#language/publish/canonical.ts'
import type { DocumentKey } from '#language/publish/release.ts'

type UncheckedWork = Pick<Publishing, 'publishUnchecked' | 'restore'>

const nothingNeeded = { requires: { widgets: [], operators: [], steps: [], format: 1 }, uses: [], areas: [] }

/** Releases that nothing has checked, for tests of what must not happen. They stand on the last one that was checked. */
export function createUncheckedWork(context: PublishingContext): UncheckedWork {
  let parsed: { hash: string; checked: Checked } | undefined

  /** @param hash of the files: each return to them is another release, and they need not be read again */
  async function checkedOf(base: number, hash: string): Promise<Checked> {
    if (parsed?.hash !== hash) {
      const files = Object.entries(await textsOfRelease(context, base)).map(([file, text]) => ({ file, text }))
      parsed = { hash, checked: { ...parse(sourcesOf(files).files), prepared: [] } }
    }
    return parsed.checked
  }
  function forced(key: DocumentKey, doc: Json, checked: Checked, before: DocumentRevision | undefined): DocumentRevision {
    const prepared = context.prepareOne(checked, key, doc)
    if (prepared) return revisionOf(prepared)
    const text = canonical(doc)
    return { ...(before ?? nothingNeeded), key, canonical: text, sha256: sha256(text) }
  }

  return {
    async publishUnchecked(actor, changes) {
      const live = liveOrNone(context).stable
      const base = live.kind === 'forced' && live.from !== null ? live.from : live.number
      const [content, checked] = [await context.served.get(base), await checkedOf(base, live.hash)]
      if (!content) throw notFound(`release ${base}`)
      const documents = new Map(content.documents)
      for (const [name, doc] of Object.entries(changes)) {
        const key = name as DocumentKey
        if (doc === null) documents.delete(key)
        else documents.set(key, forced(key, doc as Json, checked, content.documents.get(key)))
      }
      const wanted = makeRelease(0, [...documents.values()], content.texts)
      const made = await logged(context, actor, async (tx) => {
        const pointer = await context.releases.lock(tx)
        const before = pointer.stable === null ? undefined : await context.releases.headIn(tx, pointer.stable)
        if (before?.served === wanted.hash) return { result: undefined }
        if (pointer.candidate !== null) await context.releases.mark(tx, pointer.candidate, { stopped: true })
        const sources = { ...(await shasOfRelease(context, base, tx)) }
        const facts = {
          hash: live.hash,
          kind: 'forced' as const,
          from_number: base,
          draft: null,
          note: '',
          flows: 'not-run' as const,
          rollout: null,
        }
        const people = { author: actor.name, approver: null, publisher: actor.name }
        const release = await insertRelease(context, tx, { ...facts, ...people, sources }, wanted)
        await context.releases.move(tx, pointer, { stable: release.release, candidate: null, rollout: null }, context.now())
        const detail = { documents: Object.keys(changes) }
        const entry = { action: 'release.forced', subject: `release ${release.release}`, fromHash: live.hash, toHash: live.hash, detail }
        return { result: release, entry }
      })
      if (made) await show(context, made)
      return infoNow(context, made?.release ?? live.number)
    },
    async restore(actor) {
      const { stable } = liveOrNone(context)
      if (stable.kind !== 'forced' || stable.from === null) return stable
      return rollBack(context, actor, stable.from, 'what a test put in is taken out', { action: 'release.restored', force: true })
    },
  }
}
