import { quoted, toText } from '#language/text/infix.ts'
import { parseLogic, sameLogic } from '#language/text/logic-text.ts'

/** Conditions as rows of subject, operator and value, joined by all or any. An expression that rows cannot show stays text. */

/** How a row compares. `yes` and `no` are for conditions that are true or false by themselves; `within` and `before` count days back from now. */
export const rowOperators = [
  'yes',
  'no',
  'is',
  'is_not',
  'one_of',
  'less',
  'at_most',
  'more',
  'at_least',
  'filled',
  'unfilled',
  'within',
  'before',
] as const
export type RowOperator = (typeof rowOperators)[number]

/** The other side of a comparison: literals, or a path. */
export type RowValue =
  | { kind: 'literal'; value: string | number | boolean }
  | { kind: 'list'; values: (string | number)[] }
  | { kind: 'path'; path: string }

export interface Row {
  /** A path; empty while none is chosen. */
  subject: string
  operator: RowOperator
  /** Undefined for operators without another side, and while it is not entered. */
  value?: RowValue | undefined
}

export interface Rows {
  join: 'all' | 'any'
  rows: Row[]
}

const signs = { is: '=', is_not: '!=', less: '<', at_most: '<=', more: '>', at_least: '>=' } as const
type Sign = keyof typeof signs
const comparisons: Readonly<Record<string, Sign>> = {
  '===': 'is',
  '!==': 'is_not',
  '<': 'less',
  '<=': 'at_most',
  '>': 'more',
  '>=': 'at_least',
}

/** Whether a row compares with another side. */
export const takesValue = (operator: RowOperator): boolean => !['yes', 'no', 'filled', 'unfilled'].includes(operator)

/** Whether nothing of a row is left to enter. */
export function isComplete({ subject, operator, value }: Row): boolean {
  if (subject === '') return false
  if (!takesValue(operator)) return true
  if (value === undefined) return false
  if (value.kind === 'path') return value.path !== ''
  if (value.kind === 'list') return value.values.length > 0
  return value.value !== ''
}

const written = (value: string | number | boolean): string => (typeof value === 'string' ? quoted(value) : String(value))

function rowText({ subject, operator, value }: Row): string {
  switch (operator) {
    case 'yes':
      return subject
    case 'no':
      return `not ${subject}`
    case 'filled':
      return `not empty(${subject})`
    case 'unfilled':
      return `empty(${subject})`
    case 'one_of':
      return `${subject} in [${value?.kind === 'list' ? value.values.map(written).join(', ') : ''}]`
    case 'within':
      return `${subject} > now() - days(${value?.kind === 'literal' ? value.value : ''})`
    case 'before':
      return `${subject} <= now() - days(${value?.kind === 'literal' ? value.value : ''})`
    default:
      return `${subject} ${signs[operator]} ${value?.kind === 'path' ? value.path : value?.kind === 'literal' ? written(value.value) : ''}`
  }
}

/** The expression of complete rows; undefined while a row is incomplete or there is none. */
export function textOf({ join, rows }: Rows): string | undefined {
  if (rows.length === 0 || !rows.every(isComplete)) return undefined
  return rows.map(rowText).join(join === 'all' ? ' and ' : ' or ')
}

/**
 * The rows of an expression (its text or its tree); null where rows cannot show it without loss. An empty expression has no rows.
 */
export function rowsOf(logic: unknown): Rows | null {
  const text = typeof logic === 'string' ? logic : logic === undefined ? '' : toText(logic)
  if (text.trim() === '') return { join: 'all', rows: [] }
  const parsed = parseLogic(text)
  if (!parsed.ok) return null
  const [op, parts] = only(parsed.logic)
  const joined = op === 'and' || op === 'or'
  const rows = (joined ? parts : [parsed.logic]).map(rowOf)
  if (rows.some((row) => row === null)) return null
  const made: Rows = { join: op === 'or' ? 'any' : 'all', rows: rows as Row[] }
  const again = textOf(made)
  const back = again === undefined ? undefined : parseLogic(again)
  return back?.ok && sameLogic(back.logic, parsed.logic) ? made : null
}

/** The operator of a tree with its arguments; '' for anything else. */
function only(logic: unknown): [string, readonly unknown[]] {
  if (typeof logic !== 'object' || logic === null || Array.isArray(logic)) return ['', []]
  const [entry, more] = Object.entries(logic)
  if (!entry || more) return ['', []]
  return [entry[0], Array.isArray(entry[1]) ? entry[1] : [entry[1]]]
}

function pathOf(logic: unknown): string | undefined {
  const [op, args] = only(logic)
  return op === 'var' && args.length === 1 && typeof args[0] === 'string' ? args[0] : undefined
}

function rowOf(logic: unknown): Row | null {
  const path = pathOf(logic)
  if (path !== undefined) return { subject: path, operator: 'yes' }
  const [op, args] = only(logic)
  if (op === '!' || op === 'empty') {
    const inner = pathOf(args[0])
    if (inner !== undefined) return { subject: inner, operator: op === '!' ? 'no' : 'unfilled' }
    const [below, [deep]] = op === '!' ? only(args[0]) : ['', []]
    const emptied = below === 'empty' ? pathOf(deep) : undefined
    return emptied === undefined ? null : { subject: emptied, operator: 'filled' }
  }
  const subject = pathOf(args[0])
  if (subject === undefined || args.length !== 2) return null
  if (op === 'in') {
    const values = args[1]
    return Array.isArray(values) && values.every((one) => typeof one === 'string' || typeof one === 'number')
      ? { subject, operator: 'one_of', value: { kind: 'list', values } }
      : null
  }
  const operator = Object.hasOwn(comparisons, op) ? comparisons[op] : undefined
  if (operator === undefined) return null
  const days = daysBack(args[1])
  if (days !== undefined && (operator === 'more' || operator === 'at_most'))
    return { subject, operator: operator === 'more' ? 'within' : 'before', value: { kind: 'literal', value: days } }
  const other = pathOf(args[1])
  if (other !== undefined) return { subject, operator, value: { kind: 'path', path: other } }
  const value = args[1]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? { subject, operator, value: { kind: 'literal', value } }
    : null
}

/** The number of `now() - days(number)`. */
function daysBack(logic: unknown): number | undefined {
  const [op, [now, days]] = only(logic)
  if (op !== '-' || only(now)[0] !== 'now') return undefined
  const [name, [count]] = only(days)
  return name === 'days' && typeof count === 'number' ? count : undefined
}
