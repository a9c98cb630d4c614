import { sql } from 'kysely'
import { type Check, type Holds, within } from '#api-server/ledger/audit/audit.check.ts'

/** Checks of the tables of spot trading. Written against the tables and not with the code of the module, as that of deposits is. */

/** The amount that an order holds at its limit, in the quote coin for a buyer and in the base coin for a seller. */
const held = sql`case when o.budget is not null then o.budget - o.value when o.side = 'sell' then o.quantity - o.filled
  else o.price * (o.quantity - o.filled) end`
const isOpen = sql`o.status in ('new', 'open', 'partial')`
const coins = sql`join instrument i on i.symbol = o.symbol join currency b on b.code = i.base join currency q on q.code = i.quote`

export const spotHolds: Holds = sql`select o.uid, 'change' as kind, case when o.side = 'buy' then q.id else b.id end as currency, sum(${held} + o.extra) as amount
  from spot_order o ${coins} where ${isOpen} group by 1, 3`

/** Number of the fill or the order that an event names as its source, or the version of a moved one; null where the source is none. */
const numbered = (of: 'fill' | 'spot' | 'spot_move', part = 2) =>
  sql`case when e.source ~ ${of === 'spot_move' ? `^${of}:[0-9]{1,15}:[0-9]{1,9}$` : `^${of}:[0-9]{1,15}$`}
    then split_part(e.source, ':', ${part}::int)::bigint end`

/** All events of an order that move what it has frozen. */
const eventsOf = sql`(select 'spot_order' as kind, 'spot:' || o.id as source union all select 'spot_release', 'spot:' || o.id
  union all select k.kind, 'spot_move:' || o.id || ':' || v from generate_series(1, o.version) v, (values ('spot_move'), ('spot_release')) k (kind)
  union all select 'spot_trade', 'fill:' || f.id from spot_fill f where f.buy_id = o.id or f.sell_id = o.id)`

export const spotChecks: readonly Check[] = [
  {
    name: 'I5',
    says: 'orders of spot trading stand where their fills say, and what an ended one held is given back',
    over: 'spot_order',
    breaches: (
      range,
    ) => sql`select format('order %s is %s with %s of %s filled, and %s given back', o.id, o.status, o.filled, coalesce(o.quantity, o.budget),
        coalesce(r.amount, 0)) as breach
      from spot_order o left join lateral (select sum(p.amount) as amount from ledger_event e join ledger_posting p on p.event_id = e.id
        where e.kind = 'spot_release' and e.source = 'spot:' || o.id and p.amount > 0) r on true
      where ${within(range, 'o.id')} and (
        coalesce(r.amount, 0) <> case when ${isOpen} then 0 else ${held} end
        or (o.status in ('new', 'open', 'rejected')) <> (o.filled = 0) and o.status <> 'cancelled'
        or o.status = 'filled' and o.budget is null and o.filled <> o.quantity or o.status in ('open', 'partial') and o.rank is null)`,
  },
  {
    name: 'I6',
    says: 'each order of spot trading has frozen what it holds, once',
    over: 'spot_order',
    breaches: (
      range,
    ) => sql`select format('order %s of %s: frozen %s', o.id, o.uid, coalesce(p.amount, 0)) as breach from spot_order o ${coins}
      left join lateral (select sum(l.amount) as amount, min(a.uid) as uid, min(a.currency) as currency from ledger_event e
        join ledger_posting l on l.event_id = e.id join ledger_account a on a.id = l.account_id
        where e.kind = 'spot_order' and e.source = 'spot:' || o.id and a.part = 'frozen') p on true
      where ${within(range, 'o.id')} and (p.amount is null or p.uid <> o.uid or p.currency <> case when o.side = 'buy' then q.id else b.id end
        or not o.moved and p.amount <> coalesce(o.budget, case when o.side = 'sell' then o.quantity else o.price * o.quantity end))`,
  },
  {
    name: 'I6',
    says: 'what an order that was moved has frozen, paid and got back comes to what it holds',
    over: 'spot_order',
    breaches: (
      range,
    ) => sql`select format('order %s of %s: holds %s, its events come to %s', o.id, o.uid, h.held, h.amount) as breach from spot_order o ${coins},
      lateral (select case when ${isOpen} then ${held} + o.extra else 0 end as held, coalesce(sum(l.amount), 0) as amount from ${eventsOf} s
        join ledger_event e on e.kind = s.kind and e.source = s.source join ledger_posting l on l.event_id = e.id
        join ledger_account a on a.id = l.account_id
        where a.part = 'frozen' and a.uid = o.uid and a.currency = case when o.side = 'buy' then q.id else b.id end) h
      where ${within(range, 'o.id')} and o.moved and h.held <> h.amount`,
  },
  {
    name: 'I6',
    says: 'each fill has moved what it says, once',
    over: 'spot_fill',
    breaches: (
      range,
    ) => sql`select format('fill %s of %s: bought %s, sold for %s', o.id, o.symbol, p.bought, p.sold) as breach from spot_fill o ${coins}
      left join lateral (select
          sum(l.amount) filter (where a.uid = o.buyer and a.currency = b.id) as bought, sum(l.amount) filter (where a.uid = o.seller and a.currency = q.id) as sold,
          sum(l.amount) filter (where a.uid = o.buyer and a.currency = q.id) as paid, sum(l.amount) filter (where a.uid = o.seller and a.currency = b.id) as given
        from ledger_event e join ledger_posting l on l.event_id = e.id join ledger_account a on a.id = l.account_id
        where e.kind = 'spot_trade' and e.source = 'fill:' || o.id) p on true
      where ${within(range, 'o.id')} and (o.value <> o.price * o.quantity
        or o.buyer is not null and (coalesce(p.bought, 0) <> o.quantity - o.buyer_fee or coalesce(p.paid, 0) <> -o.value)
        or o.seller is not null and (coalesce(p.sold, 0) <> o.value - o.seller_fee or coalesce(p.given, 0) <> -o.quantity))`,
  },
  {
    name: 'I6',
    says: 'no event of spot trading is one too many',
    over: 'event',
    breaches: (range) => sql`select format('event %s (%s of %s) is one too many', e.id, e.kind, e.source) as breach from ledger_event e
      where ${within(range, 'e.id')} and ((e.kind = 'spot_trade' and not exists (select from spot_fill f where f.id = ${numbered('fill')}))
        or (e.kind in ('spot_order', 'spot_release') and e.source not like 'spot_move:%'
          and not exists (select from spot_order o where o.id = ${numbered('spot')} and o.uid = e.uid))
        or ((e.kind = 'spot_move' or e.kind = 'spot_release' and e.source like 'spot_move:%') and not exists (select from spot_order o
          where o.id = ${numbered('spot_move')} and o.version >= ${numbered('spot_move', 3)} and o.uid = e.uid)))`,
  },
  {
    name: 'I7',
    says: 'no buyer stands in a book at or above a seller',
    over: 'all',
    breaches: () => sql`select format('%s: a buyer at %s, a seller at %s', symbol, bid, ask) as breach from (
        select symbol, max(price) filter (where side = 'buy') as bid, min(price) filter (where side = 'sell') as ask
        from spot_order where status in ('open', 'partial') group by symbol) books where bid >= ask`,
  },
  {
    name: 'I8',
    says: 'the fills of an order are no more than it asked for, and at no worse price',
    over: 'spot_order',
    breaches: (
      range,
    ) => sql`select format('order %s: filled %s for %s, fee %s; its fills say %s for %s, fee %s', o.id, o.filled, o.value, o.fee, f.quantity, f.value,
        f.fee) as breach
      from spot_order o left join lateral (select coalesce(sum(quantity), 0) as quantity, coalesce(sum(value), 0) as value,
          coalesce(sum(case when buy_id = o.id then buyer_fee else seller_fee end), 0) as fee, min(price) as lowest, max(price) as highest,
          bool_or(uid_of is distinct from o.uid) as strange
        from (select *, case when buy_id = o.id then buyer else seller end as uid_of from spot_fill where buy_id = o.id or sell_id = o.id) own) f on true
      where ${within(range, 'o.id')} and (o.filled <> f.quantity or o.value <> f.value or o.fee <> f.fee or coalesce(f.strange, false)
        or o.filled > coalesce(o.quantity, o.filled) or o.value > coalesce(o.budget, o.value)
        or not o.moved and (o.side = 'buy' and f.highest > coalesce(o.price, o.worst) or o.side = 'sell' and f.lowest < coalesce(o.price, o.worst)))`,
  },
]
