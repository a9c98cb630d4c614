import type { SessionTimes, TradingCalendar } from '#contract/trading.ts'

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
/** The longest row of days without a session that is searched. */
const searchedDays = 400

const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
    formats.set(zone, format)
  }
  return format
}

/** Returns the time that the clocks of a zone show at a moment, as if they were those of UTC. */
function shownAt(zone: string, at: number): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  return Date.parse(`${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}Z`)
}

/** @param shown as if it were of UTC */
function localTime(shown: number): LocalTime {
  const date = new Date(shown)
  return { date: date.toISOString().slice(0, 10), day: date.getUTCDay() || 7, minutes: date.getUTCHours() * 60 + date.getUTCMinutes() }
}

/** When the clocks of a zone show a time: twice in the hour that they repeat; of a time that they skip, when they go on. */
function momentsOf(zone: string, shown: number): number[] {
  const around = [shown - dayMs, shown + dayMs].map((at) => shown - (shownAt(zone, at) - at)).sort((a, b) => a - b)
  const exact = around.filter((at) => shownAt(zone, at) === shown)
  if (exact.length) return exact
  let at = around[0]!
  while (shownAt(zone, at) < shown) at += minuteMs
  return [at]
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
/** The date that the clocks of a zone show: 2026-11-24. */
export const dateAt = (zone: string, at: number): string => localTime(shownAt(zone, at)).date
/** True once the clocks of a zone have passed a time of a day. */
export const isPast = (zone: string, date: string, time: string, at: number): boolean => {
  const now = localTime(shownAt(zone, at))
  return date < now.date || (date === now.date && minutesOf(time) <= now.minutes)
}

/** A day with hours of its own has those alone. */
function sessionsOn({ sessions, holidays, days }: TradingCalendar, { date, day }: LocalTime): SessionTimes[] {
  if (holidays.includes(date)) return []
  return days.find((one) => one.date === date)?.sessions ?? sessions.filter((session) => session.day === day)
}

/** True while a session runs: from its first minute on, until the minute of its end. */
export function isOpenAt(calendar: TradingCalendar | undefined, at: number): boolean {
  if (!calendar) return true
  const local = localTime(shownAt(calendar.zone, at))
  return sessionsOn(calendar, local).some(({ from, to }) => local.minutes >= minutesOf(from) && local.minutes < minutesOf(to))
}

/** The next moment at which a session opens or closes, ms UTC; undefined when there is none within the next 400 days. */
export function nextChange(calendar: TradingCalendar | undefined, at: number): { opens: boolean; at: number } | undefined {
  if (!calendar) return undefined
  const isOpen = isOpenAt(calendar, at)
  const shown = shownAt(calendar.zone, at)
  const today = shown - (shown % dayMs)
  // By the dates of the zone: a day of a change of the clocks is not 24 hours long.
  for (let date = today; date <= today + searchedDays * dayMs; date += dayMs) {
    const moments = sessionsOn(calendar, localTime(date))
      .flatMap(({ from, to }) => [minutesOf(from), minutesOf(to)])
      .flatMap((edge) => momentsOf(calendar.zone, date + edge * minuteMs))
      .sort((a, b) => a - b)
    const found = moments.find((moment) => moment > at && isOpenAt(calendar, moment) !== isOpen)
    if (found !== undefined) return { opens: !isOpen, at: found }
  }
  return undefined
}

interface TradingDay {
  /** 2026-11-27, in the zone of the calendar. */
  date: string
  /** 1 is Monday, 7 is Sunday. */
  day: number
  sessions: SessionTimes[]
  /** First opening and last closing, ms UTC. */
  opens: number
  closes: number
  /** It has hours of its own. */
  own: boolean
}

/** The next days with a session that is not over yet, in order; none for a group that is traded at all times. */
export function nextDays(calendar: TradingCalendar | undefined, at: number, count: number): TradingDay[] {
  if (!calendar) return []
  const { zone, days } = calendar
  const found: TradingDay[] = []
  const shown = shownAt(zone, at)
  const today = shown - (shown % dayMs)
  for (let of = today; of <= today + searchedDays * dayMs && found.length < count; of += dayMs) {
    const local = localTime(of)
    const sessions = [...sessionsOn(calendar, local)].sort((a, b) => minutesOf(a.from) - minutesOf(b.from))
    const moment = (time: string) => momentsOf(zone, of + minutesOf(time) * minuteMs)
    const [first, last] = [sessions[0], sessions.at(-1)]
    if (!first || !last) continue
    const [opens, closes] = [moment(first.from)[0]!, moment(last.to).at(-1)!]
    // A session in an hour that the clocks skip has no length.
    if (closes <= at || closes <= opens) continue
    const { date, day } = local
    found.push({
      date,
      day,
      sessions: sessions.map(({ from, to }) => ({ from, to })),
      opens,
      closes,
      own: days.some((one) => one.date === date),
    })
  }
  return found
}

/** Returns the version that was in force at a moment. @param versions oldest first */
export function inForceAt<T extends { at: number }>(versions: readonly T[], at: number): T | undefined {
  return versions.findLast((version) => version.at <= at)
}

/** From its first moment on, until the moment of its end. */
export function isHaltedAt(halts: readonly { at: number; ended_at: number | null }[], at: number): boolean {
  return halts.some((halt) => halt.at <= at && (halt.ended_at === null || at < halt.ended_at))
}
