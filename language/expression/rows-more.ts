import { same } from '#language/expression/decimal.ts'
import { count, member, rowsOf } from '#language/expression/rows.ts'
import { boundedRows, charge } from '#language/expression/run.ts'

/** Operators over lists of rows that come after the first screen. A list that is not a list counts as an empty one. */

/** Rows whose `field` is one of `values`, in the order of `values`; the first row of each. */
export function whereIn(list: unknown, field: unknown, values: unknown): unknown[] {
  const byValue = new Map<string, unknown>()
  for (const row of rowsOf(list)) {
    const value = member(row, field)
    if ((typeof value === 'string' || typeof value === 'number') && !byValue.has(String(value))) byValue.set(String(value), row)
  }
  return [...new Set(rowsOf(values).map(String))].flatMap((value) => (byValue.has(value) ? [byValue.get(value)] : []))
}

/** Rows one of whose `fields` contains `text`, without regard to case. No text: the list as it is. */
export function search(list: unknown, text: unknown, ...fields: unknown[]): readonly unknown[] {
  const rows = rowsOf(list)
  const wanted = typeof text === 'string' || typeof text === 'number' ? String(text).trim().toLowerCase() : ''
  if (wanted === '') return rows
  return rows.filter((row) =>
    fields.some((field) => {
      const value = member(row, field)
      return (typeof value === 'string' || typeof value === 'number') && String(value).toLowerCase().includes(wanted)
    }),
  )
}

/** The list without `item`, or with it at the end when it was not in it. */
export function toggle(list: unknown, item: unknown): unknown[] {
  const rows = rowsOf(list)
  return rows.some((row) => same(row, item)) ? rows.filter((row) => !same(row, item)) : [...rows, item]
}

/** `item` first, then the rest without it, `max` rows in all. */
export function prepend(list: unknown, item: unknown, max: unknown): unknown[] {
  return [item, ...rowsOf(list).filter((row) => !same(row, item))].slice(0, count(max))
}

/** Whether a list has the member, or a text contains the other. */
export function isIn(needle: unknown, hay: unknown): boolean {
  if (Array.isArray(hay)) return boundedRows(hay).some((member) => same(member, needle))
  if (typeof hay !== 'string' || (typeof needle !== 'string' && typeof needle !== 'number')) return false
  charge(hay.length >> 8)
  return hay.includes(String(needle))
}
