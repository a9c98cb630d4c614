import type { DepthLevel, TradePrint } from '#contract/feed.ts'
import type { Candle, Period, Quote } from '#contract/market.calls.ts'

/** What the feed needs of the market. */
export interface FeedMarket {
  symbols(): string[]
  quote(symbol: string): Quote | undefined
  trades(symbol: string): readonly TradePrint[]
  depth(symbol: string, levels: number): { bids: DepthLevel[]; asks: DepthLevel[] }
  openCandle(symbol: string, period: Period): Candle | undefined
  listen(listener: { ticked(symbol: string): void; closed(symbol: string, period: Period, candle: Candle): void }): () => void
}

/** Who a token belongs to; undefined for one that is not valid. */
export interface Sessions {
  check(token: string): Promise<{ uid: string } | undefined>
}
