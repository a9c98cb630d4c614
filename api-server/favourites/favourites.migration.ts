import { type ColumnType, sql } from 'kysely'
import type { Migration } from '#server-kit/db/db.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    /** One row per account. The list is short and is read and written as a whole, which keeps its order and its maximum length. */
    favourite: { uid: number; symbols: ColumnType<string[], string, string> }
  }
}

export const favouritesMigration: Migration = {
  id: 'favourites-1',
  async up(tx) {
    await sql`create table favourite (uid bigint primary key, symbols jsonb not null)`.execute(tx)
  },
}
