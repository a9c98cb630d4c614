import type { Generated } from 'kysely'
import { type Migration, sqlStep } from '#server-kit/db/db.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    /** From `at` until `ended_at` a symbol is not traded. Rows stay: prices that are read again are judged by what counted when they came. */
    trading_halt: { id: Generated<number>; symbol: string; reason: string; halted_by: string; at: number; ended_at: number | null }
    /** Trading hours of a group of symbols from `at` on, as JSON by `tradingCalendar`; null: at all times. The highest version counts; rows are only added. */
    trading_calendar: { id: Generated<number>; group: string; version: number; calendar: unknown; changed_by: string; at: number }
  }
}

export const tradingMigrations: readonly Migration[] = [
  sqlStep(
    'trading-base',
    [
      `create table trading_terms (product text not null check (product in ('contract', 'option', 'spot')), symbol text not null references instrument (symbol),
        version integer not null check (version > 0), terms json not null, changed_by text not null, at bigint not null, primary key (product, symbol, version))`,
      `create table trading_halt (id int generated always as identity primary key, symbol text not null references instrument (symbol), reason text not null,
        halted_by text not null, at bigint not null, ended_at bigint check (ended_at >= at))`,
      'create unique index trading_halt_open on trading_halt (symbol) where ended_at is null',
      `create table trading_calendar (id int generated always as identity primary key, "group" text not null, calendar json, changed_by text not null,
        at bigint not null, version integer not null check (version > 0), unique ("group", version))`,
      `create table trading_proposal (id int generated always as identity primary key, product text, symbol text references instrument (symbol),
        version integer not null, terms json not null, operator_id bigint not null, operator text not null, at bigint not null,
        state text not null check (state in ('open', 'agreed', 'refused', 'withdrawn')), decided_by text not null, decided_at bigint, "group" text,
        check ((product is null) = (symbol is null) and (symbol is null) <> ("group" is null)))`,
      `create unique index trading_proposal_open on trading_proposal (product, symbol) where state = 'open'`,
      `create unique index trading_proposal_hours on trading_proposal ("group") where state = 'open'`,
    ],
    ['trading-1', 'trading-2'],
  ),
]
