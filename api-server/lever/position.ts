import type { Currency } from '#api-server/currency/currency.reads.ts'
import type { Quoted } from '#api-server/lever/context.ts'
import { liquidationOf, nightAfter } from '#api-server/lever/lever.rules.ts'
import type { Position } from '#api-server/lever/lever.store.ts'
import type { MarketInstrument } from '#api-server/market/market.reads.ts'
import type { StoredTerms } from '#api-server/trading/trading.ts'
import type { LeverSide } from '#contract/calls/lever.rows.ts'
import { less } from '#contract/money.ts'

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

/** The row of an order before it is written. @param since id of the last tick @param created ms UTC */
export function entrusted(order: Order, id: number, since: number, created: number): Position {
  const { uid, instrument, coin, side, type, multiple, lots, tp, sl, terms } = order
  const { lot_size, fee_rate, maintenance_rate, overnight_rate, spread } = terms.terms
  return {
    id,
    uid,
    symbol: instrument.symbol,
    currency: coin.id,
    side,
    type,
    state: 'entrust',
    multiple,
    lots,
    lot_size,
    price: type === 'limit' ? (order.price ?? null) : null,
    worst_price: order.worst ?? null,
    open_price: null,
    open_tick: null,
    margin: '0',
    held: '0',
    tp,
    sl,
    liquidation: null,
    since,
    tp_since: since,
    sl_since: since,
    exit_since: null,
    terms_version: terms.version,
    fee_rate,
    maintenance_rate,
    overnight_rate,
    spread,
    profit: '0',
    fee: '0',
    overnight: '0',
    overnight_closed: '0',
    closed_worth: '0',
    result: '0',
    next_night: null,
    lots_closed: '0',
    close_reason: null,
    close_price: null,
    close_tick: null,
    cancel_reason: null,
    created,
    opened: null,
    ended: null,
    rev: 1,
  }
}
/** Members of an order that its filling sets. @param now ms UTC */
export function opened(row: Position, at: { price: string; quoted: Quoted; margin: string; fee: string; priceScale: number }, now: number) {
  const { price, quoted, margin, fee } = at
  const liquidation = liquidationOf({ ...row, open_price: price, margin }, at.priceScale)
  return {
    state: 'open',
    open_price: price,
    open_tick: quoted.tick.id,
    margin,
    held: '0',
    liquidation,
    fee,
    result: less('0', fee),
    since: quoted.tick.id,
    tp_since: quoted.tick.id,
    sl_since: quoted.tick.id,
    next_night: nightAfter(now),
    opened: now,
  } satisfies Partial<Position>
}
