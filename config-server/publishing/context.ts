import type { CheckShape, CheckSources, Preparer } from '#config-server/check.ts'
import type { AuditStore } from '#config-server/publishing/audit.store.ts'
import { approvalOf, type DraftParts, type DraftStore, type StoredDraft } from '#config-server/publishing/drafts/draft.store.ts'
import { hashOf, type Shas, type Texts, withChanges } from '#config-server/publishing/drafts/sources.rules.ts'
import { readTexts } from '#config-server/publishing/drafts/text.store.ts'
import { touchesMoney } from '#config-server/publishing/money.rules.ts'
import type { DraftFileRow } from '#config-server/publishing/publishing.migration.ts'
import type { Actor, AuditEntry, Live } from '#config-server/publishing/publishing.ts'
import type { ReleaseStore } from '#config-server/publishing/release.store.ts'
import type { Served } from '#config-server/publishing/served.ts'
import type { BuildUse } from '#config-server/serving/builds.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { ConsoleEvent, Draft } from '#language/publish/publishing.ts'
import type { Catalog } from '#language/types/catalog.ts'
import type { Database, Db, Tx } from '#server-kit/db/db.ts'
import type { Log } from '#server-kit/ops/log.ts'

/** The services that all parts of publishing share. */
export interface PublishingContext {
  database: Database
  releases: ReleaseStore
  drafts: DraftStore
  audit: AuditStore
  served: Served
  catalog: Catalog
  check: CheckSources
  checkShape: CheckShape
  /** See readCheckerHash. */
  checker: string | undefined
  prepareOne: Preparer
  builds: () => readonly BuildUse[]
  canRunFlows: () => Promise<boolean>
  now: () => number
  log: Log
  tell(event: ConsoleEvent): void
}

export const notFound = (what: string) => new ApiProblem('not_found', { data: { what } })

export function liveOrNone(context: PublishingContext): Live {
  const live = context.served.live()
  if (!live) throw notFound('a live release')
  return live
}

/** Does `work` in one transaction, with a row in the log at its end. */
export async function logged<T>(
  context: PublishingContext,
  actor: Actor,
  work: (tx: Tx) => Promise<{ entry: AuditEntry; result: T } | { result: T }>,
): Promise<T> {
  const at = context.now()
  return context.database.transaction(async (tx) => {
    const done = await work(tx)
    if ('entry' in done) await context.audit.append(tx, actor, done.entry, at)
    return done.result
  })
}

/** Memory of what never changes: the sources of releases. */
const kept = new WeakMap<PublishingContext, Map<number, { shas: Shas; texts?: Texts }>>()
const keptMax = 4
function memoryOf(context: PublishingContext) {
  const memory = kept.get(context) ?? new Map<number, { shas: Shas; texts?: Texts }>()
  kept.set(context, memory)
  return memory
}

/**
 * Path → sha256 of a release's sources.
 * @param from inside a transaction its `tx`
 * @throws not_found
 */
export async function shasOfRelease(context: PublishingContext, number: number, from: Db | Tx = context.database.db): Promise<Shas> {
  const memory = memoryOf(context)
  const known = memory.get(number)
  if (known) return known.shas
  const shas = await context.releases.sources(from, number)
  if (!shas) throw notFound(`release ${number}`)
  for (const old of [...memory.keys()].slice(0, Math.max(0, memory.size - keptMax + 1))) memory.delete(old)
  memory.set(number, { shas })
  return shas
}

/** Path → text. @throws Error when a text is gone */
export async function textsOf(shas: Shas, from: Db | Tx): Promise<Record<string, string>> {
  const texts = await readTexts(from, Object.values(shas))
  return Object.fromEntries(
    Object.entries(shas).map(([path, sha]) => {
      const text = texts.get(sha)
      if (text === undefined) throw new Error(`the text of ${path} is not in the database any more, or was changed there`)
      return [path, text]
    }),
  )
}

/** Every source of a release. The answer is shared: nobody writes into it. */
export async function textsOfRelease(context: PublishingContext, number: number, from: Db | Tx = context.database.db): Promise<Texts> {
  const shas = await shasOfRelease(context, number, from)
  const entry = memoryOf(context).get(number)
  if (entry?.texts) return entry.texts
  const texts = await textsOf(shas, from)
  if (entry) entry.texts = texts
  return texts
}

/** Hash of what a draft would publish; null while it changes nothing. */
export async function draftHash(
  context: PublishingContext,
  tx: Tx,
  base: number,
  files: readonly Pick<DraftFileRow, 'path' | 'sha256'>[],
): Promise<string | null> {
  if (!files.length) return null
  const shas = await shasOfRelease(context, base, tx)
  return hashOf(
    withChanges(
      shas,
      files.map((file) => [file.path, file.sha256] as const),
    ),
  )
}

/** Whether both releases have the same sources. */
export async function sameSources(
  context: PublishingContext,
  left: number,
  right: number,
  from: Db | Tx = context.database.db,
): Promise<boolean> {
  return left === right || hashOf(await shasOfRelease(context, left, from)) === hashOf(await shasOfRelease(context, right, from))
}

/** Whether a draft touches money, by the hash of what it would publish: the answer of one hash on one base never changes. */
const moneyByHash = new WeakMap<PublishingContext, Map<string, boolean>>()
const moneyRemembered = 500

async function touchesMoneyOf(context: PublishingContext, { id, state, base, hash }: StoredDraft): Promise<boolean> {
  if (hash === null || (state !== 'submitted' && state !== 'approved')) return false
  const memory = moneyByHash.get(context) ?? new Map<string, boolean>()
  moneyByHash.set(context, memory)
  const key = `${base} ${hash}`
  const known = memory.get(key)
  if (known !== undefined) return known
  const [before, changed] = [await textsOfRelease(context, base), await context.drafts.changed(id)]
  const touches = touchesMoney(
    Object.values(changed).map((file) => ({ before: before[file.path], after: file.text })),
    context.catalog.calls,
  )
  for (const old of [...memory.keys()].slice(0, Math.max(0, memory.size - moneyRemembered + 1))) memory.delete(old)
  memory.set(key, touches)
  return touches
}

export async function draftOf(context: PublishingContext, { row, paths, approval, schedule }: DraftParts): Promise<Draft> {
  const { id, name, note, state, base, author, hash, hands } = row
  const open = state !== 'published' && state !== 'dropped'
  const live = context.served.live()
  return {
    id,
    name,
    note,
    state,
    base,
    author,
    hash,
    paths,
    hands,
    touchesMoney: await touchesMoneyOf(context, row),
    stale: open && live !== undefined && !(await sameSources(context, base, live.stable.number)),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    submittedBy: row.submitted_by,
    approval: approval ? approvalOf(approval) : null,
    rejection: row.rejection,
    schedule: schedule && (schedule.state === 'waiting' || (schedule.state === 'refused' && schedule.hash === hash)) ? schedule : null,
    release: row.release,
  }
}

export async function partsOf(context: PublishingContext, id: number): Promise<DraftParts> {
  const parts = await context.drafts.get(id)
  if (!parts) throw notFound(`draft ${id}`)
  return parts
}
export const readDraft = async (context: PublishingContext, id: number): Promise<Draft> => draftOf(context, await partsOf(context, id))

/** The row, locked until the transaction ends. @throws not_found, state_wrong once nobody can change it any more */
export async function lockDraft(context: PublishingContext, tx: Tx, id: number): Promise<StoredDraft> {
  const row = await context.drafts.lock(tx, id)
  if (!row) throw notFound(`draft ${id}`)
  if (row.state === 'published' || row.state === 'dropped') throw new ApiProblem('state_wrong', { data: { state: row.state } })
  return row
}

/** Every source of a draft, and what it would be called. */
export async function textsOfDraft(context: PublishingContext, parts: DraftParts): Promise<Record<string, string>> {
  const changed = await context.drafts.changed(parts.row.id)
  return withChanges(
    await textsOfRelease(context, parts.row.base),
    Object.values(changed).map((file) => [file.path, file.text] as const),
  )
}
