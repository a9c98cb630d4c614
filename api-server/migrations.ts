import { accountMigration, codeAskerMigration, freezeAskedMigration, mobilesMigration } from '#api-server/account/account.migration.ts'
import {
  backOfficeChangesMigration,
  backOfficeMigration,
  backOfficeProposalMigration,
  offersLoggedMigration,
} from '#api-server/back-office/back-office.migration.ts'
import { bankMigration } from '#api-server/bank/bank.migration.ts'
import { contentMigration, contentSeededMigration } from '#api-server/content/content.migration.ts'
import { currencyMigration } from '#api-server/currency/currency.migration.ts'
import { favouritesMigration } from '#api-server/favourites/favourites.migration.ts'
import {
  followAgreedMigration,
  followEndedMigration,
  followEquityMigration,
  followMigration,
  followMovesMigration,
  followStatesMigration,
} from '#api-server/follow/follow.migration.ts'
import { idempotencyMigration, idempotencySweepMigration } from '#api-server/idempotency/keys.migration.ts'
import { identityMarkMigration, identityMigration, identityStatesMigration } from '#api-server/identity/identity.migration.ts'
import {
  ledgerBrokenMigration,
  ledgerBrokenSinceMigration,
  ledgerKeyMigration,
  ledgerLockInOrderMigration,
  ledgerMarginMigration,
  ledgerMigration,
  ledgerPostAllMigration,
  ledgerPostAtOnceMigration,
} from '#api-server/ledger/ledger.migration.ts'
import {
  leverExitMigration,
  leverMigration,
  leverMovesMigration,
  leverReversedMigration,
  leverStatesMigration,
} from '#api-server/lever/lever.migration.ts'
import { marketMigration, marketTipMigration } from '#api-server/market/market.migration.ts'
import { micBookedMigration, micMigration, micStatesMigration } from '#api-server/mic/mic.migration.ts'
import { noticesMigration } from '#api-server/notices/notices.migration.ts'
import { otcMigration, otcStatesMigration } from '#api-server/otc/otc.migration.ts'
import { outboxMigration } from '#api-server/outbox/outbox.migration.ts'
import { ratesMigration } from '#api-server/rates/rates.migration.ts'
import { spotLimitsMigration, spotMigration, spotMovesMigration, spotStatesMigration } from '#api-server/spot/spot.migration.ts'
import { tradingHoursMigration, tradingMigration } from '#api-server/trading/trading.migration.ts'
import { uploadClaimMigration, uploadMarkMigration, uploadMigration } from '#api-server/upload/upload.migration.ts'
import { fundingKeepsMigration } from '#api-server/wallet/deposit/funding.migration.ts'
import {
  exchangeToleranceMigration,
  walletMigration,
  walletStatesMigration,
  walletTagMigration,
} from '#api-server/wallet/wallet.migration.ts'
import type { Migration } from '#server-kit/db/db.ts'
import { dueMigration } from '#server-kit/due/due.migration.ts'

/** All migrations in execution order. Add new ones at the end; never edit old ones. */
export const migrations: readonly Migration[] = [
  contentMigration,
  currencyMigration,
  ratesMigration,
  marketMigration,
  accountMigration,
  outboxMigration,
  uploadMigration,
  favouritesMigration,
  idempotencyMigration,
  ledgerMigration,
  walletMigration,
  backOfficeMigration,
  bankMigration,
  identityMigration,
  uploadClaimMigration,
  walletTagMigration,
  fundingKeepsMigration,
  uploadMarkMigration,
  identityMarkMigration,
  backOfficeProposalMigration,
  codeAskerMigration,
  idempotencySweepMigration,
  ledgerKeyMigration,
  ledgerBrokenMigration,
  ledgerBrokenSinceMigration,
  tradingMigration,
  leverMigration,
  micMigration,
  spotMigration,
  followMigration,
  otcMigration,
  ledgerPostAllMigration,
  spotMovesMigration,
  followMovesMigration,
  tradingHoursMigration,
  leverReversedMigration,
  spotLimitsMigration,
  leverExitMigration,
  leverMovesMigration,
  followAgreedMigration,
  followEndedMigration,
  followEquityMigration,
  backOfficeChangesMigration,
  ledgerPostAtOnceMigration,
  ledgerLockInOrderMigration,
  offersLoggedMigration,
  marketTipMigration,
  mobilesMigration,
  contentSeededMigration,
  freezeAskedMigration,
  ledgerMarginMigration,
  exchangeToleranceMigration,
  micBookedMigration,
  walletStatesMigration,
  identityStatesMigration,
  leverStatesMigration,
  micStatesMigration,
  spotStatesMigration,
  followStatesMigration,
  otcStatesMigration,
  dueMigration,
  noticesMigration,
]
