import { createLadder, type Ladder, type Resting } from '#api-server/spot/core/ladder.ts'

export type { Resting } from '#api-server/spot/core/ladder.ts'

/**
 * One order book: price-time priority, fills at the price of the order that stood in the book. Prices are ticks and quantities are lots, whole
 * numbers; a price times a quantity must be a safe integer. Nothing here reads a clock, a database or chance.
 */

/** An order that comes in. */
export interface Incoming {
  readonly id: number
  readonly owner: number
  readonly isBuy: boolean
  /** No worse price: ticks. `anyPrice.buy` and `anyPrice.sell` take every price. */
  readonly limit: number
  /** Lots; Infinity for an order that spends a budget. */
  readonly quantity: number
  /** The most that a buyer spends, in ticks times lots; Infinity for an order of a quantity. */
  readonly budget: number
  /** The rest stands in the book; otherwise it expires. */
  readonly rests: boolean
  /** Only if it can be filled whole. */
  readonly isWhole: boolean
  /** Only if it does not match at once. */
  readonly isPassive: boolean
}
export const anyPrice = { buy: Number.MAX_SAFE_INTEGER, sell: 0 } as const

export interface Match {
  readonly maker: Resting
  readonly price: number
  readonly quantity: number
}

/**
 * The end of an incoming order. rests: the rest stands in the book · filled · expired: the rest is cancelled · self_trade: the rest is
 * cancelled because it would have met an order of its owner · order_would_match, order_not_filled: nothing was done.
 */
export type End = 'rests' | 'filled' | 'expired' | 'self_trade' | 'order_would_match' | 'order_not_filled'
export interface Placed {
  readonly end: End
  readonly matches: readonly Match[]
  /** Lots that were not filled; 0 for an order that spends a budget. */
  readonly left: number
}

export interface Book {
  place(order: Incoming): Placed
  /** Puts an order back that stood in the book, behind those of its price: for rebuilding it in the order of priority. @throws Error when it crosses */
  rest(order: Pick<Incoming, 'id' | 'owner' | 'isBuy' | 'limit'> & { left: number }): void
  /** @returns the order that was taken out, or undefined */
  cancel(id: number): Resting | undefined
  order(id: number): Resting | undefined
  /** Best first. */
  levels(isBuy: boolean, most: number): [price: number, quantity: number][]
  /** Price of the best level. */
  best(isBuy: boolean): number | undefined
  /** All orders of one side in the order in which they match. */
  orders(isBuy: boolean): Resting[]
  /** From here on every change can be undone. */
  begin(): void
  /** Keeps the changes since `begin`. */
  commit(): void
  /** Puts everything back as it was at `begin`, priorities included. */
  rollback(): void
}

const none: readonly Match[] = []
const leftOf = (lots: number) => (lots === Number.POSITIVE_INFINITY ? 0 : lots)

/** Written down in the order in which it happened, and undone backwards. */
type Change = { readonly what: 'filled' | 'added' | 'removed'; readonly order: Resting; readonly quantity: number }

export function createBook(): Book {
  const bids: Ladder = createLadder(true)
  const asks: Ladder = createLadder(false)
  const known = new Map<number, Resting>()
  let changes: Change[] | undefined

  function add(order: Resting): void {
    ;(order.isBuy ? bids : asks).append(order)
    known.set(order.id, order)
    changes?.push({ what: 'added', order, quantity: 0 })
  }
  function remove(order: Resting): void {
    ;(order.isBuy ? bids : asks).unlink(order)
    known.delete(order.id)
    changes?.push({ what: 'removed', order, quantity: 0 })
  }

  /** Whether an order of its whole quantity, or its whole budget, finds enough before it meets its owner. */
  function canFill({ owner, isBuy, limit, quantity, budget }: Incoming): boolean {
    let [lots, money] = [quantity, budget]
    for (const maker of (isBuy ? asks : bids).walk()) {
      if (isBuy ? maker.price > limit : maker.price < limit) return false
      const most = Math.min(lots, Math.floor(money / maker.price))
      if (most === 0) return true
      if (maker.owner === owner) return false
      const taken = Math.min(maker.left, most)
      lots -= taken
      money -= taken * maker.price
      if (lots === 0 || money < maker.price) return true
    }
    return false
  }

  function place(order: Incoming): Placed {
    const { owner, isBuy, limit } = order
    const opposite = isBuy ? asks : bids
    const best = opposite.first()
    const crosses = best !== undefined && (isBuy ? best.price <= limit : best.price >= limit)
    if (order.isPassive && crosses) return { end: 'order_would_match', matches: none, left: leftOf(order.quantity) }
    if (order.isWhole && !canFill(order)) return { end: 'order_not_filled', matches: none, left: leftOf(order.quantity) }

    let lots = order.quantity
    let money = order.budget
    let end: End | undefined
    let matches: Match[] | undefined
    for (let maker = crosses ? best : undefined; maker; maker = opposite.first()) {
      const { price } = maker
      if (isBuy ? price > limit : price < limit) break
      let taken = maker.left < lots ? maker.left : lots
      if (money !== Number.POSITIVE_INFINITY) {
        taken = Math.min(taken, Math.floor(money / price))
        if (taken === 0) {
          end = 'filled'
          break
        }
      }
      if (maker.owner === owner) {
        end = 'self_trade'
        break
      }
      lots -= taken
      money -= taken * price
      opposite.take(maker, taken)
      changes?.push({ what: 'filled', order: maker, quantity: taken })
      if (maker.left === 0) remove(maker)
      matches ??= []
      matches.push({ maker, price, quantity: taken })
      if (lots === 0 || money < price) {
        end = 'filled'
        break
      }
    }
    if (!end && order.rests) {
      end = 'rests'
      add({ id: order.id, owner, isBuy, price: limit, left: lots, level: undefined, before: undefined, after: undefined })
    }
    return { end: end ?? 'expired', matches: matches ?? none, left: leftOf(lots) }
  }

  function undo({ what, order, quantity }: Change): void {
    const side = order.isBuy ? bids : asks
    if (what === 'filled') side.take(order, -quantity)
    else if (what === 'added') {
      side.unlink(order)
      known.delete(order.id)
    } else {
      side.relink(order)
      known.set(order.id, order)
    }
  }

  return {
    place,
    rest({ id, owner, isBuy, limit, left }) {
      const other = (isBuy ? asks : bids).first()
      if (other && (isBuy ? other.price <= limit : other.price >= limit)) throw new Error(`order ${id} crosses order ${other.id}`)
      add({ id, owner, isBuy, price: limit, left, level: undefined, before: undefined, after: undefined })
    },
    cancel(id) {
      const order = known.get(id)
      if (order) remove(order)
      return order
    },
    order: (id) => known.get(id),
    levels: (isBuy, most) => (isBuy ? bids : asks).levels(most),
    best: (isBuy) => (isBuy ? bids : asks).first()?.price,
    orders: (isBuy) => [...(isBuy ? bids : asks).walk()],
    begin() {
      if (changes) throw new Error('the book is in the middle of a change')
      changes = []
    },
    commit() {
      changes = undefined
    },
    rollback() {
      const done = changes ?? []
      changes = undefined
      for (let at = done.length - 1; at >= 0; at--) undo(done[at]!)
    },
  }
}
