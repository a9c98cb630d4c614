import { sql } from 'kysely'
import { type Check, type Holds, within } from '#api-server/ledger/audit/audit.check.ts'

/** Checks of the orders of OTC. Written against the tables and not with the code of the module. */

const paid = sql`case o.side when 'buy' then o.total else o.amount end`
const paidIn = sql`case o.side when 'buy' then o.quote_id else o.currency_id end`
const got = sql`case o.side when 'buy' then o.amount else o.total end`
const gotIn = sql`case o.side when 'buy' then o.currency_id else o.quote_id end`

export const otcHolds: Holds = sql`select o.uid, 'change' as kind, ${paidIn} as currency, sum(${paid}) as amount from otc_order o
  where o.status = 'reviewing' group by 1, 3`

/** Which event there must be for an order in a state, beside the one that it was made by. */
const due = sql`(values ('settled', 'otc_settle'), ('rejected', 'otc_release'), ('cancelled', 'otc_release'))`
const numbered = sql`case when e.source ~ '^otc:[0-9]{1,9}$' then split_part(e.source, ':', 2)::int end`

export const otcChecks: readonly Check[] = [
  {
    name: 'I6',
    says: 'each OTC order was frozen once and ended once, and both sides have moved what it says',
    over: 'otc_order',
    breaches: (range) => sql`select format('OTC order %s (%s): %s', o.id, o.status, d.kind) as breach from otc_order o
      join lateral (select 'otc_order' as kind, ${paid} as frozen, -(${paid}) as back, 0 as received
        union all select d.kind, -(${paid}), case d.kind when 'otc_release' then ${paid} else 0 end, case d.kind when 'otc_settle' then ${got} else 0 end
          from ${due} as d (status, kind) where d.status = o.status) d on true
      left join lateral (select count(distinct e.id) as events,
          coalesce(sum(l.amount) filter (where a.uid = o.uid and a.part = 'frozen' and a.currency = ${paidIn}), 0) as frozen,
          coalesce(sum(l.amount) filter (where a.uid = o.uid and a.part = 'available' and a.currency = ${paidIn}), 0) as back,
          coalesce(sum(l.amount) filter (where a.uid = o.uid and a.part = 'available' and a.currency = ${gotIn}), 0) as received
        from ledger_event e join ledger_posting l on l.event_id = e.id join ledger_account a on a.id = l.account_id
        where e.kind = d.kind and e.source = 'otc:' || o.id) p on true
      where ${within(range, 'o.id')} and (p.events <> 1 or p.frozen <> d.frozen or p.back <> d.back or p.received <> d.received)`,
  },
  {
    name: 'I6',
    says: 'no event of OTC is one too many',
    over: 'event',
    breaches: (range) => sql`select format('event %s (%s of %s) is one too many', e.id, e.kind, e.source) as breach from ledger_event e
      where ${within(range, 'e.id')} and e.kind in ('otc_order', 'otc_release', 'otc_settle')
        and not exists (select from otc_order o left join ${due} as d (status, kind) on d.status = o.status
          where o.id = ${numbered} and o.uid = e.uid and e.kind in ('otc_order', d.kind))`,
  },
  {
    name: 'I8',
    says: 'each OTC order is as its offer says, and its total as its price and amount, rounded against nobody but by the rule',
    over: 'otc_order',
    breaches: (
      range,
    ) => sql`select format('OTC order %s of offer %s', o.id, f.id) as breach from otc_order o join otc_offer f on f.id = o.offer_id
      join currency q on q.id = o.quote_id
      where ${within(range, 'o.id')} and ((o.side, o.currency_id, o.quote_id, o.price) is distinct from (f.side, f.currency_id, f.quote_id, f.price)
        or o.amount < f.amount_min or o.amount > f.amount_max
        or o.total <> case o.side when 'buy' then ceil(o.price * o.amount * power(10::numeric, q.scale)) else floor(o.price * o.amount * power(10::numeric, q.scale)) end
          / power(10::numeric, q.scale))`,
  },
  {
    name: 'I8',
    says: 'what is taken from an offer is what its orders ask for that wait or were settled',
    over: 'all',
    breaches: () => sql`select format('offer %s: taken %s', f.id, f.taken) as breach from otc_offer f
      left join (select offer_id, sum(amount) as amount from otc_order where status in ('reviewing', 'settled') group by offer_id) o
        on o.offer_id = f.id where f.taken <> coalesce(o.amount, 0)`,
  },
]
