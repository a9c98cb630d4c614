import { type ColumnType, sql } from 'kysely'
import type { Migration } from '#server-kit/db/db.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    /** One row an account; the list is short and always read and written whole, so that its order and its bound hold by themselves. */
    favourite: { uid: number; symbols: ColumnType<string[], string, string> }
  }
}

export const favouritesMigration: Migration = {
  id: 'favourites-1',
  async up(tx) {
    await sql`create table favourite (uid bigint primary key, symbols jsonb not null)`.execute(tx)
  },
}
