import type { Currency } from '#api-server/currency/currency.reads.ts'
import type { ProductPorts } from '#api-server/kit/module.ts'
import type { MicStore, OptionRow } from '#api-server/mic/mic.store.ts'
import type { OptionOrder } from '#contract/calls/mic.calls.ts'
import type { RowChange } from '#contract/topic.ts'

/** The services that all parts of the module need. */
export interface MicContext extends Pick<ProductPorts, 'database' | 'ledger' | 'coins' | 'notices' | 'clock' | 'log'> {
  store: MicStore
  /** @param coin that of the row */
  shown: (row: OptionRow, coin: Currency) => OptionOrder
  rowOf: (row: OptionRow) => Promise<OptionOrder>
  /** Tells the customer's apps of an order, and of the balance that it moved; after the commit. */
  announce: (row: OptionRow, change: RowChange) => void
}
