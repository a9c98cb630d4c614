import { type Arithmetic, arithmetic, compare, decimalOf, digits, numberOf, roundingModes, roundTo, same } from '#language/decimal.ts'
import { limits } from '#language/limits.ts'
import { matches, patternNames } from '#language/patterns.ts'
import { first, isEmpty, isIn, prepend, rename, search, toggle, where, whereIn } from '#language/rows.ts'
import { boundedRows, boundedText, charge, running } from '#language/run.ts'

/** State of the form that the engine puts into the scope as `formMeta`; `valid` and `dirty` read it. */
export interface FormMeta {
  valid: boolean
  dirty: boolean
  fields?: Record<string, { valid: boolean; dirty: boolean }>
}
/** What the engine puts into the scope as `format`: kind → text of a value. */
export type Formatters = Record<string, (value: unknown, option?: unknown) => string>
export const formatKinds = ['amount', 'percent', 'price', 'ago', 'date', 'dateTime', 'compact', 'fiat'] as const

interface Operator {
  /** How many arguments it takes. */
  min: number
  max: number
  /** Positions that hold a word of the document, not a computed value; with the words allowed where they are few. */
  words?: Record<number, readonly string[] | 'name'>
  /** Position from which all arguments are names of members. */
  namesFrom?: number
  /** Goes over a list; its second argument is evaluated for each element. */
  body?: boolean
  /** Reads many rows, so it may not stand inside an iteration. */
  scans?: boolean
  /** Roots that it reads beside its arguments. */
  reads?: readonly string[]
  /** Absent where json-logic-js itself walks the arguments. */
  run?: (...args: unknown[]) => unknown
}

const many = limits.expressionNodesMax
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
/** `min` and `max` take their operands one by one or as one list. */
const extreme =
  (op: 'min' | 'max') =>
  (...args: unknown[]) =>
    arithmetic(op, args.length === 1 && Array.isArray(args[0]) ? boundedRows(args[0], limits.expressionItemsMax) : args)

function text(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  const decimal = decimalOf(value)
  return decimal ? digits(decimal) : ''
}

function cat(...parts: unknown[]): string {
  let joined = ''
  for (const part of parts) joined = boundedText(joined + text(part))
  return joined
}

/** As JSON-Logic: a negative start counts from the end, a negative length leaves that many characters out at the end. */
function substr(source: unknown, start: unknown, length: unknown): string {
  const whole = boundedText(text(source))
  const from = Math.trunc(Number(start)) || 0
  const rest = whole.slice(from < 0 ? Math.max(0, whole.length + from) : from)
  if (length === undefined) return rest
  const count = Math.trunc(Number(length)) || 0
  return count < 0 ? rest.slice(0, Math.max(0, rest.length + count)) : rest.slice(0, count)
}

const isoTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/
/** Milliseconds since 1970 from a number, its text, or an ISO 8601 date or time. */
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

function format(kind: unknown, value: unknown, option?: unknown): string | undefined {
  if (value === undefined) return undefined
  const formatters = running().scope.get('format') as Formatters | undefined
  const name = String(kind)
  if (!formatters || !Object.hasOwn(formatters, name)) return text(value)
  return boundedText(String(formatters[name]?.(value, option)))
}

function length(value: unknown): number | null | undefined {
  if (Array.isArray(value)) return value.length
  // Characters as people count them, not halves of them.
  if (typeof value === 'string') return [...value].length
  return value === undefined ? undefined : null
}

const list = { min: 2, max: 2, body: true } as const
const scan = { scans: true, words: { 1: 'name' } } as const

/** Every operator there is. What is not here is refused when a document is published. */
export const operators: Record<string, Operator> = {
  var: { min: 1, max: 2 },
  if: { min: 2, max: many },
  and: { min: 1, max: many },
  or: { min: 1, max: many },
  '!': { min: 1, max: 1, run: (value) => !truthy(value) },
  '!!': { min: 1, max: 1, run: truthy },
  '===': { min: 2, max: 2, run: same },
  '!==': { min: 2, max: 2, run: (a, b) => !same(a, b) },
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
  has: { min: 1, max: 1 },
  empty: { min: 1, max: 1, run: isEmpty },
  len: { min: 1, max: 1, run: length },
  valid: { min: 0, max: 1, words: { 0: 'name' }, reads: ['formMeta'], run: meta('valid') },
  dirty: { min: 0, max: 1, words: { 0: 'name' }, reads: ['formMeta'], run: meta('dirty') },
  match: { min: 2, max: 2, words: { 1: patternNames }, run: matches },
  now: { min: 0, max: 0, reads: ['clock'], run: () => running().scope.get('clock') },
  before: { min: 2, max: 2, run: before },
  format: { min: 2, max: 3, words: { 0: formatKinds }, reads: ['format'], run: format },
  where: { min: 3, max: 3, ...scan, run: where },
  whereIn: { min: 3, max: 3, ...scan, run: whereIn },
  search: { min: 3, max: 10, scans: true, namesFrom: 2, run: search },
  rename: { min: 3, max: 13, scans: true, namesFrom: 1, run: rename },
  toggle: { min: 2, max: 2, run: toggle },
  prepend: { min: 3, max: 3, run: prepend },
  first: { min: 2, max: 2, run: first },
}

/** Operators of JSON-Logic that the language leaves out, with what to write instead. */
export const refusedOperators: Record<string, string> = {
  '==': 'use "===": it compares decimals by amount and everything else strictly',
  '!=': 'use "!=="',
  log: 'there is no console',
  method: 'methods cannot be called',
  missing: 'use "has"',
  missing_some: 'use "has"',
  merge: 'lists are not joined',
  '?:': 'use "if"',
  $: 'inside logic a path is read with {"var": "…"}',
  $t: 'texts stand in props, not inside logic',
}

/** JSON-Logic's truth: false, 0, "", null, nothing and the empty list are false. */
export function truthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}
