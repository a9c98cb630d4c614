import { sql } from 'kysely'
import { type Check, type Holds, within } from '#api-server/ledger/audit/audit.check.ts'

/**
 * The amounts that deposits and withdrawals hold frozen. These checks query the tables directly and share no code with the funding module,
 * so that a bug there cannot hide itself.
 */
export const fundingHolds: Holds = sql`select uid, 'change' as kind, currency_id as currency, sum(amount) as amount from funding
  where type = 'withdraw' and status in ('reviewing', 'approved', 'sent') group by uid, currency_id`

/** Permitted changes of state. The first of two approvals leaves the state unchanged. */
const ways = sql`(values ('recharge', '', 'reviewing'), ('recharge', 'reviewing', 'reviewing'), ('recharge', 'reviewing', 'credited'),
  ('recharge', 'reviewing', 'rejected'), ('withdraw', '', 'reviewing'), ('withdraw', 'reviewing', 'reviewing'), ('withdraw', 'reviewing', 'approved'),
  ('withdraw', 'reviewing', 'rejected'), ('withdraw', 'reviewing', 'cancelled'), ('withdraw', 'approved', 'rejected'),
  ('withdraw', 'approved', 'sent'), ('withdraw', 'sent', 'done'))`

/** The events that must exist for a record in a state. No other events may exist. */
const due = sql`(values ('recharge', 'credited', 'recharge'), ('withdraw', 'reviewing', 'withdraw_request'), ('withdraw', 'approved', 'withdraw_request'),
  ('withdraw', 'sent', 'withdraw_request'), ('withdraw', 'done', 'withdraw_request'), ('withdraw', 'done', 'withdraw_done'),
  ('withdraw', 'rejected', 'withdraw_request'), ('withdraw', 'rejected', 'withdraw_reject'), ('withdraw', 'cancelled', 'withdraw_request'),
  ('withdraw', 'cancelled', 'withdraw_cancel'))`

/** Number of the record that an event names as its source; null when the source is not a deposit or a withdrawal. */
const numbered = sql`case when e.source ~ '^(recharge|withdraw):[0-9]{1,9}$' then split_part(e.source, ':', 2)::int end`
/** Kinds of events that deposits and withdrawals cause. */
const caused = sql`('recharge', 'withdraw_request', 'withdraw_done', 'withdraw_reject', 'withdraw_cancel')`

export const fundingChecks: readonly Check[] = [
  {
    name: 'I5',
    says: 'recharges and withdrawals have only gone the ways there are',
    over: 'funding',
    breaches: (range) => sql`select format('%s %s: %s after %s', type, id, status, coalesce(nullif(before, ''), 'nothing')) as breach from (
        select f.type, f.id, s.status, lag(s.status, 1, '') over (partition by f.id order by s.id) as before
        from funding f join funding_step s on s.funding_id = f.id where ${within(range, 'f.id')}) steps
        where not exists (select from ${ways} as w (type, before, after) where w.type = steps.type and w.before = steps.before and w.after = steps.status)
      union all select format('%s %s is %s, its last step says %s', f.type, f.id, f.status, coalesce(l.status, 'nothing')) from funding f
        left join lateral (select s.status from funding_step s where s.funding_id = f.id order by s.id desc limit 1) l on true
        where ${within(range, 'f.id')} and l.status is distinct from f.status`,
  },
  {
    name: 'I6',
    says: 'each recharge and withdrawal has moved what its state says',
    over: 'funding',
    breaches: (
      range,
    ) => sql`select format('%s %s (%s): %s of %s', f.type, f.id, f.status, case when p.uid is null then 'no event' else 'another amount' end,
          d.kind) as breach
      from funding f join ${due} as d (type, status, kind) on d.type = f.type and d.status = f.status
      left join lateral (select a.uid, a.currency, sum(abs(l.amount)) as amount
          from ledger_event e join ledger_posting l on l.event_id = e.id join ledger_account a on a.id = l.account_id and a.uid is not null
          where e.kind = d.kind and e.source = f.type || ':' || f.id group by a.uid, a.currency) p on true
      where ${within(range, 'f.id')} and (p.uid is null or p.uid <> f.uid or p.currency <> f.currency_id
        or p.amount <> case when d.kind in ('recharge', 'withdraw_done') then f.amount else 2 * f.amount end)`,
  },
  {
    name: 'I6',
    says: 'no event of a recharge or a withdrawal is one too many',
    over: 'event',
    breaches: (range) => sql`select format('event %s (%s of %s) is one too many', e.id, e.kind, e.source) as breach from ledger_event e
      where ${within(range, 'e.id')} and e.kind in ${caused} and not exists (select from funding f
        join ${due} as d (type, status, kind) on d.type = f.type and d.status = f.status
        where f.id = ${numbered} and f.type = split_part(e.source, ':', 1) and d.kind = e.kind)`,
  },
  {
    name: 'I10',
    says: 'nothing is credited before it was reviewed',
    over: 'event',
    breaches: (range) => sql`select format('event %s of %s', e.id, e.source) as breach from ledger_event e
      left join funding f on f.id = ${numbered} and f.type = 'recharge'
      where ${within(range, 'e.id')} and e.kind = 'recharge' and (f.id is null or f.status <> 'credited' or f.decided_by = ''
        or not exists (select from funding_step s where s.funding_id = f.id and s.status = 'credited' and s.by <> 'customer' and s.at <= e.at))`,
  },
]
