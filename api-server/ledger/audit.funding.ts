import { sql } from 'kysely'
import type { Check, Holds } from '#api-server/ledger/audit.ts'

/**
 * What the tables of recharges and withdrawals must agree with. Written against the tables and not with the code of the module, so that a fault
 * there does not hide itself.
 */
export const fundingHolds: Holds = sql`select uid, 'change' as kind, currency_id as currency, sum(amount) as amount from funding
  where type = 'withdraw' and status in ('reviewing', 'approved', 'sent') group by uid, currency_id`

/** 04-domain-rules, Wallet. The first of two approvals leaves a state as it is. */
const ways = sql`(values ('recharge', '', 'reviewing'), ('recharge', 'reviewing', 'reviewing'), ('recharge', 'reviewing', 'credited'),
  ('recharge', 'reviewing', 'rejected'), ('withdraw', '', 'reviewing'), ('withdraw', 'reviewing', 'reviewing'), ('withdraw', 'reviewing', 'approved'),
  ('withdraw', 'reviewing', 'rejected'), ('withdraw', 'reviewing', 'cancelled'), ('withdraw', 'approved', 'rejected'),
  ('withdraw', 'approved', 'sent'), ('withdraw', 'sent', 'done'))`

/** Which events there must be for a record in a state, and nothing else. */
const due = sql`(values ('recharge', 'credited', 'recharge'), ('withdraw', 'reviewing', 'withdraw_request'), ('withdraw', 'approved', 'withdraw_request'),
  ('withdraw', 'sent', 'withdraw_request'), ('withdraw', 'done', 'withdraw_request'), ('withdraw', 'done', 'withdraw_done'),
  ('withdraw', 'rejected', 'withdraw_request'), ('withdraw', 'rejected', 'withdraw_reject'), ('withdraw', 'cancelled', 'withdraw_request'),
  ('withdraw', 'cancelled', 'withdraw_cancel'))`

export const fundingChecks: readonly Check[] = [
  {
    name: 'I5',
    says: 'recharges and withdrawals have only gone the ways there are',
    breaches: sql`select format('%s %s: %s after %s', type, id, status, coalesce(nullif(before, ''), 'nothing')) as breach from (
        select f.type, f.id, s.status, lag(s.status, 1, '') over (partition by f.id order by s.id) as before
        from funding f join funding_step s on s.funding_id = f.id) steps
        where not exists (select from ${ways} as w (type, before, after) where w.type = steps.type and w.before = steps.before and w.after = steps.status)
      union all select format('%s %s is %s, its last step says %s', f.type, f.id, f.status, coalesce(l.status, 'nothing')) from funding f
        left join lateral (select s.status from funding_step s where s.funding_id = f.id order by s.id desc limit 1) l on true
        where l.status is distinct from f.status`,
  },
  {
    name: 'I6',
    says: 'each recharge and withdrawal has moved what its state says, once',
    breaches: sql`select format('%s %s (%s): %s of %s', coalesce(m.type, p.type), coalesce(m.id::text, p.id), coalesce(m.status, 'none'),
          case when p.id is null then 'no event' when m.id is null then 'an event too many' else 'another amount' end,
          coalesce(m.kind, p.kind)) as breach
      from (select f.id, f.type, f.status, d.kind, f.uid, f.currency_id, f.amount, f.received from funding f
          join ${due} as d (type, status, kind) on d.type = f.type and d.status = f.status) m
      full join (select e.kind, split_part(e.source, ':', 1) as type, split_part(e.source, ':', 2) as id, a.uid, a.currency, sum(abs(l.amount)) as amount
          from ledger_event e join ledger_posting l on l.event_id = e.id join ledger_account a on a.id = l.account_id and a.uid is not null
          where e.kind in ('recharge', 'withdraw_request', 'withdraw_done', 'withdraw_reject', 'withdraw_cancel')
          group by e.id, e.kind, e.source, a.uid, a.currency) p
        on p.kind = m.kind and p.type = m.type and p.id = m.id::text
      where m.id is null or p.id is null or p.uid <> m.uid or p.currency <> m.currency_id
        or p.amount <> case when m.kind in ('recharge', 'withdraw_done') then m.amount else 2 * m.amount end`,
  },
  {
    name: 'I10',
    says: 'nothing is credited before it was reviewed',
    breaches: sql`select format('event %s of %s', e.id, e.source) as breach from ledger_event e
      left join funding f on e.source = 'recharge:' || f.id and f.type = 'recharge'
      where e.kind = 'recharge' and (f.id is null or f.status <> 'credited' or f.decided_by = ''
        or not exists (select from funding_step s where s.funding_id = f.id and s.status = 'credited' and s.by <> 'customer' and s.at <= e.at))`,
  },
]
