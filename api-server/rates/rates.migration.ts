import { type Migration, sqlStep } from '#server-kit/db/db.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    fiat_rate: { currency_code: string; rate: string; source: string; fetched_at: number; position: number }
  }
}

export const ratesMigrations: readonly Migration[] = [
  sqlStep(
    'rates-base',
    [
      `create table fiat_rate (currency_code text primary key, rate numeric not null check (rate > 0 and rate <> 'NaN'),
        source text not null, fetched_at bigint not null, position int not null)`,
    ],
    ['rates-1'],
  ),
]
