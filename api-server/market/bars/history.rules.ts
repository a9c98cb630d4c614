import { type Bar, joinBars } from '#api-server/market/bars/bars.rules.ts'
import { bucketEnd, bucketStart, finerOf } from '#api-server/market/bars/periods.rules.ts'
import { gauss, hash32, uniform } from '#api-server/market/sources/noise.rules.ts'
import type { Period } from '#contract/calls/market.calls.ts'

/**
 * The simulated past as a pure function of key and time. Nothing is stored, and any candle can be computed alone. A day's candle is drawn
 * first. Each candle is then divided into finer candles that start at its open, end at its close, reach its high and low without leaving
 * them, and whose volumes add up to its volume. Candles of all periods therefore agree exactly.
 */
export interface HistoryParameters {
  /** Result of `keyOf(symbol, seed)`. */
  key: number
  /** Mean price of the past, in ticks. */
  basePrice: number
  /** Standard deviation of a day's change, as a ratio. */
  dayVolatility: number
  /** Average volume of a day, in units. */
  dayVolume: number
  /** Size of the price step, in units. */
  tickUnits: number
}

const dayMs = 86_400_000
/**
 * Number of octaves of the slow movement, in powers of two of a day: up to about four months, so that the past stays near its base price.
 */
const slowScales = 8
const brownianRange = 1.6
const cachedSplitsMax = 1_500
const parts: Partial<Record<Period, number>> = { '1d': 6, '4h': 4, '1h': 2, '30m': 2, '15m': 3, '5m': 5 }
const coarserOf: Partial<Record<Period, Period>> = { '4h': '1d', '1h': '4h', '30m': '1h', '15m': '30m', '5m': '15m', '1m': '5m' }
const lane = { slow: 1, range: 2, tilt: 3, volume: 4, path: 5, wick: 6, share: 7 } as const

/** Price at 00:00 UTC of a day, in ticks. */
function dayLevel(p: HistoryParameters, day: number): number {
  let x = 0
  for (let scale = 0; scale < slowScales; scale++) {
    const span = 2 ** scale
    const knot = Math.floor(day / span)
    const between = day / span - knot
    const key = hash32(p.key, lane.slow, scale)
    x += Math.sqrt(span) * (gauss(key, knot) * (1 - between) + gauss(key, knot + 1) * between)
  }
  return Math.max(2, Math.round(p.basePrice * Math.exp(0.5 * p.dayVolatility * x)))
}

function dayBar(p: HistoryParameters, time: number): Bar {
  const day = Math.floor(time / dayMs)
  const open = dayLevel(p, day)
  const close = dayLevel(p, day + 1)
  const move = Math.abs(close - open)
  const range = open * p.dayVolatility * (0.9 + 0.6 * Math.abs(gauss(p.key, lane.range, day)))
  const beyond = Math.max(0, range - move)
  const tilt = uniform(p.key, lane.tilt, day)
  const busy = 0.6 + 0.5 * uniform(p.key, lane.volume, day) + Math.min(1.5, move / (open * p.dayVolatility)) * 0.4
  return {
    time,
    open,
    close,
    high: Math.max(open, close) + Math.round(beyond * tilt),
    low: Math.max(1, Math.min(open, close) - Math.round(beyond * (1 - tilt))),
    volume: Math.max(0, Math.round(p.dayVolume * busy)),
  }
}

/** Prices at the boundaries of the parts: a walk from open to close that stays within the candle. */
function borders(bar: Bar, count: number, key: number): number[] {
  const step = (bar.high - bar.low) / brownianRange / Math.sqrt(count)
  const points = [bar.open]
  let at = bar.open
  for (let i = 1; i < count; i++) {
    const left = count - i + 1
    at += (bar.close - at) / left + step * Math.sqrt((left - 1) / left) * gauss(key, lane.path, i)
    if (at > bar.high) at = Math.max(bar.low, 2 * bar.high - at)
    if (at < bar.low) at = Math.min(bar.high, 2 * bar.low - at)
    points.push(Math.round(at))
  }
  points.push(bar.close)
  return points
}

function split(p: HistoryParameters, period: Period, bar: Bar): Bar[] {
  const finer = finerOf[period]!
  const count = parts[period]!
  const key = hash32(p.key, count, bar.time)
  const points = borders(bar, count, key)
  const usual = (bar.high - bar.low) / Math.sqrt(count)
  const shares = Array.from({ length: count }, (_, i) => 0.4 + uniform(key, lane.share, i))
  const whole = shares.reduce((a, b) => a + b, 0)
  let volumeLeft = bar.volume
  let time = bar.time
  const out: Bar[] = []
  for (let i = 0; i < count; i++) {
    const open = points[i]!
    const close = points[i + 1]!
    const beyond = Math.max(0, usual * (0.6 + 0.7 * uniform(key, lane.wick, i)) - Math.abs(close - open))
    const up = Math.round(beyond * uniform(key, lane.wick, i + count))
    const volume = i === count - 1 ? volumeLeft : Math.min(volumeLeft, Math.floor((bar.volume * shares[i]!) / whole))
    volumeLeft -= volume
    const high = Math.min(bar.high, Math.max(open, close) + up)
    const low = Math.max(bar.low, Math.min(open, close) - Math.round(beyond) + up)
    out.push({ time, open, close, high, low: Math.min(low, open, close), volume })
    time = bucketEnd(finer, time)
  }
  // The part with the highest price gets the candle's high, the part with the lowest price its low.
  const top = out.reduce((best, part) => (Math.max(part.open, part.close) > Math.max(best.open, best.close) ? part : best))
  const bottom = out.reduce((best, part) => (Math.min(part.open, part.close) < Math.min(best.open, best.close) ? part : best))
  top.high = bar.high
  bottom.low = bar.low
  return out
}

export interface History {
  /** Bars in units that start in [from, to), oldest first. Trades at or after `end` are not included. */
  bars(period: Period, from: number, to: number, end: number): Bar[]
  /** Price in units at `time`, which must be a whole minute. */
  priceAt(time: number): number
}

export function createHistory(p: HistoryParameters): History {
  const splits = new Map<string, Bar[]>()

  function inTicks(period: Period, start: number): Bar {
    const coarser = coarserOf[period]
    if (!coarser) return dayBar(p, start)
    const parentStart = bucketStart(coarser, start)
    const name = `${coarser}${parentStart}`
    let children = splits.get(name)
    if (!children) {
      children = split(p, coarser, inTicks(coarser, parentStart))
      if (splits.size >= cachedSplitsMax) splits.clear()
      splits.set(name, children)
    }
    return children[Math.round((start - parentStart) / (bucketEnd(period, start) - start))]!
  }

  /** The bar that starts at `start`, cut off at `end`; undefined when it starts at or after `end`. */
  function cut(period: Period, start: number, end: number): Bar | undefined {
    if (start >= end) return undefined
    const finer = finerOf[period]
    const stop = bucketEnd(period, start)
    const summed = period === '1w' || period === '1M'
    if (!summed && (stop <= end || !finer)) return inTicks(period, start)
    const found: Bar[] = []
    for (let at = start; at < stop && at < end; at = bucketEnd(finer!, at)) {
      const part = cut(finer!, at, end)
      if (part) found.push(part)
    }
    return joinBars(start, found)
  }

  const inUnits = (bar: Bar): Bar => ({
    ...bar,
    open: bar.open * p.tickUnits,
    high: bar.high * p.tickUnits,
    low: bar.low * p.tickUnits,
    close: bar.close * p.tickUnits,
  })

  return {
    bars(period, from, to, end) {
      const out: Bar[] = []
      const first = bucketStart(period, from)
      for (let at = first < from ? bucketEnd(period, first) : first; at < to && at < end; at = bucketEnd(period, at)) {
        const bar = cut(period, at, end)
        if (bar) out.push(inUnits(bar))
      }
      return out
    },
    priceAt: (time) => inTicks('1m', bucketStart('1m', time)).open * p.tickUnits,
  }
}
