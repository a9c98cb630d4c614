import { sql } from 'kysely'
import { type Check, within } from '#api-server/ledger/audit/audit.check.ts'

/** Checks of the orders of locked mining. Written against the tables and not with the code of the module. */

const numbered = sql`case when e.source ~ '^mining:[0-9]{1,9}(:[0-9]{1,4})?$' then split_part(e.source, ':', 2)::int end`
const dayOf = sql`nullif(split_part(e.source, ':', 3), '')::int`
/** The event of the principal that comes back; none where a penalty is all of it. */
const ending = sql`case when o.how = 'early' then 'mining_close' else 'mining_return' end`

export const miningChecks: readonly Check[] = [
  {
    name: 'I6',
    says: 'each mining order was locked once and came back once, less its penalty, as its state says',
    over: 'mining_order',
    breaches: (range) => sql`select format('mining order %s (%s): %s', o.id, o.status, d.kind) as breach from mining_order o
      join lateral (select 'mining_buy' as kind, -o.amount as moved
        union all select ${ending}, o.amount - o.penalty_paid where o.status = 'redeemed' and o.amount > o.penalty_paid) d on true
      left join lateral (select count(distinct e.id) as events, count(*) as lines,
          sum(l.amount) filter (where a.uid = o.uid and a.kind = 'change' and a.part = 'available' and a.currency = o.currency_id) as got,
          sum(l.amount) filter (where a.key like 'pool\\_mining#%' and a.currency = o.currency_id) as pool
        from ledger_event e join ledger_posting l on l.event_id = e.id join ledger_account a on a.id = l.account_id
        where e.kind = d.kind and e.source = 'mining:' || o.id) p on true
      where ${within(range, 'o.id')} and (p.events <> 1 or p.lines <> 2 or coalesce(p.got, 0) <> d.moved or coalesce(p.pool, 0) <> -d.moved)`,
  },
  {
    name: 'I6',
    says: 'each day of a mining order was paid once, as its row says',
    over: 'mining_order',
    breaches: (range) => sql`select format('mining order %s: income of day %s', o.id, d.day) as breach from mining_order o
      join lateral generate_series(1, o.paid_days) d (day) on true
      left join mining_income i on i.order_id = o.id and i.day = d.day
      left join lateral (select count(*) as lines, sum(l.amount) filter (where a.uid = o.uid and a.kind = 'change'
          and a.part = 'available' and a.currency = o.currency_id) as got
        from ledger_event e join ledger_posting l on l.event_id = e.id join ledger_account a on a.id = l.account_id
        where e.kind = 'mining_income' and e.source = 'mining:' || o.id || ':' || d.day) p on true
      where ${within(range, 'o.id')} and (i.amount is distinct from o.income or i.due_at is distinct from o.bought_at + d.day * 86400000::bigint
        or p.lines <> 2 or p.got is distinct from o.income)`,
  },
  {
    name: 'I6',
    says: 'no event of a mining order is one too many',
    over: 'event',
    breaches: (range) => sql`select format('event %s (%s of %s) is one too many', e.id, e.kind, e.source) as breach from ledger_event e
      where ${within(range, 'e.id')} and e.kind in ('mining_buy', 'mining_income', 'mining_return', 'mining_close')
        and not exists (select from mining_order o where o.id = ${numbered} and o.uid = e.uid
          and case e.kind when 'mining_buy' then true when 'mining_income' then ${dayOf} between 1 and o.paid_days
            else o.status = 'redeemed' and e.kind = ${ending} end)`,
  },
  {
    name: 'I8',
    says: 'income and penalty of a mining order are those of its terms, cut at the decimals of the coin',
    over: 'mining_order',
    breaches: (range) => sql`select format('mining order %s: income %s, penalty %s', o.id, o.income, o.penalty_paid) as breach
      from mining_order o join currency c on c.id = o.currency_id
      where ${within(range, 'o.id')} and (o.income <> trunc(o.amount * o.daily, c.scale)
        or (o.how = 'early' and o.penalty_paid <> least(o.amount, trunc(o.amount * o.penalty * (o.locked_days - o.paid_days), c.scale))))`,
  },
  {
    name: 'I8',
    says: 'the amount that a mining product counts as locked is that of its running orders',
    over: 'all',
    breaches: () => sql`select format('mining product %s: locked %s', p.id, p.locked) as breach from mining_product p
      left join (select product_id, sum(amount) as amount from mining_order where status = 'running' group by product_id) o on o.product_id = p.id
      where p.locked <> coalesce(o.amount, 0)`,
  },
]
