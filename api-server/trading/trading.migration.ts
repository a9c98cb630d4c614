import { sql } from 'kysely'
import type { TradeProduct } from '#contract/trading.ts'
import type { Migration } from '#server-kit/db/db.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    /** Terms of a symbol, as JSON by `termsOf` of contract/trading.ts. The highest version counts; rows are only added. */
    trading_terms: {
      product: TradeProduct
      symbol: string
      version: number
      terms: unknown
      changed_by: string
      at: number
    }
    /** Symbols that are not traded just now. */
    trading_halt: { symbol: string; reason: string; halted_by: string; at: number }
    /** Trading hours of a group of symbols, as JSON by `tradingCalendar`. */
    trading_calendar: { group: string; calendar: unknown; changed_by: string; at: number }
  }
}

export const tradingMigration: Migration = {
  id: 'trading-1',
  async up(tx) {
    for (const statement of [
      `create table trading_terms (product text not null check (product in ('contract', 'option', 'spot')), symbol text not null references instrument (symbol),
        version integer not null check (version > 0), terms json not null, changed_by text not null, at bigint not null, primary key (product, symbol, version))`,
      `create table trading_halt (symbol text primary key references instrument (symbol), reason text not null, halted_by text not null, at bigint not null)`,
      `create table trading_calendar ("group" text primary key, calendar json not null, changed_by text not null, at bigint not null)`,
    ]) {
      await sql.raw(statement).execute(tx)
    }
  },
}
