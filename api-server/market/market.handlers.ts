import type { MarketInstrument } from '#api-server/market/instruments.ts'
import { createListings, type Titles } from '#api-server/market/listings.ts'
import type { Market } from '#api-server/market/market.ts'
import type { CallRow } from '#contract/call.ts'
import type { marketCalls } from '#contract/calls/market.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { AnyHandlers, Caller, RawHandler } from '#server-kit/http/http.ts'
import { checkTimeRange } from '#server-kit/http/list-bounds.ts'

/** A whole list is built at most this often; in between all customers get the same bytes. */
const rebuildEveryMs = 250

/** The calls of the market. Lists contain no instrument without a price. */
export function createMarketHandlers(market: Market, titles: Titles): AnyHandlers<typeof marketCalls> {
  const { board } = market
  const listings = createListings(market, titles)

  /** Finished answers by language. */
  function kept(wanted: (instrument: MarketInstrument) => boolean): RawHandler<CallRow> {
    const bytes = new Map<string, { at: number; body: Buffer }>()
    const raw = (_input: unknown, { lang }: Caller) => {
      const now = performance.now()
      const last = bytes.get(lang)
      if (last && now - last.at < rebuildEveryMs) return last.body
      const body = Buffer.from(JSON.stringify({ code: 1, msg: '', data: { list: listings.all(lang, wanted) } }))
      bytes.set(lang, { at: now, body })
      return body
    }
    return { raw }
  }

  function find(matchId: string): MarketInstrument | undefined {
    const number = /^[1-9]\d{0,9}$/.test(matchId) ? Number(matchId) : undefined
    const symbol = number === undefined ? matchId : board.symbols().find((one) => board.instrument(one)!.match_id === number)
    return symbol === undefined ? undefined : board.instrument(symbol)
  }

  return {
    'market.getHomeQuotaList': kept((one) => one.hot),
    'market.quotation': kept(() => true),
    'market.getQuota': ({ match_id }, { lang }) => {
      const instrument = find(match_id)
      if (!instrument) throw new ApiProblem('symbol_unknown', { field: 'match_id' })
      const found = listings.one(lang, instrument.symbol)
      if (!found) throw new ApiProblem('price_stale')
      return found
    },
    'market.kline': async ({ symbol, period, from, to, limit }) => {
      const instrument = board.instrument(symbol)
      if (!instrument) throw new ApiProblem('symbol_unknown', { field: 'symbol' })
      checkTimeRange({ from, to })
      return { symbol, period, list: await market.series.candles(instrument, period, from, to, limit) }
    },
    'market.ticks': async ({ from, limit }) => ({ list: await market.reads.provenFrom(from, limit) }),
    'market.dayEnds': ({ from, limit }) => market.reads.dayEnds(from, limit),
  }
}
