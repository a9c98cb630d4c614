import Big from 'big.js'
import type { Currency } from '#api-server/currency/currency.reads.ts'
import { release } from '#api-server/ledger/ledger.ts'
import type { LeverContext, Quoted } from '#api-server/lever/context.ts'
import { quotedOf } from '#api-server/lever/context.ts'
import {
  addableMargin,
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
  removableMargin,
  settlementOf,
  stateAfter,
} from '#api-server/lever/lever.rules.ts'
import type { Close, Position } from '#api-server/lever/lever.store.ts'
import { closeLines, leverAccount, marginLines, openLines, orderLines } from '#api-server/lever/postings.ts'
import type { MarketInstrument } from '#api-server/market/market.reads.ts'
import type { StoredTerms } from '#api-server/trading/trading.ts'
import type { CloseReason, LeverSide } from '#contract/calls/lever.calls.ts'
import { plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'
import { createIds } from '#server-kit/db/ids.ts'

/** An order as it was read; its prices stand on the step. */
export interface Order {
  uid: number
  instrument: MarketInstrument
  coin: Currency
  terms: StoredTerms<'contract'>
  side: LeverSide
  type: 'market' | 'limit'
  lots: string
  multiple: number
  /** Limit; of a market order, what the screen showed. */
  price: string | undefined
  worst: string | undefined
  tp: string | null
  sl: string | null
}

export interface Closing {
  /** Of the closing, from `closeId`. */
  id: number
  lots: string
  quoted: Quoted
  reason: CloseReason
  shown?: string | undefined
  worst?: string | undefined
}

/** @throws ApiProblem for what a rule refuses */
export function allowed<T>(found: T): Exclude<T, { problem: unknown }> {
  if (isRefusal(found)) throw new ApiProblem(found.problem, { field: found.field })
  return found as Exclude<T, { problem: unknown }>
}

export type Trade = ReturnType<typeof createTrade>

/** What is done to orders and positions, each inside of the caller's transaction. The number of the version that an update names decides: a row that has changed since it was read is left as it is. */
export function createTrade(context: Pick<LeverContext, 'store' | 'ledger' | 'balances' | 'reads' | 'trading' | 'clock'>) {
  const { store, ledger, balances, reads, trading, clock } = context
  const positionIds = createIds((count) => store.ids('lever_position_id', count))
  const closeIds = createIds((count) => store.ids('lever_close_id', count))
  const sum = (...amounts: string[]) => plain(amounts.reduce((all, one) => all.plus(one), new Big(0)))
  const less = (amount: string, by: string) => plain(new Big(amount).minus(by))

  /** @throws ApiProblem('state_wrong') where the states do not lead */
  function next(row: Position, action: LeverAction) {
    const state = stateAfter(row.state, action)
    if (!state) throw new ApiProblem('state_wrong')
    return state
  }
  /** A tick that this node has seen, but that never came into the log, settles nothing. */
  async function mustBeLogged(tx: Tx, { tick }: Quoted): Promise<void> {
    if (!(await store.logged(tx, tick))) throw new ApiProblem('price_stale')
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

  async function rowOf(order: Order, since: number): Promise<Position> {
    const { uid, instrument, coin, side, type, multiple, lots, tp, sl, terms } = order
    const { lot_size, fee_rate, maintenance_rate, overnight_rate, spread } = terms.terms
    return {
      ...{
        id: await positionIds.take(),
        uid,
        symbol: instrument.symbol,
        currency: coin.id,
        side,
        type,
        state: 'entrust',
        multiple,
        lots,
        lot_size,
      },
      ...{ price: type === 'limit' ? (order.price ?? null) : null, worst_price: order.worst ?? null, open_price: null, open_tick: null },
      ...{ margin: '0', held: '0', tp, sl, liquidation: null, since, tp_since: since, sl_since: since, terms_version: terms.version },
      ...{
        fee_rate,
        maintenance_rate,
        overnight_rate,
        spread,
        profit: '0',
        fee: '0',
        overnight: '0',
        result: '0',
        next_night: null,
        lots_closed: '0',
      },
      ...{
        close_reason: null,
        close_price: null,
        close_tick: null,
        cancel_reason: null,
        created: clock.now(),
        opened: null,
        ended: null,
        rev: 1,
      },
    }
  }
  /** What an order becomes when it is filled. */
  function opened(row: Position, at: { price: string; quoted: Quoted; margin: string; fee: string; priceScale: number }) {
    const { price, quoted, margin, fee } = at
    const now = clock.now()
    const liquidation = liquidationOf({ ...row, open_price: price, margin }, at.priceScale)
    return {
      ...{ state: 'open', open_price: price, open_tick: quoted.tick.id, margin, held: '0', liquidation, fee, result: less('0', fee) },
      ...{ since: quoted.tick.id, tp_since: quoted.tick.id, sl_since: quoted.tick.id, next_night: nightAfter(now), opened: now },
    } satisfies Partial<Position>
  }
  async function add(tx: Tx, row: Position, quoted?: Quoted): Promise<void> {
    const { openMax, entrustsMax } = leverLimits
    const room = quoted ? ({ states: ['open', 'closing'], most: openMax } as const) : ({ states: ['entrust'], most: entrustsMax } as const)
    if (await store.insert(tx, row, { ...room, tick: quoted?.tick })) return
    if (quoted) await mustBeLogged(tx, quoted)
    throw new ApiProblem('too_many_open')
  }

  /**
   * A position at the market. What does not wait for another answer is asked at once.
   * @param prepared from `prepare`
   * @throws ApiProblem price_moved, multiple_wrong, too_many_open, insufficient_balance
   */
  async function open(tx: Tx, order: Order, prepared: Position, quoted: Quoted): Promise<Position> {
    const { instrument, side, terms, coin } = order
    const market = openingPrice(side, quoted.mark, terms.terms.spread, instrument.tick)
    if (order.type === 'market')
      allowed(movedRefusal(side, market, { shown: order.price, worst: order.worst, tolerance: terms.terms.tolerance }))
    const price = order.type === 'limit' ? limitFill(side, order.price!, market) : market
    const { margin, fee } = costOf({ ...terms.terms, lots: order.lots, multiple: order.multiple }, price, coin.scale)
    const row: Position = { ...prepared, ...opened(prepared, { price, quoted, margin, fee, priceScale: instrument.priceScale }) }
    if (isLiquidated(side, quoted.mark, row.liquidation)) throw new ApiProblem('multiple_wrong', { field: 'multiple' })
    await Promise.all([
      add(tx, row, quoted),
      ledger.post(tx, {
        ...{ kind: 'lever_open', source: `lever:${row.id}`, uid: row.uid, at: row.opened! },
        postings: openLines(row, { margin, fee, held: '0' }),
      }),
    ])
    return row
  }

  /** An order that waits. @param price at which it freezes what it will cost @throws ApiProblem too_many_open, insufficient_balance */
  async function place(tx: Tx, order: Order, prepared: Position, price: string): Promise<Position> {
    const { total } = costOf({ ...order.terms.terms, lots: order.lots, multiple: order.multiple }, price, order.coin.scale)
    const row: Position = { ...prepared, held: total }
    await Promise.all([
      add(tx, row),
      ledger.post(tx, {
        ...{ kind: 'lever_order', source: `lever:${row.id}`, uid: row.uid, at: row.created },
        postings: orderLines(row, total),
      }),
    ])
    return row
  }

  async function cancel(tx: Tx, row: Position, reason: NonNullable<Position['cancel_reason']>): Promise<Position> {
    const state = next(row, 'cancel')
    const now = clock.now()
    const after = await store.update(tx, row, { state, held: '0', cancel_reason: reason, ended: now })
    await ledger.post(tx, {
      ...{ kind: 'lever_cancel', source: `lever:${row.id}`, uid: row.uid, at: now },
      postings: release(row.uid, leverAccount, row.currency, row.held),
    })
    return after
  }

  /** Fills a waiting order at a tick, or cancels it where the money or the price does not suffice. */
  async function fill(tx: Tx, row: Position, quoted: Quoted, coin: Currency): Promise<Position> {
    next(row, 'fill')
    const { tick, priceScale } = trading.instrument(row.symbol)
    await mustBeLogged(tx, quoted)
    const market = openingPrice(row.side, quoted.mark, row.spread, tick)
    const price = row.type === 'limit' ? limitFill(row.side, row.price!, market) : market
    if (row.type === 'market' && movedRefusal(row.side, price, { shown: undefined, worst: row.worst_price ?? undefined, tolerance: '0' }))
      return cancel(tx, row, 'price')
    const { available } = await balances.locked(tx, row.uid, leverAccount, row.currency)
    const cost = fillCost(row, { price, mark: quoted.mark, available, scale: coin.scale, priceScale })
    if (!cost) return cancel(tx, row, 'balance')
    const set = opened(row, { price, quoted, ...cost, priceScale })
    if (isLiquidated(row.side, quoted.mark, set.liquidation)) return cancel(tx, row, 'balance')
    const after = await store.update(tx, row, set)
    await ledger.post(tx, {
      ...{ kind: 'lever_fill', source: `lever:${row.id}`, uid: row.uid, at: set.opened },
      postings: openLines(row, { ...cost, held: row.held }),
    })
    return after
  }

  /** Notes which tick ends a position; `settle` pays it. */
  const fire = (tx: Tx, row: Position, reason: CloseReason, quoted: Quoted): Promise<Position> =>
    store.update(tx, row, fired(row, reason, quoted))
  function fired(row: Position, reason: CloseReason, { tick, mark }: Quoted) {
    const state = next(row, 'fire')
    const close_price = closingPrice(row.side, mark, row.spread, trading.instrument(row.symbol).tick)
    return { state, close_reason: reason, close_price, close_tick: tick.id }
  }

  function pay(tx: Tx, row: Position, coin: Currency, at: { id: number; lots: string; price: string; tick: number; reason: CloseReason }) {
    const { lots, price, tick, reason } = at
    const paid = settlementOf({ ...row, open_price: row.open_price! }, { lots, price, reason, scale: coin.scale })
    const now = clock.now()
    const close: Close = {
      ...{ id: at.id, position_id: row.id, uid: row.uid, symbol: row.symbol, currency: row.currency, side: row.side },
      ...{ multiple: row.multiple, lots, lots_left: paid.lotsLeft, open_price: row.open_price!, price, tick_id: tick, margin: paid.margin },
      ...{ profit: paid.profit, fee: paid.fee, back: paid.back, insurance: paid.insurance, reason, opened: row.opened!, at: now },
    }
    const postings = closeLines(row, paid)
    const kind = reason === 'liquidated' ? 'lever_liquidate' : 'lever_close'
    const booked = {
      ...{ profit: sum(row.profit, paid.profit), fee: sum(row.fee, paid.fee), result: sum(row.result, less(paid.back, paid.margin)) },
      lots_closed: sum(row.lots_closed, lots),
    }
    return {
      ...{ paid, close, booked, now },
      /** @param quoted must stand in the log */
      write: (quoted?: Quoted) =>
        Promise.all([
          store.close(tx, close, quoted?.tick).then((isLogged) => {
            if (!isLogged) throw new ApiProblem('price_stale')
          }),
          postings.length ? ledger.post(tx, { kind, source: `lever_close:${close.id}`, uid: row.uid, at: now, postings }) : undefined,
        ]),
    }
  }
  /** Both are sent at once; a row that has changed meanwhile is told before what follows from it. */
  async function both<A>(first: Promise<A>, second: Promise<unknown>): Promise<A> {
    await Promise.allSettled([first, second])
    const done = await first
    await second
    return done
  }
  /** Pays a position that `fire` has ended, once. @param id of the closing, from `closeId` @param quoted must stand in the log */
  async function settle(tx: Tx, row: Position, coin: Currency, id: number, quoted?: Quoted): Promise<{ after: Position; close: Close }> {
    const state = next(row, 'settle')
    const at = { id, lots: row.lots, price: row.close_price!, tick: row.close_tick!, reason: row.close_reason! }
    const { close, booked, now, write } = pay(tx, row, coin, at)
    const ended = { state, ...booked, margin: '0', liquidation: null, next_night: null, ended: now }
    const after = await both(store.update(tx, row, ended), write(quoted))
    return { after, close }
  }
  /**
   * Closes a position, or lots of it, at a price of the market.
   * @throws ApiProblem price_moved, price_stale @throws RowCountError when the row was not locked and has changed
   */
  async function close(tx: Tx, row: Position, coin: Currency, at: Closing) {
    const { id, lots, quoted, reason, shown, worst } = at
    const { tick, priceScale } = trading.instrument(row.symbol)
    const price = closingPrice(row.side, quoted.mark, row.spread, tick)
    // Closing a long position sells.
    const { tolerance } = trading.terms('contract', row.symbol).terms
    allowed(movedRefusal(otherSide(row.side), price, { shown, worst, tolerance }))
    // In one step: nobody sees what is marked and not paid.
    if (new Big(lots).eq(row.lots)) return settle(tx, { ...row, ...fired(row, reason, quoted) }, coin, id, quoted)
    const state = next(row, 'change')
    const { paid, close, booked, write } = pay(tx, row, coin, { id, lots, price, tick: quoted.tick.id, reason })
    const margin = paid.marginLeft
    const liquidation = liquidationOf({ ...row, open_price: row.open_price!, lots: paid.lotsLeft, margin }, priceScale)
    // What rounding moves of the liquidation price counts from here on.
    const since = liquidation === row.liquidation ? row.since : quoted.tick.id
    const set = { state, ...booked, lots: paid.lotsLeft, margin, liquidation, since, close_price: price, close_tick: quoted.tick.id }
    const after = await both(store.update(tx, row, set), write(quoted))
    return { after, close }
  }

  /** @throws ApiProblem state_wrong, amount_too_large, insufficient_balance */
  async function changeMargin(tx: Tx, row: Position, coin: Currency, change: { action: 'add' | 'remove'; amount: string; quoted: Quoted }) {
    const { action, amount, quoted } = change
    const state = next(row, 'change')
    if (row.state !== 'open') throw new ApiProblem('state_wrong')
    const held = { ...row, open_price: row.open_price! }
    const most = action === 'add' ? addableMargin(held) : removableMargin(held, quoted.mark, coin.scale)
    if (new Big(amount).gt(most)) throw new ApiProblem('amount_too_large', { field: 'amount' })
    await mustBeLogged(tx, quoted)
    const signed = action === 'add' ? amount : `-${amount}`
    const margin = sum(row.margin, signed)
    const liquidation = liquidationOf({ ...held, margin }, trading.instrument(row.symbol).priceScale)
    if (isLiquidated(row.side, quoted.mark, liquidation)) throw new ApiProblem('amount_too_large', { field: 'amount' })
    const now = clock.now()
    const id = await store.margin(tx, { position_id: row.id, uid: row.uid, currency: row.currency, amount: signed, at: now })
    await ledger.post(tx, {
      ...{ kind: action === 'add' ? 'lever_margin_add' : 'lever_margin_remove', source: `lever_margin:${id}`, uid: row.uid, at: now },
      postings: marginLines(row, signed),
    })
    return store.update(tx, row, { state, margin, liquidation, since: quoted.tick.id })
  }

  async function changeStops(tx: Tx, row: Position, set: { tp: string | null; sl: string | null }, since: number): Promise<Position> {
    const state = next(row, 'change')
    const changed = {
      ...(set.tp !== row.tp && { tp: set.tp, tp_since: since }),
      ...(set.sl !== row.sl && { sl: set.sl, sl_since: since }),
    }
    return Object.keys(changed).length ? store.update(tx, row, { state, ...changed }) : row
  }

  return {
    ...{ lastQuote, marketQuote, open, place, fill, cancel, fire, settle, close, changeMargin, changeStops },
    /** The row of an order before it is written. */
    prepare: (order: Order, since: number): Promise<Position> => rowOf(order, since),
    /** A number for a closing. To be asked for before the transaction, which would wait for it. */
    closeId: () => closeIds.take(),
  }
}
