import { accountMigration } from '#api-server/account/account.migration.ts'
import { contentMigration } from '#api-server/content/content.migration.ts'
import { currencyMigration } from '#api-server/currency/currency.migration.ts'
import { favouritesMigration } from '#api-server/favourites/favourites.migration.ts'
import { marketMigration } from '#api-server/market/market.migration.ts'
import { outboxMigration } from '#api-server/outbox/outbox.migration.ts'
import { ratesMigration } from '#api-server/rates/rates.migration.ts'
import { uploadMigration } from '#api-server/upload/upload.migration.ts'
import type { Migration } from '#server-kit/migrate.ts'

/** Every step of the schema in the order in which it runs. New steps go to the end; old ones are never edited. */
export const migrations: readonly Migration[] = [
  contentMigration,
  currencyMigration,
  ratesMigration,
  marketMigration,
  accountMigration,
  outboxMigration,
  uploadMigration,
  favouritesMigration,
]
