/** A range of days in ms; null for an open end. `to` is the start of the day after the last one. */
export interface DayRange {
  from: number | null
  to: number | null
}

const iso = /^(\d{4})-(\d\d)-(\d\d)$/
const two = (n: number) => String(n).padStart(2, '0')

/** Start of a day on this device, ms; undefined for an invalid date. @param later number of days to add */
export function dayBegins(text: string, later = 0): number | undefined {
  const [, year, month, day] = iso.exec(text) ?? []
  if (day === undefined) return undefined
  const plain = new Date(Number(year), Number(month) - 1, Number(day))
  if (plain.getMonth() !== Number(month) - 1 || plain.getDate() !== Number(day)) return undefined
  // Calendar days, because a day with a change of daylight saving time does not have 24 hours.
  return new Date(plain.getFullYear(), plain.getMonth(), plain.getDate() + later).getTime()
}

/** The local day of a time, in the format of date inputs. */
export function dayOf(ms: number): string {
  const date = new Date(ms)
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** First and last day of a range; "" for an open end. */
export function daysOf({ from, to }: DayRange): { first: string; last: string } {
  return { first: from === null ? '' : dayOf(from), last: to === null ? '' : dayOf(to - 1) }
}

/** Range of two days. Days in the wrong order are swapped; an invalid day is an open end. */
export function rangeOf(first: string, last: string): DayRange {
  const [early, late] = first !== '' && last !== '' && last < first ? [last, first] : [first, last]
  return { from: dayBegins(early) ?? null, to: dayBegins(late, 1) ?? null }
}
