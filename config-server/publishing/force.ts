import type { Checked } from '#config-server/check.ts'
import { sourcesOf } from '#config-server/files.ts'
import { infoNow, insertRelease, rollBack, show } from '#config-server/publishing/pointer.ts'
import type { Publishing } from '#config-server/publishing/publishing.ts'
import { liveOrNone, logged, notFound, type Room, shasOfRelease, textsOfRelease } from '#config-server/publishing/room.ts'
import { type DocumentRevision, makeRelease, revisionOf, sha256 } from '#config-server/release.rules.ts'
import type { Json } from '#language/documents/documents.ts'
import { parse } from '#language/documents/parse.ts'
import { canonical } from '#language/publish/canonical.ts'
import type { DocumentKey } from '#language/publish/release.ts'

export type ForceWork = Pick<Publishing, 'force' | 'restore'>

const nothingNeeded = { requires: { widgets: [], operators: [], steps: [], format: 1 }, uses: [], areas: [] }

/** Releases that nothing has checked, for tests of what must not happen. They stand on the last one that was checked. */
export function createForceWork(room: Room): ForceWork {
  let parsed: { base: number; checked: Checked } | undefined

  async function checkedOf(base: number): Promise<Checked> {
    if (parsed?.base !== base) {
      const files = Object.entries(await textsOfRelease(room, base)).map(([file, text]) => ({ file, text }))
      parsed = { base, checked: { ...parse(sourcesOf(files).files), prepared: [] } }
    }
    return parsed.checked
  }
  function forced(key: DocumentKey, doc: Json, checked: Checked, before: DocumentRevision | undefined): DocumentRevision {
    const prepared = room.prepareOne(checked, key, doc)
    if (prepared) return revisionOf(prepared)
    const text = canonical(doc)
    return { ...(before ?? nothingNeeded), key, canonical: text, sha256: sha256(text) }
  }

  return {
    async force(actor, changes) {
      const live = liveOrNone(room).stable
      const base = live.kind === 'forced' && live.from !== null ? live.from : live.number
      const [content, checked] = [await room.served.get(base), await checkedOf(base)]
      if (!content) throw notFound(`release ${base}`)
      const documents = new Map(content.documents)
      for (const [name, doc] of Object.entries(changes)) {
        const key = name as DocumentKey
        if (doc === null) documents.delete(key)
        else documents.set(key, forced(key, doc as Json, checked, content.documents.get(key)))
      }
      const wanted = makeRelease(0, [...documents.values()], content.texts)
      const made = await logged(room, actor, async (tx) => {
        const pointer = await room.releases.lock(tx)
        const before = pointer.stable === null ? undefined : await room.releases.headIn(tx, pointer.stable)
        if (before?.served === wanted.hash) return { result: undefined }
        if (pointer.candidate !== null) await room.releases.mark(tx, pointer.candidate, { stopped: true })
        const sources = { ...(await shasOfRelease(room, base, tx)) }
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
        const release = await insertRelease(room, tx, { ...facts, ...people, sources }, wanted)
        await room.releases.move(tx, pointer, { stable: release.release, candidate: null, rollout: null }, room.now())
        const detail = { documents: Object.keys(changes) }
        const entry = { action: 'release.forced', subject: `release ${release.release}`, fromHash: live.hash, toHash: live.hash, detail }
        return { result: release, entry }
      })
      if (made) await show(room, made)
      return infoNow(room, made?.release ?? live.number)
    },
    async restore(actor) {
      const { stable } = liveOrNone(room)
      if (stable.kind !== 'forced' || stable.from === null) return stable
      return rollBack(room, actor, stable.from, 'what a test put in is taken out', { action: 'release.restored', force: true })
    },
  }
}
