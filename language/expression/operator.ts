import { limits } from '#language/documents/limits.ts'
import { decimalOf, digits } from '#language/expression/decimal.ts'
import { roots } from '#language/expression/scope.ts'

/** State of the form, in the scope as `formMeta`; read by `valid` and `dirty`. */
export interface FormMeta {
  valid: boolean
  dirty: boolean
  fields?: Record<string, { valid: boolean; dirty: boolean }>
}

/** Description of an operator. */
export interface Operator {
  /** Number of arguments. */
  min: number
  max: number
  /** Arguments that are literal words and not computed values; with the permitted words where they are limited. */
  words?: Record<number, readonly string[] | 'name'>
  /** First argument from which all are names of members. */
  namesFrom?: number
  /** Iterates over a list; its second argument is evaluated for each element. */
  body?: boolean
  /** Reads many rows, so it is not allowed inside an iteration. */
  scans?: boolean
  /** Roots that it reads besides its arguments. */
  reads?: readonly string[]
  /** Absent for operators that json-logic-js evaluates itself. */
  run?: (...args: unknown[]) => unknown
}

/**
 * Whether a name is that of a domain function: area and name, `wallet.withdrawFee`. No area has the name of a root. The catalog lists the
 * functions; the engine has those that were added with `learn`.
 */
export const isFunctionName = (op: string): boolean =>
  /^[a-z]\w*\.[a-z]\w*$/.test(op) && !(roots as readonly string[]).includes(op.slice(0, op.indexOf('.')))

/** Ways in which `format` writes a value. */
export const formatKinds = ['amount', 'signed', 'percent', 'price', 'rate', 'ago', 'date', 'dateTime', 'compact', 'fiat'] as const

/** Maximum number of arguments of an operator. */
export const many = limits.expressionNodesMax
/** A value as part of a text: texts, booleans and decimals; everything else is ''. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  const decimal = decimalOf(value)
  return decimal ? digits(decimal) : ''
}

/** Truth in JSON-Logic: false, 0, "", null, undefined and the empty list are false. */
export function truthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}
