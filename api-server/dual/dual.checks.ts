import { sql } from 'kysely'
import { type Check, within } from '#api-server/ledger/audit/audit.check.ts'

/** Checks of the orders of dual investment, written against the tables and not with the code of the module. */

const deposited = sql`case o.type when 'call' then o.base_id else o.quote_id end`
const paid = sql`case o.outcome when 'base' then o.base_amount else o.quote_amount end`
const paidIn = sql`case o.outcome when 'base' then o.base_id else o.quote_id end`
/** Which event there must be for an order in a state, beside the one that it was bought by. */
const due = sql`(values ('success', 'dual_settle'), ('fail', 'dual_fail'))`
const numbered = sql`case when e.source ~ '^dual:[0-9]{1,9}$' then split_part(e.source, ':', 2)::int end`

export const dualChecks: readonly Check[] = [
  {
    name: 'I6',
    says: 'each dual investment was paid once and paid back once, between the customer and the pool, as its state says',
    over: 'dual_order',
    breaches: (range) => sql`select format('dual investment %s (%s): %s', o.id, o.status, d.kind) as breach from dual_order o
      join lateral (select 'dual_buy' as kind, ${deposited} as currency, -o.amount as moved
        union all select d.kind, ${paidIn}, ${paid} from ${due} as d (status, kind) where d.status = o.status) d on true
      left join lateral (select count(distinct e.id) as events, count(*) as lines,
          sum(l.amount) filter (where a.uid = o.uid and a.kind = 'change' and a.part = 'available' and a.currency = d.currency) as got,
          sum(l.amount) filter (where a.key like 'pool_dual#%' and a.currency = d.currency) as pool
        from ledger_event e join ledger_posting l on l.event_id = e.id join ledger_account a on a.id = l.account_id
        where e.kind = d.kind and e.source = 'dual:' || o.id) p on true
      where ${within(range, 'o.id')} and (p.events <> 1 or p.lines <> 2 or coalesce(p.got, 0) <> d.moved or coalesce(p.pool, 0) <> -d.moved)`,
  },
  {
    name: 'I6',
    says: 'no event of a dual investment is one too many',
    over: 'event',
    breaches: (range) => sql`select format('event %s (%s of %s) is one too many', e.id, e.kind, e.source) as breach from ledger_event e
      where ${within(range, 'e.id')} and e.kind in ('dual_buy', 'dual_settle', 'dual_fail')
        and not exists (select from dual_order o left join ${due} as d (status, kind) on d.status = o.status
          where o.id = ${numbered} and o.uid = e.uid and e.kind in ('dual_buy', d.kind))`,
  },
  {
    name: 'I6',
    says: 'each dual investment was settled by the last price of the log at or before its maturity, and by the rule',
    over: 'dual_order',
    breaches: (
      range,
    ) => sql`select format('dual investment %s is %s in %s; the log says tick %s at %s', o.id, o.status, o.outcome, coalesce(t.id, 0), coalesce(t.price, 0))
        as breach
      from dual_order o left join lateral (select t.id, t.price from tick t where t.symbol = o.symbol and t.time <= o.due_at
          and t.time >= o.due_at - 60000 and t.id <= o.log_end order by t.time desc, t.id desc limit 1) t on true
      where ${within(range, 'o.id')} and o.outcome is not null and (o.settle_tick_id is distinct from t.id
        or o.settle_price is distinct from t.price or o.status <> case when t.id is null then 'fail' else 'success' end
        or o.outcome <> case when t.id is null then case o.type when 'call' then 'base' else 'quote' end
          when o.type = 'call' then case when t.price < o.linked then 'base' else 'quote' end
          else case when t.price > o.linked then 'quote' else 'base' end end)`,
  },
  {
    name: 'I8',
    says: 'each dual investment pays back its deposit and its yield, cut at the decimals of the coin',
    over: 'dual_order',
    breaches: (
      range,
    ) => sql`select format('dual investment %s pays %s or %s', o.id, o.base_amount, o.quote_amount) as breach from dual_order o
      join currency b on b.id = o.base_id join currency q on q.id = o.quote_id
      where ${within(range, 'o.id')} and (o.base_amount <> case o.type
          when 'call' then div(o.amount * (365 + o.days * o.yearly) * power(10::numeric, b.scale), 365)
          else div(o.amount * (365 + o.days * o.yearly) * power(10::numeric, b.scale), 365 * o.linked) end / power(10::numeric, b.scale)
        or o.quote_amount <> div(o.amount * (365 + o.days * o.yearly) * case o.type when 'call' then o.linked else 1 end
          * power(10::numeric, q.scale), 365) / power(10::numeric, q.scale)
        or o.days <> greatest(1, div(o.due_at, 86400000) - div(o.bought_at, 86400000)))`,
  },
  {
    name: 'I8',
    says: 'the shares that a product has sold are those of its orders, of each customer as well, and never more than there are',
    over: 'all',
    breaches: () => sql`select format('product %s: sold %s of %s', p.id, p.sold, p.total) as breach from dual_product p
      left join (select product_id, sum(num) as num from dual_order group by product_id) o on o.product_id = p.id
      where p.sold <> coalesce(o.num, 0)
      union all select format('product %s: customer %s has %s', coalesce(h.product_id, o.product_id), coalesce(h.uid, o.uid), h.num) from dual_holding h
      full join (select product_id, uid, sum(num) as num from dual_order group by product_id, uid) o using (product_id, uid)
      where h.num is distinct from o.num`,
  },
]
