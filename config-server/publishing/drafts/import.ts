import { BrokenSources } from '#config-server/broken-sources.ts'
import { logged, type PublishingContext, shasOfRelease, textsOf, textsOfRelease } from '#config-server/publishing/context.ts'
import { draftOfFiles } from '#config-server/publishing/drafts/drafts.ts'
import { changesOf, hashOf, shasOf, type Texts } from '#config-server/publishing/drafts/sources.rules.ts'
import { putTexts } from '#config-server/publishing/drafts/text.store.ts'
import { insertRelease, show } from '#config-server/publishing/pointer.ts'
import { systemActor } from '#config-server/publishing/publishing.ts'
import { look } from '#config-server/publishing/review.ts'
import { type Release, revisionsOf, sha256 } from '#config-server/release.rules.ts'
import { merge } from '#language/edit/merge.ts'
import type { SourceFile } from '#language/types/catalog.ts'
import type { Tx } from '#server-kit/db/db.ts'

/**
 * The result of an import of the build's files: nothing, as they are known; a release; or a draft, because operators published since the
 * last time.
 */
export type Imported = { is: 'known' } | { is: 'release'; release: Release } | { is: 'draft'; draft: number; conflicts: number }

/**
 * Hash of the files and of what checks them here; undefined where the latter is not known. The files are part of it because a node of an
 * earlier build writes `imported` and leaves `checked_by` as it was.
 */
const checkOf = ({ checker }: PublishingContext, hash: string) => checker && sha256(`${checker} ${hash}`)

/** Whether these files were checked before by the same build, and the live release is whole. */
async function isChecked(context: PublishingContext, hash: string): Promise<boolean> {
  const { stable, imported, checkedBy } = await context.releases.pointer()
  if (checkedBy === null || checkedBy !== checkOf(context, hash) || stable === null || imported === null) return false
  if (hashOf(imported) !== hash || context.served.stable()?.release !== stable) return false
  // A release that an operator published from the same sources may have been prepared by another build.
  const isLive = hashOf(await shasOfRelease(context, stable)) === hash
  return !isLive || context.served.live()?.stable.kind === 'files'
}

/**
 * Takes in the files that came with the build. An empty store makes release 1 of them. Files that are as they were the last time change
 * nothing, and so do those that are live. Others become a release where what is live came from files, too; otherwise a draft that brings
 * both together, and what is live stays. Where both sides changed the same thing the draft has what is live, and its note says so.
 * Files that the same build has checked before are not checked again.
 * @param watched somebody develops: they become a release in any case, unless one is being rolled out
 * @throws BrokenSources when they may not be published
 */
export async function importSources(context: PublishingContext, all: readonly SourceFile[], watched: boolean): Promise<Imported> {
  const files: Texts = Object.fromEntries(all.map(({ file, text }) => [file, text]))
  const shas = shasOf(files)
  const hash = hashOf(shas)
  if (!watched && (await isChecked(context, hash))) return { is: 'known' }
  const { checked, release: content } = look(context, files, watched)
  if (!content) throw new BrokenSources(checked.problems)
  context.served.know(revisionsOf(content))
  const checkedBy = checkOf(context, hash) ?? null

  const done = await logged<Imported>(context, systemActor, async (tx) => {
    const pointer = await context.releases.lock(tx)
    const before = pointer.stable === null ? undefined : await context.releases.headIn(tx, pointer.stable)
    const liveHash = pointer.stable === null ? null : hashOf(await shasOfRelease(context, pointer.stable, tx))
    const importedHash = pointer.imported && hashOf(pointer.imported)
    const keep = async (by: string | null) => {
      if (importedHash !== hash || pointer.checkedBy !== by) await context.releases.imported(tx, shas, by)
    }
    if (before && liveHash === hash && (before.served === content.hash || pointer.candidate !== null)) {
      await keep(before.served === content.hash ? checkedBy : null)
      return { result: { is: 'known' } }
    }
    if (before && liveHash !== hash && importedHash === hash) {
      await keep(checkedBy)
      return { result: { is: 'known' } }
    }
    const free = pointer.candidate === null && (watched || liveHash === null || liveHash === hash || liveHash === importedHash)
    await putTexts(
      tx,
      Object.values(files).map((text) => [sha256(text), text] as const),
    )
    await context.releases.imported(tx, shas, checkedBy)
    if (!free) return asDraft(tx, pointer.stable!, pointer.imported, files, hash)
    const people = { author: systemActor.name, approver: null, publisher: systemActor.name }
    const facts = {
      hash,
      kind: 'files' as const,
      from_number: pointer.stable,
      draft: null,
      note: '',
      flows: 'not-run' as const,
      rollout: null,
    }
    const release = await insertRelease(context, tx, { ...facts, ...people, sources: shas }, content)
    await context.releases.move(tx, pointer, { stable: release.release, candidate: null, rollout: null }, context.now())
    const entry = { action: 'release.import', subject: `release ${release.release}`, fromHash: before?.hash ?? null, toHash: hash }
    return { result: { is: 'release', release }, entry }
  })
  if (done.is === 'release') await show(context, done.release)
  if (done.is === 'draft') {
    context.log.warn(
      { draft: done.draft, conflicts: done.conflicts },
      'the files differ from what operators published; they wait as a draft',
    )
    context.tell({ about: 'draft', id: done.draft })
  }
  return done

  async function asDraft(tx: Tx, stable: number, imported: Record<string, string> | null, mine: Texts, fileHash: string) {
    const theirs = await textsOfRelease(context, stable, tx)
    const base = imported ? await textsOf(imported, tx) : theirs
    const { conflicts } = merge(base, mine, theirs)
    const choices = Object.fromEntries(conflicts.map(({ id }) => [id, 'theirs' as const]))
    const merged = merge(base, mine, theirs, choices)
    if (changesOf(theirs, merged.files).size === 0) return { result: { is: 'known' } as const }
    const places = conflicts.map(({ path, node, member }) => [path, node, member].filter(Boolean).join(' '))
    const note = [
      'The documents that came with the build differ from those that were published here. This draft brings both together.',
      ...(places.length ? [`Both changed, and what is live was kept: ${places.slice(0, 40).join('; ')}`] : []),
    ].join('\n')
    const request = { name: `Documents of the build ${fileHash.slice(0, 8)}`, note, base: stable, files: merged.files }
    const { id, hash: toHash, paths } = await draftOfFiles(context, tx, systemActor, request)
    const detail = { base: stable, paths, conflicts: places.slice(0, 100) }
    const entry = { action: 'draft.import', subject: `draft ${id}`, toHash, detail }
    return { result: { is: 'draft', draft: id, conflicts: conflicts.length } as const, entry }
  }
}
