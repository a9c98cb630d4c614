import Big from 'big.js'
import type { DepthLevel } from '#contract/feed.ts'

export type Side = 'bids' | 'asks'

/** Total size between the mid price and this price, as exact text. */
export interface DepthPoint {
  side: Side
  price: string
  total: string
}

export interface DepthPicture {
  /** Best price first. */
  bids: readonly DepthPoint[]
  asks: readonly DepthPoint[]
  /** Exact mid price, and the ends of the axis. The wider side determines both ends, so that the mid price is in the centre. */
  mid: string
  low: string
  high: string
  /** Total of the larger side. */
  most: string
}

function gather(levels: readonly DepthLevel[], side: Side): DepthPoint[] {
  let total = new Big(0)
  return levels.map(([price, size]) => {
    total = total.plus(size)
    return { side, price, total: total.toFixed() }
  })
}

/** Margin beyond the farthest level, so that its step is visible. */
const room = '1.05'

/** Data of the chart; undefined while a side is empty. @param levels best price first */
export function depthPicture(bidLevels: readonly DepthLevel[], askLevels: readonly DepthLevel[]): DepthPicture | undefined {
  const bids = gather(bidLevels, 'bids')
  const asks = gather(askLevels, 'asks')
  const [bestBid, bestAsk, lastBid, lastAsk] = [bids[0], asks[0], bids.at(-1), asks.at(-1)]
  if (!bestBid || !bestAsk || !lastBid || !lastAsk) return undefined
  const mid = new Big(bestBid.price).plus(bestAsk.price).div(2)
  const below = mid.minus(lastBid.price)
  const above = new Big(lastAsk.price).minus(mid)
  const reach = (below.gt(above) ? below : above).times(room)
  return {
    bids,
    asks,
    mid: mid.toFixed(),
    low: mid.minus(reach).toFixed(),
    high: mid.plus(reach).toFixed(),
    most: new Big(lastBid.total).gt(lastAsk.total) ? lastBid.total : lastAsk.total,
  }
}

/** Position of a price on the axis, 0 to 1. */
export function placeOf(picture: DepthPicture, price: string): number {
  const low = Number(picture.low)
  const width = Number(picture.high) - low
  return width === 0 ? 0.5 : Math.min(1, Math.max(0, (Number(price) - low) / width))
}

/** Height of a total, 0 to 1; one tenth stays free above the larger side. */
export function heightOf(picture: DepthPicture, total: string): number {
  const most = Number(picture.most)
  return most === 0 ? 0 : (Number(total) / most) * 0.9
}

/**
 * Path of one side's steps from the middle outwards, in a box of the given size; the end extends to the edge. `closed` closes it along the
 * bottom.
 */
export function stairs(picture: DepthPicture, side: Side, width: number, height: number, closed: boolean): string {
  const points = picture[side]
  const x = (price: string) => round(placeOf(picture, price) * width)
  const y = (total: string) => round(height * (1 - heightOf(picture, total)))
  const first = points[0]
  const last = points.at(-1)
  if (!first || !last) return ''
  let path = `M${x(first.price)} ${height}`
  for (const point of points) path += `H${x(point.price)}V${y(point.total)}`
  path += `H${side === 'bids' ? 0 : width}`
  return closed ? `${path}V${height}Z` : path
}

/** Points from left to right, in the order of the arrow keys. */
export function walk(picture: DepthPicture): readonly DepthPoint[] {
  return [...picture.bids].reverse().concat(picture.asks)
}

/** Index of the point at a position of the axis: the total between the middle and that position. */
export function pointAt(picture: DepthPicture, place: number): number {
  const { bids, asks } = picture
  if (place < 0.5) {
    let i = 0
    while (i + 1 < bids.length && placeOf(picture, bids[i + 1]!.price) >= place) i++
    return bids.length - 1 - i
  }
  let i = 0
  while (i + 1 < asks.length && placeOf(picture, asks[i + 1]!.price) <= place) i++
  return bids.length + i
}

/** Distance from the mid price as a ratio; "-0.01" is 1 % below. */
export function distanceOf(picture: DepthPicture, price: string): string {
  const mid = new Big(picture.mid)
  return mid.eq(0) ? '0' : new Big(price).minus(mid).div(mid).round(6).toFixed()
}

const round = (n: number) => Math.round(n * 10) / 10
