import { sql } from 'kysely'
import { type Check, type Holds, within } from '#api-server/ledger/audit/audit.check.ts'

/**
 * The amounts that orders of seconds options hold frozen, and the checks of these orders. Written against the tables and not with the code
 * of the module.
 */
export const optionHolds: Holds = sql`select uid, 'micro' as kind, currency_id as currency, sum(stake) as amount from option_order
  where status in ('holding', 'settling') group by uid, currency_id`

/** Which event there must be for an order in a state, beside the one that it was opened by. */
const due = sql`(values ('won', 'option_win'), ('lost', 'option_lose'), ('draw', 'option_refund'), ('void', 'option_refund'))`
const numbered = sql`case when e.source ~ '^option:[0-9]{1,9}$' then split_part(e.source, ':', 2)::int end`

export const optionChecks: readonly Check[] = [
  {
    name: 'I6',
    says: 'each option was opened once and settled once, and has moved what its state says',
    over: 'option_order',
    breaches: (range) => sql`select format('option %s (%s): %s', o.id, o.status, d.kind) as breach from option_order o
      join lateral (select 'option_open' as kind, -o.stake as available, o.stake as frozen
        union all select d.kind, o.payout, -o.stake from ${due} as d (status, kind) where d.status = o.status) d on true
      left join lateral (select count(distinct e.id) as events, sum(l.amount) filter (where a.part = 'available') as available,
          sum(l.amount) filter (where a.part = 'frozen') as frozen
        from ledger_event e join ledger_posting l on l.event_id = e.id
          join ledger_account a on a.id = l.account_id and a.uid = o.uid and a.kind = 'micro' and a.currency = o.currency_id
        where e.kind = d.kind and e.source = 'option:' || o.id) p on true
      where ${within(range, 'o.id')} and (p.events <> 1 or coalesce(p.available, 0) <> d.available or coalesce(p.frozen, 0) <> d.frozen)`,
  },
  {
    name: 'I6',
    says: 'no event of an option is one too many',
    over: 'event',
    breaches: (range) => sql`select format('event %s (%s of %s) is one too many', e.id, e.kind, e.source) as breach from ledger_event e
      where ${within(range, 'e.id')} and e.kind in ('option_open', 'option_win', 'option_lose', 'option_refund')
        and not exists (select from option_order o left join ${due} as d (status, kind) on d.status = o.status
          where o.id = ${numbered} and e.kind in ('option_open', d.kind))`,
  },
  {
    name: 'I6',
    says: 'each option was settled by the last price of the log at or before its expiry, and by the rule',
    over: 'option_order',
    breaches: (
      range,
    ) => sql`select format('option %s is %s; the log says tick %s at %s', o.id, o.status, coalesce(t.id, 0), coalesce(t.price, 0)) as breach
      from option_order o left join lateral (select t.id, t.price from tick t where t.symbol = o.symbol and t.time <= o.due_at
          and t.time >= o.due_at - 5000 and t.id <= o.log_end order by t.time desc, t.id desc limit 1) t on true
      where ${within(range, 'o.id')} and o.settled_at is not null and (o.settle_tick_id is distinct from t.id
        or o.settle_price is distinct from t.price or o.status <> case when t.id is null then 'void' when t.price = o.open_price then 'draw'
          when (t.price > o.open_price) = (o.type = 'up') then 'won' else 'lost' end)`,
  },
  {
    name: 'I6',
    says: 'each option that was won pays its stake and its rate on it, cut at the decimals of its coin',
    over: 'option_order',
    breaches: (range) => sql`select format('option %s pays %s', o.id, o.payout) as breach from option_order o
      join currency c on c.id = o.currency_id
      where ${within(range, 'o.id')} and o.status = 'won' and o.payout <> o.stake + trunc(o.stake * o.rate, c.scale)`,
  },
  {
    name: 'I6',
    says: 'each option was opened at the price of the tick that it names',
    over: 'option_order',
    breaches: (range) => sql`select format('option %s at %s', o.id, o.open_price) as breach from option_order o
      left join tick t on t.id = o.open_tick_id and t.symbol = o.symbol and t.price = o.open_price
      where ${within(range, 'o.id')} and t.id is null`,
  },
]
