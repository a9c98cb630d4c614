import { createRequire } from 'node:module'
import { anyPrice, createBook } from '#api-server/spot/core/book.ts'
import { atLeast, type Bar, median, option, report, reported, spread } from '#bench/bars.ts'

/** Orders a second on one core, ours and the npm package nodejs-order-book with the same orders, one after the other in each round. */
// Its module build names files without their endings, which Node does not find.
const { OrderBook } = createRequire(import.meta.url)('nodejs-order-book') as typeof import('nodejs-order-book')
type Side = Parameters<InstanceType<typeof OrderBook>['limit']>[0]['side']

interface Order {
  id: number
  isBuy: boolean
  price: number
  quantity: number
  /** Number of an earlier order that is cancelled in its place; 0 for an order. */
  cancels: number
  isMarket: boolean
}

/** The same orders each time: xorshift, so that no chance decides. */
function chance(seed: number) {
  let at = seed
  return (below: number) => {
    at ^= at << 13
    at ^= at >>> 17
    at ^= at << 5
    return (at >>> 0) % below
  }
}

/** As on an exchange: most orders stand near the price, one in four is cancelled, some take at once. The price wanders. */
function ordersOf(count: number): Order[] {
  const next = chance(88_172_645)
  const orders: Order[] = []
  let middle = 50_000
  for (let id = 1; id <= count; id++) {
    if (id % 50 === 0) middle += next(3) - 1
    const kind = next(100)
    const isBuy = next(2) === 0
    const away = kind < 30 ? -next(4) : 1 + next(100)
    const price = isBuy ? middle - away : middle + away
    const quantity = 1 + next(50)
    const cancels = kind >= 70 && kind < 95 && id > 1_000 ? id - 1 - next(1_000) : 0
    // One literal without spreads, which Node would store as slow dictionaries: reading them took longer than matching.
    orders.push({ id, isBuy, price, quantity, cancels, isMarket: kind >= 95 })
  }
  return orders
}

/** The rest of the book: both must have done the same. */
type Left = { bids: [number, number][]; asks: [number, number][] }

/** @param batch orders between two commits, as the server takes them; 0 without a journal to undo them */
function ours(orders: readonly Order[], batch = 0): Left {
  const book = createBook()
  const budget = Number.POSITIVE_INFINITY
  if (batch) book.begin()
  for (const { id, isBuy, price, quantity, cancels, isMarket } of orders) {
    if (batch && id % batch === 0) {
      book.commit()
      book.begin()
    }
    if (cancels) {
      book.cancel(cancels)
      continue
    }
    const limit = isMarket ? (isBuy ? anyPrice.buy : anyPrice.sell) : price
    book.place({ id, owner: id, isBuy, limit, quantity, budget, rests: !isMarket, isWhole: false, isPassive: false })
  }
  return { bids: book.levels(true, 1_000_000), asks: book.levels(false, 1_000_000) }
}

function theirs(orders: readonly Order[]): Left {
  const book = new OrderBook()
  for (const { id, isBuy, price, quantity, cancels, isMarket } of orders) {
    const side = (isBuy ? 'buy' : 'sell') as Side
    if (cancels) book.cancel(String(cancels))
    else if (isMarket) book.market({ side, size: quantity })
    else book.limit({ id: String(id), side, size: quantity, price })
  }
  const [asks, bids] = book.depth()
  const pairs = (side: readonly (readonly [number, number])[]) => side.map(([price, size]): [number, number] => [price, size])
  return { bids: pairs(bids), asks: pairs(asks) }
}

const inOrder = ({ bids, asks }: Left) => JSON.stringify([bids, asks].map((side) => [...side].sort(([a], [b]) => a - b)))

function rate(work: (orders: readonly Order[]) => Left, orders: readonly Order[]): number {
  // Time of the core, so that what else the machine does counts for neither.
  const from = process.cpuUsage()
  work(orders)
  const { user, system } = process.cpuUsage(from)
  return (orders.length * 1_000_000) / (user + system)
}

const rounds = option('rounds', 5)
const orders = ordersOf(option('orders', 300_000))
if (inOrder(ours(orders)) !== inOrder(theirs(orders))) throw new Error('the two books end with different orders')
const [mine, other, times, undoable]: [number[], number[], number[], number[]] = [[], [], [], []]
for (let round = 0; round < rounds; round++) {
  const [a, b] = [rate(ours, orders), rate(theirs, orders)]
  mine.push(a)
  other.push(b)
  times.push(a / b)
  undoable.push(rate((all) => ours(all, 64), orders))
}
const bars: Bar[] = [
  atLeast('orders a second on one core', median(mine), 1_000_000, '', spread(mine)),
  reported('the same, undoable and committed by 64', spread(undoable)),
  atLeast('orders to those of nodejs-order-book', median(times), 3, ' ×', `${spread(times)}; the package ${spread(other)} a second`),
]
report('matching', bars, 'npm run bench:trading')
