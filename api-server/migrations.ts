import { accountMigrations } from '#api-server/account/account.migration.ts'
import { backOfficeMigrations } from '#api-server/back-office/back-office.migration.ts'
import { bankMigrations } from '#api-server/bank/bank.migration.ts'
import { contentMigrations } from '#api-server/content/content.migration.ts'
import { currencyMigrations } from '#api-server/currency/currency.migration.ts'
import { favouritesMigrations } from '#api-server/favourites/favourites.migration.ts'
import { followMigrations } from '#api-server/follow/follow.migration.ts'
import { idempotencyMigrations } from '#api-server/idempotency/keys.migration.ts'
import { identityMigrations } from '#api-server/identity/identity.migration.ts'
import { ledgerMigrations } from '#api-server/ledger/ledger.migration.ts'
import { leverMigrations } from '#api-server/lever/lever.migration.ts'
import { marketMigrations } from '#api-server/market/market.migration.ts'
import { micMigrations } from '#api-server/mic/mic.migration.ts'
import { noticesMigration } from '#api-server/notices/notices.migration.ts'
import { otcMigrations } from '#api-server/otc/otc.migration.ts'
import { outboxMigrations } from '#api-server/outbox/outbox.migration.ts'
import { ratesMigrations } from '#api-server/rates/rates.migration.ts'
import { spotMigrations } from '#api-server/spot/spot.migration.ts'
import { tradingMigrations } from '#api-server/trading/trading.migration.ts'
import { uploadMigrations } from '#api-server/upload/upload.migration.ts'
import { walletMigrations } from '#api-server/wallet/wallet.migration.ts'
import type { Migration } from '#server-kit/db/db.ts'
import { dueMigration } from '#server-kit/due/due.migration.ts'

/** All migrations in execution order: a module may refer to tables of the modules before it. Add a step at the end of its module; never edit one. */
export const migrations: readonly Migration[] = [
  ...contentMigrations,
  ...currencyMigrations,
  ...ratesMigrations,
  ...marketMigrations,
  ...accountMigrations,
  ...outboxMigrations,
  ...uploadMigrations,
  ...favouritesMigrations,
  ...idempotencyMigrations,
  ...ledgerMigrations,
  ...walletMigrations,
  ...backOfficeMigrations,
  ...bankMigrations,
  ...identityMigrations,
  ...tradingMigrations,
  ...leverMigrations,
  ...micMigrations,
  ...spotMigrations,
  ...followMigrations,
  ...otcMigrations,
  dueMigration,
  noticesMigration,
]
