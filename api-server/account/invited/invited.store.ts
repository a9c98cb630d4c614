import { sql } from 'kysely'
import { monthStart, monthsUntil } from '#api-server/account/invited/invited.rules.ts'
import type { Database } from '#server-kit/db/db.ts'
import { pageOf } from '#server-kit/http/list-bounds.ts'

export interface InvitedRow {
  id: number
  nickname: string
  level: number
  created_at: number
}
export interface InvitedStore {
  /** @param generation 1: came with the code of this account · 2: with a code of those */
  page(of: { id: number; generation: 1 | 2; page: number; size: number }): Promise<{ list: InvitedRow[]; total: number }>
  /** How many came in each of the last months, oldest first. */
  months(of: { id: number; generation: 1 | 2 }, now: number): Promise<{ month: string; invited: number }[]>
}

export function createInvitedStore({ db }: Database): InvitedStore {
  const count = sql<number>`count(*)::int`.as('n')
  const those = (id: number, generation: 1 | 2) =>
    generation === 1
      ? db.selectFrom('account').where('invited_by', '=', id)
      : db.selectFrom('account').where('invited_by', 'in', db.selectFrom('account').select('id').where('invited_by', '=', id))
  return {
    async page({ id, generation, page, size }) {
      const listed = those(id, generation).select(['id', 'nickname', 'level', 'created_at']).orderBy('id', 'desc')
      const { rows: list, total } = await pageOf(db, listed, { page, size })
      return { list, total }
    },
    async months({ id, generation }, now) {
      const months = monthsUntil(now)
      const month = sql<string>`to_char(to_timestamp(created_at / 1000.0) at time zone 'UTC', 'YYYY-MM')`
      const rows = await those(id, generation)
        .where('created_at', '>=', monthStart(months[0]!))
        .select([month.as('month'), count])
        .groupBy(month)
        .execute()
      const counted = new Map(rows.map((row) => [row.month, row.n]))
      return months.map((one) => ({ month: one, invited: counted.get(one) ?? 0 }))
    },
  }
}
