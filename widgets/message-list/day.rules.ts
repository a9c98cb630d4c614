import { dateFormat } from '#widgets/parts/values/dates.rules.ts'

const dayMs = 86_400_000
/** Number of local days since 1970. */
const dayNumber = (ms: number) => {
  const date = new Date(ms)
  return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / dayMs)
}

/** Readable day: today, yesterday, weekday and date, with the year when it is another one. */
export function dayName(at: number, now: number, tag: string): string {
  const ago = dayNumber(now) - dayNumber(at)
  if (ago === 0 || ago === 1) {
    const word = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(-ago, 'day')
    return word.charAt(0).toLocaleUpperCase(tag) + word.slice(1)
  }
  const year = new Date(at).getFullYear() === new Date(now).getFullYear() ? undefined : 'numeric'
  return dateFormat(tag, { weekday: 'short', day: 'numeric', month: 'short', year }).format(at)
}
