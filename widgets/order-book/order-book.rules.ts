import type { DepthLevel } from '#contract/feed.ts'

export type Side = 'bids' | 'asks'

/** One row: price, size and cumulative size as exact decimals. `share` is relative to the deepest row, 0 to 1, for the bar. */
export interface BookRow {
  price: string
  size: string
  total: string
  share: number
}

/** Numbers of ticks that a row may combine. */
export const stepCounts = [1, 10, 50, 100] as const

const plain = /^\d+(?:\.\d+)?$/
const decimalsOf = (text: string) => text.split('.')[1]?.length ?? 0

/** Integer of units of 10^-decimals; further digits are truncated. */
function unitsOf(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}

/** Decimal text of units of 10^-decimals. */
function textOf(units: bigint, decimals: number): string {
  if (decimals === 0) return units.toString()
  const digits = units.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** `count` ticks as decimal text: 10 × "0.01" is "0.1". */
export function stepText(tick: string, count: number): string {
  const decimals = decimalsOf(tick)
  const text = textOf(unitsOf(tick, decimals) * BigInt(count), decimals)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** Price of the row that holds a price: bids go to the step below, asks to the step above. All in the same units. */
function placedAt(price: bigint, side: Side, step: bigint): bigint {
  const below = price - (price % step)
  return side === 'bids' || below === price ? below : below + step
}

/**
 * Rows of one side, best price first. Levels within one step are added up, bids at the step below and asks at the step above, so that no
 * row shows a better price than the book has. Sums are exact. Levels that are not plain decimals are ignored.
 */
export function bookRows(levels: readonly DepthLevel[], side: Side, tick: string, count: number, rowsMax: number): BookRow[] {
  const tickDecimals = decimalsOf(tick)
  const sound = levels.filter(([price, size]) => plain.test(price) && plain.test(size))
  const priceDecimals = sound.reduce((most, [price]) => Math.max(most, decimalsOf(price)), tickDecimals)
  const sizeDecimals = sound.reduce((most, [, size]) => Math.max(most, decimalsOf(size)), 0)
  const step = unitsOf(tick, priceDecimals) * BigInt(count)
  if (step <= 0n) return []

  const gathered: { price: bigint; size: bigint }[] = []
  for (const [priceText, sizeText] of sound) {
    const price = unitsOf(priceText, priceDecimals)
    const at = placedAt(price, side, step)
    const size = unitsOf(sizeText, sizeDecimals)
    const last = gathered.at(-1)
    if (last?.price === at) last.size += size
    else if (gathered.length === rowsMax) break
    else gathered.push({ price: at, size })
  }

  let total = 0n
  const deepest = gathered.reduce((sum, row) => sum + row.size, 0n)
  return gathered.map(({ price, size }) => {
    total += size
    return {
      price: textOf(price, priceDecimals),
      size: textOf(size, sizeDecimals),
      total: textOf(total, sizeDecimals),
      share: deepest === 0n ? 0 : Number((total * 1_000n) / deepest) / 1_000,
    }
  })
}

export interface OwnOrder {
  price: string | null
  side: 'buy' | 'sell'
}

/** Indexes of the rows of one side in which orders of the customer lie. Orders without a price, and those beyond the rows, are in none. */
export function ownRows(rows: readonly BookRow[], own: readonly OwnOrder[], side: Side, tick: string, count: number): ReadonlySet<number> {
  const wanted = side === 'bids' ? 'buy' : 'sell'
  const prices = own.flatMap((one) => (one.side === wanted && one.price !== null && plain.test(one.price) ? one.price : []))
  const decimals = [tick, ...prices, ...rows.map((row) => row.price)].reduce((most, text) => Math.max(most, decimalsOf(text)), 0)
  const step = unitsOf(tick, decimals) * BigInt(count)
  if (step <= 0n) return new Set()
  const places = new Set(prices.map((text) => placedAt(unitsOf(text, decimals), side, step)))
  return new Set(rows.flatMap((row, index) => (places.has(unitsOf(row.price, decimals)) ? index : [])))
}

/** Scales the shares of both sides to the deeper side, so that their bars are comparable. */
export function balance(bids: readonly BookRow[], asks: readonly BookRow[]): { bids: number; asks: number } {
  const depth = (rows: readonly BookRow[]) => Number(rows.at(-1)?.total ?? 0)
  const most = Math.max(depth(bids), depth(asks))
  return most === 0 ? { bids: 0, asks: 0 } : { bids: depth(bids) / most, asks: depth(asks) / most }
}

export interface Spread {
  /** Best ask minus best bid, exact; negative when the book is crossed. */
  amount: string
  /** Ratio to the mid price; "0.0001" is 0.01 %. */
  ratio: string
}

/** Spread of the best prices; undefined while a side is empty. */
export function spreadOf(bids: readonly DepthLevel[], asks: readonly DepthLevel[]): Spread | undefined {
  const bid = bids[0]?.[0]
  const ask = asks[0]?.[0]
  if (bid === undefined || ask === undefined || !plain.test(bid) || !plain.test(ask)) return undefined
  const decimals = Math.max(decimalsOf(bid), decimalsOf(ask))
  const low = unitsOf(bid, decimals)
  const high = unitsOf(ask, decimals)
  const gap = high - low
  const amount = gap < 0n ? `-${textOf(-gap, decimals)}` : textOf(gap, decimals)
  const twice = low + high
  const millionths = twice === 0n ? 0n : (gap * 2_000_000n) / twice
  const ratio = millionths < 0n ? `-${textOf(-millionths, 6)}` : textOf(millionths, 6)
  return { amount, ratio }
}

/** Decimals of displayed sizes: more for expensive instruments. Never more than the sizes have. */
export function sizeDecimals(price: string | undefined, levels: readonly DepthLevel[]): number {
  const most = levels.reduce((max, [, size]) => Math.max(max, decimalsOf(size)), 0)
  const value = Number(price)
  return Math.min(most, value >= 1_000 ? 4 : value >= 1 ? 2 : 0)
}
