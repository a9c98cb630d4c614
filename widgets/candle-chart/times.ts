import { dateFormat } from '#widgets/parts/figures/dates.rules.ts'

/** Labels of the time axis in one language. Axis times are seconds. */
export interface TimeTexts {
  toAxis(ms: number): number
  toMs(axis: number): number
  /** Short label below the axis. @param type of lightweight-charts: 0 year, 1 month, 2 day, 3 and 4 time of day */
  mark(axis: number, type: number): string
  /** Label at the crosshair. */
  full(axis: number): string
}

/**
 * The axis supports UTC only. For intraday candles all times are shifted by today's offset of the local zone, so that days start at local
 * midnight; a single offset keeps candles in order across a change to or from daylight saving time. Longer candles use UTC days.
 */
export function createTimeTexts(tag: string, intraday: boolean, zoneMinutes = -new Date().getTimezoneOffset()): TimeTexts {
  const shift = intraday ? zoneMinutes * 60 : 0
  const writer = (options: Intl.DateTimeFormatOptions) => {
    const format = dateFormat(tag, { ...options, timeZone: 'UTC' })
    return (axis: number) => format.format(axis * 1_000)
  }
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const marks = [writer({ year: 'numeric' }), writer({ month: 'short' }), writer({ month: 'numeric', day: 'numeric' }), writer(clock)]
  return {
    toAxis: (ms) => Math.floor(ms / 1_000) + shift,
    toMs: (axis) => (axis - shift) * 1_000,
    mark: (axis, type) => (marks[type] ?? marks[3]!)(axis),
    full: writer(intraday ? { month: 'short', day: 'numeric', ...clock } : { year: 'numeric', month: 'short', day: 'numeric' }),
  }
}
