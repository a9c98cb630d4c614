import type { z } from 'zod'
import type { Decision, OfficePorts } from '#api-server/kit/decision.ts'
import type { OpenTerms } from '#api-server/kit/terms.ts'
import type { MarketInstrument } from '#api-server/market/market.reads.ts'
import { createHoursReview, type HoursReview } from '#api-server/trading/hours.review.ts'
import { tradingTerms } from '#api-server/trading/terms.ts'
import type { StoredTerms, TradingStore } from '#api-server/trading/trading.store.ts'
import type { Trading } from '#api-server/trading/trading.ts'
import type { backOfficeTradingCalls, instrumentTerms } from '#contract/calls/office.trading.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { type TradeProduct, tradeProducts } from '#contract/trading.ts'
import { isUniqueViolation } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

/** Terms and hours of trading for the back office: those that count, those that wait, and decisions of operators about them. */

type InstrumentTerms = z.output<typeof instrumentTerms>
type Listed = z.output<(typeof backOfficeTradingCalls)['office.instruments']['output']>['list'][number]

export interface TradingReview extends HoursReview {
  list(asked: { product: TradeProduct | 'all'; state: 'all' | 'closed' | 'halted' | 'proposed'; search: string }): Promise<Listed[]>
  /** @throws ApiProblem('not_found') */
  one(product: TradeProduct, symbol: string, operator: Operator): Promise<InstrumentTerms>
  /** Stops a symbol at once, in every product. @throws ApiProblem('not_found' | 'state_wrong') */
  halt(decision: Decision, product: TradeProduct, symbol: string, reason: string): Promise<void>
  /** @param began when the halt began that is to end @returns its reason @throws ApiProblem('state_wrong') when that one does not go on */
  resume(decision: Decision, product: TradeProduct, symbol: string, began: number): Promise<string>
  /** Terms of all products. */
  readonly terms: readonly OpenTerms[]
  /** After the commit of a decision: it counts on every node. */
  changed(): Promise<void>
}

export function createTradingReview({
  store,
  trading,
  office,
}: {
  store: TradingStore
  trading: Trading
  office: OfficePorts
}): TradingReview {
  const hours = createHoursReview(store, trading, office)
  const unitsOf = (_terms: object, symbol: string) => {
    const { base, quote } = trading.instrument(symbol)
    return { base, quote }
  }
  const open = <P extends TradeProduct>(product: P) =>
    tradingTerms[product].open(office, { units: unitsOf, announce: () => trading.changed() })
  const terms = { contract: open('contract'), option: open('option'), spot: open('spot') }
  function found(product: TradeProduct, symbol: string): { now: StoredTerms; instrument: MarketInstrument } {
    try {
      return { now: trading.terms(product, symbol), instrument: trading.instrument(symbol) }
    } catch (error) {
      throw new ApiProblem('not_found', { field: 'symbol', cause: error })
    }
  }
  function rowOf(now: StoredTerms, instrument: MarketInstrument, proposed: boolean): Listed {
    const { product, symbol, version, changed_by, at } = now
    const { open, halt } = trading.hours(symbol)
    const state = halt ? 'halted' : open ? 'open' : 'closed'
    return {
      key: `${product} ${symbol}`,
      product,
      symbol,
      base: instrument.base,
      quote: instrument.quote,
      group: instrument.group,
      version,
      changed_by,
      changed: at,
      trading: state,
      halted: halt !== undefined,
      halt_reason: halt?.reason ?? '',
      halted_by: halt?.halted_by ?? '',
      halted_at: halt?.at ?? null,
      proposed,
    }
  }

  return {
    ...hours,
    terms: Object.values(terms),
    async list({ product, state, search }) {
      const waiting = new Set<string>()
      for (const one of tradeProducts) for (const symbol of (await terms[one].proposals.open()).keys()) waiting.add(`${one} ${symbol}`)
      const wanted = search.trim().toUpperCase()
      return tradeProducts
        .filter((one) => product === 'all' || one === product)
        .flatMap((one) => trading.symbols(one).map((symbol) => found(one, symbol)))
        .filter(({ now }) => now.symbol.includes(wanted))
        .map(({ now, instrument }) => rowOf(now, instrument, waiting.has(`${now.product} ${now.symbol}`)))
        .filter((row) => state === 'all' || (state === 'proposed' ? row.proposed : row.trading === state))
    },
    async one(product, symbol, operator) {
      const { now, instrument } = found(product, symbol)
      const shown = await terms[product].one(symbol, operator)
      return { ...rowOf(now, instrument, shown.proposal !== null), terms: shown.terms, proposal: shown.proposal, versions: shown.versions }
    },
    async halt({ tx, by, at }, product, symbol, reason) {
      found(product, symbol)
      try {
        await store.halt(tx, { symbol, reason, halted_by: by, at })
      } catch (error) {
        throw isUniqueViolation(error) ? new ApiProblem('state_wrong') : error
      }
    },
    async resume({ tx, at }, product, symbol, began) {
      found(product, symbol)
      const halt = await store.resume(tx, symbol, at, began)
      if (!halt) throw new ApiProblem('state_wrong')
      return halt.reason
    },
    changed: trading.changed,
  }
}
