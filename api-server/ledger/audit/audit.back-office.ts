import { type RawBuilder, sql } from 'kysely'
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
    over: 'backOffice',
    breaches: (
      range,
    ) => sql`select format('row %s of the log of the back office', r.id) as breach from desk_audit r left join desk_audit b on b.id = r.id - 1
      where ${within(range, 'r.id')} and ((b.id is null and r.id <> 1)
        or r.chain <> encode(sha256(convert_to(coalesce(b.chain, ${sql.lit(start)}) || chr(10) || ${said}, 'UTF8')), 'hex'))`,
  },
]

const decided = (decisions: RawBuilder<unknown>) => sql<{
  breach: string
}>`select format('%s by %s: decided %s times, %s in the log', d.subject, d.operator,
    d.times, count(a.id)) as breach from (${decisions}) d
  left join desk_audit a on a.subject = d.subject and a.operator = d.operator and a.action like d.acts
  group by d.subject, d.operator, d.acts, d.times having count(a.id) < d.times`

/**
 * Compares each decision with the log of the back office, which finds a log whose last rows were removed. Demonstration records have no
 * decision.
 */
export const decidedChecks: readonly Check[] = [
  {
    name: 'D2',
    says: 'each decision about a request stands in the log of the back office',
    over: 'funding',
    breaches: (range) =>
      decided(sql`select f.type || ':' || f.id as subject, f.type || '.%' as acts, s.by as operator, count(*) as times
        from funding_step s join funding f on f.id = s.funding_id
        where ${within(range, 'f.id')} and s.by <> 'customer'
          and not (s.by = 'demo' and exists (select from wallet_demo w where w.uid = f.uid)) group by f.type, f.id, s.by`),
  },
  {
    name: 'D2',
    says: 'each decision about an identity stands in the log of the back office',
    over: 'user',
    breaches: (range) =>
      decided(sql`select 'verification:' || id as subject,
        case status when 'passed' then 'identity.approve' else 'identity.reject' end as acts, decided_by as operator, 1::bigint as times
        from verification where status <> 'reviewing' and ${within(range, 'uid')}`),
  },
  {
    name: 'D2',
    says: 'each decision about a trader stands in the log of the back office',
    over: 'user',
    breaches: (range) =>
      decided(sql`select 'trader:' || id as subject, case status when 'passed' then 'trader.approve' else 'trader.reject' end as acts,
        decided_by as operator, 1::bigint as times from trader_application where status <> 'reviewing' and ${within(range, 'uid')}`),
  },
  {
    name: 'D2',
    says: 'each end of a trader stands in the log of the back office',
    over: 'user',
    breaches: (range) =>
      decided(sql`select 'trader:' || a.id as subject, 'trader.end' as acts, t.ended_by as operator, 1::bigint as times
        from trader t join trader_application a on a.uid = t.uid and a.status = 'passed' where t.ended is not null and ${within(range, 't.uid')}`),
  },
  {
    name: 'D2',
    says: 'each decision about an OTC order stands in the log of the back office',
    over: 'otc',
    breaches: (range) =>
      decided(sql`select 'otc:' || id as subject, case status when 'settled' then 'otc.approve' else 'otc.reject' end as acts,
        decided_by as operator, 1::bigint as times from otc_order where status in ('settled', 'rejected') and ${within(range, 'id')}`),
  },
  {
    name: 'D2',
    says: 'each decision about an OTC offer stands in the log of the back office',
    over: 'all',
    breaches: () =>
      decided(sql`select 'offer:' || o.id as subject, e.acts, e.operator, 1::bigint as times from otc_offer o
        cross join lateral (values ('offer.propose', o.proposed_by),
          (case o.status when 'withdrawn' then 'offer.withdraw' when 'refused' then 'offer.refuse' else 'offer.agree' end, o.decided_by),
          ('offer.close', o.closed_by)) as e (acts, operator) where e.operator <> ''`),
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
