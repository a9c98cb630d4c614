import type { Json, ListDoc } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import { declareKey } from '#language/expression/scope.ts'

/** The declaration of a list of records, on a screen or on the device. */
export type Records = Pick<ListDoc, 'key' | 'of' | 'max'>
type Row = Readonly<Record<string, Json>>
type Member = Records['of'][string]

const textLengthMax = 2_000
const decimal = /^-?\d{1,40}(?:\.\d{1,40})?$/

/** The value as its declaration allows it; undefined when it does not. Input from a form is text. */
function fitted({ type, values }: Member, value: unknown): Json | undefined {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'integer': {
      const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
      return Number.isSafeInteger(number) ? (number as number) : undefined
    }
    case 'decimal': {
      const text = typeof value === 'number' ? String(value) : value
      return typeof text === 'string' && decimal.test(text) ? text : undefined
    }
    case 'enum':
      return typeof value === 'string' && values?.includes(value) ? value : undefined
    case 'string':
      return typeof value === 'string' && value.length <= textLengthMax ? value : undefined
  }
}

/** A record as it is declared; undefined when a member is of another kind, or its key is missing. Other members are left out. */
function recordOf({ key, of }: Records, value: unknown): Row | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const row: Record<string, Json> = {}
  for (const [name, member] of Object.entries(of)) {
    const given = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
    const made = given === undefined || given === null ? member.default : fitted(member, given)
    if (made !== undefined) row[name] = made
    else if (given !== undefined && given !== null) return undefined
  }
  return row[key] === undefined ? undefined : row
}

/** The records of a list that are as declared, each key once, the last ones where there are too many. */
export function recordsOf(shape: Records, list: unknown): readonly Row[] {
  const given: readonly unknown[] = Array.isArray(list) ? list : []
  const rows = given.map((one) => recordOf(shape, one)).filter((row) => row !== undefined)
  const byKey = new Map(rows.map((row) => [String(row[shape.key]), row]))
  const kept = [...byKey.values()].slice(-(shape.max ?? limits.recordsMax))
  declareKey(kept, shape.key)
  return kept
}

/**
 * The list with one record changed: null removes it, a record takes its place or is added at the end, `member` is written alone. A value
 * that does not fit the declaration changes nothing.
 */
export function withRecord(
  shape: Records,
  list: readonly unknown[],
  by: string | number,
  member: string | undefined,
  value: unknown,
): readonly unknown[] {
  const rows = list as readonly Row[]
  const at = rows.findIndex((row) => String(row[shape.key]) === String(by))
  if (value === null && member === undefined) return at < 0 ? list : recordsOf(shape, rows.toSpliced(at, 1))
  if (member === undefined ? typeof value !== 'object' || Array.isArray(value) : at < 0) return list
  const before = member === undefined ? (value as object) : { ...rows[at], [member]: value }
  const row = recordOf(shape, { ...before, [shape.key]: by })
  if (!row) return list
  return recordsOf(shape, at < 0 ? [...rows, row] : rows.with(at, row))
}
