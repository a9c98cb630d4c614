import type { MarketInstrument } from '#api-server/market/instruments.ts'
import type { Market } from '#api-server/market/market.ts'
import type { Listing } from '#contract/calls/market.calls.ts'

/** Returns the long name of a symbol in a language; undefined without one. */
export type Titles = (lang: string, symbol: string) => string | undefined

/** Instruments with their quotes, in the shape of the contract. */
interface Listings {
  /** Undefined for an unknown symbol, or one without a price. */
  one(lang: string, symbol: string): Listing | undefined
  /** In the order of the market, without instruments that have no price. */
  all(lang: string, wanted: (instrument: MarketInstrument) => boolean): Listing[]
}

export function createListings({ board, source }: Pick<Market, 'board' | 'source'>, titles: Titles): Listings {
  function one(lang: string, asked: string): Listing | undefined {
    const instrument = board.instrument(asked)
    const quote24h = instrument && board.quote(asked)
    if (!quote24h) return undefined
    const { match_id, symbol, name, base, quote, group, tick, step, hot } = instrument
    const title = titles(lang, symbol) ?? base
    return { match_id, symbol, name, title, base, quote, group, tick, step, source, hot, quote24h, spark: board.spark(symbol) }
  }
  return {
    one,
    all: (lang, wanted) => board.symbols().flatMap((symbol) => (wanted(board.instrument(symbol)!) && one(lang, symbol)) || []),
  }
}
