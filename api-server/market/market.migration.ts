import { instrumentSeeds } from '#api-server/market/instruments.ts'
import { type Migration, sqlStep, write } from '#server-kit/db/db.ts'
import type {} from '#server-kit/ops/lease.ts'

interface InstrumentTable {
  match_id: number
  symbol: string
  name: string
  base: string
  quote: string
  group: 'currency' | 'stock' | 'metal' | 'index'
  tick: string
  step: string
  hot: boolean
  position: number
  enabled: boolean
  history_end: number | null
}
interface TickTable {
  id: number
  symbol: string
  price: string
  size: string
  time: number
  source: string
  prev_hash: Buffer
  hash: Buffer
}
/** Where the log of prices ends, kept beside the log: what is cut off at its end is missed. One row. */
interface TickTipTable {
  one: number
  id: number
  hash: Buffer
  /** First instants of UTC days, ms: since when the ends of days are kept, and the latest day that the log has reached. Null before the first tick. */
  since: number | null
  day: number | null
}
/** Where the log ended on a UTC day: the last tick before the first one of a later day. Rows are only added. */
interface TickDayTable {
  /** First instants of UTC days, ms: of this day, and of the next day with a tick. */
  day: number
  until: number
  id: number
  hash: Buffer
}
/** Up to which tick the audit of a running server has come: through what is new, and through all once more. */
interface TickMarkTable {
  name: 'new' | 'again'
  id: number
}
interface CandleTable {
  symbol: string
  period: string
  source: string
  time: number
  open: string
  high: string
  low: string
  close: string
  volume: string
}
declare module '#server-kit/db/db.ts' {
  interface Tables {
    instrument: InstrumentTable
    tick: TickTable
    tick_tip: TickTipTable
    tick_day: TickDayTable
    tick_mark: TickMarkTable
    candle: CandleTable
  }
}

const exact = (column: string, least: string) => `${column} numeric not null check (${column} ${least} and ${column} <> 'NaN')`

const tables = sqlStep(
  'market-base',
  [
    `create table instrument (match_id integer primary key check (match_id > 0), symbol text not null unique check (symbol ~ '^[A-Z0-9]{2,20}$'), name text not null,
      base text not null, quote text not null, "group" text not null check ("group" in ('currency', 'stock', 'metal', 'index')), tick text not null, step text not null,
      hot boolean not null, position integer not null, enabled boolean not null default true, history_end bigint)`,
    `create table tick (id bigint primary key, symbol text not null, ${exact('price', '> 0')}, ${exact('size', '>= 0')}, time bigint not null check (time >= 0),
      source text not null, prev_hash bytea not null check (length(prev_hash) = 32), hash bytea not null check (length(hash) = 32))`,
    'create index tick_symbol_time on tick (symbol, time, id)',
    `create function tick_is_final() returns trigger language plpgsql as 'begin raise exception ''ticks are neither changed nor removed''; end'`,
    'create trigger tick_final before update or delete on tick for each statement execute function tick_is_final()',
    `create table candle (symbol text not null, period text not null, source text not null, time bigint not null, ${exact('open', '> 0')}, ${exact('high', '> 0')},
      ${exact('low', '> 0')}, ${exact('close', '> 0')}, ${exact('volume', '>= 0')}, primary key (symbol, period, source, time))`,
    'create table market_lease (name text primary key, holder text not null, until bigint not null)',
    `insert into market_lease (name, holder, until) values ('source', '', 0)`,
    `create table tick_tip (one int primary key check (one = 1), id bigint not null, hash bytea not null check (length(hash) = 32),
      since bigint, day bigint check ((day is null) = (since is null) and day >= since))`,
    `insert into tick_tip (one, id, hash) values (1, 0, decode(repeat('00', 32), 'hex'))`,
    'create table tick_day (day bigint primary key, until bigint not null check (until > day), id bigint not null, hash bytea not null check (length(hash) = 32))',
    `create function tick_day_is_final() returns trigger language plpgsql as 'begin raise exception ''ends of days are neither changed nor removed''; end'`,
    'create trigger tick_day_final before update or delete on tick_day for each statement execute function tick_day_is_final()',
    'create table tick_mark (name text primary key, id bigint not null)',
    `insert into tick_mark values ('new', 0), ('again', 0)`,
  ],
  ['market-1', 'market-2'],
)

/** Triggers make the log of prices append-only: no client can change or remove rows. The log is compared with its end, and the published ends of its days. */
export const marketMigrations: readonly Migration[] = [
  {
    ...tables,
    async up(tx) {
      await tables.up(tx)
      const rows = instrumentSeeds.map((row) => ({ ...row, enabled: true, history_end: null }))
      await write(rows.length, tx.insertInto('instrument').values(rows))
    },
  },
]
