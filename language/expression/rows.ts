import { same } from '#language/expression/decimal.ts'
import { boundedRows } from '#language/expression/run.ts'

/** Operators on lists of rows. A value that is not a list counts as an empty list. */

/** The rows of a list; empty for any other value. */
export function rowsOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? boundedRows(list) : []
}

/** The own member of a row; undefined for a value that is not a row. */
export function member(row: unknown, field: unknown): unknown {
  return typeof row === 'object' && row !== null && typeof field === 'string' && Object.hasOwn(row, field)
    ? (row as Record<string, unknown>)[field]
    : undefined
}

/** Rows whose `field` is `value`. */
export function where(list: unknown, field: unknown, value: unknown): unknown[] {
  return rowsOf(list).filter((row) => same(member(row, field), value))
}

/** Renames members of rows: `new, old, new, old, …`. For a plain value every member is the value itself. */
export function rename(list: unknown, ...names: unknown[]): Record<string, unknown>[] {
  return rowsOf(list).map((row) => {
    const plain = typeof row !== 'object' || row === null
    const renamed: Record<string, unknown> = {}
    for (let i = 0; i + 1 < names.length; i += 2) renamed[String(names[i])] = plain ? row : member(row, names[i + 1])
    return renamed
  })
}

/** The first `n` rows. */
export function first(list: unknown, n: unknown): unknown[] {
  return Array.isArray(list) ? list.slice(0, count(n)) : []
}

/** A whole number from 0; 0 for any other value. */
export function count(value: unknown): number {
  const number = Number(value)
  return Number.isInteger(number) && number >= 0 ? number : 0
}

/** True for null, "", [] and {}; numbers and booleans are never empty. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  if (typeof value !== 'object') return false
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0
}
