import { sql } from 'kysely'
import { type Check, type Holds, within } from '#api-server/ledger/audit/audit.check.ts'

/** Checks of sales of new tokens, written against the tables and not with the code of the module. */

export const ieoHolds: Holds = sql`select o.uid, 'change' as kind, o.pay_id as currency, sum(o.frozen) as amount from ieo_order o
  where o.status = 'applied' group by 1, 3`

const numbered = sql`case when e.source ~ '^ieo:[0-9]{1,9}(:[0-9]{1,9})?$' then split_part(e.source, ':', 2)::int end`

export const ieoChecks: readonly Check[] = [
  {
    name: 'I6',
    says: 'what was frozen for each application for new tokens is what it says, and its allocation left nothing frozen',
    over: 'ieo_order',
    breaches: (
      range,
    ) => sql`select format('application %s (%s): frozen %s, charged %s, back %s', o.id, o.status, m.frozen, m.charged, m.back) as breach
      from ieo_order o
      left join lateral (select coalesce(sum(l.amount) filter (where a.uid = o.uid and a.kind = 'change' and a.part = 'frozen'), 0) as frozen,
          coalesce(sum(l.amount) filter (where a.key like 'escrow_ieo#%'), 0) as charged,
          coalesce(sum(l.amount) filter (where e.kind = 'ieo_allocate' and a.uid = o.uid and a.part = 'available'), 0) as back,
          count(distinct e.id) filter (where e.kind = 'ieo_allocate') as ends, bool_and(a.currency = o.pay_id) as same
        from ledger_event e join ledger_posting l on l.event_id = e.id join ledger_account a on a.id = l.account_id
        where e.kind in ('ieo_apply', 'ieo_release', 'ieo_allocate') and (e.source = 'ieo:' || o.id or e.source like 'ieo:' || o.id || ':%')) m on true
      where ${within(range, 'o.id')} and (m.same is not true or m.frozen <> case o.status when 'applied' then o.frozen else 0 end
        or m.charged <> coalesce(o.charged, 0) or m.back <> case when o.charged is null then 0 else o.frozen - o.charged end
        or m.ends <> case when o.charged is null then 0 else 1 end)`,
  },
  {
    name: 'I6',
    says: 'the tokens that were released to each customer are those that its application says',
    over: 'ieo_order',
    breaches: (range) => sql`select format('application %s: released %s, credited %s', o.id, o.released, coalesce(m.got, 0)) as breach
      from ieo_order o join ieo_project p on p.id = o.project_id
      left join lateral (select sum(l.amount) filter (where a.uid = o.uid and a.kind = 'change' and a.part = 'available'
          and a.currency = p.token_id) as got from ledger_event e join ledger_posting l on l.event_id = e.id
        join ledger_account a on a.id = l.account_id where e.kind = 'ieo_unlock' and e.source like 'ieo:' || o.id || ':%') m on true
      where ${within(range, 'o.id')} and coalesce(m.got, 0) <> o.released`,
  },
  {
    name: 'I6',
    says: 'no event of a sale of new tokens is one too many',
    over: 'event',
    breaches: (range) => sql`select format('event %s (%s of %s) is one too many', e.id, e.kind, e.source) as breach from ledger_event e
      where ${within(range, 'e.id')} and (e.kind in ('ieo_apply', 'ieo_release', 'ieo_allocate', 'ieo_unlock')
          and not exists (select from ieo_order o where o.id = ${numbered} and o.uid = e.uid)
        or e.kind = 'ieo_supply' and not exists (select from ieo_project p where e.source = 'ieo_project:' || p.id and p.passed > 0))`,
  },
  {
    name: 'I8',
    says: 'no more new tokens pass than there are, nobody gets more than one customer may, and sums are those of the applications',
    over: 'all',
    breaches:
      () => sql`select format('sale %s: applied %s by %s, passed %s of %s', p.id, p.applied, p.customers, coalesce(p.passed, 0), p.issue_total)
        as breach
      from ieo_project p left join lateral (select coalesce(sum(o.amount), 0) as applied, count(*) as customers, coalesce(sum(o.passed), 0) as passed,
          coalesce(max(o.passed), 0) as most, coalesce(bool_or(o.passed % p.issue_step <> 0), false) as uneven
        from ieo_order o where o.project_id = p.id and o.status <> 'cancelled') s on true
      where p.applied <> s.applied or p.customers <> s.customers or coalesce(p.passed, 0) <> s.passed or s.passed > p.issue_total
        or s.most > p.issue_limit or s.uneven`,
  },
  {
    name: 'I8',
    says: 'the escrow account of the sales holds the tokens that are locked, and what was paid for new tokens',
    over: 'all',
    breaches: () => sql`select format('currency %s: escrow %s, should be %s', currency, sum(has), sum(due)) as breach from (
        select currency, balance as has, 0::numeric as due from ledger_account where key like 'escrow_ieo#%'
        union all select p.token_id, 0, o.passed - o.released from ieo_order o join ieo_project p on p.id = o.project_id where o.passed is not null
        union all select o.pay_id, 0, o.charged from ieo_order o where o.charged is not null) both_sides
      group by currency having sum(has) <> sum(due)`,
  },
]
