import type { TermChange } from '#api-server/kit/terms.rules.ts'
import { dateAt, isPast } from '#api-server/trading/hours.rules.ts'
import { type calendarFaults, calendarFields, type SessionTimes, type TradingCalendar, tradingCalendar } from '#contract/trading.ts'

/** Trading hours as an operator types and reads them. */

type CalendarField = (typeof calendarFields)[number]
export type TypedCalendar = Record<CalendarField, string>

export interface WrongCalendar {
  wrong: CalendarField
  why: (typeof calendarFaults)[number]
}

const dayRange = /^([1-7])(?:-([1-7]))?$/
const dateText = /^\d{4}-\d\d-\d\d$/
const entriesOf = (text: string) =>
  text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
/** `1-5 09:30-16:00`, `2026-11-27 09:30-13:00` */
function partsOf(entry: string): SessionTimes & { on: string } {
  const [on = '', times = '', ...more] = entry.split(/\s+/)
  const [from = '', to = ''] = more.length ? [] : times.split('-')
  return { on, from, to }
}
const byTime = (a: SessionTimes, b: SessionTimes) => (a.from < b.from ? -1 : 1)
/** Sessions that touch count as one; those that overlap are taken for a typing mistake. */
const overlap = (sessions: readonly SessionTimes[]) =>
  [...sessions].sort(byTime).some((session, at, sorted) => at > 0 && session.from < sorted[at - 1]!.to)

/** `1-5 09:30-12:00, 1-5 13:00-16:00` @returns undefined for what is no row of sessions */
function readSessions(text: string): TradingCalendar['sessions'] | undefined {
  const sessions = entriesOf(text).map((entry) => {
    const { on, from, to } = partsOf(entry)
    const range = dayRange.exec(on)
    if (!range || !(from < to)) return undefined
    const [first, last] = [Number(range[1]), Number(range[2] ?? range[1])]
    return Array.from({ length: last - first + 1 }, (_, i) => ({ day: first + i, from, to }))
  })
  return sessions.some((one) => !one?.length) ? undefined : sessions.flatMap((one) => one!)
}

/** As `readSessions` reads it. */
function sessionsText(sessions: TradingCalendar['sessions']): string {
  const daysOf = new Map<string, number[]>()
  for (const { day, from, to } of sessions) daysOf.set(`${from}-${to}`, [...(daysOf.get(`${from}-${to}`) ?? []), day])
  return [...daysOf]
    .flatMap(([times, days]) => {
      const sorted = [...days].sort((a, b) => a - b)
      const isRow = sorted.every((day, at) => at === 0 || day === sorted[at - 1]! + 1)
      return isRow && sorted.length > 1 ? [`${sorted[0]}-${sorted.at(-1)} ${times}`] : sorted.map((day) => `${day} ${times}`)
    })
    .join(', ')
}

/** `2026-11-27 09:30-13:00`; a date may come more than once, with a session each. @returns undefined for what is no row of days */
function readDays(text: string): TradingCalendar['days'] | undefined {
  const found = new Map<string, SessionTimes[]>()
  for (const entry of entriesOf(text)) {
    const { on, from, to } = partsOf(entry)
    if (!dateText.test(on) || !(from < to)) return undefined
    found.set(on, [...(found.get(on) ?? []), { from, to }])
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([date, sessions]) => ({ date, sessions: sessions.sort(byTime) }))
}

const entriesOfDay = ({ date, sessions }: TradingCalendar['days'][number]) => sessions.map(({ from, to }) => `${date} ${from}-${to}`)

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** @returns the calendar, undefined for a group that is traded at all times, or what is wrong with it */
export function readCalendar(typed: TypedCalendar): { calendar: TradingCalendar | undefined } | WrongCalendar {
  const zone = typed.zone.trim()
  if (!zone) return { calendar: undefined }
  if (!isZone(zone)) return { wrong: 'zone', why: 'unreadable' }
  const [sessions, days] = [readSessions(typed.sessions), readDays(typed.days)]
  if (!sessions?.length) return { wrong: 'sessions', why: 'unreadable' }
  if (!days) return { wrong: 'days', why: 'unreadable' }
  const holidays = typed.holidays
    .split(/[\s,]+/)
    .filter(Boolean)
    .sort()
  const found = tradingCalendar.safeParse({ zone, sessions, holidays, days })
  if (!found.success) {
    const [name] = found.error.issues[0]?.path ?? []
    return { wrong: calendarFields.find((field) => field === name) ?? 'sessions', why: 'unreadable' }
  }
  const onDay = (day: number) => sessions.filter((session) => session.day === day)
  if ([1, 2, 3, 4, 5, 6, 7].some((day) => overlap(onDay(day)))) return { wrong: 'sessions', why: 'overlap' }
  if (new Set(holidays).size < holidays.length) return { wrong: 'holidays', why: 'twice' }
  for (const { date, sessions: own } of days) {
    if (overlap(own)) return { wrong: 'days', why: 'overlap' }
    if (holidays.includes(date)) return { wrong: 'days', why: 'twice' }
    const [usual] = onDay(new Date(date).getUTCDay() || 7).sort(byTime)
    // A typing error such as 03:00 for 13:00 would close a day that is to be traded.
    if (usual && own.at(-1)!.to <= usual.from) return { wrong: 'days', why: 'early' }
  }
  return { calendar: found.data }
}

/**
 * The field with a day that is over and that the calendar in force does not have. Past days stay as they were traded: a proposal may leave
 * them out, but neither add nor change them.
 */
export function pastIn(before: TradingCalendar | undefined, after: TradingCalendar | undefined, at: number): WrongCalendar | undefined {
  if (!after) return undefined
  const today = dateAt(after.zone, at)
  if (after.holidays.some((date) => date < today && !before?.holidays.includes(date))) return { wrong: 'holidays', why: 'past' }
  const known = new Set(before?.days.map((day) => entriesOfDay(day).join()))
  const isOver = ({ date, sessions }: TradingCalendar['days'][number]) => isPast(after.zone, date, sessions.at(-1)!.to, at)
  return after.days.some((day) => isOver(day) && !known.has(entriesOfDay(day).join())) ? { wrong: 'days', why: 'past' } : undefined
}

/** As `readCalendar` reads it; empty texts for a group that is traded at all times. */
export function calendarText(calendar: TradingCalendar | undefined): TypedCalendar {
  if (!calendar) return { zone: '', sessions: '', holidays: '', days: '' }
  const { zone, sessions, holidays, days } = calendar
  return { zone, sessions: sessionsText(sessions), holidays: holidays.join(', '), days: days.flatMap(entriesOfDay).join(', ') }
}

/** Returns the differences between two versions; of dates only those that go and those that come. */
export function calendarChanges(before: TradingCalendar | undefined, after: TradingCalendar | undefined): TermChange[] {
  const [old, now] = [calendarText(before), calendarText(after)]
  return calendarFields.flatMap((name) => {
    const [gone, come] = [entriesOf(old[name]), entriesOf(now[name])]
    const isRow = name === 'holidays' || name === 'days'
    const shown = isRow ? come.filter((one) => !gone.includes(one)).join(', ') : now[name]
    const was = isRow ? gone.filter((one) => !come.includes(one)).join(', ') : old[name]
    return shown === was ? [] : [{ name, value: now[name], shown, choice: '', before: was }]
  })
}
