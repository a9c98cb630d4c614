import type { MarketReads } from '#api-server/market/market.reads.ts'

/** The price that settles what ends at a time. */
export interface SettlementPrice {
  /** The last recorded tick at or before that time; undefined where there was never any. */
  tick: Awaited<ReturnType<MarketReads['tickAtOrBefore']>>
  /** The last number in the log when it was read: what comes later cannot count. */
  log_end: number
}

/**
 * Finds the prices of a round of settlements: each symbol and time is looked up once, for all that ends then.
 * @returns undefined while the log may still get a price of that time
 */
export function settlementPrices(reads: Pick<MarketReads, 'logEndAfter' | 'tickAtOrBefore'>) {
  const found = new Map<string, Promise<SettlementPrice | undefined>>()
  async function find(symbol: string, time: number): Promise<SettlementPrice | undefined> {
    const log_end = await reads.logEndAfter(time)
    if (log_end === undefined) return undefined
    const tick = await reads.tickAtOrBefore(symbol, time)
    return { tick, log_end: Math.max(log_end, tick?.id ?? 0) }
  }
  return (symbol: string, time: number): Promise<SettlementPrice | undefined> => {
    const key = `${symbol} ${time}`
    const looked = found.get(key) ?? find(symbol, time)
    found.set(key, looked)
    return looked
  }
}
