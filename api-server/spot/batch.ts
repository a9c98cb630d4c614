import Big from 'big.js'
import type { LedgerEvent } from '#api-server/ledger/ledger.ts'
import { release } from '#api-server/ledger/ledger.ts'
import { anyPrice, type Book, type End, type Placed, type Resting } from '#api-server/spot/core/book.ts'
import {
  budgetUnits,
  heldBy,
  isOpen,
  leftOf,
  orderMachine,
  priceOf,
  quantityOf,
  type SpotMarket,
  ticksOf,
} from '#api-server/spot/market.rules.ts'
import { type FillSide, settle, spotAccount } from '#api-server/spot/settle.ts'
import type { SpotReason, SpotSide, SpotState, TimeInForce } from '#contract/calls/c2c.calls.ts'
import { plain, sum } from '#contract/money.ts'

/** The part of a customer's order that a batch needs. */
export interface LiveOrder {
  readonly id: number
  readonly uid: number
  readonly symbol: string
  readonly side: SpotSide
  readonly kind: 'limit' | 'market'
  readonly time_in_force: TimeInForce
  readonly price: string | null
  readonly quantity: string | null
  readonly budget: string | null
  readonly worst: string | null
  readonly maker_rate: string
  readonly taker_rate: string
  readonly version: number
  readonly filled: string
  readonly value: string
  readonly fee: string
  readonly status: SpotState
  readonly reason: SpotReason
  readonly rank: number | null
  /** Its limit after the batch, where the batch has moved it or refused to. */
  readonly answered?: string
}
interface BatchFill {
  id: number
  symbol: string
  price: string
  quantity: string
  value: string
  buy_id: number | null
  buyer: number | null
  buyer_fee: string
  sell_id: number | null
  seller: number | null
  seller_fee: string
  taker: SpotSide
  at: number
}
/** An order of the house; its number is below zero, and nothing of it is stored. */
export interface HouseQuote {
  id: number
  isBuy: boolean
  ticks: number
  lots: number
}
/** In the book, where customers have numbers above zero. */
export const houseOwner = 0

/** Everything that one commit writes, collected while the books are changed in memory. */
export interface Batch {
  readonly at: number
  /** Orders as they are after the batch, by number. `version` is the one before it. */
  readonly orders: Map<number, LiveOrder>
  readonly fills: BatchFill[]
  readonly events: LedgerEvent[]
  nextFill: number
  nextRank: number
}
export const startBatch = (at: number, nextFill: number, nextRank: number): Batch => ({
  at,
  nextFill,
  nextRank,
  orders: new Map(),
  fills: [],
  events: [],
})

/** Only orders of customers have a number above zero. */
const isHouse = (id: number) => id < 0

/** Changes the state of an order. @throws Error where the states do not lead there */
function change(batch: Batch, order: LiveOrder, set: Partial<LiveOrder> & Pick<LiveOrder, 'status'>): void {
  if (!orderMachine.allows(order.status, set.status)) throw new Error(`order ${order.id} does not go from ${order.status} to ${set.status}`)
  batch.orders.set(order.id, { ...order, ...set })
}

/** Books a match of two orders, one of which may be the house's. */
function fill(
  batch: Batch,
  market: SpotMarket,
  live: (id: number) => LiveOrder,
  taker: { id: number; isBuy: boolean },
  maker: Resting,
  ticks: number,
  lots: number,
): void {
  const [price, quantity] = [priceOf(market, ticks), quantityOf(market, lots)]
  const sideOf = (id: number, role: 'maker' | 'taker'): (FillSide & { order: LiveOrder }) | undefined => {
    if (isHouse(id)) return undefined
    const order = batch.orders.get(id) ?? live(id)
    const rate = role === 'maker' ? order.maker_rate : order.taker_rate
    const received = order.side === 'buy' ? order.filled : order.value
    return { order, uid: order.uid, limit: order.price, rate, rateMost: order.taker_rate, received, paid: order.fee }
  }
  const [one, other] = [sideOf(taker.id, 'taker'), sideOf(maker.id, 'maker')]
  const [buyer, seller] = taker.isBuy ? [one, other] : [other, one]
  const { value, buyerFee, sellerFee, postings } = settle(market, { price, quantity, buyer, seller })
  for (const [side, fee] of [
    [buyer, buyerFee],
    [seller, sellerFee],
  ] as const) {
    if (!side) continue
    const { order } = side
    const booked = { filled: sum(order.filled, quantity), value: sum(order.value, value), fee: sum(order.fee, fee) }
    const isFull = order.quantity !== null && new Big(booked.filled).eq(order.quantity)
    change(batch, order, { ...booked, status: isFull ? 'filled' : 'partial' })
  }
  const id = batch.nextFill++
  batch.fills.push({
    id,
    symbol: market.symbol,
    price,
    quantity,
    value,
    taker: taker.isBuy ? 'buy' : 'sell',
    at: batch.at,
    buy_id: buyer?.order.id ?? null,
    buyer: buyer?.uid ?? null,
    buyer_fee: buyerFee,
    sell_id: seller?.order.id ?? null,
    seller: seller?.uid ?? null,
    seller_fee: sellerFee,
  })
  batch.events.push({ kind: 'spot_trade', source: `fill:${id}`, uid: null, at: batch.at, postings })
}

/** Returns the release of the amount that an order held for `of`; nothing where that is 0. */
function releaseOf(
  market: SpotMarket,
  { id, uid, side, version }: Pick<LiveOrder, 'id' | 'uid' | 'side' | 'version'>,
  { of, held, at }: { of: 'order' | 'move'; held: string; at: number },
): LedgerEvent[] {
  if (!new Big(held).gt(0)) return []
  const coin = side === 'buy' ? market.quote : market.base
  const source = of === 'order' ? `spot:${id}` : `spot_move:${id}:${version}`
  return [{ kind: 'spot_release', source, uid, at, postings: release(uid, spotAccount, coin.id, held) }]
}

/** Ends an order: what it still holds is available again. */
function finish(batch: Batch, market: SpotMarket, order: LiveOrder, status: SpotState, reason: SpotReason): void {
  change(batch, order, { status, reason, rank: null })
  batch.events.push(...releaseOf(market, order, { of: 'order', held: heldBy(order), at: batch.at }))
}

const reasonOf = (end: End): SpotReason =>
  end === 'self_trade' || end === 'order_would_match' || end === 'order_not_filled' ? end : 'expired'

/** Why an order traded nothing: it asked for all or nothing, its worst price was passed, or nobody was there at its price. */
function rejectionOf({ worst }: LiveOrder, end: End, hadPrice: boolean): SpotReason {
  if (end === 'order_not_filled' && worst === null) return 'order_not_filled'
  if (worst !== null && hadPrice && end !== 'filled') return 'price_moved'
  return end === 'expired' ? 'order_unmatched' : 'order_not_filled'
}

/** Puts an order of a customer, or what is left of it, into the book. @param live orders that stand in the book */
function placeOrder(batch: Batch, market: SpotMarket, book: Book, order: LiveOrder, live: (id: number) => LiveOrder): void {
  const isBuy = order.side === 'buy'
  const bound = order.price ?? order.worst
  const limit = bound === null ? (isBuy ? anyPrice.buy : anyPrice.sell) : ticksOf(market, bound)!
  const hadPrice = book.best(!isBuy) !== undefined
  const placed: Placed = book.place({
    id: order.id,
    owner: order.uid,
    isBuy,
    limit,
    quantity: order.quantity === null ? Number.POSITIVE_INFINITY : leftOf(market, order.quantity, order.filled),
    budget: order.budget === null ? Number.POSITIVE_INFINITY : budgetUnits(market, order.budget),
    rests: order.time_in_force === 'gtc' || order.time_in_force === 'post_only',
    isWhole: order.time_in_force === 'fok',
    isPassive: order.time_in_force === 'post_only',
  })
  batch.orders.set(order.id, order)
  for (const { maker, price, quantity } of placed.matches) fill(batch, market, live, { id: order.id, isBuy }, maker, price, quantity)
  const after = batch.orders.get(order.id)!
  const isFilled = placed.matches.length > 0
  if (placed.end === 'rests') change(batch, after, { status: after.status === 'new' ? 'open' : after.status, rank: batch.nextRank++ })
  else if (placed.end === 'filled' && isFilled) {
    // The rest of its budget is less than the cost of one step. An order for a quantity is full by its fills.
    if (after.budget !== null) finish(batch, market, after, 'filled', '')
  } else if (isFilled || placed.end === 'self_trade') finish(batch, market, after, 'cancelled', reasonOf(placed.end))
  else if (placed.end === 'order_would_match') finish(batch, market, after, 'rejected', 'order_would_match')
  else finish(batch, market, after, 'rejected', rejectionOf(order, placed.end, hadPrice))
}

/**
 * Places what is left of an order in the book anew, at the limit that the customer asked for: behind the others of its price, and where it
 * meets the book as a new order would. A post-only order that would match stays where it is. It then holds frozen the amount of its new
 * place.
 */
function moveOrder(
  batch: Batch,
  market: SpotMarket,
  book: Book,
  order: LiveOrder,
  { moving, extra }: { moving: string; extra: string },
  live: (id: number) => LiveOrder,
): void {
  const isBuy = order.side === 'buy'
  const [limit, best] = [ticksOf(market, moving)!, book.best(!isBuy)]
  const stays = order.time_in_force === 'post_only' && best !== undefined && (isBuy ? best <= limit : best >= limit)
  const price = stays ? order.price! : moving
  const after = { ...order, price, answered: price }
  const held = plain(new Big(heldBy(order)).plus(extra).minus(heldBy(after)))
  batch.events.push(...releaseOf(market, order, { of: 'move', held, at: batch.at }))
  batch.orders.set(order.id, after)
  if (stays) return
  book.cancel(order.id)
  placeOrder(batch, market, book, after, live)
}

/** Takes an order of a customer out of the book, and one that never came into it. */
function cancelOrder(batch: Batch, market: SpotMarket, book: Book, order: LiveOrder): void {
  book.cancel(order.id)
  finish(batch, market, batch.orders.get(order.id) ?? order, 'cancelled', 'customer')
}

/** Does the step that an order of a customer waits for: matches, moves or cancels it. @param asked the row, as it was read */
export function takeOrder(
  batch: Batch,
  market: SpotMarket,
  book: Book,
  order: LiveOrder,
  { cancelling, moving, extra }: { cancelling: boolean; moving: string | null; extra: string },
  live: (id: number) => LiveOrder,
): void {
  if (cancelling) {
    cancelOrder(batch, market, book, order)
    return
  }
  if (order.status === 'new') placeOrder(batch, market, book, order, live)
  const placed = batch.orders.get(order.id) ?? order
  if (moving !== null && isOpen(placed.status)) moveOrder(batch, market, book, placed, { moving, extra }, live)
}

/** Gives back what was frozen for moves of orders that ended first, perhaps after they were read. */
export const lateReleases = (
  orders: readonly (LiveOrder & { extra: string })[],
  places: ReadonlyMap<string, { market: SpotMarket }>,
  at: number,
): LedgerEvent[] =>
  orders.flatMap((order) =>
    isOpen(order.status) ? [] : releaseOf(places.get(order.symbol)!.market, order, { of: 'move', held: order.extra, at }),
  )

/**
 * Puts the offers of the house in place of those that it had: what has changed is taken out, and what is new meets customers' orders like any
 * other order. An offer that was partly taken stays so until the market shows another size at its price.
 * @returns what the house offers now
 */
export function followMarket(
  batch: Batch,
  market: SpotMarket,
  book: Book,
  live: (id: number) => LiveOrder,
  had: ReadonlyMap<string, HouseQuote>,
  wanted: readonly Omit<HouseQuote, 'id'>[],
  nextId: () => number,
): Map<string, HouseQuote> {
  const now = new Map<string, HouseQuote>()
  const news: HouseQuote[] = []
  for (const { isBuy, ticks, lots } of wanted) {
    const place = `${isBuy ? 'buy' : 'sell'} ${ticks}`
    const before = had.get(place)
    if (before?.lots === lots) now.set(place, before)
    else if (!now.has(place)) {
      const quote = { id: nextId(), isBuy, ticks, lots }
      now.set(place, quote)
      news.push(quote)
    }
  }
  for (const [place, quote] of had) if (now.get(place) !== quote) book.cancel(quote.id)
  for (const { id, isBuy, ticks, lots } of news) {
    const budget = Number.POSITIVE_INFINITY
    const placed = book.place({
      id,
      owner: houseOwner,
      isBuy,
      limit: ticks,
      quantity: lots,
      budget,
      rests: true,
      isWhole: false,
      isPassive: false,
    })
    for (const match of placed.matches) fill(batch, market, live, { id, isBuy }, match.maker, match.price, match.quantity)
  }
  return now
}
