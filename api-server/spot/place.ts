import type { HouseQuote } from '#api-server/spot/batch.ts'
import type { Book } from '#api-server/spot/core/book.ts'
import { isOpen, lotsOf, priceOf, quantityOf, type SpotMarket, ticksOf } from '#api-server/spot/market.rules.ts'
import type { SpotOrder } from '#api-server/spot/spot.store.ts'
import type { DepthLevel } from '#contract/feed.ts'
import { ApiProblem } from '#contract/problem.ts'

export interface Depth {
  bids: readonly DepthLevel[]
  asks: readonly DepthLevel[]
}
/** A market and its book. */
export interface Place {
  market: SpotMarket
  book: Book
  house: Map<string, HouseQuote>
  /** The levels that are shown, those of the last commit. */
  shown: { bids: DepthLevel[]; asks: DepthLevel[] } | undefined
  changing: boolean
}

export function levelsOf({ book, market }: Place, most: number): { bids: DepthLevel[]; asks: DepthLevel[] } {
  const text = (isBuy: boolean) =>
    book.levels(isBuy, most).map(([ticks, lots]): DepthLevel => [priceOf(market, ticks), quantityOf(market, lots)])
  return { bids: text(true), asks: text(false) }
}

/** Before anything in the book is changed, so that nobody sees what may be undone. */
export function beginChange(place: Place, levels: number): void {
  if (place.changing) return
  place.shown ??= levelsOf(place, levels)
  place.changing = true
  place.book.begin()
}

/** Offers of the house, as the book counts them. */
export function quotesOf(market: SpotMarket, { bids, asks }: Depth): Omit<HouseQuote, 'id'>[] {
  const read = (isBuy: boolean, side: readonly DepthLevel[]) =>
    side.flatMap(([price, size]) => {
      const [ticks, lots] = [ticksOf(market, price), lotsOf(market, size)]
      return ticks !== undefined && lots !== undefined ? [{ isBuy, ticks, lots }] : []
    })
  return [...read(true, bids), ...read(false, asks)]
}

/** Nothing for a market whose coins customers cannot hold; it has no book. */
export const ifKnown = (asked: Promise<Place>): Promise<Place[]> =>
  asked.then(
    (place) => [place],
    (error: unknown) => {
      if (error instanceof ApiProblem && error.code === 'symbol_unknown') return []
      throw error
    },
  )

/** Orders of customers that stand in the books, and how many each customer has. */
export function createOpenOrders() {
  const orders = new Map<number, SpotOrder>()
  const counts = new Map<number, number>()
  function remove({ id, uid }: Pick<SpotOrder, 'id' | 'uid'>): void {
    if (!orders.delete(id)) return
    const left = counts.get(uid)! - 1
    if (left) counts.set(uid, left)
    else counts.delete(uid)
  }
  return {
    get: (id: number) => orders.get(id),
    size: () => orders.size,
    /** Of these customers; those without one are absent. */
    counts: (uids: readonly number[]): Map<number, number> =>
      new Map(uids.flatMap((uid) => (counts.has(uid) ? [[uid, counts.get(uid)!]] : []))),
    /** An order as it is now. */
    put(order: SpotOrder): void {
      if (!isOpen(order.status)) remove(order)
      else {
        if (!orders.has(order.id)) counts.set(order.uid, (counts.get(order.uid) ?? 0) + 1)
        orders.set(order.id, order)
      }
    },
    clear(): void {
      orders.clear()
      counts.clear()
    },
  }
}
