import { sql } from 'kysely'
import { type Check, within } from '#api-server/ledger/audit/audit.check.ts'
import type { Db, Tx } from '#server-kit/db/db.ts'

/**
 * State of the log of the back office: number of rows, and the hash at the end of its chain. Two logs with the same end have the same rows.
 */
export interface BackOfficeLog {
  rows: number
  /** Hash of the last row, in hex; zeros while there is no row. */
  end: string
}

const start = '0'.repeat(64)

/**
 * Hashed text of a row: JSON without spaces. Written here a second time, so that a bug in the back office's own code cannot hide itself.
 */
const said = sql`concat('[', r.id, ',', r.at, ',', r.operator_id, ',', to_json(r.operator), ',', to_json(r.action), ',', to_json(r.subject), ',',
  to_json(r.detail), ']')`

export const backOfficeChecks: readonly Check[] = [
  {
    name: 'D1',
    says: 'each row of the log of the back office is what it was, and follows on the one before',
    over: 'desk_audit',
    breaches: (
      range,
    ) => sql`select format('row %s of the log of the back office', r.id) as breach from desk_audit r left join desk_audit b on b.id = r.id - 1
      where ${within(range, 'r.id')} and ((b.id is null and r.id <> 1)
        or r.chain <> encode(sha256(convert_to(coalesce(b.chain, ${sql.lit(start)}) || chr(10) || ${said}, 'UTF8')), 'hex'))`,
  },
]

/** @returns undefined for a database without a back office */
export async function backOfficeLog(tx: Db | Tx): Promise<BackOfficeLog | undefined> {
  const { rows: found } = await sql<{ there: boolean }>`select to_regclass('desk_audit') is not null as there`.execute(tx)
  if (!found[0]?.there) return undefined
  const { rows } = await sql<BackOfficeLog>`select count(*)::int as rows,
    coalesce((select chain from desk_audit order by id desc limit 1), ${start}) as "end" from desk_audit`.execute(tx)
  return rows[0]
}
