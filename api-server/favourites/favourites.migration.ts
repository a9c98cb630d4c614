import type { ColumnType } from 'kysely'
import { type Migration, sqlStep } from '#server-kit/db/db.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    /** One row per account. The list is short and is read and written as a whole, which keeps its order and its maximum length. */
    favourite: { uid: number; symbols: ColumnType<string[], string, string> }
  }
}

export const favouritesMigrations: readonly Migration[] = [
  sqlStep('favourites-base', ['create table favourite (uid bigint primary key, symbols jsonb not null)'], ['favourites-1']),
]
