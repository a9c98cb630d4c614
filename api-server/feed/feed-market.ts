import type { Candle, Period, Quote } from '#contract/calls/market.calls.ts'
import type { DepthLevel, TradePrint } from '#contract/feed.ts'

/** What the feed needs of the market. */
export interface FeedMarket {
  symbols(): string[]
  quote(symbol: string): Quote | undefined
  trades(symbol: string): readonly TradePrint[]
  depth(symbol: string, levels: number): { bids: DepthLevel[]; asks: DepthLevel[] }
  openCandle(symbol: string, period: Period): Candle | undefined
  listen(listener: { ticked(symbol: string): void; closed(symbol: string, period: Period, candle: Candle): void }): () => void
}

/** What the feed needs of the sessions. */
export interface Sessions {
  /** Who a token belongs to; undefined for one that is not valid. */
  check(token: string): Promise<{ uid: string; session: string } | undefined>
  /** Those of these sessions that have not ended, as the database says. */
  alive(sessions: readonly string[]): Promise<ReadonlySet<string>>
  /** Called when sessions of an account may have ended, on whatever node. A hint that may get lost. @returns a function that ends it */
  listen(listener: (account: number) => void): () => void
}
