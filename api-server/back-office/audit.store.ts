import { sql } from 'kysely'
import { chainOf, chainStart, type DeskNote, firstBroken } from '#api-server/back-office/audit.rules.ts'
import type { DeskAuditRow } from '#api-server/back-office/back-office.migration.ts'
import { type Database, type Tx, write } from '#server-kit/db/db.ts'
import { anywhere, namesOne } from '#server-kit/db/like.ts'
import type { Operator } from '#server-kit/http/http.ts'

/** Texts are found in any part and in any case. */
export interface DeskAuditFilter {
  operator?: string | undefined
  /** Part of an action: recharge, approve. */
  action?: string | undefined
  /** One subject (`recharge 12`), or part of a subject or of its detail. */
  subject?: string | undefined
}

export interface DeskAuditStore {
  /** The last thing that a transaction does: from here to its end every other one that logs waits. */
  append(tx: Tx, operator: Operator, note: DeskNote, at: number): Promise<void>
  /** Number of the last row about this; 0 for none. */
  lastOf(subject: string): Promise<number>
  /** Newest first. @param page from 1 on */
  page(filter: DeskAuditFilter, page: number, size: number): Promise<{ list: DeskAuditRow[]; total: number }>
  /** @returns the first row that is not what it was, or null, and how many there are up to it */
  verify(): Promise<{ rows: number; brokenAt: number | null }>
}

/** Any number, the same in every node: rows are chained one by one. */
const chainLockKey = 748_291_051
const verifyRowsAtOnce = 2_000
const textMax = 600

export function createDeskAuditStore(database: Database): DeskAuditStore {
  const { db } = database
  return {
    async append(tx, { id: operator_id, name: operator }, { action, subject, detail }, at) {
      if (database.engine === 'postgres') await sql`select pg_advisory_xact_lock(${chainLockKey}::bigint)`.execute(tx)
      const last = await tx.selectFrom('desk_audit').select(['id', 'chain']).orderBy('id', 'desc').limit(1).executeTakeFirst()
      const row = { id: (last?.id ?? 0) + 1, at, operator_id, operator, action, subject, detail: detail.slice(0, textMax) }
      await write(1, tx.insertInto('desk_audit').values({ ...row, chain: chainOf(last?.chain ?? chainStart, row) }))
    },
    async lastOf(subject) {
      const row = await db
        .selectFrom('desk_audit')
        .select('id')
        .where('subject', '=', subject)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.id ?? 0
    },
    async page({ operator, action, subject }, page, size) {
      let all = db.selectFrom('desk_audit')
      if (operator) all = all.where('operator', 'ilike', anywhere(operator))
      if (action) all = all.where(sql<string>`action`, 'ilike', anywhere(action))
      if (subject && namesOne(subject)) all = all.where('subject', '=', subject.trim().toLowerCase())
      else if (subject)
        all = all.where((row) => row.or([row('subject', 'ilike', anywhere(subject)), row('detail', 'ilike', anywhere(subject))]))
      const { total } = await all.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
      const list = await all
        .selectAll()
        .orderBy('id', 'desc')
        .limit(size)
        .offset((page - 1) * size)
        .execute()
      return { list, total }
    },
    async verify() {
      let before = { id: 0, chain: chainStart }
      for (;;) {
        const rows = await db
          .selectFrom('desk_audit')
          .selectAll()
          .where('id', '>', before.id)
          .orderBy('id')
          .limit(verifyRowsAtOnce)
          .execute()
        const brokenAt = firstBroken(rows, before)
        if (brokenAt !== undefined) return { rows: before.id + rows.length, brokenAt }
        const last = rows.at(-1)
        if (!last) return { rows: before.id, brokenAt: null }
        before = last
      }
    },
  }
}
