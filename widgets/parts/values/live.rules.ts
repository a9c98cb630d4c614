import Big from 'big.js'
import { contractGain } from '#contract/functions/contract.gain.function.ts'
import { contractMarginRatio } from '#contract/functions/contract.marginRatio.function.ts'
import { contractProfit } from '#contract/functions/contract.profit.function.ts'

/** The facts about a position that the figures need. */
export interface OpenPosition {
  side: 'long' | 'short'
  open_price: string | null
  lots: string
  lot_size: string
  margin: string
  maintenance_rate: string
}

interface LiveAmounts {
  /** Profit at the last price, in the quote coin. */
  profit: string
  /** Profit as a share of the margin. */
  gain: string
  /** Equity to maintenance margin; liquidation at 1. */
  ratio: string
}

/** Decimals of a profit on a card. */
const shownScale = 2
/** Shares are computed from what the ledger keeps: a small position would have none at two decimals. */
const exactScale = 8

/** Returns the figures of an open position at a price; undefined for one that is not open. */
export function liveAmounts(position: OpenPosition, mark: string): LiveAmounts | undefined {
  const { side, open_price, lots, lot_size, margin, maintenance_rate } = position
  if (open_price === null) return undefined
  const of = { side, from: open_price, to: mark, lots, lot_size, scale: exactScale }
  return {
    profit: contractProfit.run({ ...of, scale: shownScale }),
    gain: new Big(margin).gt(0) ? contractGain.run({ profit: contractProfit.run(of), margin }) : '0',
    ratio: contractMarginRatio.run({ ...of, margin, maintenance_rate }),
  }
}
