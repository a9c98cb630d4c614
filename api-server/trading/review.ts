import type { z } from 'zod'
import type { MarketInstrument } from '#api-server/market/market.reads.ts'
import { createHoursReview, type HoursReview } from '#api-server/trading/hours.review.ts'
import { createProposals, detailOf, shownProposal, shownVersions } from '#api-server/trading/proposals.ts'
import type { StoredTerms, TradingProposal, TradingStore } from '#api-server/trading/trading.store.ts'
import type { Trading } from '#api-server/trading/trading.ts'
import { readTerms, termChanges, typedTerms } from '#api-server/trading/typed.rules.ts'
import type { backOfficeTradingCalls, instrumentTerms } from '#contract/calls/office.trading.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { type TradeProduct, termsOf, tradeProducts } from '#contract/trading.ts'
import { isUniqueViolation, type Tx } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

export type { HoursDone } from '#api-server/trading/hours.review.ts'

/** Terms and hours of trading for the back office: what counts, what waits, and what operators decide about it. */

type InstrumentTerms = z.output<typeof instrumentTerms>
type Listed = z.output<(typeof backOfficeTradingCalls)['office.instruments']['output']>['list'][number]

/** The result of a decision, for the log. */
export interface TermsDone {
  symbol: string
  product: TradeProduct
  detail: string
}

export interface TradingReview extends HoursReview {
  list(asked: { product: TradeProduct | 'all'; state: 'all' | 'closed' | 'halted' | 'proposed'; search: string }): Promise<Listed[]>
  /** @throws ApiProblem('not_found') */
  one(product: TradeProduct, symbol: string, operator: Operator): Promise<InstrumentTerms>
  /** @throws ApiProblem('not_found' | 'state_wrong' | 'parameter_error' | 'terms_changed') */
  propose(
    tx: Tx,
    product: TradeProduct,
    symbol: string,
    typed: Omit<z.output<(typeof backOfficeTradingCalls)['office.instrumentSave']['input']>, 'product' | 'symbol'>,
    by: Operator,
    at: number,
  ): Promise<TermsDone>
  /** @throws ApiProblem('state_wrong' | 'own_decision') */
  agree(tx: Tx, id: number, by: Operator, at: number): Promise<TermsDone>
  /** @throws ApiProblem('state_wrong') */
  drop(tx: Tx, id: number, by: Operator, at: number): Promise<TermsDone & { own: boolean }>
  halt(tx: Tx, product: TradeProduct, symbol: string, reason: string, by: Operator, at: number): Promise<TermsDone>
  /** @param began when the halt began that is to end @throws ApiProblem('state_wrong') when that one does not go on */
  resume(tx: Tx, product: TradeProduct, symbol: string, began: number, at: number): Promise<TermsDone>
  /** After the commit of a decision: it counts on every node. */
  changed(): Promise<void>
}

export function createTradingReview({ store, trading }: { store: TradingStore; trading: Trading }): TradingReview {
  const proposals = createProposals(store)
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
  /** A proposal about terms. @throws ApiProblem('state_wrong') */
  async function waiting(tx: Tx, id: number): Promise<{ row: TradingProposal; product: TradeProduct; symbol: string }> {
    const row = await proposals.open(tx, id)
    const { product, symbol } = row
    if (product === null || symbol === null) throw new ApiProblem('state_wrong')
    return { row, product, symbol }
  }

  return {
    ...createHoursReview(store),
    async list({ product, state, search }) {
      const open = new Set((await store.openProposals()).map((row) => `${row.product} ${row.symbol}`))
      const wanted = search.trim().toUpperCase()
      return tradeProducts
        .filter((one) => product === 'all' || one === product)
        .flatMap((one) => trading.symbols(one).map((symbol) => found(one, symbol)))
        .filter(({ now }) => now.symbol.includes(wanted))
        .map(({ now, instrument }) => rowOf(now, instrument, open.has(`${now.product} ${now.symbol}`)))
        .filter((row) => state === 'all' || (state === 'proposed' ? row.proposed : row.trading === state))
    },
    async one(product, symbol, operator) {
      const { now, instrument } = found(product, symbol)
      const [waits, history] = [await store.proposal({ product, symbol }), await store.history(product, symbol)]
      return {
        ...rowOf(now, instrument, waits !== undefined),
        terms: typedTerms(product, now.terms, instrument),
        proposal: waits
          ? shownProposal(waits, termChanges(product, now.terms, termsOf[product].parse(waits.terms), instrument), operator)
          : null,
        versions: shownVersions(history, (before, after) => termChanges(product, before.terms, after.terms, instrument)),
      }
    },
    async propose(tx, product, symbol, { version, ...typed }, by, at) {
      const { now, instrument } = found(product, symbol)
      if (version !== undefined && version !== now.version) throw new ApiProblem('terms_changed')
      const read = readTerms(product, now.terms, typed)
      if ('wrong' in read) throw new ApiProblem('parameter_error', { field: read.wrong })
      const changes = termChanges(product, now.terms, read.terms, instrument)
      await proposals.add(tx, { product, symbol }, { version: now.version, terms: read.terms, changes }, by, at)
      return { product, symbol, detail: detailOf(changes) }
    },
    async agree(tx, id, by, at) {
      const { row, product, symbol } = await waiting(tx, id)
      const { now } = found(product, symbol)
      const terms = termsOf[product].parse(row.terms)
      const changed_by = await proposals.agree(tx, row, now.version, by, at)
      await store.put(tx, { product, symbol, terms, changed_by, at })
      return { product, symbol, detail: detailOf(termChanges(product, now.terms, terms, trading.instrument(symbol))) }
    },
    async drop(tx, id, by, at) {
      const { row, product, symbol } = await waiting(tx, id)
      return { product, symbol, detail: row.operator, own: await proposals.drop(tx, row, by, at) }
    },
    async halt(tx, product, symbol, reason, by, at) {
      found(product, symbol)
      try {
        await store.halt(tx, { symbol, reason, halted_by: by.name, at })
      } catch (error) {
        throw isUniqueViolation(error) ? new ApiProblem('state_wrong') : error
      }
      return { product, symbol, detail: reason }
    },
    async resume(tx, product, symbol, began, at) {
      found(product, symbol)
      const halt = await store.resume(tx, symbol, at, began)
      if (!halt) throw new ApiProblem('state_wrong')
      return { product, symbol, detail: halt.reason }
    },
    changed: trading.changed,
  }
}
