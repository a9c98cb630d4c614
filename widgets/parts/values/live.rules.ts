import Big from 'big.js'
import { contractFillPrice } from '#contract/functions/contract.fillPrice.function.ts'
import { contractGain } from '#contract/functions/contract.gain.function.ts'
import { contractMarginRatio } from '#contract/functions/contract.marginRatio.function.ts'
import { contractNotional } from '#contract/functions/contract.notional.function.ts'
import { contractProfit } from '#contract/functions/contract.profit.function.ts'
import { contractResult } from '#contract/functions/contract.result.function.ts'

/** The facts about a position that the figures need. */
export interface OpenPosition {
  side: 'long' | 'short'
  open_price: string | null
  lots: string
  lot_size: string
  multiple: number
  margin: string
  maintenance_rate: string
  fee_rate: string
  spread: string
  /** Paid over night for the lots that are open. */
  overnight_open: string
}

interface LiveAmounts {
  /** From the last price alone, before fees, in the quote coin. */
  profit: string
  /** Of closing it now, after all costs. */
  result: string
  /** The result as a share of the margin that opened these lots. */
  gain: string
  /** Equity to maintenance margin; liquidation at 1. */
  ratio: string
}

/** Decimals of an amount on a card. */
const shownScale = 2
/** Shares are computed from what the ledger keeps: a small position would have none at two decimals. */
const exactScale = 8
/** Before the step of the price is known. */
const finestTick = '0.00000001'

/**
 * Returns the figures of an open position at a price; undefined for one that is not open.
 * @param tick step of the price: the position closes at the price of the market, half of the spread from the last one
 */
export function liveAmounts(position: OpenPosition, mark: string, tick = finestTick): LiveAmounts | undefined {
  const { side, open_price, lots, margin, maintenance_rate, spread, overnight_open } = position
  if (open_price === null) return undefined
  const of = { side, from: open_price, to: mark, lots, lot_size: position.lot_size, scale: exactScale }
  const to = contractFillPrice.run({ side: side === 'long' ? 'short' : 'long', price: mark, spread, tick })
  const result = contractResult.run({ ...of, to, open: lots, margin, fee_rate: position.fee_rate, overnight: overnight_open })
  return {
    profit: contractProfit.run({ ...of, scale: shownScale }),
    result: new Big(result).round(shownScale, Big.roundHalfUp).toFixed(),
    gain: gainOf(position, open_price, result),
    ratio: contractMarginRatio.run({ ...of, margin, maintenance_rate }),
  }
}

/** A result as a share of the margin that opened the lots: margin that was added or taken back since does not change it. */
export function gainOf({ lots, lot_size, multiple }: Pick<OpenPosition, 'lots' | 'lot_size' | 'multiple'>, price: string, result: string) {
  const margin = new Big(contractNotional.run({ lots, lot_size, price })).div(multiple)
  return margin.gt(0) ? contractGain.run({ profit: result, margin: margin.toFixed() }) : '0'
}
