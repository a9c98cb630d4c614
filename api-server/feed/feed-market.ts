import type { Candle, Period, Quote } from '#contract/calls/market.calls.ts'
import type { DepthLevel, TradePrint } from '#contract/feed.ts'

/** Reads of the market that the feed uses. */
export interface FeedMarket {
  symbols(): string[]
  quote(symbol: string): Quote | undefined
  trades(symbol: string): readonly TradePrint[]
  depth(symbol: string, levels: number): { bids: DepthLevel[]; asks: DepthLevel[] }
  openCandle(symbol: string, period: Period): Candle | undefined
  listen(listener: { ticked(tick: { symbol: string }): void; closed(symbol: string, period: Period, candle: Candle): void }): () => void
}

/** Reads of the sessions that the feed uses. */
export interface Sessions {
  /** Resolves a token to its customer; undefined for an invalid token. */
  check(token: string): Promise<{ uid: string; session: string } | undefined>
  /** Returns those of the sessions that have not ended, from the database. */
  alive(sessions: readonly string[]): Promise<ReadonlySet<string>>
  /** Called when sessions of an account may have ended on any node. Hints may get lost. @returns a function that removes the listener */
  listen(listener: (account: number) => void): () => void
}
