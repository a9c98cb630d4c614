/** From the beginning of a day to the end of another, ms; null: open. `to` is the beginning of the day after the last one. */
export interface DayRange {
  from: number | null
  to: number | null
}

const iso = /^(\d{4})-(\d\d)-(\d\d)$/
const two = (n: number) => String(n).padStart(2, '0')

/** Where a day begins on this device, ms; undefined for what is no day. @param later whole days after it */
export function dayBegins(text: string, later = 0): number | undefined {
  const [, year, month, day] = iso.exec(text) ?? []
  if (day === undefined) return undefined
  const plain = new Date(Number(year), Number(month) - 1, Number(day))
  if (plain.getMonth() !== Number(month) - 1 || plain.getDate() !== Number(day)) return undefined
  // By the calendar, not by hours: a day of a change of clocks is longer or shorter.
  return new Date(plain.getFullYear(), plain.getMonth(), plain.getDate() + later).getTime()
}

/** The day of a moment on this device, as date inputs write it. */
export function dayOf(ms: number): string {
  const date = new Date(ms)
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** First and last day of a range, "" where it is open. */
export function daysOf({ from, to }: DayRange): { first: string; last: string } {
  return { first: from === null ? '' : dayOf(from), last: to === null ? '' : dayOf(to - 1) }
}

/** Two days as a range; days in the wrong order change places, what is no day is open. */
export function rangeOf(first: string, last: string): DayRange {
  const [early, late] = first !== '' && last !== '' && last < first ? [last, first] : [first, last]
  return { from: dayBegins(early) ?? null, to: dayBegins(late, 1) ?? null }
}
