const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Relative time up to a week, then the date. @param at ms since 1970 @param tag language for Intl */
export function when(at: number, tag: string, now = Date.now()): string {
  const away = at - now
  const size = Math.abs(away)
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'short' })
  if (size < minuteMs) return relative.format(0, 'minute')
  if (size < hourMs) return relative.format(Math.round(away / minuteMs), 'minute')
  if (size < dayMs) return relative.format(Math.round(away / hourMs), 'hour')
  if (size < 7 * dayMs) return relative.format(Math.round(away / dayMs), 'day')
  return new Intl.DateTimeFormat(tag, { dateStyle: 'medium' }).format(at)
}

/** Date and time in the operator's time zone. */
export const exactly = (at: number, tag: string): string =>
  new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' }).format(at)

/**
 * The moment that a `datetime-local` input names in the operator's time zone.
 * @param text `2027-03-28T02:30`
 * @returns NaN for no time. `skipped`: clocks go forward over it, so no clock ever shows it; `at` is then as much later
 */
export function momentOf(text: string): { at: number; skipped: boolean } {
  const date = new Date(text)
  const two = (part: number) => String(part).padStart(2, '0')
  return {
    at: date.getTime(),
    skipped: !Number.isNaN(date.getTime()) && text.slice(11, 16) !== `${two(date.getHours())}:${two(date.getMinutes())}`,
  }
}

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** `Chrome, Linux` for a user agent; the start of the text for an unknown one. */
export function agentName(agent: string): string {
  const names = [browsers, systems].map((list) => list.find(([mark]) => agent.includes(mark))?.[1]).filter(Boolean)
  return names.join(', ') || agent.slice(0, 60) || '?'
}
