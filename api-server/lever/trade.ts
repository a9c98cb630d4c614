import Big from 'big.js'
import type { Currency } from '#api-server/currency/currency.reads.ts'
import { type LedgerEvent, release } from '#api-server/ledger/ledger.ts'
import type { Happened, LeverContext, Quoted } from '#api-server/lever/context.ts'
import { quotedOf } from '#api-server/lever/context.ts'
import {
  closingPrice,
  costOf,
  fillCost,
  isLiquidated,
  isRefusal,
  type LeverAction,
  leverLimits,
  limitFill,
  liquidationOf,
  movedRefusal,
  nightAfter,
  openingPrice,
  otherSide,
  positionMachine,
  rowsIn,
  stopRefusal,
} from '#api-server/lever/lever.rules.ts'
import type { Close, Position } from '#api-server/lever/lever.store.ts'
import { entrusted, type Order, opened } from '#api-server/lever/position.ts'
import { closeLines, leverAccount, marginLines, openLines, orderLines } from '#api-server/lever/postings.ts'
import type { CloseReason } from '#contract/calls/lever.rows.ts'
import { contractAddable } from '#contract/functions/contract.addable.function.ts'
import { contractRemovable } from '#contract/functions/contract.removable.function.ts'
import { less, product, sum } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { settlementOf } from '#contract/rules/closing.rules.ts'
import { createIds } from '#server-kit/db/bulk.ts'
import type { Tx } from '#server-kit/db/db.ts'

export interface Closing {
  /** Of the closing, from `closeId`. */
  id: number
  lots: string
  quoted: Quoted
  reason: CloseReason
  shown?: string | undefined
  worst?: string | undefined
}

/** The decision about one row, for `write`. */
export interface Change extends Happened {
  event?: LedgerEvent | undefined
}

/** A row as it will be. */
export const changed = (before: Position, set: Partial<Position>): { before: Position; after: Position } => ({
  before,
  after: { ...before, ...set, rev: before.rev + 1 },
})

/** @throws ApiProblem for what a rule refuses */
export function allowed<T>(found: T): Exclude<T, { problem: unknown }> {
  if (isRefusal(found)) throw new ApiProblem(found.problem, { field: found.field })
  return found as Exclude<T, { problem: unknown }>
}

export type Trade = ReturnType<typeof createTrade>

/**
 * The actions on orders and positions: decided from known rows, as a change, and written inside of the caller's transaction. The number of
 * the version that an update names decides: a row that has changed since it was read is left as it is.
 */
export function createTrade(context: Pick<LeverContext, 'store' | 'ledger' | 'balances' | 'reads' | 'trading' | 'clock'>) {
  const { store, ledger, balances, reads, trading, clock } = context
  const positionIds = createIds((count) => store.ids('lever_position_id', count))
  const closeIds = createIds((count) => store.ids('lever_close_id', count))

  /** @throws ApiProblem('state_wrong') where the states do not lead */
  function next(row: Position, action: LeverAction) {
    const state = positionMachine.next(row.state, action)
    if (!state) throw new ApiProblem('state_wrong')
    return state
  }
  /** A tick that this node has seen, but that never came into the log, settles nothing. */
  async function mustBeLogged(tx: Tx, { tick }: Quoted): Promise<void> {
    if (!(await reads.logged(tx, [tick]))(tick)) throw new ApiProblem('price_stale')
  }
  async function mustHaveRoom(tx: Tx, uid: number): Promise<void> {
    if (rowsIn((await store.counts([uid], undefined, tx)).get(uid)) >= leverLimits.rowsMax) throw new ApiProblem('too_many_open')
  }
  /** Writes what was decided, all at once; a row may have changed several times. @throws RowCountError when a row was not locked and has changed */
  async function write(tx: Tx, changes: readonly Change[]): Promise<void> {
    const updates = new Map<number, { before: Position; after: Position }>()
    for (const { before, after } of changes) if (before) updates.set(after.id, { before: updates.get(after.id)?.before ?? before, after })
    await Promise.all([
      store.insert(
        tx,
        changes.flatMap(({ before, after }) => (before ? [] : [after])),
      ),
      store.update(tx, [...updates.values()]),
      store.close(
        tx,
        changes.flatMap(({ close }) => close ?? []),
      ),
      ledger.postAll(
        tx,
        changes.flatMap(({ event }) => event ?? []),
      ),
    ])
  }
  async function written(tx: Tx, change: Change): Promise<Position> {
    await write(tx, [change])
    return change.after
  }

  /** The last price, whatever its age, once it stands in the log. */
  async function lastQuote(symbol: string): Promise<Quoted | undefined> {
    const price = reads.lastPrice(symbol)
    if (!price) return undefined
    await reads.durable(price.tickId)
    return quotedOf(symbol, price)
  }
  /** A price to trade at. @throws ApiProblem market_halted, market_closed, price_stale */
  async function marketQuote(symbol: string): Promise<Quoted> {
    trading.mustBeOpen(symbol)
    const price = trading.freshPrice(symbol)
    await reads.durable(price.tickId)
    return quotedOf(symbol, price)
  }

  /**
   * A position at the market.
   * @param prepared from `prepare`
   * @throws ApiProblem price_moved, multiple_wrong
   */
  function opening(order: Order, prepared: Position, quoted: Quoted): Change {
    const { instrument, side, terms, coin } = order
    const market = openingPrice(side, quoted.mark, terms.terms.spread, instrument.tick)
    if (order.type === 'market')
      allowed(movedRefusal(side, market, { shown: order.price, worst: order.worst, tolerance: terms.terms.tolerance }))
    const price = order.type === 'limit' ? limitFill(side, order.price!, market) : market
    const { margin, fee } = costOf({ ...terms.terms, lots: order.lots, multiple: order.multiple }, price, coin.scale)
    const after: Position = {
      ...prepared,
      ...opened(prepared, { price, quoted, margin, fee, priceScale: instrument.priceScale }, clock.now()),
    }
    if (isLiquidated(side, quoted.mark, after.liquidation)) throw new ApiProblem('multiple_wrong', { field: 'multiple' })
    const postings = openLines(after, { margin, fee, held: '0' })
    return {
      before: undefined,
      after,
      event: { kind: 'lever_open', source: `lever:${after.id}`, uid: after.uid, at: after.opened!, postings },
    }
  }
  /**
   * Opens a position for somebody other than its customer, such as a copy; orders of customers go in groups, see accept.ts.
   * @throws ApiProblem as `opening`, and price_stale, too_many_open, insufficient_balance
   */
  async function open(tx: Tx, order: Order, prepared: Position, quoted: Quoted): Promise<Position> {
    const change = opening(order, prepared, quoted)
    await mustBeLogged(tx, quoted)
    await mustHaveRoom(tx, order.uid)
    return written(tx, change)
  }

  /** An order that waits. @param price at which it freezes what it will cost */
  function placing(order: Order, prepared: Position, price: string): Change {
    const { total } = costOf({ ...order.terms.terms, lots: order.lots, multiple: order.multiple }, price, order.coin.scale)
    const after: Position = { ...prepared, held: total }
    const { id, uid, created } = after
    return {
      before: undefined,
      after,
      event: { kind: 'lever_order', source: `lever:${id}`, uid, at: created, postings: orderLines(after, total) },
    }
  }

  function cancel(tx: Tx, row: Position, reason: NonNullable<Position['cancel_reason']>): Promise<Position> {
    const state = next(row, 'cancel')
    const now = clock.now()
    const postings = release(row.uid, leverAccount, row.currency, row.held)
    return written(tx, {
      ...changed(row, { state, held: '0', cancel_reason: reason, ended: now }),
      event: { kind: 'lever_cancel', source: `lever:${row.id}`, uid: row.uid, at: now, postings },
    })
  }

  /** Fills a waiting order at a tick of the log, or cancels it where the money does not suffice or the price is beyond what it allows. */
  async function fill(tx: Tx, row: Position, quoted: Quoted, coin: Currency): Promise<Position> {
    next(row, 'fill')
    const { tick, priceScale } = trading.instrument(row.symbol)
    const market = openingPrice(row.side, quoted.mark, row.spread, tick)
    const price = row.type === 'limit' ? limitFill(row.side, row.price!, market) : market
    if (row.type === 'market' && movedRefusal(row.side, price, { shown: undefined, worst: row.worst_price ?? undefined, tolerance: '0' }))
      return cancel(tx, row, 'price')
    // A gap may have carried the price past what would close the position: it would be closed at the next tick, with both fees.
    if (stopRefusal(row.side, quoted.mark, row.tp, row.sl)) return cancel(tx, row, 'price')
    const { available } = await balances.locked(tx, row.uid, leverAccount, row.currency)
    const cost = fillCost(row, { price, mark: quoted.mark, available, scale: coin.scale, priceScale })
    if (!cost) return cancel(tx, row, 'balance')
    // Open from the tick on, also when this comes after a midnight that lies behind it.
    const set = { ...opened(row, { price, quoted, ...cost, priceScale }, clock.now()), next_night: nightAfter(quoted.tick.time) }
    if (isLiquidated(row.side, quoted.mark, set.liquidation)) return cancel(tx, row, 'balance')
    const postings = openLines(row, { ...cost, held: row.held })
    return written(tx, {
      ...changed(row, set),
      event: { kind: 'lever_fill', source: `lever:${row.id}`, uid: row.uid, at: set.opened, postings },
    })
  }

  /** Notes which tick ends a position; `settle` pays it. */
  const firing = (row: Position, reason: CloseReason, quoted: Quoted): Change => changed(row, fired(row, reason, quoted))
  function fired(row: Position, reason: CloseReason, { tick, mark }: Quoted) {
    const state = next(row, 'fire')
    const close_price = closingPrice(row.side, mark, row.spread, trading.instrument(row.symbol).tick)
    return { state, close_reason: reason, close_price, close_tick: tick.id }
  }

  function paying(row: Position, coin: Currency, at: { id: number; lots: string; price: string; tick: number; reason: CloseReason }) {
    const { lots, price, tick, reason } = at
    const held = { ...row, open_price: row.open_price!, overnight: less(row.overnight, row.overnight_closed) }
    const paid = settlementOf(held, { lots, price, liquidated: reason === 'liquidated', scale: coin.scale })
    const now = clock.now()
    const close: Close = {
      id: at.id,
      position_id: row.id,
      uid: row.uid,
      symbol: row.symbol,
      currency: row.currency,
      side: row.side,
      multiple: row.multiple,
      lots,
      lots_left: paid.lotsLeft,
      open_price: row.open_price!,
      price,
      tick_id: tick,
      margin: paid.margin,
      profit: paid.profit,
      fee: paid.fee,
      open_fee: paid.openFee,
      overnight: paid.overnight,
      back: paid.back,
      insurance: paid.insurance,
      reason,
      opened: row.opened!,
      at: now,
    }
    const postings = closeLines(row, paid)
    const kind = reason === 'liquidated' ? 'lever_liquidate' : 'lever_close'
    const booked = {
      profit: sum(row.profit, paid.profit),
      fee: sum(row.fee, paid.fee),
      result: sum(row.result, less(paid.back, paid.margin)),
      lots_closed: sum(row.lots_closed, lots),
      overnight_closed: sum(row.overnight_closed, paid.overnight),
      closed_worth: sum(row.closed_worth, product(lots, price)),
    }
    const event = postings.length ? ({ kind, source: `lever_close:${close.id}`, uid: row.uid, at: now, postings } as const) : undefined
    return { paid, close, booked, now, event }
  }
  /** Pays a position that `firing` has ended. @param id of the closing, from `closeId` */
  function settling(row: Position, coin: Currency, id: number): Change & { close: Close } {
    const state = next(row, 'settle')
    const at = { id, lots: row.lots, price: row.close_price!, tick: row.close_tick!, reason: row.close_reason! }
    const { close, booked, now, event } = paying(row, coin, at)
    return { ...changed(row, { state, ...booked, margin: '0', liquidation: null, next_night: null, ended: now }), close, event }
  }
  /**
   * Closes a position, or lots of it, at a price of the market.
   * @throws ApiProblem price_moved, state_wrong
   */
  function closing(row: Position, coin: Currency, at: Closing): Change & { close: Close } {
    const { id, lots, quoted, reason, shown, worst } = at
    const { tick, priceScale } = trading.instrument(row.symbol)
    const price = closingPrice(row.side, quoted.mark, row.spread, tick)
    // Closing a long position sells.
    const { tolerance } = trading.terms('contract', row.symbol).terms
    allowed(movedRefusal(otherSide(row.side), price, { shown, worst, tolerance }))
    // In one step: nobody sees what is marked and not paid.
    if (new Big(lots).eq(row.lots)) return { ...settling({ ...row, ...fired(row, reason, quoted) }, coin, id), before: row }
    const state = next(row, 'change')
    const { paid, close, booked, event } = paying(row, coin, { id, lots, price, tick: quoted.tick.id, reason })
    const margin = paid.marginLeft
    const liquidation = liquidationOf({ ...row, open_price: row.open_price!, lots: paid.lotsLeft, margin }, priceScale)
    // A liquidation price that rounding has moved counts from here on.
    const since = liquidation === row.liquidation ? row.since : quoted.tick.id
    const set = { state, ...booked, lots: paid.lotsLeft, margin, liquidation, since, close_price: price, close_tick: quoted.tick.id }
    return { ...changed(row, set), close, event }
  }
  /** Closes a row that the caller has locked, outside of a group. @throws ApiProblem as `closing`, and price_stale */
  async function close(tx: Tx, row: Position, coin: Currency, at: Closing): Promise<Change & { close: Close }> {
    const change = closing(row, coin, at)
    await mustBeLogged(tx, at.quoted)
    await write(tx, [change])
    return change
  }

  /** @throws ApiProblem state_wrong, amount_too_large, insufficient_balance */
  async function changeMargin(tx: Tx, row: Position, coin: Currency, change: { action: 'add' | 'remove'; amount: string; quoted: Quoted }) {
    const { action, amount, quoted } = change
    const state = next(row, 'change')
    if (row.state !== 'open') throw new ApiProblem('state_wrong')
    const held = { ...row, open_price: row.open_price! }
    const most =
      action === 'add'
        ? contractAddable.run({ ...held, price: held.open_price })
        : contractRemovable.run({ ...held, from: held.open_price, to: quoted.mark, scale: coin.scale })
    if (new Big(amount).gt(most)) throw new ApiProblem('amount_too_large', { field: 'amount' })
    await mustBeLogged(tx, quoted)
    const signed = action === 'add' ? amount : `-${amount}`
    const margin = sum(row.margin, signed)
    const liquidation = liquidationOf({ ...held, margin }, trading.instrument(row.symbol).priceScale)
    if (isLiquidated(row.side, quoted.mark, liquidation)) throw new ApiProblem('amount_too_large', { field: 'amount' })
    const now = clock.now()
    const id = await store.margin(tx, { position_id: row.id, uid: row.uid, currency: row.currency, amount: signed, at: now })
    const kind = action === 'add' ? 'lever_margin_add' : 'lever_margin_remove'
    return written(tx, {
      ...changed(row, { state, margin, liquidation, since: quoted.tick.id }),
      event: { kind, source: `lever_margin:${id}`, uid: row.uid, at: now, postings: marginLines(row, signed) },
    })
  }

  async function changeStops(tx: Tx, row: Position, set: { tp: string | null; sl: string | null }, since: number): Promise<Position> {
    const state = next(row, 'change')
    const stops = {
      ...(set.tp !== row.tp && { tp: set.tp, tp_since: since }),
      ...(set.sl !== row.sl && { sl: set.sl, sl_since: since }),
    }
    return Object.keys(stops).length ? written(tx, changed(row, { state, ...stops })) : row
  }

  /** @param since the position is closed at the first tick of the open market after this one; null: it stays open */
  async function changeExit(tx: Tx, row: Position, since: number | null): Promise<Position> {
    const state = next(row, 'change')
    if (row.state !== 'open') throw new ApiProblem('state_wrong')
    return (row.exit_since === null) === (since === null) ? row : written(tx, changed(row, { state, exit_since: since }))
  }

  return {
    next,
    lastQuote,
    marketQuote,
    mustBeLogged,
    opening,
    placing,
    closing,
    firing,
    settling,
    write,
    open,
    close,
    fill,
    cancel,
    changeMargin,
    changeStops,
    changeExit,
    /** The row of an order before it is written. */
    prepare: async (order: Order, since: number): Promise<Position> => entrusted(order, await positionIds.take(), since, clock.now()),
    /** A number for a closing. To be asked for before the transaction, which would wait for it. */
    closeId: () => closeIds.take(),
  }
}
