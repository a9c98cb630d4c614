import { type RawBuilder, sql } from 'kysely'
import { type Check, within } from '#api-server/ledger/audit/audit.check.ts'

/** The log of prices. Written against the tables and not with the code of the module; `contract/tick-chain.ts` has the rule of the hashes. */

/** The hash before the first tick. */
const genesis = sql`decode(repeat('00', 32), 'hex')`

/** Each tick of a range, with the one that stands before it in the log. */
const withBefore = ({ from, to }: { from: number; to: number }): RawBuilder<unknown> =>
  sql`(select t.*, lag(id) over w as before_id, lag(hash) over w as before_hash from tick t
    where id >= ${from}::bigint and id <= ${to}::bigint window w as (order by id))`

/** Where the log ends, by the log itself. */
export const pricesEnd = sql<{ id: number; hash: string }>`select id, encode(hash, 'hex') as hash from tick order by id desc limit 1`

export const priceChecks: readonly Check[] = [
  {
    name: 'P1',
    says: 'each price is what it was when it was written, and none is missing before it',
    over: 'tick',
    breaches: (
      range,
    ) => sql`select case when id > 1 and before_id is distinct from id - 1 then format('price %s: the one before it is missing', id)
          else format('price %s of %s: its hash is not that of what it says', id, symbol) end as breach
      from ${withBefore(range)} t where ${within(range, 'id')} and ((id > 1 and before_id is distinct from id - 1)
        or prev_hash <> coalesce(before_hash, ${genesis})
        or hash <> sha256(convert_to(concat_ws(chr(10), encode(prev_hash, 'hex'), id, symbol, price, size, time, source), 'UTF8')))`,
  },
  {
    name: 'P1',
    says: 'the log of prices ends where it was last written',
    over: 'all',
    quick: true,
    breaches: () => sql`select format('the last price is %s, written was %s', coalesce(l.id, 0), p.id) as breach from tick_tip p
        left join (select id, hash from tick order by id desc limit 1) l on true
        where p.id <> coalesce(l.id, 0) or p.hash <> coalesce(l.hash, ${genesis})
      union all select 'the end of the prices is gone' where not exists (select from tick_tip)`,
  },
  {
    name: 'P1',
    says: 'the end of each day of prices is what was published',
    over: 'all',
    quick: true,
    breaches: () => sql`select format('end of %s: price %s', to_timestamp(d.day / 1000) at time zone 'UTC', d.id) as breach from tick_day d
        left join tick t on t.id = d.id and t.hash = d.hash left join tick n on n.id = d.id + 1 and n.time - n.time % 86400000 = d.until
        where t.id is null or n.id is null
      union all select format('ends of days are missing before %s', to_timestamp(day / 1000) at time zone 'UTC') from (
        select day, coalesce(lag(until) over (order by day), (select since from tick_tip)) as due from (
          select day, until from tick_day where day >= (select since from tick_tip)
          union all select day, null from tick_tip where day is not null) days) j where day <> due`,
  },
]
