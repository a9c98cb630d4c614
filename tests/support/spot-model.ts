import type { End, Incoming } from '#api-server/spot/core/book.ts'

interface Standing {
  id: number
  owner: number
  isBuy: boolean
  price: number
  left: number
}
export interface Model {
  place(order: Incoming): { end: End; left: number; matches: { id: number; price: number; quantity: number }[] }
  cancel(id: number): Standing | undefined
  orders(isBuy: boolean): Standing[]
  /** Lots that were cancelled while they stood in the book. */
  takenBack(): number
}

/**
 * A model of a book, as slow and as obvious as it gets: the tests of the book compare with it. One list of orders in the order in which
 * they came.
 */
export function createModel(): Model {
  let standing: Standing[] = []
  let takenBack = 0
  const sorted = (isBuy: boolean) =>
    standing.filter((one) => one.isBuy === isBuy).sort((a, b) => (isBuy ? b.price - a.price : a.price - b.price))

  function lotByLot(order: Incoming) {
    const matches: { id: number; price: number; quantity: number }[] = []
    const makers = sorted(!order.isBuy).map((one) => ({ ...one }))
    let [left, budget] = [order.quantity, order.budget]
    for (;;) {
      const maker = makers.find((one) => one.left > 0)
      if (left === 0 || budget < (matches.at(-1)?.price ?? 0)) return { end: 'filled' as const, left, matches }
      if (!maker || (order.isBuy ? maker.price > order.limit : maker.price < order.limit)) return { end: undefined, left, matches }
      if (budget < maker.price) return { end: 'filled' as const, left, matches }
      if (maker.owner === order.owner) return { end: 'self_trade' as const, left, matches }
      maker.left--
      left--
      budget -= maker.price
      const last = matches.at(-1)
      if (last?.id === maker.id) last.quantity++
      else matches.push({ id: maker.id, price: maker.price, quantity: 1 })
    }
  }

  return {
    place(order) {
      const { end, left, matches } = lotByLot(order)
      const [first] = sorted(!order.isBuy)
      const nothing = (refused: End) => ({
        end: refused,
        left: order.quantity === Number.POSITIVE_INFINITY ? 0 : order.quantity,
        matches: [],
      })
      if (order.isPassive && first && (order.isBuy ? first.price <= order.limit : first.price >= order.limit))
        return nothing('order_would_match')
      if (order.isWhole && end !== 'filled') return nothing('order_not_filled')
      for (const { id, quantity } of matches) standing.find((one) => one.id === id)!.left -= quantity
      standing = standing.filter((one) => one.left > 0)
      if (!end && order.rests) {
        standing.push({ id: order.id, owner: order.owner, isBuy: order.isBuy, price: order.limit, left })
        return { end: 'rests', left, matches }
      }
      return { end: end ?? 'expired', left: left === Number.POSITIVE_INFINITY ? 0 : left, matches }
    },
    cancel(id) {
      const found = standing.find((one) => one.id === id)
      standing = standing.filter((one) => one !== found)
      takenBack += found?.left ?? 0
      return found
    },
    orders: sorted,
    takenBack: () => takenBack,
  }
}
