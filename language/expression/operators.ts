import { computingOperators } from '#computing-operators'
import { same } from '#language/expression/decimal.ts'
import { formatKinds, many, type Operator, text, truthy } from '#language/expression/operator.ts'
import { first, isEmpty, rename, where } from '#language/expression/rows.ts'
import { boundedText, running } from '#language/expression/run.ts'

/** Functions in the scope as `format`: kind → text of a value. */
type Formatters = Record<string, (value: unknown, option?: unknown) => string>

function format(kind: unknown, value: unknown, option?: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const formatters = running().scope.get('format') as Formatters | undefined
  const name = String(kind)
  if (!formatters || !Object.hasOwn(formatters, name)) return text(value)
  return boundedText(String(formatters[name]?.(value, option)))
}

/**
 * All operators; publishing refuses others. Browsers start with those that first screens use; `learn` adds the ones of
 * computing-operators.ts later (package.json, imports).
 */
export const operators: Record<string, Operator> = {
  var: { min: 1, max: 2 },
  if: { min: 2, max: many },
  and: { min: 1, max: many },
  or: { min: 1, max: many },
  '!': { min: 1, max: 1, run: (value) => !truthy(value) },
  '!!': { min: 1, max: 1, run: truthy },
  '===': { min: 2, max: 2, run: same },
  '!==': { min: 2, max: 2, run: (a, b) => !same(a, b) },
  has: { min: 1, max: 1 },
  present: { min: 1, max: 1 },
  outer: { min: 1, max: 2 },
  empty: { min: 1, max: 1, run: isEmpty },
  format: { min: 2, max: 3, words: { 0: formatKinds }, reads: ['format'], run: format },
  where: { min: 3, max: 3, scans: true, words: { 1: 'name' }, run: where },
  rename: { min: 3, max: 13, scans: true, namesFrom: 1, run: rename },
  first: { min: 2, max: 2, run: first },
  ...computingOperators,
}

/** Operators of JSON-Logic that the language does not have, with the replacement. */
export const refusedOperators: Record<string, string> = {
  '==': 'use "===": it compares decimals by amount and everything else strictly',
  '!=': 'use "!=="',
  log: 'there is no console',
  method: 'methods cannot be called',
  missing: 'use "has"',
  missing_some: 'use "has"',
  merge: 'lists are not joined',
  '?:': 'use "if"',
  $: 'inside logic, read a path with {"var": "…"}',
  $t: 'write t(…) inside logic',
}
