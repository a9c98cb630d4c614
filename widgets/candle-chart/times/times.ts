import { writtenClock, writtenDate } from '#renderer/widget-api.ts'
import { dateFormat } from '#widgets/parts/values/dates.rules.ts'

/** How the time axis is divided and labelled in one language. Axis times are seconds since 1970. */
export interface TimeTexts {
  /** Short label below the axis. @param type of lightweight-charts: 0 year, 1 month, 2 day, 3 and 4 time of day */
  mark(axis: number, type: number): string
  /** Label at the crosshair, written as all times on the page. */
  full(axis: number): string
  /** How great a mark is at this time after that one, as lightweight-charts counts: 70 for another year, 0 within a second. */
  weight(axis: number, before: number): number
}

/** Minutes by which local time is ahead of UTC at a moment, in the zone of the device. */
const zoneOfDevice = (ms: number): number => -new Date(ms).getTimezoneOffset()

const minute = 60
/** Seconds of the spans of a day, the longest first, and how much a mark at the beginning of one weighs. */
const spans: readonly [seconds: number, weight: number][] = [
  [720 * minute, 33],
  [360 * minute, 32],
  [180 * minute, 31],
  [60 * minute, 30],
  [30 * minute, 22],
  [5 * minute, 21],
  [minute, 20],
  [1, 10],
]

/**
 * Candles shorter than a day are divided and labelled by the time that clocks show at that very moment, so also across a change to or from
 * daylight saving time; longer ones by their UTC days. The axis itself counts on, so candles of an hour that comes twice stay in order.
 * @param zoneMinutes minutes by which local time is ahead of UTC at a moment
 */
export function createTimeTexts(tag: string, intraday: boolean, zoneMinutes = zoneOfDevice): TimeTexts {
  const local = (axis: number) => (intraday ? axis + zoneMinutes(axis * 1_000) * minute : axis)
  const writer = (options: Intl.DateTimeFormatOptions) => {
    const format = dateFormat(tag, { ...options, timeZone: 'UTC' })
    return (axis: number) => format.format(local(axis) * 1_000)
  }
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const marks = [writer({ year: 'numeric' }), writer({ month: 'short' }), writer({ month: 'numeric', day: 'numeric' }), writer(clock)]
  return {
    mark: (axis, type) => (marks[type] ?? marks[3]!)(axis),
    full(axis) {
      const ms = local(axis) * 1_000
      return intraday ? `${writtenDate(ms)} ${writtenClock(ms, false)}` : writtenDate(ms)
    },
    weight(axis, before) {
      const [at, last] = [local(axis), local(before)]
      const [date, lastDate] = [new Date(at * 1_000).toISOString(), new Date(last * 1_000).toISOString()]
      if (date.slice(0, 4) !== lastDate.slice(0, 4)) return 70
      if (date.slice(0, 7) !== lastDate.slice(0, 7)) return 60
      if (date.slice(0, 10) !== lastDate.slice(0, 10)) return 50
      return spans.find(([seconds]) => Math.floor(at / seconds) !== Math.floor(last / seconds))?.[1] ?? 0
    },
  }
}
