import {
  draftHash,
  liveOrNone,
  lockDraft,
  logged,
  notFound,
  type PublishingContext,
  readDraft,
  shasOfRelease,
  textsOfDraft,
  textsOfRelease,
} from '#config-server/publishing/context.ts'
import type { StoredDraft } from '#config-server/publishing/drafts/draft.store.ts'
import { changesOf } from '#config-server/publishing/drafts/sources.rules.ts'
import { putTexts } from '#config-server/publishing/drafts/text.store.ts'
import { isSourcePath, mustBe, nameOf, noteOf, reasonOf, sourceOf } from '#config-server/publishing/drafts/validation.rules.ts'
import type { DraftFileRow } from '#config-server/publishing/publishing.migration.ts'
import type { Actor, Publishing } from '#config-server/publishing/publishing.ts'
import { sha256 } from '#config-server/release.rules.ts'
import { ApiProblem } from '#contract/problem.ts'
import { merge } from '#language/edit/merge.ts'
import type { Draft, DraftFile } from '#language/publish/publishing.ts'
import { publishingLimits } from '#language/publish/publishing-limits.ts'
import { isUniqueViolation, type Tx } from '#server-kit/db/db.ts'

type DraftWork = Pick<Publishing, 'create' | 'rename' | 'comment' | 'save' | 'revert' | 'drop' | 'importFiles' | 'merge'>

const nameTaken = (error: unknown): never => {
  throw isUniqueViolation(error) ? new ApiProblem('name_taken') : error
}
const inOneCase = (name: string) => name.toLowerCase()
const withHand = (hands: readonly string[], name: string) =>
  hands.some((one) => inOneCase(one) === inOneCase(name)) ? [...hands] : [...hands, name]

/**
 * The end of every change of what a draft holds: it is open again, under another hash, and what was said of the hash before is void.
 * @returns both hashes
 */
export async function touched(
  context: PublishingContext,
  tx: Tx,
  row: StoredDraft,
  actor: Actor,
  base = row.base,
): Promise<{ fromHash: string | null; toHash: string | null }> {
  const files = await context.drafts.files(tx, row.id)
  if (files.length > publishingLimits.filesPerDraftMax)
    throw new ApiProblem('too_large', { data: { member: 'files', max: publishingLimits.filesPerDraftMax } })
  const hash = await draftHash(context, tx, base, files)
  await context.drafts.unapprove(tx, row.id)
  await context.drafts.endSchedule(tx, row.id, 'cancelled', 'the draft was changed')
  const change = { base, hash, state: 'open', version: row.version + 1, updated_at: context.now(), submitted_by: null } as const
  await context.drafts.change(tx, row.id, { ...change, hands: actor.kind === 'system' ? row.hands : withHand(row.hands, actor.name) })
  return { fromHash: row.hash, toHash: hash }
}

/** Puts changes into a draft: path → text, or null where the file is taken out. Texts that equal the base's take the path out of the draft. */
export async function putChanges(
  context: PublishingContext,
  tx: Tx,
  row: StoredDraft,
  actor: Actor,
  base: number,
  changes: ReadonlyMap<string, string | null>,
): Promise<void> {
  const shas = await shasOfRelease(context, base, tx)
  const before = new Map((await context.drafts.files(tx, row.id)).map((file) => [file.path, file]))
  const wanted = [...changes].filter(([path, text]) => (text === null ? Object.hasOwn(shas, path) : sha256(text) !== shas[path]))
  await putTexts(
    tx,
    wanted.flatMap(([, text]) => (text === null ? [] : [[sha256(text), text] as const])),
  )
  for (const [path, text] of wanted) {
    const sha = text === null ? null : sha256(text)
    const base_sha = shas[path] ?? null
    const old = before.get(path)
    if (old && old.sha256 === sha && old.base_sha === base_sha) continue
    const file: DraftFileRow = {
      draft: row.id,
      path,
      sha256: sha,
      version: row.version + 1,
      base_sha,
      by_name: actor.name,
      at: context.now(),
    }
    await context.drafts.putFile(tx, file)
  }
  const kept = new Set(wanted.map(([path]) => path))
  await context.drafts.dropFiles(
    tx,
    row.id,
    [...before.keys()].filter((path) => !kept.has(path)),
  )
}

async function insert(
  context: PublishingContext,
  tx: Tx,
  actor: Actor,
  { name, note, base }: { name: string; note: string; base: number },
): Promise<number> {
  // So that many at once are counted one after the other.
  await context.releases.lock(tx)
  if ((await context.drafts.openCount(tx)) >= publishingLimits.openDraftsMax)
    throw new ApiProblem('too_large', { data: { member: 'drafts', max: publishingLimits.openDraftsMax } })
  const ownMax = publishingLimits.openDraftsPerAuthorMax
  if (actor.kind === 'operator' && (await context.drafts.openCount(tx, actor.name)) >= ownMax)
    throw new ApiProblem('too_large', { data: { member: 'drafts', of: actor.name, max: ownMax } })
  return context.drafts.insert(tx, { name, note, base, author: actor.name, created_at: context.now() })
}

/** A draft of the whole set. @param files path → text */
export async function draftOfFiles(
  context: PublishingContext,
  tx: Tx,
  actor: Actor,
  request: { name: string; note: string; base: number; files: Readonly<Record<string, string>> },
): Promise<{ id: number; hash: string | null; paths: string[] }> {
  const id = await insert(context, tx, actor, request)
  const row = await lockDraft(context, tx, id)
  const changes = changesOf(await textsOfRelease(context, request.base, tx), request.files)
  if (changes.size > publishingLimits.filesPerDraftMax)
    throw new ApiProblem('too_large', { data: { member: 'files', count: changes.size, max: publishingLimits.filesPerDraftMax } })
  await putChanges(context, tx, row, actor, request.base, changes)
  const { toHash } = await touched(context, tx, row, actor)
  return { id, hash: toHash, paths: [...changes.keys()] }
}

export function createDraftWork(context: PublishingContext): DraftWork {
  const changed = async (id: number): Promise<Draft> => {
    context.tell({ about: 'draft', id })
    return readDraft(context, id)
  }
  /** A file of the draft as it is now, or of its base. */
  async function fileNow(id: number, path: string, baseSha: string | null, base: number): Promise<DraftFile> {
    const file = (await context.drafts.changed(id))[path]
    if (file) return file
    const text = baseSha === null ? null : ((await textsOfRelease(context, base))[path] ?? null)
    return { path, text, version: 0, baseSha, by: '', at: 0 }
  }

  /**
   * A draft with the content of a release. A stopped release never counted, so only what it changed is taken: what went live since stays,
   * and where both changed the same thing the draft has what the stopped release said.
   */
  async function draftFrom(actor: Actor, request: { name: string; note: string; base: number }, from: number): Promise<number> {
    const head = await context.releases.head(from)
    if (!head) throw notFound(`release ${from}`)
    const [theirs, mine] = [await textsOfRelease(context, request.base), await textsOfRelease(context, from)]
    const since = head.stopped && head.from_number !== null ? await textsOfRelease(context, head.from_number) : theirs
    const choices = Object.fromEntries(merge(since, mine, theirs).conflicts.map(({ id }) => [id, 'mine' as const]))
    const { files } = merge(since, mine, theirs, choices)
    return logged(context, actor, async (tx) => {
      const made = await draftOfFiles(context, tx, actor, { ...request, files })
      const detail = { name: request.name, base: request.base, from, paths: made.paths }
      return { result: made.id, entry: { action: 'draft.create', subject: `draft ${made.id}`, toHash: made.hash, detail } }
    }).catch(nameTaken)
  }

  return {
    async create(actor, { name, note, from }) {
      mustBe(actor, 'editor')
      const request = { name: nameOf(name), note: noteOf(note), base: liveOrNone(context).stable.number }
      if (from !== undefined) return changed(await draftFrom(actor, request, from))
      const id = await logged(context, actor, async (tx) => {
        const made = await insert(context, tx, actor, request)
        return {
          result: made,
          entry: { action: 'draft.create', subject: `draft ${made}`, detail: { name: request.name, base: request.base } },
        }
      }).catch(nameTaken)
      return changed(id)
    },

    async rename(actor, draft, { name, note }) {
      mustBe(actor, 'editor')
      const change = { ...(name !== undefined && { name: nameOf(name) }), ...(note !== undefined && { note: noteOf(note) }) }
      await logged(context, actor, async (tx) => {
        await lockDraft(context, tx, draft)
        await context.drafts.change(tx, draft, { ...change, updated_at: context.now() })
        return { result: undefined, entry: { action: 'draft.rename', subject: `draft ${draft}`, detail: change } }
      }).catch(nameTaken)
      return changed(draft)
    },

    async comment(actor, draft, text) {
      mustBe(actor, 'editor', 'approver', 'publisher', 'administrator')
      const said = reasonOf(text)
      await logged(context, actor, async (tx) => {
        await lockDraft(context, tx, draft)
        return { result: undefined, entry: { action: 'draft.comment', subject: `draft ${draft}`, reason: said } }
      })
      context.tell({ about: 'draft', id: draft })
      return context.audit.stepsOf(draft)
    },

    async save(actor, draft, { path, text: written, version }) {
      mustBe(actor, 'editor')
      if (!isSourcePath(path)) throw notFound(path)
      const text = written === null ? null : sourceOf(path, written)
      const conflict = Symbol('conflict')
      const done = await logged<typeof conflict | { base: number; baseSha: string | null } | 'same'>(context, actor, async (tx) => {
        const row = await lockDraft(context, tx, draft)
        const files = await context.drafts.files(tx, draft)
        const baseSha = (await shasOfRelease(context, row.base, tx))[path] ?? null
        const before = files.find((file) => file.path === path)
        const sha = text === null ? null : sha256(text)
        if (sha === (before ? before.sha256 : baseSha)) return { result: before ? 'same' : { base: row.base, baseSha } }
        if ((before?.version ?? 0) !== version) return { result: conflict }
        if (sha === baseSha) await context.drafts.dropFiles(tx, draft, [path])
        else {
          if (text !== null) await putTexts(tx, [[sha!, text]])
          const file = { draft, path, sha256: sha, version: row.version + 1, base_sha: baseSha, by_name: actor.name, at: context.now() }
          await context.drafts.putFile(tx, file)
        }
        const hashes = await touched(context, tx, row, actor)
        const detail = { path, before: before ? before.sha256 : baseSha, after: sha }
        return { result: { base: row.base, baseSha }, entry: { action: 'draft.save', subject: `draft ${draft}`, ...hashes, detail } }
      })
      const { row } = (await context.drafts.get(draft))!
      const baseSha = (await shasOfRelease(context, row.base))[path] ?? null
      const now = await fileNow(draft, path, baseSha, row.base)
      if (done === conflict) throw new ApiProblem('save_conflict', { data: { theirs: now } })
      if (done !== 'same') context.tell({ about: 'draft', id: draft })
      const isDocument = path.startsWith('schemas/') && now.text !== null
      return { ...now, problems: isDocument ? context.checkShape({ file: path, text: now.text ?? '' }) : [] }
    },

    async revert(actor, draft, path) {
      mustBe(actor, 'editor')
      await logged(context, actor, async (tx) => {
        const row = await lockDraft(context, tx, draft)
        const file = (await context.drafts.files(tx, draft)).find((one) => one.path === path)
        if (!file) throw notFound(path)
        await context.drafts.dropFiles(tx, draft, [path])
        const hashes = await touched(context, tx, row, actor)
        const detail = { path, before: file.sha256, after: file.base_sha }
        return { result: undefined, entry: { action: 'draft.revert', subject: `draft ${draft}`, ...hashes, detail } }
      })
      return changed(draft)
    },

    async drop(actor, draft) {
      mustBe(actor, 'editor', 'administrator')
      await logged(context, actor, async (tx) => {
        const row = await lockDraft(context, tx, draft)
        const may =
          actor.kind !== 'operator' || row.author === actor.name || row.author === 'system' || actor.roles.includes('administrator')
        if (!may) throw new ApiProblem('not_allowed', { data: { author: row.author } })
        await context.drafts.unapprove(tx, draft)
        await context.drafts.endSchedule(tx, draft, 'cancelled', 'the draft was dropped')
        await context.drafts.change(tx, draft, { state: 'dropped', updated_at: context.now() })
        return {
          result: undefined,
          entry: { action: 'draft.drop', subject: `draft ${draft}`, fromHash: row.hash, detail: { name: row.name } },
        }
      })
      return changed(draft)
    },

    async importFiles(actor, request) {
      mustBe(actor, 'editor')
      const files: Record<string, string> = {}
      for (const { file, text } of request.files) {
        if (!isSourcePath(file)) throw notFound(file)
        files[file] = sourceOf(file, text)
      }
      const base = liveOrNone(context).stable.number
      await textsOfRelease(context, base)
      const id = await logged(context, actor, async (tx) => {
        const made = await draftOfFiles(context, tx, actor, { name: nameOf(request.name), note: noteOf(request.note), base, files })
        const detail = { name: request.name, base, paths: made.paths }
        return { result: made.id, entry: { action: 'draft.import', subject: `draft ${made.id}`, toHash: made.hash, detail } }
      }).catch(nameTaken)
      return changed(id)
    },

    async merge(actor, draft, choices) {
      mustBe(actor, 'editor')
      const parts = await context.drafts.get(draft)
      if (!parts) throw notFound(`draft ${draft}`)
      const { row } = parts
      const onto = liveOrNone(context).stable.number
      if (onto === row.base) return { draft: await readDraft(context, draft), conflicts: [] }
      const [base, mine, theirs] = [
        await textsOfRelease(context, row.base),
        await textsOfDraft(context, parts),
        await textsOfRelease(context, onto),
      ]
      const { files, conflicts } = merge(base, mine, theirs, choices)
      if (conflicts.length) return { draft: await readDraft(context, draft), conflicts }
      const changes = changesOf(theirs, files)
      await logged(context, actor, async (tx) => {
        const now = await lockDraft(context, tx, draft)
        if (now.version !== row.version || now.base !== row.base) throw new ApiProblem('hash_changed', { data: { hash: now.hash } })
        await putChanges(context, tx, now, actor, onto, changes)
        const hashes = await touched(context, tx, now, actor, onto)
        const detail = { from: row.base, onto, choices: { ...choices } }
        return { result: undefined, entry: { action: 'draft.merge', subject: `draft ${draft}`, ...hashes, detail } }
      })
      return { draft: await changed(draft), conflicts: [] }
    },
  }
}
