import { sql } from 'kysely'
import type { Check } from '#api-server/ledger/audit.ts'
import type { Tx } from '#server-kit/db.ts'

/** The log of the operators' desk: how many rows, and the end of its chain; two logs with the same end say the same. */
export interface DeskLogFigures {
  rows: number
  /** Hex; zeros while there is no row. */
  end: string
}

const start = '0'.repeat(64)

/** What the chain of a row is made over, as JSON without spaces; written here anew, so that a fault in the desk's own code does not hide itself. */
const said = sql`concat('[', id, ',', at, ',', operator_id, ',', to_json(operator), ',', to_json(action), ',', to_json(subject), ',', to_json(detail), ']')`

export const deskChecks: readonly Check[] = [
  {
    name: 'D1',
    says: "each row of the desk's log is what it was, and follows on the one before",
    breaches: sql`select format('row %s of the desk''s log', id) as breach from (
        select *, row_number() over w as place, lag(chain, 1, ${sql.lit(start)}) over w as before from desk_audit window w as (order by id)) r
      where id <> place or chain <> encode(sha256(convert_to(before || chr(10) || ${said}, 'UTF8')), 'hex')
      order by id`,
  },
]

/** What was decided is also where the decisions are about, so that a log whose last rows are gone is found. Demonstration records were decided by nobody. */
export const decidedChecks: readonly Check[] = [
  {
    name: 'D2',
    says: "each decision about a request or an identity stands in the desk's log",
    breaches: sql`select format('%s by %s: decided %s times, %s in the log', d.subject, d.operator, d.times, count(a.id)) as breach from (
        select f.type || ':' || f.id as subject, f.type || '.%' as acts, s.by as operator, count(*) as times
          from funding_step s join funding f on f.id = s.funding_id
          where s.by <> 'customer' and not (s.by = 'demo' and exists (select from wallet_demo w where w.uid = f.uid)) group by f.type, f.id, s.by
        union all select 'verification:' || id, case status when 'passed' then 'identity.approve' else 'identity.reject' end, decided_by, 1
          from verification where status <> 'reviewing') d
      left join desk_audit a on a.subject = d.subject and a.operator = d.operator and a.action like d.acts
      group by d.subject, d.operator, d.times having count(a.id) < d.times`,
  },
]

/** @returns undefined for a database without a desk */
export async function deskLog(tx: Tx): Promise<DeskLogFigures | undefined> {
  const { rows: found } = await sql<{ there: boolean }>`select to_regclass('desk_audit') is not null as there`.execute(tx)
  if (!found[0]?.there) return undefined
  const { rows } = await sql<DeskLogFigures>`select count(*)::int as rows,
    coalesce((select chain from desk_audit order by id desc limit 1), ${start}) as "end" from desk_audit`.execute(tx)
  return rows[0]
}
