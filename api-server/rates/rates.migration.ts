import { sql } from 'kysely'
import type { Migration } from '#server-kit/db/db.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    fiat_rate: { currency_code: string; rate: string; source: string; fetched_at: number; position: number }
  }
}

export const ratesMigration: Migration = {
  id: 'rates-1',
  async up(tx) {
    await sql`create table fiat_rate (currency_code text primary key, rate numeric not null check (rate > 0 and rate <> 'NaN'),
      source text not null, fetched_at bigint not null, position int not null)`.execute(tx)
  },
}
