import type { z } from 'zod'
import type { MarketInstrument } from '#api-server/market/market.reads.ts'
import type { StoredTerms, TradingProposal, TradingStore } from '#api-server/trading/trading.store.ts'
import type { Trading } from '#api-server/trading/trading.ts'
import { readCalendar, readTerms, sessionsText, type TermChange, termChanges, typedTerms } from '#api-server/trading/typed.rules.ts'
import type { deskTradingCalls, instrumentTerms } from '#contract/calls/desk.trading.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { type TradeProduct, termsOf, tradeProducts } from '#contract/trading.ts'
import { isUniqueViolation, type Tx } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

/** Door of the terms of trading for the back office: what counts, what waits, and what operators decide about it. */

type InstrumentTerms = z.output<typeof instrumentTerms>
type Listed = z.output<(typeof deskTradingCalls)['desk.instruments']['output']>['list'][number]
type Calendars = z.output<(typeof deskTradingCalls)['desk.calendars']['output']>

/** What a decision did, for the log. */
export interface TermsDone {
  symbol: string
  product: TradeProduct
  detail: string
}

export interface TradingReview {
  list(asked: { product: TradeProduct | 'all'; state: 'all' | 'closed' | 'halted' | 'proposed'; search: string }): Promise<Listed[]>
  /** @throws ApiProblem('not_found') */
  one(product: TradeProduct, symbol: string, operator: Operator): Promise<InstrumentTerms>
  /** @throws ApiProblem('not_found' | 'state_wrong' | 'parameter_error') */
  propose(
    tx: Tx,
    product: TradeProduct,
    symbol: string,
    typed: Record<string, string | undefined>,
    by: Operator,
    at: number,
  ): Promise<TermsDone>
  /** @throws ApiProblem('state_wrong' | 'own_decision') */
  agree(tx: Tx, id: number, by: Operator, at: number): Promise<TermsDone>
  /** @throws ApiProblem('state_wrong') */
  drop(tx: Tx, id: number, by: Operator, at: number): Promise<TermsDone & { own: boolean }>
  halt(tx: Tx, product: TradeProduct, symbol: string, reason: string, by: Operator, at: number): Promise<TermsDone>
  /** @throws ApiProblem('state_wrong') when it is not halted */
  resume(tx: Tx, product: TradeProduct, symbol: string, at: number): Promise<TermsDone>
  calendars(): Promise<Calendars>
  /** @throws ApiProblem('parameter_error') */
  setCalendar(tx: Tx, group: string, typed: { zone: string; sessions: string; holidays: string }, by: Operator, at: number): Promise<string>
  /** After the commit of a decision: it counts on every node. */
  changed(): Promise<void>
}

const groups = ['currency', 'stock', 'metal', 'index'] as const

export function createTradingReview({ store, trading }: { store: TradingStore; trading: Trading }): TradingReview {
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
      ...{
        key: `${product} ${symbol}`,
        product,
        symbol,
        base: instrument.base,
        quote: instrument.quote,
        group: instrument.group,
        version,
        changed_by,
        changed: at,
      },
      ...({ trading: state, halted: halt !== undefined, halt_reason: halt?.reason ?? '' } as const),
      ...{ halted_by: halt?.halted_by ?? '', halted_at: halt?.at ?? null, proposed },
    }
  }
  const detail = (changes: readonly TermChange[]) => changes.map(({ name, shown, before }) => `${name} ${before} → ${shown}`).join('; ')
  const stored = (row: TradingProposal) => termsOf[row.product].parse(row.terms)

  async function waiting(tx: Tx, id: number): Promise<{ row: TradingProposal; now: StoredTerms }> {
    const row = await store.proposalById(tx, id)
    const now = row && found(row.product, row.symbol).now
    if (!row || now?.version !== row.version) throw new ApiProblem('state_wrong')
    return { row, now }
  }

  return {
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
    async one(product, symbol, { id, roles }) {
      const { now, instrument } = found(product, symbol)
      const [waits, history] = [await store.proposal(product, symbol), await store.history(product, symbol)]
      const changed = history.flatMap(({ version, changed_by, at, terms }, place) => {
        const about = { version, by: changed_by, time: at }
        const before = history[place + 1]
        if (!before) return [{ key: String(version), ...about, name: '', value: '', shown: '', before: '' }]
        const changes = termChanges(product, before.terms, terms, instrument)
        return changes.map((change) => ({ key: `${version} ${change.name}`, ...about, ...change }))
      })
      return {
        ...rowOf(now, instrument, waits !== undefined),
        terms: typedTerms(product, now.terms, instrument),
        proposal: waits
          ? {
              ...{ id: waits.id, by: waits.operator, time: waits.at, changes: termChanges(product, now.terms, stored(waits), instrument) },
              own: waits.operator_id === id,
              may_agree: waits.operator_id !== id && roles.includes('administrator'),
            }
          : null,
        versions: changed,
      }
    },
    async propose(tx, product, symbol, typed, by, at) {
      const { now, instrument } = found(product, symbol)
      if (await store.proposal(product, symbol, tx)) throw new ApiProblem('state_wrong')
      const read = readTerms(product, now.terms, typed)
      if ('wrong' in read) throw new ApiProblem('parameter_error', { field: read.wrong })
      const changes = termChanges(product, now.terms, read.terms, instrument)
      if (!changes.length) throw new ApiProblem('state_wrong')
      const row = { product, symbol, version: now.version, terms: read.terms, operator_id: by.id, operator: by.name, at }
      // Another one may have come since the look.
      await store.propose(tx, row).catch((error: unknown) => {
        throw isUniqueViolation(error) ? new ApiProblem('state_wrong', { cause: error }) : error
      })
      return { product, symbol, detail: detail(changes) }
    },
    async agree(tx, id, by, at) {
      const { row, now } = await waiting(tx, id)
      if (row.operator_id === by.id) throw new ApiProblem('own_decision')
      const { product, symbol } = row
      const terms = stored(row)
      await store.endProposal(tx, id, 'agreed', by.name, at)
      await store.put(tx, { product, symbol, terms, changed_by: `${row.operator}, ${by.name}`, at })
      return { product, symbol, detail: detail(termChanges(product, now.terms, terms, trading.instrument(symbol))) }
    },
    async drop(tx, id, by, at) {
      const row = await store.proposalById(tx, id)
      if (!row) throw new ApiProblem('state_wrong')
      const own = row.operator_id === by.id
      await store.endProposal(tx, id, own ? 'withdrawn' : 'refused', by.name, at)
      return { product: row.product, symbol: row.symbol, detail: row.operator, own }
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
    async resume(tx, product, symbol, at) {
      found(product, symbol)
      if (!(await store.resume(tx, symbol, at))) throw new ApiProblem('state_wrong')
      return { product, symbol, detail: '' }
    },
    async calendars() {
      const rows = new Map((await store.calendars()).map((row) => [row.group, row]))
      const list = groups.map((group) => {
        const row = rows.get(group)
        const calendar = row?.calendar
        return {
          ...{ group, always: !calendar, zone: calendar?.zone ?? '', sessions: calendar ? sessionsText(calendar.sessions) : '' },
          ...{ holidays: calendar?.holidays.join(', ') ?? '', changed_by: row?.changed_by ?? '', changed: row?.at ?? null },
        }
      })
      return { list }
    },
    async setCalendar(tx, group, typed, by, at) {
      const read = readCalendar(typed)
      if ('wrong' in read) throw new ApiProblem('parameter_error', { field: read.wrong })
      await store.setCalendar(tx, { group, calendar: read.calendar, changed_by: by.name, at })
      return read.calendar ? `${read.calendar.zone} ${sessionsText(read.calendar.sessions)}` : ''
    },
    changed: trading.changed,
  }
}
