import { limits } from '#language/documents/limits.ts'
import { decimalOf, digits } from '#language/expression/decimal.ts'
import { roots } from '#language/expression/scope.ts'

/** State of the form that the engine puts into the scope as `formMeta`; `valid` and `dirty` read it. */
export interface FormMeta {
  valid: boolean
  dirty: boolean
  fields?: Record<string, { valid: boolean; dirty: boolean }>
}

/** What an operator of the language says of itself. */
export interface Operator {
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

/**
 * Name of a function of the domain: area and name, `wallet.withdrawFee`; no area is called like a root. Which functions there are is known
 * from the catalog, and to the engine that has learned them.
 */
export const isFunctionName = (op: string): boolean =>
  /^[a-z]\w*\.[a-z]\w*$/.test(op) && !(roots as readonly string[]).includes(op.slice(0, op.indexOf('.')))

/** Most arguments that an operator takes. */
export const many = limits.expressionNodesMax
/** A value as part of a text; what is neither text nor boolean nor decimal is nothing. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  const decimal = decimalOf(value)
  return decimal ? digits(decimal) : ''
}

/** JSON-Logic's truth: false, 0, "", null, nothing and the empty list are false. */
export function truthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}
