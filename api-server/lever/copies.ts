import type { Currency } from '#api-server/currency/currency.reads.ts'
import type { Happened, LeverContext, Quoted } from '#api-server/lever/context.ts'
import { readLots } from '#api-server/lever/lever.rules.ts'
import type { Position } from '#api-server/lever/lever.store.ts'
import type { Order } from '#api-server/lever/position.ts'
import type { Rows } from '#api-server/lever/rows.ts'
import type { Tell } from '#api-server/lever/tell.ts'
import { allowed, type Trade } from '#api-server/lever/trade.ts'
import type { Nights } from '#api-server/lever/triggers/nights.ts'
import type { Reached } from '#api-server/lever/triggers/reached.ts'
import type { CloseReason, LeverRow, LeverSide } from '#contract/calls/lever.rows.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'

/** Entry point of contract trading for modules that trade in the name of a customer: copies of positions. */

/** The position to open, with the price of the moment. */
export interface Opening {
  /** Number that the position will have. */
  readonly id: number
  readonly order: Order
  readonly row: Position
  readonly quoted: Quoted
}
/** The position to close, with the price of the moment. */
interface ClosingAhead {
  readonly id: number
  readonly closeId: number
  readonly coin: Currency
  readonly quoted: Quoted
}
/** The change that was made, for `told` once it is committed. */
export type Done = Happened

export interface LeverCopies {
  /**
   * Outside of the transaction.
   * @throws ApiProblem symbol_unknown, currency_unknown, market_halted, market_closed, price_stale
   */
  prepareOpening(of: { uid: number; symbol: string; side: LeverSide; multiple: number }): Promise<Opening>
  /**
   * A position at the market, in the caller's transaction.
   * @throws ApiProblem size_wrong, amount_too_small, amount_too_large, multiple_wrong, too_many_open, insufficient_balance, price_stale
   */
  open(tx: Tx, opening: Opening, lots: string): Promise<Done>
  /** Outside of the transaction; nights that are over are paid. @throws ApiProblem order_unknown, market_halted, market_closed, price_stale */
  prepareClosing(id: number): Promise<ClosingAhead>
  /**
   * Closes lots of a position, in the caller's transaction.
   * @param lotsOf lots of those that are open; 0 closes nothing
   * @param reason `copied` unless the position copies nothing
   * @returns undefined where nothing was closed: the position is no longer open, or a price that has reached it is about to close it
   */
  close(tx: Tx, closing: ClosingAhead, lotsOf: (held: string) => string, reason?: CloseReason): Promise<Done | undefined>
  announce(done: Done): void
  /** Positions as customers see them, by number. */
  rows(ids: readonly number[]): Promise<Map<number, LeverRow>>
  /** State of a position as it is in the transaction. */
  stateOf(tx: Tx, id: number): Promise<Position['state']>
  /** Lots of a position that are open now; '0' once it is closed. */
  lotsLeft(tx: Tx, id: number): Promise<string>
  /** Closed positions of a customer. @returns profit after all costs, in the quote coin */
  traded(uid: number): Promise<{ closed: number; winning: number; profit: string }>
  /** Name of a symbol, as shown: BTC/USDT. */
  nameOf(symbol: string): string
}

export function createCopies(
  context: LeverContext,
  deps: { trade: Trade; tell: Tell; nights: Nights; rows: Rows; reached: Reached },
): LeverCopies {
  const { store, trading, clock } = context
  const { trade, tell, nights, rows, reached } = deps

  return {
    async prepareOpening({ uid, symbol, side, multiple }) {
      const instrument = trading.instrument(symbol)
      const terms = trading.terms('contract', symbol)
      const coin = await context.coins.quoteOf(instrument.quote)
      const quoted = await trade.marketQuote(symbol)
      const order: Order = {
        uid,
        instrument,
        coin,
        terms,
        side,
        type: 'market',
        lots: terms.terms.lots_min,
        multiple,
        price: undefined,
        worst: undefined,
        tp: null,
        sl: null,
      }
      const row = await trade.prepare(order, quoted.tick.id)
      return { id: row.id, order, row, quoted }
    },
    async open(tx, { order, row, quoted }, asked) {
      const { terms } = order.terms
      const lots = allowed(readLots(asked, terms))
      if (!terms.multiples.includes(order.multiple)) throw new ApiProblem('multiple_wrong', { field: 'multiple' })
      return { before: undefined, after: await trade.open(tx, { ...order, lots }, { ...row, lots }, quoted) }
    },
    async prepareClosing(id) {
      const row = await store.one(id)
      if (!row) throw new ApiProblem('order_unknown', { field: 'id' })
      await nights.catchUp(row, clock.now())
      const coin = await context.coins.quoteOf(trading.instrument(row.symbol).quote)
      return { id, closeId: await trade.closeId(), coin, quoted: await trade.marketQuote(row.symbol) }
    },
    async close(tx, { id, closeId, coin, quoted }, lotsOf, reason = 'copied') {
      const before = await store.lock(tx, id)
      if (before?.state !== 'open') return undefined
      const lots = lotsOf(before.lots)
      if (lots === '0' || reached.firedBy(before, await reached.ticks(tx, before.symbol))) return undefined
      return trade.close(tx, before, coin, { id: closeId, lots, quoted, reason })
    },
    announce: tell.happened,
    async rows(ids) {
      const found = await store.several(ids)
      const all = found.map(async (row) => rows.position(row, (await context.coins.quoteOf(trading.instrument(row.symbol).quote)).scale))
      return new Map((await Promise.all(all)).map((row) => [row.id, row]))
    },
    stateOf: async (tx, id) => (await store.held(tx, id)).state,
    async lotsLeft(tx, id) {
      const { state, lots } = await store.held(tx, id)
      return state === 'open' ? lots : '0'
    },
    traded: store.traded,
    nameOf: (symbol) => trading.instrument(symbol).name,
  }
}
