import { addPrice, type Bar, barOf } from '#api-server/market/bars/bars.rules.ts'
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
  add(time: number, price: number, volume: number): void
  /** Statistics of the 24 hours before `now`; undefined before the first price. */
  at(now: number): DayStats | undefined
}

/** @param past 5-minute bars of the last 24 hours, oldest first */
export function createDayWindow(past: readonly Bar[]): DayWindow {
  const closed: Bar[] = past.slice(-bucketsKept).map((bar) => ({ ...bar }))
  let open = closed.pop()
  /** Cached sums over `closed`; undefined when they must be computed again. */
  let sum: DayStats | undefined
  let lastClose = open?.close

  function closedStats(now: number): DayStats | undefined {
    const from = bucketStart('5m', now) - (bucketsKept - 1) * bucketMs
    while (closed[0] && closed[0].time < from) {
      closed.shift()
      sum = undefined
    }
    if (!sum && closed[0]) {
      sum = { open: closed[0].open, high: 0, low: Number.POSITIVE_INFINITY, volume: 0 }
      for (const bar of closed) {
        sum.high = Math.max(sum.high, bar.high)
        sum.low = Math.min(sum.low, bar.low)
        sum.volume += bar.volume
      }
    }
    return closed[0] ? sum : undefined
  }

  return {
    add(time, price, volume) {
      const start = bucketStart('5m', time)
      lastClose = price
      if (open && start === open.time) addPrice(open, price, volume)
      else {
        // A bucket before the open one appears only when the clock was set back. Later buckets are dropped.
        if (open && start > open.time) closed.push(open)
        else while (closed.at(-1) && closed.at(-1)!.time >= start) closed.pop()
        sum = undefined
        open = barOf(start, price, volume)
      }
    },
    at(now) {
      const before = closedStats(now)
      if (!open || lastClose === undefined) return undefined
      if (open.time < bucketStart('5m', now) - (bucketsKept - 1) * bucketMs)
        return { open: lastClose, high: lastClose, low: lastClose, volume: 0 }
      if (!before) return { open: open.open, high: open.high, low: open.low, volume: open.volume }
      return {
        open: before.open,
        high: Math.max(before.high, open.high),
        low: Math.min(before.low, open.low),
        volume: before.volume + open.volume,
      }
    },
  }
}
