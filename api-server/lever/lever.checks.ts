import { type RawBuilder, sql } from 'kysely'
import { type Check, type Holds, within } from '#api-server/ledger/audit/audit.check.ts'

/**
 * The amounts that the tables of contracts hold frozen, and the checks of these tables. Written against the tables and not with the code of
 * the module.
 */
export const leverHolds: Holds = sql`select uid, 'lever' as kind, currency, sum(held) as amount from lever_position
  where state = 'entrust' group by uid, currency`

/** Which events there must be for a position in a state. An order that was filled at once was never placed. */
const due = sql`(values ('entrust', 'lever_order'), ('cancelled', 'lever_order'), ('cancelled', 'lever_cancel'))`
const bornOf = sql`('lever_open', 'lever_fill')`

/**
 * The price at which the market buys (long) or sells, half of the spread from the price of a tick, rounded against the customer to a step of the
 * price. Exact: no division.
 */
const marketPrice = (buys: RawBuilder<unknown>) => sql`(select m.at - mod(m.at, i.tick::numeric)
    + case when ${buys} and mod(m.at, i.tick::numeric) > 0 then i.tick::numeric else 0 end
  from instrument i, lateral (select t.price * (1 + p.spread * case when ${buys} then 0.5 else -0.5 end) as at) m where i.symbol = p.symbol)`
const [opens, closes] = [marketPrice(sql`p.side = 'long'`), marketPrice(sql`p.side = 'short'`)]
/** At the limit of an order, or at the price of the market where that is better. */
const filled = sql`case when p.type <> 'limit' then ${opens} when p.side = 'long' then least(p.price, ${opens}) else greatest(p.price, ${opens}) end`
/** The price at which a position was liquidated, with the margin of its last closing; rounded to the decimals of a step of the price. */
const liquidation = sql`round((p.lot_size * c.lots * p.open_price - c.margin * s.sign) / (p.lot_size * c.lots * (1 - p.maintenance_rate * s.sign)),
  (select scale(i.tick::numeric) from instrument i where i.symbol = p.symbol))`
/** Whether the price of a tick has reached what ended a position, and came after what it had to come after. */
const reached = sql`case c.reason
  when 'take_profit' then (t.price - p.tp) * s.sign >= 0 and t.id > p.tp_since
  when 'stop_loss' then (t.price - p.sl) * s.sign <= 0 and t.id > p.sl_since
  when 'liquidated' then (t.price - ${liquidation}) * s.sign <= 0 and t.id > p.since
  else true end`

/** The amounts that a closing has moved in accounts that belong to it. */
const movedBy = (which: 'position' | 'customer') => sql`left join ledger_event e on e.source = 'lever_close:' || c.id
    and e.kind = case when c.reason = 'liquidated' then 'lever_liquidate' else 'lever_close' end
  left join lateral (select sum(p.amount) as amount from ledger_posting p join ledger_account a on a.id = p.account_id
    where p.event_id = e.id and ${which === 'position' ? sql`a.position = c.position_id` : sql`a.uid = c.uid`}) l on true`

/** A number in the source of an event; null where the source is none of these. */
const numbered = (of: 'lever' | 'lever_close' | 'lever_margin' | 'lever_move' | 'lever_overnight', part = 2) =>
  sql`case when e.source ~ ${of === 'lever_overnight' || of === 'lever_move' ? `^${of}:[0-9]{1,15}:[0-9]{1,15}$` : `^${of}:[0-9]{1,15}$`}
    then split_part(e.source, ':', ${part}::int)::bigint end`

export const leverChecks: readonly Check[] = [
  {
    name: 'I3',
    says: 'each position account holds the margin of its position',
    over: 'lever_position',
    breaches: (range) => sql`select format('position %s: account %s, margin %s', p.id, coalesce(a.balance, 0), p.margin) as breach
      from lever_position p left join ledger_account a on a.key = 'position:' || p.id and a.currency = p.currency
      where ${within(range, 'p.id')} and coalesce(a.balance, 0) <> p.margin`,
  },
  {
    name: 'I3',
    says: 'no position account holds money without its position',
    over: 'ledger_account',
    breaches: (range) => sql`select format('%s, currency %s: %s', a.key, a.currency, a.balance) as breach from ledger_account a
      where ${within(range, 'a.id')} and a.position is not null and a.balance <> 0
        and not exists (select from lever_position p where p.id = a.position and p.currency = a.currency)`,
  },
  {
    name: 'I5',
    says: 'contract orders and positions are in states that their events have led to',
    over: 'lever_position',
    breaches: (range) => sql`select format('order %s (%s): no event %s', p.id, p.state, d.kind) as breach from lever_position p
        join ${due} as d (state, kind) on d.state = p.state
        where ${within(range, 'p.id')} and not exists (select from ledger_event e where e.kind = d.kind and e.source = 'lever:' || p.id)
      union all select format('position %s (%s): opened %s times', p.id, p.state, n.times) from lever_position p,
        lateral (select count(*) as times from ledger_event e where e.kind in ${bornOf} and e.source = 'lever:' || p.id) n
        where ${within(range, 'p.id')} and n.times <> case when p.state in ('open', 'closing', 'closed') then 1 else 0 end
      union all select format('position %s (%s): the order was cancelled', p.id, p.state) from lever_position p
        join ledger_event e on e.kind = 'lever_cancel' and e.source = 'lever:' || p.id
        where ${within(range, 'p.id')} and p.state <> 'cancelled'`,
  },
  {
    name: 'I6',
    says: 'each closing and each night of a position was paid once, as its row says',
    over: 'lever_position',
    breaches: (
      range,
    ) => sql`select format('closing %s: paid %s, says %s', c.id, coalesce(l.amount, 0), -c.margin) as breach from lever_close c ${movedBy('position')}
        where ${within(range, 'c.position_id')} and coalesce(l.amount, 0) <> -c.margin
      union all select format('closing %s: the customer got %s, says %s', c.id, coalesce(l.amount, 0), c.back) from lever_close c ${movedBy('customer')}
        where ${within(range, 'c.position_id')} and coalesce(l.amount, 0) <> c.back
      union all select format('closing %s: its parts sum to %s', c.id, c.margin + c.profit - c.fee - c.back - c.insurance) from lever_close c
        where ${within(range, 'c.position_id')} and c.margin + c.profit <> c.fee + c.back + c.insurance
      union all select format('night %s of position %s: paid %s, says %s', n.night, n.position_id, coalesce(l.amount, 0), n.fee) from lever_overnight n
        left join ledger_event e on e.kind = 'lever_overnight' and e.source = 'lever_overnight:' || n.position_id || ':' || n.night
        left join lateral (select -sum(p.amount) as amount from ledger_posting p join ledger_account a on a.id = p.account_id
          where p.event_id = e.id and a.position = n.position_id) l on true
        where ${within(range, 'n.position_id')} and coalesce(l.amount, 0) <> n.fee
      union all select format('position %s (%s): its closings end %s times', p.id, p.state, n.times) from lever_position p,
        lateral (select count(*) as times from lever_close c where c.position_id = p.id and c.lots_left = 0) n
        where ${within(range, 'p.id')} and n.times <> case when p.state = 'closed' then 1 else 0 end
      union all select format('position %s: results of %s, its rows say %s', p.id, p.result, r.result) from lever_position p,
        lateral (select coalesce(sum(c.back - c.margin + c.fee), 0) - p.fee
          - coalesce((select sum(o.fee) from lever_overnight o where o.position_id = p.id), 0) as result
          from lever_close c where c.position_id = p.id) r where ${within(range, 'p.id')} and p.result <> r.result
      union all select format('position %s: closings of %s with nights of %s and fees of %s, its rows say %s, %s and %s', p.id, p.closed_worth,
          p.overnight_closed, p.fee, r.worth, r.overnight, r.fee) from lever_position p,
        lateral (select coalesce(sum(c.lots * c.price), 0) as worth, coalesce(sum(c.overnight), 0) as overnight, coalesce(sum(c.fee + c.open_fee), 0) as fee
          from lever_close c where c.position_id = p.id) r
        where ${within(range, 'p.id')} and (p.closed_worth <> r.worth or p.overnight_closed <> r.overnight or r.overnight > p.overnight
          or r.fee > p.fee or (p.state = 'closed' and (r.overnight <> p.overnight or r.fee <> p.fee)))`,
  },
  {
    name: 'I6',
    says: 'each contract was opened and closed at the price of the tick that it names, which had reached its level',
    over: 'lever_position',
    breaches: (
      range,
    ) => sql`select format('position %s opened at %s; tick %s says %s', p.id, p.open_price, p.open_tick, coalesce(t.price, 0)) as breach
        from lever_position p left join tick t on t.id = p.open_tick and t.symbol = p.symbol
        where ${within(range, 'p.id')} and p.open_price is not null and (t.id is null or p.open_price <> ${filled})
      union all select format('position %s closes at %s; tick %s says %s', p.id, p.close_price, p.close_tick, coalesce(t.price, 0))
        from lever_position p left join tick t on t.id = p.close_tick and t.symbol = p.symbol
        where ${within(range, 'p.id')} and p.close_price is not null and (t.id is null or p.close_price <> ${closes})
      union all select format('closing %s (%s) at %s; tick %s says %s', c.id, c.reason, c.price, c.tick_id, coalesce(t.price, 0))
        from lever_close c join lever_position p on p.id = c.position_id
          cross join lateral (select case when p.side = 'long' then 1 else -1 end as sign) s
          left join tick t on t.id = c.tick_id and t.symbol = p.symbol
        where ${within(range, 'c.position_id')} and (t.id is null or c.price <> ${closes} or not coalesce(${reached}, false))
      union all select format('night %s of position %s at %s; tick %s says %s', n.night, n.position_id, n.price, n.tick_id, coalesce(t.price, 0))
        from lever_overnight n join lever_position p on p.id = n.position_id
          left join tick t on t.id = n.tick_id and t.symbol = p.symbol
        where ${within(range, 'n.position_id')} and (t.id is null or (n.price <> t.price and (n.tick_id <> p.open_tick or n.price <> p.open_price)))`,
  },
  {
    name: 'I6',
    says: 'each change of margin was paid once, as its row says',
    over: 'lever_margin',
    breaches: (
      range,
    ) => sql`select format('margin %s of position %s: paid %s, says %s', m.id, m.position_id, coalesce(l.amount, 0), m.amount) as breach
      from lever_margin m left join ledger_event e on e.source = 'lever_margin:' || m.id
        and e.kind = case when m.amount > 0 then 'lever_margin_add' else 'lever_margin_remove' end
      left join lateral (select sum(p.amount) as amount from ledger_posting p join ledger_account a on a.id = p.account_id
        where p.event_id = e.id and a.position = m.position_id) l on true
      where ${within(range, 'm.id')} and coalesce(l.amount, 0) <> m.amount`,
  },
  {
    name: 'I6',
    says: 'no event of a contract is one too many',
    over: 'event',
    breaches: (range) => sql`select format('event %s (%s of %s) is one too many', e.id, e.kind, e.source) as breach from ledger_event e
      where ${within(range, 'e.id')} and (
        (e.kind in ('lever_order', 'lever_cancel', 'lever_open', 'lever_fill')
          and not exists (select from lever_position p where p.id = ${numbered('lever')} and e.uid = p.uid))
        or (e.kind = 'lever_move' and not exists (select from lever_position p
          where p.id = ${numbered('lever_move')} and p.rev >= ${numbered('lever_move', 3)} and e.uid = p.uid))
        or (e.kind in ('lever_close', 'lever_liquidate')
          and not exists (select from lever_close c where c.id = ${numbered('lever_close')} and e.uid = c.uid))
        or (e.kind = 'lever_overnight' and not exists (select from lever_overnight n
          where n.position_id = ${numbered('lever_overnight')} and n.night = ${numbered('lever_overnight', 3)} and e.uid = n.uid))
        or (e.kind in ('lever_margin_add', 'lever_margin_remove')
          and not exists (select from lever_margin m where m.id = ${numbered('lever_margin')} and e.uid = m.uid)))`,
  },
]
