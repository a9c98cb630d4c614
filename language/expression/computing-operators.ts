import { charactersOf, lengthOf } from '#contract/characters.ts'
import { type PatternName, patternNames, patterns } from '#contract/patterns.ts'
import { searchForm } from '#contract/text.ts'
import { limits } from '#language/documents/limits.ts'
import { type Arithmetic, arithmetic, compare, numberOf, roundingModes, roundTo } from '#language/expression/arithmetic.ts'
import { decimalOf, digits, same } from '#language/expression/decimal.ts'
import { type FormMeta, formatKinds, many, type Operator, text } from '#language/expression/operator.ts'
import { count, member, rowsOf } from '#language/expression/rows.ts'
import { boundedRows, boundedText, charge, running } from '#language/expression/run.ts'

const compared = (test: (order: number) => boolean) => (a: unknown, b: unknown) => {
  const order = compare(a, b)
  return order !== undefined && test(order)
}
const chained = (test: (order: number) => boolean) => {
  const two = compared(test)
  return (...args: unknown[]) => two(args[0], args[1]) && (args.length < 3 || two(args[1], args[2]))
}
const folded =
  (op: Arithmetic) =>
  (...args: unknown[]) => {
    charge(args.length >> 1)
    return arithmetic(op, args)
  }
/** `min` and `max` accept single operands or one list. */
const extreme =
  (op: 'min' | 'max') =>
  (...args: unknown[]) =>
    arithmetic(op, args.length === 1 && Array.isArray(args[0]) ? boundedRows(args[0], limits.expressionItemsMax) : args)

function cat(...parts: unknown[]): string {
  let joined = ''
  for (const part of parts) joined = boundedText(joined + text(part))
  return joined
}

/** As in JSON-Logic: a negative start counts from the end, a negative length leaves out characters at the end. Characters as a person sees them. */
function substr(source: unknown, start: unknown, length: unknown): string {
  const whole = charactersOf(boundedText(text(source)))
  const from = Math.trunc(Number(start)) || 0
  const rest = whole.slice(from < 0 ? Math.max(0, whole.length + from) : from)
  if (length === undefined) return rest.join('')
  const count = Math.trunc(Number(length)) || 0
  return rest.slice(0, count < 0 ? Math.max(0, rest.length + count) : count).join('')
}

const isoTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/
/** Milliseconds since 1970 UTC from a number, its text, or an ISO 8601 date or time. */
function timeOf(value: unknown): number | undefined {
  const decimal = decimalOf(value)
  const ms = typeof value === 'string' && isoTime.test(value) ? Date.parse(value) : decimal && numberOf(decimal)
  return ms === undefined || Number.isNaN(ms) ? undefined : ms
}

function before(a: unknown, b: unknown): boolean {
  const left = timeOf(a)
  const right = timeOf(b)
  return left !== undefined && right !== undefined && left < right
}

function meta(what: 'valid' | 'dirty') {
  return (field?: unknown) => {
    const form = running().scope.get('formMeta') as FormMeta | undefined
    if (!form) return false
    if (field === undefined) return form[what] === true
    const fields = form.fields
    return typeof field === 'string' && fields !== undefined && Object.hasOwn(fields, field) && fields[field]?.[what] === true
  }
}

function length(value: unknown): number | null | undefined {
  if (Array.isArray(value)) return value.length
  if (typeof value === 'string') return lengthOf(boundedText(value))
  return value === undefined ? undefined : null
}

/**
 * Rounds a decimal down to a multiple of a step: `floorTo('1.237', '0.05')` is "1.2". Null when an argument is not a decimal or the step is
 * not above zero.
 */
function floorTo(value: unknown, step: unknown): string | number | null {
  if (compare(step, 0) !== 1) return null
  const rest = arithmetic('%', [value, step])
  const multiple = rest === null ? null : arithmetic('-', [value, rest])
  // Rounds down, also for negative numbers.
  return multiple !== null && compare(rest, 0) === -1 ? arithmetic('-', [multiple, step]) : multiple
}

/** Builds a record from names and values: `object('id', 1, 'label', 'One')`. */
function object(...parts: unknown[]): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: parts.length >> 1 }, (_, i) => [String(parts[2 * i]), parts[2 * i + 1] ?? null]))
}

/** Splits a text at a separator; an empty text gives an empty list. */
function split(source: unknown, separator: unknown): readonly string[] {
  const whole = boundedText(text(source))
  const by = text(separator)
  const parts = whole === '' ? [] : by === '' ? charactersOf(whole) : whole.split(by)
  return boundedRows(parts, limits.expressionItemsMax) as readonly string[]
}

// Operators on lists of rows. A value that is not a list counts as an empty list.

/** For each of `values`, in their order, the first row whose `field` is that value. */
function whereIn(list: unknown, field: unknown, values: unknown): unknown[] {
  const byValue = new Map<string, unknown>()
  for (const row of rowsOf(list)) {
    const value = member(row, field)
    if ((typeof value === 'string' || typeof value === 'number') && !byValue.has(String(value))) byValue.set(String(value), row)
  }
  return [...new Set(rowsOf(values).map(String))].flatMap((value) => (byValue.has(value) ? [byValue.get(value)] : []))
}

/** Rows with `text` in one of `fields`, ignoring case, accents and width. An empty text returns the list unchanged. */
function search(list: unknown, text: unknown, ...fields: unknown[]): readonly unknown[] {
  const rows = rowsOf(list)
  const wanted = typeof text === 'string' || typeof text === 'number' ? searchForm(String(text).trim()) : ''
  if (wanted === '') return rows
  return rows.filter((row) =>
    fields.some((field) => {
      const value = member(row, field)
      return (typeof value === 'string' || typeof value === 'number') && searchForm(String(value)).includes(wanted)
    }),
  )
}

/** Removes `item` from the list, or appends it when it is not in it. */
function toggle(list: unknown, item: unknown): unknown[] {
  const rows = rowsOf(list)
  return rows.some((row) => same(row, item)) ? rows.filter((row) => !same(row, item)) : [...rows, item]
}

/** Puts `item` first and removes its other occurrences; `max` rows in all. */
function prepend(list: unknown, item: unknown, max: unknown): unknown[] {
  return [item, ...rowsOf(list).filter((row) => !same(row, item))].slice(0, count(max))
}

const directions = ['up', 'down'] as const

/** Where a value stands in an order: numbers by amount, then texts by letters without case and accents, then all others. */
function rankOf(value: unknown): { rank: number; letters: string } {
  if (decimalOf(value)) return { rank: 0, letters: '' }
  return typeof value === 'string' ? { rank: 1, letters: searchForm(value) } : { rank: 2, letters: '' }
}

/** The rows in the order of a member, or of themselves; equal ones keep their order. */
function sort(list: unknown, direction: unknown, field: unknown): unknown[] {
  const rows = rowsOf(list)
  charge(rows.length)
  const keyed = rows.map((row) => {
    const by = field === undefined ? row : member(row, field)
    return { row, by, key: rankOf(by) }
  })
  const sign = direction === 'down' ? -1 : 1
  return keyed
    .sort((a, b) => {
      // Rows without a value come last in both directions.
      if (a.key.rank !== b.key.rank)
        return a.key.rank === 2 || b.key.rank === 2 ? a.key.rank - b.key.rank : sign * (a.key.rank - b.key.rank)
      if (a.key.rank === 0) return sign * (compare(a.by, b.by) ?? 0)
      return a.key.letters === b.key.letters ? 0 : a.key.letters < b.key.letters ? -sign : sign
    })
    .map(({ row }) => row)
}

/** `n` rows from a place on, which counts from 0; a negative place counts from the end. Without `n`, all that follow. */
function slice(list: unknown, from: unknown, n: unknown): unknown[] {
  const rows = rowsOf(list)
  const rest = rows.slice(Math.trunc(Number(from)) || 0)
  return n === undefined ? rest : rest.slice(0, count(n))
}

function last(list: unknown, n: unknown): unknown[] {
  const wanted = count(n)
  return wanted === 0 ? [] : rowsOf(list).slice(-wanted)
}

/** All rows of several lists, one list after the other. */
function concat(...lists: unknown[]): readonly unknown[] {
  return boundedRows(lists.flatMap((list) => rowsOf(list)))
}

/** The numbers from `from` to `to`, both included, in steps of `step` or 1; empty when the step leads away from the end. */
function range(from: unknown, to: unknown, step: unknown = 1): readonly unknown[] {
  const way = compare(step, 0)
  const numbers: unknown[] = []
  if (!way || !decimalOf(from) || !decimalOf(to)) return numbers
  for (let at = from; compare(at, to) !== way && numbers.length <= limits.expressionItemsMax; at = arithmetic('+', [at, step]))
    numbers.push(at)
  return boundedRows(numbers, limits.expressionItemsMax)
}

/** The rows without those whose member, or which themselves, were there before. */
function distinct(list: unknown, field: unknown): unknown[] {
  const seen = new Set<string>()
  return rowsOf(list).filter((row) => {
    const by = field === undefined ? row : member(row, field)
    const decimal = decimalOf(by)
    const key = decimal ? `n${digits(decimal)}` : `j${JSON.stringify(by)}`
    charge(1)
    return seen.has(key) ? false : seen.add(key)
  })
}

/** The exact sum of a member of the rows, or of the values themselves; a row without a value adds nothing. */
function sum(list: unknown, field: unknown): string | number | null {
  const values = rowsOf(list).map((row) => (field === undefined ? row : member(row, field)))
  charge(values.length)
  return arithmetic('+', [0, ...values.filter((value) => value !== undefined && value !== null && value !== '')])
}

/** The members of a list as one text; members without a text of their own are left out. */
function join(list: unknown, separator: unknown): string {
  const parts = rowsOf(list).map(text)
  return boundedText(parts.filter((part) => part !== '').join(text(separator)))
}

/** The words of a key in the reader's language; names and values of arguments follow the key. */
function t(key: unknown, ...parts: unknown[]): string {
  const formatters = running().scope.get('format') as { t?: (key: string, args: Record<string, unknown>) => string } | undefined
  const args = Object.fromEntries(Array.from({ length: parts.length >> 1 }, (_, i) => [String(parts[2 * i]), parts[2 * i + 1] ?? '']))
  return boundedText(formatters?.t?.(String(key), args) ?? String(key))
}

/** Milliseconds of a number of days of 24 hours. */
const days = (number: unknown) => arithmetic('*', [number, 86_400_000])

/** Whether a list contains a member, or a text another text. */
function isIn(needle: unknown, hay: unknown): boolean {
  if (Array.isArray(hay)) return boundedRows(hay).some((member) => same(member, needle))
  if (typeof hay !== 'string' || (typeof needle !== 'string' && typeof needle !== 'number')) return false
  charge(hay.length >> 8)
  return hay.includes(String(needle))
}

function matches(text: unknown, name: unknown): boolean {
  if (typeof name !== 'string' || !Object.hasOwn(patterns, name)) return false
  const subject = typeof text === 'number' ? String(text) : text
  return typeof subject === 'string' && subject.length <= 2_000 && patterns[name as PatternName].test(subject)
}

const list = { min: 2, max: 2, body: true } as const
const pairs = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [2 * i, 'name' as const]))
const namesAfter = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [2 * i + 1, 'name' as const]))

/** Operators that first screens do not use. The app loads them afterwards in a chunk of their own; elsewhere they are available at once. */
export const computingOperators: Record<string, Operator> = {
  '<': { min: 2, max: 3, run: chained((order) => order < 0) },
  '<=': { min: 2, max: 3, run: chained((order) => order <= 0) },
  '>': { min: 2, max: 2, run: compared((order) => order > 0) },
  '>=': { min: 2, max: 2, run: compared((order) => order >= 0) },
  '+': { min: 1, max: many, run: folded('+') },
  '-': { min: 1, max: 2, run: folded('-') },
  '*': { min: 1, max: many, run: folded('*') },
  '/': { min: 2, max: 2, run: folded('/') },
  '%': { min: 2, max: 2, run: folded('%') },
  min: { min: 1, max: many, run: extreme('min') },
  max: { min: 1, max: many, run: extreme('max') },
  floorTo: { min: 2, max: 2, run: floorTo },
  object: { min: 2, max: 20, words: pairs, run: object },
  split: { min: 2, max: 2, run: split },
  round: { min: 1, max: 3, words: { 2: roundingModes }, run: roundTo },
  cat: { min: 1, max: many, run: cat },
  substr: { min: 2, max: 3, run: substr },
  in: { min: 2, max: 2, run: isIn },
  map: list,
  filter: list,
  all: list,
  none: list,
  some: list,
  reduce: { min: 3, max: 3, body: true },
  find: { min: 2, max: 3, body: true, words: { 2: 'name' } },
  len: { min: 1, max: 1, run: length },
  valid: { min: 0, max: 1, words: { 0: 'name' }, reads: ['formMeta'], run: meta('valid') },
  dirty: { min: 0, max: 1, words: { 0: 'name' }, reads: ['formMeta'], run: meta('dirty') },
  match: { min: 2, max: 2, words: { 1: patternNames }, run: matches },
  now: { min: 0, max: 0, reads: ['clock'], run: () => running().scope.get('clock') },
  before: { min: 2, max: 2, run: before },
  whereIn: { min: 3, max: 3, scans: true, words: { 1: 'name' }, run: whereIn },
  search: { min: 3, max: 10, scans: true, namesFrom: 2, run: search },
  toggle: { min: 2, max: 2, run: toggle },
  prepend: { min: 3, max: 3, run: prepend },
  sort: { min: 1, max: 3, scans: true, words: { 1: directions, 2: 'name' }, run: sort },
  slice: { min: 2, max: 3, run: slice },
  last: { min: 2, max: 2, run: last },
  concat: { min: 2, max: 10, run: concat },
  range: { min: 2, max: 3, run: range },
  distinct: { min: 1, max: 2, scans: true, words: { 1: 'name' }, run: distinct },
  join: { min: 2, max: 2, run: join },
  sum: { min: 1, max: 2, scans: true, words: { 1: 'name' }, run: sum },
  case: { min: 3, max: many },
  t: { min: 1, max: 11, words: { 0: 'name', ...namesAfter }, reads: ['format'], run: t },
  days: { min: 1, max: 1, run: days },
  money: { min: 2, max: 4, words: { 2: formatKinds }, reads: ['format'] },
}
