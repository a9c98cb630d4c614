import { currencyMigrations } from '#api-server/currency/currency.migration.ts'
import { followMigrations } from '#api-server/follow/follow.migration.ts'
import { idempotencyMigrations } from '#api-server/idempotency/keys.migration.ts'
import { ledgerMigrations } from '#api-server/ledger/ledger.migration.ts'
import { createLedgerReads } from '#api-server/ledger/ledger.reads.ts'
import { createLedger } from '#api-server/ledger/ledger.store.ts'
import type { LedgerEvent, Posting } from '#api-server/ledger/ledger.ts'
import { leverMigrations } from '#api-server/lever/lever.migration.ts'
import { otcMigrations } from '#api-server/otc/otc.migration.ts'
import type { AccountKind } from '#contract/accounts.ts'
import { type Database, write } from '#server-kit/db/db.ts'

/** Migrations of a ledger by itself. */
export const moneyMigrations = [
  ...currencyMigrations,
  ...idempotencyMigrations,
  ...ledgerMigrations,
  ...leverMigrations,
  ...followMigrations,
  ...otcMigrations,
]

export const coins = { btc: 1, usdt: 3, xrp: 5 } as const

/** A ledger in a new database, with three currencies of 8, 8 and 6 decimals. */
export async function stageLedger(database: Database) {
  const ledger = createLedger()
  const there = await database.db.selectFrom('currency').select('id').execute()
  const rows = Object.entries(coins).map(([code, id]) => ({
    id,
    name: code,
    code: code.toUpperCase(),
    scale: code === 'xrp' ? 6 : 8,
    status: 1,
    price_symbol: null,
    position: id,
  }))
  if (!there.length) await write(rows.length, database.db.insertInto('currency').values(rows))
  const post = (event: Omit<LedgerEvent, 'at'> & { at?: number }) => database.transaction((tx) => ledger.post(tx, { at: 1_000, ...event }))
  let credits = 0
  return {
    ledger,
    reads: createLedgerReads(database),
    post,
    /** Credits money from outside to an account of a customer. */
    credit: (uid: number, amount: string, currency: number = coins.usdt, kind: AccountKind = 'change', at?: number) =>
      post({
        kind: 'credit',
        source: `test:${process.pid}:${++credits}`,
        uid,
        ...(at !== undefined && { at }),
        postings: [{ account: { platform: 'external_in' }, currency, amount: `-${amount}` }, mine(uid, amount, currency, kind)],
      }),
  }
}
export type LedgerStage = Awaited<ReturnType<typeof stageLedger>>

/** A line of a customer's available balance. */
export const mine = (uid: number, amount: string, currency: number = coins.usdt, kind: AccountKind = 'change'): Posting => ({
  account: { uid, kind, part: 'available' },
  currency,
  amount,
})
/** Lines of a transfer between two accounts of a customer. */
export const moved = (uid: number, amount: string, from: AccountKind, to: AccountKind, currency: number = coins.usdt): Posting[] => [
  mine(uid, `-${amount}`, currency, from),
  mine(uid, amount, currency, to),
]
