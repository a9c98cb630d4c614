export interface TimeTick {
  at: number
  /** The unit of its label: the time, the day, the month or the year. */
  says: 'time' | 'day' | 'month' | 'year'
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

type Unit = 'minute' | 'hour' | 'day' | 'month' | 'year'
const steps: readonly [unit: Unit, count: number, ms: number][] = [
  ['minute', 1, minute],
  ['minute', 5, 5 * minute],
  ['minute', 15, 15 * minute],
  ['minute', 30, 30 * minute],
  ['hour', 1, hour],
  ['hour', 3, 3 * hour],
  ['hour', 6, 6 * hour],
  ['hour', 12, 12 * hour],
  ['day', 1, day],
  ['day', 2, 2 * day],
  ['day', 7, 7 * day],
  ['day', 14, 14 * day],
  ['month', 1, 30.4 * day],
  ['month', 3, 91 * day],
  ['month', 6, 183 * day],
  ['year', 1, 365 * day],
  ['year', 2, 730 * day],
  ['year', 5, 1_826 * day],
  ['year', 10, 3_653 * day],
]
/** Gives a month its weeks, half a year its months, and five years single years. */
const ticksMax = 5.5

/** The n-th time of a step, in local time, from the start of the unit around `from`. */
function momentOf(from: Date, unit: Unit, count: number, n: number): number {
  const [year, month, date] = [from.getFullYear(), from.getMonth(), from.getDate()]
  switch (unit) {
    case 'minute':
      // From the moment itself: the local time of an hour that comes twice names its first minutes only.
      return Math.floor(from.getTime() / minute) * minute - from.getMinutes() * minute + n * count * minute
    case 'hour':
      return new Date(year, month, date, n * count).getTime()
    case 'day':
      return new Date(year, month, date + n * count).getTime()
    case 'month':
      return new Date(year, Math.floor(month / count) * count + n * count, 1).getTime()
    case 'year':
      return new Date((Math.floor(year / count) + n) * count, 0, 1).getTime()
  }
}

function says(at: number, unit: Unit): TimeTick['says'] {
  const date = new Date(at)
  if (unit === 'minute' || unit === 'hour') return date.getHours() === 0 && date.getMinutes() === 0 ? 'day' : 'time'
  if (unit === 'day') return 'day'
  return unit === 'month' && date.getMonth() > 0 ? 'month' : 'year'
}

/** At most six round times from `from` to `to`, both in ms. */
export function timeTicks(from: number, to: number): TimeTick[] {
  const [unit, count] = steps.find(([, , ms]) => (to - from) / ms <= ticksMax) ?? steps.at(-1)!
  const ticks: TimeTick[] = []
  const begin = new Date(from)
  for (let n = 0; ; n++) {
    const at = momentOf(begin, unit, count, n)
    if (at > to) return ticks
    // The local time that a change of clocks leaves out is that of the next step.
    if (at >= from && at !== ticks.at(-1)?.at) ticks.push({ at, says: says(at, unit) })
  }
}

/** Whether times are shown to the minute: when all lie within three days; otherwise by day. */
export const hasMinutes = (from: number, to: number) => to - from <= 3 * day
