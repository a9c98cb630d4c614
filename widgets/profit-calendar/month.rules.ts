import type { Day } from '#widgets/profit-calendar/profit-calendar.props.ts'

const week = 7
const monday = 1
const dayMs = 86_400_000

/** The month of a time, in UTC. */
export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, week)

const startOf = (month: string): Date => new Date(`${month}-01T00:00:00Z`)

/** The month that lies so many months later; negative: earlier. */
export function monthAfter(month: string, months: number): string {
  const start = startOf(month)
  return monthOf(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months, 1))
}

/** The first day of the week in a language, 1 (Monday) to 7; Monday where the browser does not know. */
export function firstWeekday(tag: string): number {
  const locale = new Intl.Locale(tag) as Intl.Locale & { weekInfo?: { firstDay: number }; getWeekInfo?: () => { firstDay: number } }
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? monday
}

/** Days of a month in weeks; undefined where another month stands. */
export function weeksOf(month: string, firstDay: number): (number | undefined)[][] {
  const start = startOf(month)
  const before = (start.getUTCDay() - (firstDay % week) + week) % week
  const length = (startOf(monthAfter(month, 1)).getTime() - start.getTime()) / dayMs
  const weeks = Math.ceil((before + length) / week)
  return Array.from({ length: weeks }, (_, row) =>
    Array.from({ length: week }, (_, column) => {
      const day = row * week + column - before + 1
      return day >= 1 && day <= length ? day : undefined
    }),
  )
}

export const dateOf = (month: string, day: number): string => `${month}-${String(day).padStart(2, '0')}`

/**
 * Where a key leads in the grid of a month: a day, or a month so many months away. Undefined for a key that means nothing there, and at
 * the first and last day.
 */
export function afterKey(
  key: string,
  day: number,
  weeks: readonly (readonly (number | undefined)[])[],
): { day: number } | { months: number } | undefined {
  const row = weeks.find((days) => days.includes(day))?.filter((each) => each !== undefined) ?? []
  const last = weeks.flat().reduce<number>((most, each) => Math.max(most, each ?? 0), 0)
  const within = (next: number | undefined) => (next !== undefined && next >= 1 && next <= last && next !== day ? { day: next } : undefined)
  switch (key) {
    case 'ArrowLeft':
      return within(day - 1)
    case 'ArrowRight':
      return within(day + 1)
    case 'ArrowUp':
      return within(day - week)
    case 'ArrowDown':
      return within(day + week)
    case 'Home':
      return within(row[0])
    case 'End':
      return within(row.at(-1))
    case 'PageUp':
      return { months: -1 }
    case 'PageDown':
      return { months: 1 }
    default:
      return undefined
  }
}

interface Shade {
  tone: 'up' | 'down' | 'flat'
  /** Size relative to the greatest gain or loss of the month, in [0, 1]; for drawing only. */
  share: number
}

/** Colours of the days, and how many gained and lost. */
export function shadesOf(days: readonly Day[]): { shades: Map<string, Shade>; gains: number; losses: number } {
  const most = Math.max(0, ...days.map(({ result }) => Math.abs(Number(result))))
  const shades = new Map<string, Shade>()
  let [gains, losses] = [0, 0]
  for (const { date, result } of days) {
    const size = Number(result)
    if (size > 0) gains++
    if (size < 0) losses++
    shades.set(date, { tone: size > 0 ? 'up' : size < 0 ? 'down' : 'flat', share: most > 0 ? Math.abs(size) / most : 0 })
  }
  return { shades, gains, losses }
}
