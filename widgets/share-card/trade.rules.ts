import { contractGain } from '#contract/functions/contract.gain.function.ts'
import { gainOf } from '#widgets/parts/values/live.rules.ts'
import type { ContractTrade, OptionTrade, Trade } from '#widgets/share-card/share-card.props.ts'

interface TradeAmounts {
  /** The result as a share of the margin, of an option as a share of the stake. */
  gain: string
  /** After all costs. */
  result: string
  entry: string
  /** At which it was settled, the average of all closings, or the last price of an open position. */
  exit: string
  isClosed: boolean
}

/** The last price, and what an open position is worth at it. */
export interface LastPrice {
  mark: string
  gain: string
  result: string
}

/** Returns the figures of a trade at its end, or at the last price. Undefined for an order, for an option that is not settled, and before the first price. */
export function amountsOf(trade: Trade, live: LastPrice | undefined): TradeAmounts | undefined {
  return isOption(trade) ? optionAmounts(trade) : contractAmounts(trade, live)
}

export const isOption = (trade: Trade): trade is OptionTrade => 'seconds' in trade

/** Undefined until it is settled, and for one that no price settled. */
function optionAmounts({ number, profit, open_price: entry, settle_price: exit }: OptionTrade): TradeAmounts | undefined {
  if (exit === null || exit === undefined) return undefined
  return { gain: contractGain.run({ profit, margin: number }), result: profit, entry, exit, isClosed: true }
}

function contractAmounts(trade: ContractTrade, live: LastPrice | undefined): TradeAmounts | undefined {
  const { list, open_price: entry, exit_price: exit, result } = trade
  if (entry === null || entry === undefined) return undefined
  if (list === 'position') {
    return live && { gain: live.gain, result: live.result, entry, exit: live.mark, isClosed: false }
  }
  if (list !== 'history' || exit === null) return undefined
  return { gain: gainOf(trade, entry, result), result, entry, exit, isClosed: true }
}

/** Name of the picture file: tessera-btcusdt-long.png. */
export const fileOf = (trade: Pick<ContractTrade, 'symbol' | 'side'> | Pick<OptionTrade, 'symbol' | 'type'>): string =>
  `tessera-${trade.symbol.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${'side' in trade ? trade.side : trade.type}.png`
