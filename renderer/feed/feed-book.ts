import { type DepthLevel, type DepthMessage, feedLimits, type TradePrint } from '#contract/feed.ts'

/** Order book of one symbol, best prices first. Immutable: a change makes another. `stale` while a gap is being closed. */
export interface Book {
  readonly bids: readonly DepthLevel[]
  readonly asks: readonly DepthLevel[]
  readonly stale: boolean
  readonly epoch: string
  readonly seq: number
  /** Milliseconds since 1970 on the server's clock. */
  readonly ts: number
}

/** More than the server shows, so that a level that comes back is still known. */
const levelsMax = feedLimits.depthLevels * 5
const decimalPattern = /^\d{1,40}(\.\d{1,40})?$/

/** Order of two decimals as they are written, without turning them into floats. Negative when `a` is less. */
export function compareDecimals(a: string, b: string): number {
  const [wholeA = '', partA = ''] = a.replace(/^0+(?=\d)/, '').split('.')
  const [wholeB = '', partB = ''] = b.replace(/^0+(?=\d)/, '').split('.')
  if (wholeA.length !== wholeB.length) return wholeA.length - wholeB.length
  if (wholeA !== wholeB) return wholeA < wholeB ? -1 : 1
  const length = Math.max(partA.length, partB.length)
  const a0 = partA.padEnd(length, '0')
  const b0 = partB.padEnd(length, '0')
  return a0 === b0 ? 0 : a0 < b0 ? -1 : 1
}

/** @param best 1 when the lowest price comes first (asks), -1 when the highest does (bids) */
function merge(levels: readonly DepthLevel[], changes: readonly DepthLevel[], best: 1 | -1): DepthLevel[] {
  const next = levels.slice()
  for (const level of changes) {
    const [price, size] = level
    if (!decimalPattern.test(price) || !decimalPattern.test(size)) throw new TypeError('level is not two decimals')
    let low = 0
    let high = next.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareDecimals(next[middle]![0], price) * best < 0) low = middle + 1
      else high = middle
    }
    const known = low < next.length && compareDecimals(next[low]![0], price) === 0 ? 1 : 0
    if (/[1-9]/.test(size)) next.splice(low, known, level)
    else next.splice(low, known)
  }
  return next.length > levelsMax ? next.slice(0, levelsMax) : next
}

/**
 * The book after a message: the same book when the message is an old one, `gap` when something before it is missing.
 * @throws TypeError when the message has not the shape that its action promises
 */
export function applyDepth(book: Book | undefined, message: DepthMessage): Book | 'gap' {
  const { type, epoch, prev, seq, ts } = message
  if (typeof epoch !== 'string' || !Number.isSafeInteger(seq)) throw new TypeError('depth without a number')
  const old = book !== undefined && book.epoch === epoch && seq <= book.seq
  if (type === 'snap') {
    if (old && !book.stale && seq < book.seq) return book
    return { bids: merge([], message.bids, -1), asks: merge([], message.asks, 1), stale: false, epoch, seq, ts }
  }
  if (type !== 'delta') throw new TypeError('depth of no known type')
  if (!book || book.stale) return 'gap'
  if (old) return book
  if (book.epoch !== epoch || book.seq !== prev) return 'gap'
  return { bids: merge(book.bids, message.bids, -1), asks: merge(book.asks, message.asks, 1), stale: false, epoch, seq, ts }
}

/** Trades newest first. A message has them newest last; a snapshot's take the place of all. */
export function applyTrades(trades: readonly TradePrint[], message: DepthMessage): readonly TradePrint[] {
  if (!message.trades || (message.type === 'delta' && message.trades.length === 0)) return trades
  const fresh = message.trades.slice(-feedLimits.tradesKept).reverse()
  return message.type === 'snap' ? fresh : [...fresh, ...trades].slice(0, feedLimits.tradesKept)
}
