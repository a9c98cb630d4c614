import type { Period } from '#contract/calls/market.calls.ts'

interface PeriodKind {
  id: Period
  unit: 'minute' | 'hour' | 'day' | 'week' | 'month'
  count: number
}

/** The nine periods, shortest first. */
export const periodKinds: readonly PeriodKind[] = [
  { id: '1m', unit: 'minute', count: 1 },
  { id: '5m', unit: 'minute', count: 5 },
  { id: '15m', unit: 'minute', count: 15 },
  { id: '30m', unit: 'minute', count: 30 },
  { id: '1h', unit: 'hour', count: 1 },
  { id: '4h', unit: 'hour', count: 4 },
  { id: '1d', unit: 'day', count: 1 },
  { id: '1w', unit: 'week', count: 1 },
  { id: '1M', unit: 'month', count: 1 },
]

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000, month: 0 }

const kindOf = (period: Period): PeriodKind => periodKinds.find(({ id }) => id === period)!

/** Start of the candle after the one that starts at `startMs`; months are calendar months in UTC. */
export function nextStart(startMs: number, period: Period): number {
  const { unit, count } = kindOf(period)
  if (unit !== 'month') return startMs + unitMs[unit] * count
  const start = new Date(startMs)
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + count, 1)
}

/** Candles shorter than a day are labelled in local time, longer ones by their UTC day. */
export function isIntraday(period: Period): boolean {
  const { unit } = kindOf(period)
  return unit === 'minute' || unit === 'hour'
}

/** Readable length of a period: "15 minutes". */
export function periodWords(period: Period, tag: string): string {
  const { unit, count } = kindOf(period)
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
