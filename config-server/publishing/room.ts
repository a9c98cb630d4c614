import type { CheckSources, Preparer } from '#config-server/check.ts'
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

/** What every part of publishing stands on. */
export interface Room {
  database: Database
  releases: ReleaseStore
  drafts: DraftStore
  audit: AuditStore
  served: Served
  catalog: Catalog
  check: CheckSources
  prepareOne: Preparer
  builds: () => readonly BuildUse[]
  canRunFlows: () => Promise<boolean>
  now: () => number
  log: Log
  tell(event: ConsoleEvent): void
}

export const notFound = (what: string) => new ApiProblem('not_found', { data: { what } })

export function liveOrNone(room: Room): Live {
  const live = room.served.live()
  if (!live) throw notFound('a live release')
  return live
}

/** Does `work` in one transaction, with a row in the log at its end. */
export async function logged<T>(
  room: Room,
  actor: Actor,
  work: (tx: Tx) => Promise<{ entry: AuditEntry; result: T } | { result: T }>,
): Promise<T> {
  const at = room.now()
  return room.database.transaction(async (tx) => {
    const done = await work(tx)
    if ('entry' in done) await room.audit.append(tx, actor, done.entry, at)
    return done.result
  })
}

/** Memory of what never changes: the sources of releases. */
const kept = new WeakMap<Room, Map<number, { shas: Shas; texts?: Texts }>>()
const keptMax = 4
function memoryOf(room: Room) {
  const memory = kept.get(room) ?? new Map<number, { shas: Shas; texts?: Texts }>()
  kept.set(room, memory)
  return memory
}

/**
 * Path → sha256 of a release's sources.
 * @param from inside a transaction its `tx`
 * @throws not_found
 */
export async function shasOfRelease(room: Room, number: number, from: Db | Tx = room.database.db): Promise<Shas> {
  const memory = memoryOf(room)
  const known = memory.get(number)
  if (known) return known.shas
  const shas = await room.releases.sources(from, number)
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
export async function textsOfRelease(room: Room, number: number, from: Db | Tx = room.database.db): Promise<Texts> {
  const shas = await shasOfRelease(room, number, from)
  const entry = memoryOf(room).get(number)
  if (entry?.texts) return entry.texts
  const texts = await textsOf(shas, from)
  if (entry) entry.texts = texts
  return texts
}

/** Hash of what a draft would publish; null while it changes nothing. */
export async function draftHash(
  room: Room,
  tx: Tx,
  base: number,
  files: readonly Pick<DraftFileRow, 'path' | 'sha256'>[],
): Promise<string | null> {
  if (!files.length) return null
  const shas = await shasOfRelease(room, base, tx)
  return hashOf(
    withChanges(
      shas,
      files.map((file) => [file.path, file.sha256] as const),
    ),
  )
}

/** Whether both releases have the same sources. */
export async function sameSources(room: Room, left: number, right: number, from: Db | Tx = room.database.db): Promise<boolean> {
  return left === right || hashOf(await shasOfRelease(room, left, from)) === hashOf(await shasOfRelease(room, right, from))
}

/** Whether a draft touches money, by the hash of what it would publish: the answer of one hash on one base never changes. */
const moneyByHash = new WeakMap<Room, Map<string, boolean>>()
const moneyRemembered = 500

async function touchesMoneyOf(room: Room, { id, state, base, hash }: StoredDraft): Promise<boolean> {
  if (hash === null || (state !== 'submitted' && state !== 'approved')) return false
  const memory = moneyByHash.get(room) ?? new Map<string, boolean>()
  moneyByHash.set(room, memory)
  const key = `${base} ${hash}`
  const known = memory.get(key)
  if (known !== undefined) return known
  const [before, changed] = [await textsOfRelease(room, base), await room.drafts.changed(id)]
  const touches = touchesMoney(
    Object.values(changed).map((file) => ({ before: before[file.path], after: file.text })),
    room.catalog.calls,
  )
  for (const old of [...memory.keys()].slice(0, Math.max(0, memory.size - moneyRemembered + 1))) memory.delete(old)
  memory.set(key, touches)
  return touches
}

export async function draftOf(room: Room, { row, paths, approval, schedule }: DraftParts): Promise<Draft> {
  const { id, name, note, state, base, author, hash, hands } = row
  const open = state !== 'published' && state !== 'dropped'
  const live = room.served.live()
  return {
    ...{ id, name, note, state, base, author, hash, paths, hands },
    touchesMoney: await touchesMoneyOf(room, row),
    stale: open && live !== undefined && !(await sameSources(room, base, live.stable.number)),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    submittedBy: row.submitted_by,
    approval: approval ? approvalOf(approval) : null,
    rejection: row.rejection,
    schedule: schedule && (schedule.state === 'waiting' || (schedule.state === 'refused' && schedule.hash === hash)) ? schedule : null,
    release: row.release,
  }
}

export async function partsOf(room: Room, id: number): Promise<DraftParts> {
  const parts = await room.drafts.get(id)
  if (!parts) throw notFound(`draft ${id}`)
  return parts
}
export const readDraft = async (room: Room, id: number): Promise<Draft> => draftOf(room, await partsOf(room, id))

/** The row, locked until the transaction ends. @throws not_found, state_wrong once nobody can change it any more */
export async function lockDraft(room: Room, tx: Tx, id: number): Promise<StoredDraft> {
  const row = await room.drafts.lock(tx, id)
  if (!row) throw notFound(`draft ${id}`)
  if (row.state === 'published' || row.state === 'dropped') throw new ApiProblem('state_wrong', { data: { state: row.state } })
  return row
}

/** Every source of a draft, and what it would be called. */
export async function textsOfDraft(room: Room, parts: DraftParts): Promise<Record<string, string>> {
  const changed = await room.drafts.changed(parts.row.id)
  return withChanges(
    await textsOfRelease(room, parts.row.base),
    Object.values(changed).map((file) => [file.path, file.text] as const),
  )
}
