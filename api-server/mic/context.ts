import type { Currency, CurrencyReads } from '#api-server/currency/currency.reads.ts'
import type { Ledger } from '#api-server/ledger/ledger.ts'
import type { MicStore, OptionRow } from '#api-server/mic/mic.store.ts'
import type { Notices } from '#api-server/notices/notice.ts'
import type { OptionOrder } from '#contract/calls/mic.calls.ts'
import type { RowChange } from '#contract/topic.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Log } from '#server-kit/ops/log.ts'

/** What all of the module stands on. */
export interface MicContext {
  database: Database
  store: MicStore
  ledger: Ledger
  coins: CurrencyReads
  notices: Notices
  clock: Clock
  log: Log
  /** @param coin that of the row */
  shown: (row: OptionRow, coin: Currency) => OptionOrder
  rowOf: (row: OptionRow) => Promise<OptionOrder>
  /** Tells the customer's apps of an order, and of the balance that it moved; after the commit. */
  told: (row: OptionRow, change: RowChange) => void
}
