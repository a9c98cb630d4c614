import Big from 'big.js'
import type { CloseReason, LeverSide } from '#contract/calls/lever.rows.ts'

/** When prices of the market act. Prices are whole numbers of the smallest decimal of the instrument, so that comparing them is exact and cheap. */

/** A tick of the log. */
export interface Tick {
  id: number
  symbol: string
  price: string
  /** ms UTC. */
  time: number
}

/** A tick, and whether its symbol was traded at its time; one at which it was not acts on nothing. */
export interface JudgedTick extends Tick {
  isOpen: boolean
}

/** The part of a waiting order or an open position that is held in memory. `since` and its like: the level counts for later ticks. */
export interface Watched {
  id: number
  rev: number
  symbol: string
  side: LeverSide
  state: 'entrust' | 'open'
  since: number
  /** Of an order; null: at any price. */
  limit: number | null
  tp: number | null
  tpSince: number
  sl: number | null
  slSince: number
  liquidation: number | null
  /** Any price of a later tick closes the position; null: none does. */
  exitSince: number | null
}
export type Due = 'fill' | Exclude<CloseReason, 'reversed' | 'copied'>

/** The columns that are read of a row to watch it. */
interface WatchedRow {
  id: number
  rev: number
  symbol: string
  side: LeverSide
  state: string
  type: 'market' | 'limit'
  price: string | null
  tp: string | null
  sl: string | null
  liquidation: string | null
  since: number
  tp_since: number
  sl_since: number
  exit_since: number | null
}

/** A price in units of an instrument. */
export const unitsOf = (price: string, scale: number): number => Number(new Big(price).times(`1e${scale}`).toFixed(0))
const maybe = (price: string | null, scale: number) => (price === null ? null : unitsOf(price, scale))

/** Undefined for a row that no price acts on. */
export function watch(row: WatchedRow, scale: number): Watched | undefined {
  const { id, rev, symbol, side, state, since } = row
  if (state !== 'entrust' && state !== 'open') return undefined
  const isOrder = state === 'entrust'
  return {
    id,
    rev,
    symbol,
    side,
    state,
    since,
    limit: isOrder && row.type === 'limit' ? maybe(row.price, scale) : null,
    tp: isOrder ? null : maybe(row.tp, scale),
    tpSince: row.tp_since,
    sl: isOrder ? null : maybe(row.sl, scale),
    slSince: row.sl_since,
    liquidation: isOrder ? null : maybe(row.liquidation, scale),
    exitSince: row.exit_since,
  }
}

/**
 * Returns the action of a tick on a row. Of a stop loss and a liquidation price that one tick has passed, the one acts that the price met
 * first.
 * @param tick undefined: as if all levels counted
 */
export function dueAt(row: Watched, mark: number, tick?: number): Due | undefined {
  const counts = (since: number) => tick === undefined || tick > since
  const sign = row.side === 'long' ? 1 : -1
  const isAtOrBelow = (level: number | null) => level !== null && (mark - level) * sign <= 0
  const isAtOrAbove = (level: number | null) => level !== null && (mark - level) * sign >= 0
  if (row.state === 'entrust') return counts(row.since) && (row.limit === null || isAtOrBelow(row.limit)) ? 'fill' : undefined
  if (isAtOrAbove(row.tp) && counts(row.tpSince)) return 'take_profit'
  const isStopped = isAtOrBelow(row.sl) && counts(row.slSince)
  const isLiquidated = isAtOrBelow(row.liquidation) && counts(row.since)
  if (isStopped && isLiquidated) return (row.sl! - row.liquidation!) * sign >= 0 ? 'stop_loss' : 'liquidated'
  if (isStopped || isLiquidated) return isStopped ? 'stop_loss' : 'liquidated'
  return row.exitSince !== null && counts(row.exitSince) ? 'user' : undefined
}

/** The first of some ticks that a row is due at. */
export function firstDue(row: Watched, ticks: readonly JudgedTick[], scale: number) {
  const since = row.state === 'entrust' ? row.since : Math.min(row.since, row.tpSince, row.slSince, row.exitSince ?? row.since)
  for (const tick of ticks) {
    // No level of the row counts for it; its price need not be read.
    if (tick.id <= since || !tick.isOpen) continue
    const due = dueAt(row, unitsOf(tick.price, scale), tick.id)
    if (due) return { due, tick }
  }
  return undefined
}

/** Prices from which on a row may be due: at or above `rising`, at or below `falling`. */
export function levelsOf(row: Watched): { rising: number | null; falling: number | null; any: boolean } {
  const isLong = row.side === 'long'
  if (row.state === 'entrust') {
    if (row.limit === null) return { rising: null, falling: null, any: true }
    return isLong ? { rising: null, falling: row.limit, any: false } : { rising: row.limit, falling: null, any: false }
  }
  const nearest = (pick: (...prices: number[]) => number) => {
    const prices = [row.sl, row.liquidation].filter((price) => price !== null)
    return prices.length ? pick(...prices) : null
  }
  const any = row.exitSince !== null
  return isLong ? { rising: row.tp, falling: nearest(Math.max), any } : { rising: nearest(Math.min), falling: row.tp, any }
}

/** Ticks after this one must be looked at again when a row takes the place of an earlier copy: those that a changed level counts for. */
export function unseenSince(row: Watched, before: Watched | undefined): number | undefined {
  if (before?.state !== row.state) return Math.min(row.since, ...(row.state === 'open' ? [row.tpSince, row.slSince] : []))
  const changed = [
    ...(row.limit !== before.limit || row.liquidation !== before.liquidation || row.since !== before.since ? [row.since] : []),
    ...(row.tp !== before.tp || row.tpSince !== before.tpSince ? [row.tpSince] : []),
    ...(row.sl !== before.sl || row.slSince !== before.slSince ? [row.slSince] : []),
    ...(row.exitSince !== null && row.exitSince !== before.exitSince ? [row.exitSince] : []),
  ]
  return changed.length ? Math.min(...changed) : undefined
}
