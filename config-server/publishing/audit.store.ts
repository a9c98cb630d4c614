import { sql } from 'kysely'
import { chainOf, chainStart, firstBroken } from '#config-server/publishing/audit.rules.ts'
import type { Actor, AuditEntry, AuditFilter, AuditVerdict } from '#config-server/publishing/publishing.ts'
import type { AuditRow, DraftStep } from '#language/publish/publishing.ts'
import { publishingLimits } from '#language/publish/publishing-limits.ts'
import { type Database, type Tables, type Tx, write } from '#server-kit/db/db.ts'
import { anywhere, namesOne } from '#server-kit/db/like.ts'

export interface AuditStore {
  /** The last thing that a transaction does: from here to its end every other one that logs waits. */
  append(tx: Tx, actor: Pick<Actor, 'name'>, entry: AuditEntry, at: number): Promise<void>
  row(id: number): Promise<AuditRow | undefined>
  page(filter: AuditFilter): Promise<{ rows: AuditRow[]; total: number }>
  /** Rows about a draft, the newest first, without its saves. */
  stepsOf(draft: number): Promise<DraftStep[]>
  verify(): Promise<AuditVerdict>
}

/** Any number, the same in every node: rows are chained one by one. */
const chainLockKey = 748_291_036
const verifyRowsAtOnce = 2_000

const rowOf = (row: Tables['config_audit']): AuditRow => ({
  id: row.id,
  at: row.at,
  actor: row.actor,
  action: row.action,
  subject: row.subject,
  fromHash: row.from_hash,
  toHash: row.to_hash,
  reason: row.reason,
  detail: row.detail as Record<string, unknown>,
  chain: row.chain,
})

function boundedDetail(detail: Record<string, unknown>): Record<string, unknown> {
  const { length } = JSON.stringify(detail)
  return length <= publishingLimits.auditDetailLengthMax ? (JSON.parse(JSON.stringify(detail)) as Record<string, unknown>) : { length }
}

export function createAuditStore(database: Database): AuditStore {
  const { db } = database
  return {
    async append(tx, actor, entry, at) {
      if (database.engine === 'postgres') await sql`select pg_advisory_xact_lock(${chainLockKey}::bigint)`.execute(tx)
      const last = await tx.selectFrom('config_audit').select(['id', 'chain']).orderBy('id', 'desc').limit(1).executeTakeFirst()
      const row = {
        id: (last?.id ?? 0) + 1,
        at,
        actor: actor.name,
        action: entry.action.slice(0, publishingLimits.actionLengthMax),
        subject: entry.subject.slice(0, publishingLimits.subjectLengthMax),
        fromHash: entry.fromHash ?? null,
        toHash: entry.toHash ?? null,
        reason: (entry.reason ?? '').slice(0, publishingLimits.noteLengthMax),
        detail: boundedDetail(entry.detail ?? {}),
      }
      const { fromHash, toHash, detail, ...rest } = row
      const chain = chainOf(last?.chain ?? chainStart, row)
      const values = { ...rest, from_hash: fromHash, to_hash: toHash, detail: JSON.stringify(detail), chain }
      await write(1, tx.insertInto('config_audit').values(values))
    },
    async row(id) {
      const row = await db.selectFrom('config_audit').selectAll().where('id', '=', id).executeTakeFirst()
      return row && rowOf(row)
    },
    async page({ actor, action, subject, from, to, before, limit = publishingLimits.auditPage }) {
      let all = db.selectFrom('config_audit')
      if (actor) all = all.where('actor', 'ilike', anywhere(actor))
      if (action) all = all.where('action', 'ilike', anywhere(action))
      if (subject && namesOne(subject)) all = all.where('subject', '=', subject.trim().toLowerCase())
      else if (subject) {
        const part = anywhere(subject)
        const ofDraft = db.selectFrom('config_draft').select(sql<string>`'draft ' || id`.as('subject')).where('name', 'ilike', part)
        all = all.where((row) =>
          row.or([
            row('subject', 'ilike', part),
            row('action', 'ilike', part),
            row('subject', 'in', ofDraft),
            row('reason', 'ilike', part),
            row(sql<string>`detail ->> 'path'`, 'ilike', part),
          ]),
        )
      }
      if (from !== undefined) all = all.where('at', '>=', from)
      if (to !== undefined) all = all.where('at', '<=', to)
      const { total } = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const page = before === undefined ? all : all.where('id', '<', before)
      const most = Math.min(Math.max(1, limit), publishingLimits.auditPageMax)
      const rows = await page.selectAll().orderBy('id', 'desc').limit(most).execute()
      return { rows: rows.map(rowOf), total: Number(total) }
    },
    stepsOf: async (draft) =>
      (
        await db
          .selectFrom('config_audit')
          .selectAll()
          .where('subject', '=', `draft ${draft}`)
          .where('action', 'not in', ['draft.save', 'draft.revert', 'draft.flows', 'draft.refused'])
          .orderBy('id', 'desc')
          .limit(publishingLimits.historyRows)
          .execute()
      ).map(({ id, at, actor, action, reason, detail }) => ({ id, at, actor, action, reason, detail: detail as Record<string, unknown> })),
    async verify() {
      let before = { id: 0, chain: chainStart }
      for (;;) {
        const page = db.selectFrom('config_audit').selectAll().where('id', '>', before.id).orderBy('id').limit(verifyRowsAtOnce)
        const rows = (await page.execute()).map(rowOf)
        const brokenAt = firstBroken(rows, before)
        if (brokenAt !== undefined) return { ok: false, rows: before.id + rows.length, brokenAt }
        const last = rows.at(-1)
        if (!last) return { ok: true, rows: before.id, brokenAt: null }
        before = last
      }
    },
  }
}
