import { bucketBefore, bucketEnd, bucketStart } from '#api-server/market/bars/periods.rules.ts'
import type { Period } from '#contract/calls/market.calls.ts'

/** A candle in units (see units.rules.ts). `time` is the start of its bucket. */
export interface Bar {
  time: number
  open: number
  high: number
  low: number
  close: number
  volume: number
}

export function barOf(time: number, price: number, volume: number): Bar {
  return { time, open: price, high: price, low: price, close: price, volume }
}

/** A bar that is built from ticks in this process. */
export interface LiveBar extends Bar {
  /** Time of its first tick; undefined where the bar begins with what was stored before. */
  firstAt: number | undefined
  /** Time of its last tick. */
  lastAt: number
  /** Its bucket was closed before the clock was set back, so the table has the first part of it. */
  again?: true
}

/** Updates a bar, in place, with a tick of its bucket; ticks may come in any order. Of equal times the later tick is the last. */
export function addTick(bar: LiveBar, { time, price, size }: { time: number; price: number; size: number }): void {
  const { open, close } = bar
  addPrice(bar, price, size)
  if (time >= bar.lastAt) bar.lastAt = time
  else bar.close = close
  if (bar.firstAt !== undefined && time < bar.firstAt) {
    bar.open = price
    bar.firstAt = time
  } else bar.open = open
}

/** Updates a bar, in place, with a later trade. */
export function addPrice(bar: Bar, price: number, volume: number): void {
  if (price > bar.high) bar.high = price
  if (price < bar.low) bar.low = price
  bar.close = price
  bar.volume += volume
}

/** Merges consecutive bars, oldest first, into one. Undefined for an empty list. */
export function joinBars(time: number, parts: readonly Bar[]): Bar | undefined {
  const first = parts[0]
  if (!first) return undefined
  const bar = { ...first, time }
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i]!
    if (part.high > bar.high) bar.high = part.high
    if (part.low < bar.low) bar.low = part.low
    bar.close = part.close
    bar.volume += part.volume
  }
  return bar
}

/** Merges bars of a finer period into bars of `period`, oldest first. */
export function coarsen(period: Period, fine: readonly Bar[]): Bar[] {
  const out: Bar[] = []
  let from = 0
  while (from < fine.length) {
    const start = bucketStart(period, fine[from]!.time)
    const end = bucketEnd(period, start)
    let to = from + 1
    while (to < fine.length && fine[to]!.time < end) to++
    out.push(joinBars(start, fine.slice(from, to))!)
    from = to
  }
  return out
}

/**
 * Returns the newest `max` bars before `until`, with flat bars without volume in the gaps. For the simulator only, whose market pauses
 * while the server is down. Other sources keep their gaps.
 */
export function fillFlat(period: Period, bars: readonly Bar[], until: number, max: number): Bar[] {
  const out: Bar[] = []
  let at = bars.length - 1
  while (at >= 0 && bars[at]!.time >= until) at--
  for (let start = bucketStart(period, until - 1); at >= 0 && out.length < max; start = bucketBefore(period, start, 1)) {
    const bar = bars[at]!
    if (bar.time >= start) {
      out.push(bar)
      at--
    } else out.push(barOf(start, bar.close, 0))
  }
  return out.reverse()
}
