import { accountMigrations } from '#api-server/account/account.migration.ts'
import { backOfficeMigrations } from '#api-server/back-office/back-office.migration.ts'
import { contentMigrations } from '#api-server/content/content.migration.ts'
import { currencyMigrations } from '#api-server/currency/currency.migration.ts'
import { idempotencyMigrations } from '#api-server/idempotency/keys.migration.ts'
import { ledgerMigrations } from '#api-server/ledger/ledger.migration.ts'
import { marketMigrations } from '#api-server/market/market.migration.ts'
import { modules } from '#api-server/modules.ts'
import { noticesMigration } from '#api-server/notices/notices.migration.ts'
import { outboxMigrations } from '#api-server/outbox/outbox.migration.ts'
import { tradingMigrations } from '#api-server/trading/trading.migration.ts'
import { uploadMigrations } from '#api-server/upload/upload.migration.ts'
import type { Migration } from '#server-kit/db/db.ts'
import { dueMigration } from '#server-kit/due/due.migration.ts'
import { leaseMigration } from '#server-kit/ops/lease.ts'

/** Tables below the modules: those that ports.ts reads and writes. */
const foundation: readonly Migration[] = [
  ...contentMigrations,
  ...currencyMigrations,
  ...marketMigrations,
  ...accountMigrations,
  ...outboxMigrations,
  ...uploadMigrations,
  ...idempotencyMigrations,
  ...ledgerMigrations,
  ...backOfficeMigrations,
  ...tradingMigrations,
  dueMigration,
  noticesMigration,
  leaseMigration,
]

/** All migrations in execution order: a module may refer to tables of the modules before it. Add a step at the end of its module; never edit one. */
export const migrations: readonly Migration[] = [...foundation, ...modules.flatMap((module) => module.migrations)]
