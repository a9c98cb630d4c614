import { addTick, type Bar, barOf, type LiveBar } from '#api-server/market/bars/bars.rules.ts'
import { bucketStart } from '#api-server/market/bars/periods.rules.ts'

/** All figures in units. `open` is the first price of the window. */
export interface DayStats {
  open: number
  high: number
  low: number
  volume: number
}

const bucketMs = 300_000
const bucketsKept = 288

/**
 * Rolling statistics of 24 hours from 5-minute buckets. The window moves in steps of 5 minutes, so it covers 23 h 55 min to 24 h.
 * The cost of a tick does not depend on the content of the window.
 */
export interface DayWindow {
  /** Ticks may come in any order: each counts in the bucket of its time. */
  add(time: number, price: number, volume: number): void
  /** Statistics of the 24 hours before `now`, without what bears a later time; undefined before the first price. */
  at(now: number): DayStats | undefined
}

/** @param past 5-minute bars of the last 24 hours, oldest first */
export function createDayWindow(past: readonly Bar[]): DayWindow {
  /** Sorted by time. */
  const bars: LiveBar[] = past
    .slice(-bucketsKept)
    // All but the newest are closed: a late tick is taken for one from the middle.
    .map((bar, i, all) => ({ ...bar, firstAt: undefined, lastAt: i < all.length - 1 ? Number.POSITIVE_INFINITY : bar.time }))
  /** The newest bar that has left the window. */
  let left: Bar | undefined
  /** Cached sums over the first `count` bars; undefined when they must be computed again. */
  let sums: { count: number; value: DayStats } | undefined

  function evict(from: number): void {
    while (bars[0] && bars[0].time < from) {
      const bar = bars.shift()!
      if (!left || bar.time > left.time) left = bar
      sums = undefined
    }
  }

  function sumOf(count: number): DayStats {
    if (sums?.count === count) return sums.value
    const value = { open: bars[0]!.open, high: 0, low: Number.POSITIVE_INFINITY, volume: 0 }
    for (const bar of bars.slice(0, count)) {
      value.high = Math.max(value.high, bar.high)
      value.low = Math.min(value.low, bar.low)
      value.volume += bar.volume
    }
    sums = { count, value }
    return value
  }

  return {
    add(time, price, volume) {
      const start = bucketStart('5m', time)
      let at = bars.length
      while (at > 0 && bars[at - 1]!.time > start) at--
      if (at < bars.length) sums = undefined
      const bar = bars[at - 1]
      if (bar?.time === start) addTick(bar, { time, price, size: volume })
      else bars.splice(at, 0, { ...barOf(start, price, volume), firstAt: time, lastAt: time })
    },
    at(now) {
      const start = bucketStart('5m', now)
      evict(start - (bucketsKept - 1) * bucketMs)
      let end = bars.length
      while (end > 0 && bars[end - 1]!.time > start) end--
      const newest = bars[end - 1]
      if (!newest) return left && { open: left.close, high: left.close, low: left.close, volume: 0 }
      if (end === 1) return { open: newest.open, high: newest.high, low: newest.low, volume: newest.volume }
      const before = sumOf(end - 1)
      return {
        open: before.open,
        high: Math.max(before.high, newest.high),
        low: Math.min(before.low, newest.low),
        volume: before.volume + newest.volume,
      }
    },
  }
}
