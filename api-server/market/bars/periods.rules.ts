import { type Period, periods } from '#contract/calls/market.calls.ts'

/** Arithmetic of candle buckets. All times are UTC, so daylight saving never moves a boundary. */

const minuteMs = 60_000
const dayMs = 86_400_000
/** 1970-01-05, the first Monday after the epoch. */
const firstMondayMs = 4 * dayMs

const fixedMs = {
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '30m': 30 * minuteMs,
  '1h': 60 * minuteMs,
  '4h': 240 * minuteMs,
  '1d': dayMs,
  '1w': 7 * dayMs,
} as const

/** The finer period whose candles make up a candle of this period; 1m has none. */
export const finerOf: Readonly<Partial<Record<Period, Period>>> = {
  '5m': '1m',
  '15m': '5m',
  '30m': '15m',
  '1h': '30m',
  '4h': '1h',
  '1d': '4h',
  '1w': '1d',
  '1M': '1d',
}

/** Periods from fine to coarse, so that each can be computed from the ones before it. */
export const fineToCoarse: readonly Period[] = periods

/** Start of the bucket that holds `time` (ms UTC). */
export function bucketStart(period: Period, time: number): number {
  if (period === '1M') {
    const date = new Date(time)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  }
  if (period === '1w') return Math.floor((time - firstMondayMs) / fixedMs['1w']) * fixedMs['1w'] + firstMondayMs
  return Math.floor(time / fixedMs[period]) * fixedMs[period]
}

/** First millisecond after the bucket that begins at `start`. */
export function bucketEnd(period: Period, start: number): number {
  if (period !== '1M') return start + fixedMs[period]
  const date = new Date(start)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

/** Start of the bucket `count` buckets before the one that begins at `start`. */
export function bucketBefore(period: Period, start: number, count: number): number {
  if (period !== '1M') return start - count * fixedMs[period]
  const date = new Date(start)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count, 1)
}
