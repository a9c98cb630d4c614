import type { TradingCalendar } from '#contract/trading.ts'

/** Trading hours. Days and times of a calendar are of its own time zone; moments are ms UTC. */

interface LocalTime {
  /** 2026-11-24. */
  date: string
  /** 1 is Monday, 7 is Sunday. */
  day: number
  /** Since midnight. */
  minutes: number
}

const minuteMs = 60_000
const dayMs = 86_400_000
const week = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
/** The longest row of days without a session that is searched. */
const searchedDays = 400

const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', weekday: 'short' },
    })
    formats.set(zone, format)
  }
  return format
}

function localTime(zone: string, at: number): LocalTime {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  return {
    date: `${parts.year}-${parts.month}-${parts.day}`,
    day: week.indexOf(parts.weekday!) + 1,
    minutes: Number(parts.hour) * 60 + Number(parts.minute),
  }
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
const sessionsOn = ({ sessions, holidays }: TradingCalendar, { date, day }: LocalTime) =>
  holidays.includes(date) ? [] : sessions.filter((session) => session.day === day)

/** True while a session runs: from its first minute on, until the minute of its end. */
export function isOpenAt(calendar: TradingCalendar | undefined, at: number): boolean {
  if (!calendar) return true
  const local = localTime(calendar.zone, at)
  return sessionsOn(calendar, local).some(({ from, to }) => local.minutes >= minutesOf(from) && local.minutes < minutesOf(to))
}

/** The next moment at which a session opens or closes, ms UTC; undefined when there is none within the next 400 days. */
export function nextChange(calendar: TradingCalendar | undefined, at: number): { opens: boolean; at: number } | undefined {
  if (!calendar?.sessions.length) return undefined
  const isOpen = isOpenAt(calendar, at)
  const start = Math.floor(at / minuteMs) * minuteMs
  // Days are stepped through at the hour of `at`, so that a change of the clocks never skips one.
  for (let step = 0; step <= searchedDays; step++) {
    const local = localTime(calendar.zone, start + step * dayMs)
    const edges = sessionsOn(calendar, local)
      .flatMap(({ from, to }) => [minutesOf(from), minutesOf(to)])
      .filter((edge) => step > 0 || edge > local.minutes)
      .sort((a, b) => a - b)
    for (const edge of edges) {
      const guess = start + step * dayMs + (edge - local.minutes) * minuteMs
      // Between the two the clocks may have changed; the wall clock decides.
      const off = edge - localTime(calendar.zone, guess).minutes
      const found = guess + (Math.abs(off) <= 120 ? off : 0) * minuteMs
      if (found > at && isOpenAt(calendar, found) !== isOpen) return { opens: !isOpen, at: found }
    }
  }
  return undefined
}

/** What counted at a moment. @param versions oldest first */
export function inForceAt<T extends { at: number }>(versions: readonly T[], at: number): T | undefined {
  return versions.findLast((version) => version.at <= at)
}

/** From its first moment on, until the moment of its end. */
export function isHaltedAt(halts: readonly { at: number; ended_at: number | null }[], at: number): boolean {
  return halts.some((halt) => halt.at <= at && (halt.ended_at === null || at < halt.ended_at))
}
