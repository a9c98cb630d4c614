import { type Migration, sqlStep } from '#server-kit/db/db.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    /** `price_symbol` is the instrument whose price is the currency's rate in USD; null for a currency that is worth one dollar. */
    currency: { id: number; code: string; name: string; scale: number; status: number; price_symbol: string | null; position: number }
    currency_chain: { currency_id: number; chain: string; position: number }
  }
}

export const currencyMigrations: readonly Migration[] = [
  sqlStep(
    'currency-base',
    [
      `create table currency (id int primary key check (id > 0), code text not null unique, name text not null,
        scale int not null check (scale between 0 and 18), status int not null check (status in (0, 1)), price_symbol text, position int not null)`,
      `create table currency_chain (currency_id int not null references currency, chain text not null, position int not null,
        primary key (currency_id, chain))`,
    ],
    ['currency-1'],
  ),
]
