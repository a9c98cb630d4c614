/** One side of a book: levels by price, and in each level the orders in the order in which they came. */

export interface Resting {
  readonly id: number
  readonly owner: number
  readonly isBuy: boolean
  readonly price: number
  /** Lots; changed by the ladder alone. */
  left: number
  /** Where it stands, or stood when it was taken out: what comes back goes there. */
  level: Level | undefined
  before: Resting | undefined
  after: Resting | undefined
}

export interface Level {
  readonly price: number
  quantity: number
  first: Resting | undefined
  last: Resting | undefined
}

export interface Ladder {
  /** The order that matches next. */
  first(): Resting | undefined
  /** Behind all others of its price. */
  append(order: Resting): void
  /** Takes an order out. */
  unlink(order: Resting): void
  /** Puts the order back that was taken out last, between those that it stood between. */
  relink(order: Resting): void
  /** Fills a part of it; back with a minus. */
  take(order: Resting, quantity: number): void
  levels(most: number): [price: number, quantity: number][]
  walk(): Generator<Resting>
}

export function createLadder(isBuy: boolean): Ladder {
  const levels = new Map<number, Level>()
  /** Prices, the best one last, so that the level that comes and goes most often is the cheapest to add and to remove. */
  const prices: number[] = []
  let best: Level | undefined

  /** Where a price stands among `prices`, or would stand. */
  function placeOf(price: number): number {
    let low = 0
    let high = prices.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const found = prices[middle]!
      if (isBuy ? found < price : found > price) low = middle + 1
      else high = middle
    }
    return low
  }

  function show(level: Level): void {
    const at = placeOf(level.price)
    if (at === prices.length) {
      prices.push(level.price)
      best = level
    } else prices.splice(at, 0, level.price)
    levels.set(level.price, level)
  }
  function hide(level: Level): void {
    levels.delete(level.price)
    if (level === best) {
      prices.pop()
      best = prices.length ? levels.get(prices[prices.length - 1]!) : undefined
    } else prices.splice(placeOf(level.price), 1)
  }

  return {
    first: () => best?.first,
    append(order) {
      let level = levels.get(order.price)
      if (!level) {
        level = { price: order.price, quantity: 0, first: undefined, last: undefined }
        show(level)
      }
      order.level = level
      order.before = level.last
      order.after = undefined
      if (level.last) level.last.after = order
      else level.first = order
      level.last = order
      level.quantity += order.left
    },
    unlink(order) {
      const level = order.level!
      const { before, after } = order
      if (before) before.after = after
      else level.first = after
      if (after) after.before = before
      else level.last = before
      level.quantity -= order.left
      if (!level.first) hide(level)
    },
    relink(order) {
      const level = order.level!
      if (!level.first) show(level)
      const { before, after } = order
      if (before) before.after = order
      else level.first = order
      if (after) after.before = order
      else level.last = order
      level.quantity += order.left
    },
    take(order, quantity) {
      order.left -= quantity
      order.level!.quantity -= quantity
    },
    levels(most) {
      const found: [number, number][] = []
      for (let at = prices.length - 1; at >= 0 && found.length < most; at--) {
        const { price, quantity } = levels.get(prices[at]!)!
        found.push([price, quantity])
      }
      return found
    },
    *walk() {
      for (let at = prices.length - 1; at >= 0; at--)
        for (let order = levels.get(prices[at]!)!.first; order; order = order.after) yield order
    },
  }
}
