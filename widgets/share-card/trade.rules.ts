import Big from 'big.js'
import { contractGain } from '#contract/functions/contract.gain.function.ts'
import { contractMargin } from '#contract/functions/contract.margin.function.ts'
import { contractNotional } from '#contract/functions/contract.notional.function.ts'
import type { ContractTrade, OptionTrade, Trade } from '#widgets/share-card/share-card.props.ts'

interface TradeAmounts {
  /** Profit as a share of the margin, of an option as a share of the stake. */
  gain: string
  profit: string
  entry: string
  /** At which it was closed or settled, or the last price of an open position. */
  exit: string
  isClosed: boolean
}

/** The last price, and what an open position is worth at it. */
export interface LastPrice {
  mark: string
  gain: string
  profit: string
}

/** Decimals to which the opening margin is rounded up; enough for every quote coin. */
const marginScale = 8

/**
 * Returns the figures of a trade at its end, or at the last price. A closed one has no margin any more, so its gain is a share of the
 * margin that opened it. Undefined for an order, for an option that is not settled, and before the first price.
 */
export function amountsOf(trade: Trade, live: LastPrice | undefined): TradeAmounts | undefined {
  return isOption(trade) ? optionAmounts(trade) : contractAmounts(trade, live)
}

export const isOption = (trade: Trade): trade is OptionTrade => 'seconds' in trade

/** Undefined until it is settled, and for one that no price settled. */
function optionAmounts({ number, profit, open_price: entry, settle_price: exit }: OptionTrade): TradeAmounts | undefined {
  if (exit === null || exit === undefined) return undefined
  return { gain: contractGain.run({ profit, margin: number }), profit, entry, exit, isClosed: true }
}

function contractAmounts(trade: ContractTrade, live: LastPrice | undefined): TradeAmounts | undefined {
  const { list, open_price: entry, close_price, lots, lot_size, multiple, result } = trade
  if (entry === null || entry === undefined) return undefined
  if (list === 'position') {
    return live && { gain: live.gain, profit: live.profit, entry, exit: live.mark, isClosed: false }
  }
  if (list !== 'history' || close_price === null) return undefined
  const notional = contractNotional.run({ lots, lot_size, price: entry })
  const margin = contractMargin.run({ notional, multiple, scale: marginScale })
  const gain = new Big(margin).gt(0) ? contractGain.run({ profit: result, margin }) : '0'
  return { gain, profit: result, entry, exit: close_price, isClosed: true }
}

/** Name of the picture file: tessera-btcusdt-long.png. */
export const fileOf = (trade: Pick<ContractTrade, 'symbol' | 'side'> | Pick<OptionTrade, 'symbol' | 'type'>): string =>
  `tessera-${trade.symbol.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${'side' in trade ? trade.side : trade.type}.png`
