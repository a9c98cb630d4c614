import { nearest } from '#language/documents/nearest.ts'
import { isFunctionName } from '#language/expression/operator.ts'
import { operators } from '#language/expression/operators.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { JsonSchema, LintProblem } from '#language/types/catalog.ts'
import { typeOfLogic, withoutNull } from '#language/types/paths.ts'
import { anything, type Types } from '#language/types/types.ts'

const numeric = new Set(['<', '<=', '>', '>=', '+', '-', '*', '/', '%', 'min', 'max', 'round', 'floorTo'])
const bodies = new Set(Object.keys(operators).filter((op) => operators[op]?.body))
const lists = new Set([
  'map',
  'filter',
  'all',
  'none',
  'some',
  'reduce',
  'find',
  'where',
  'whereIn',
  'search',
  'toggle',
  'prepend',
  'first',
  'rename',
])

/** Operators get what they can work with, and words are compared with words that may occur. */
export const operands: Check = function* (world) {
  for (const entry of world.entries) {
    for (const place of entry.own.logics) yield* judged(world, entry, place.logic, world.typesAt(entry, place), place.pointer)
    for (const place of entry.own.values) yield* inside(world, entry, place.value, world.typesAt(entry, place), place.pointer)
  }
}

function* inside(world: World, entry: Entry, value: unknown, types: Types, pointer: string): Generator<LintProblem> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && '$' in value) yield* judged(world, entry, value.$, types, `${pointer}/$`)
  else for (const [name, part] of Object.entries(value)) yield* inside(world, entry, part, types, below(pointer, name))
}

function* judged(world: World, entry: Entry, logic: unknown, types: Types, pointer: string): Generator<LintProblem> {
  if (typeof logic !== 'object' || logic === null) return
  if (Array.isArray(logic)) {
    for (const [i, part] of logic.entries()) yield* judged(world, entry, part, types, below(pointer, i))
    return
  }
  const [op] = Object.keys(logic)
  if (op === undefined || op === 'var' || op === 'has') return
  const written = (logic as Record<string, unknown>)[op]
  const args: readonly unknown[] = Array.isArray(written) ? written : [written]
  const at = (i: number) => (Array.isArray(written) ? below(below(pointer, op), i) : below(pointer, op))
  // What stands inside an iteration reads the element, whose type is not followed here.
  for (const [i, arg] of args.entries()) if (!(bodies.has(op) && i === 1)) yield* judged(world, entry, arg, types, at(i))
  const isTyped = numeric.has(op) || lists.has(op) || op === '===' || op === '!==' || isFunctionName(op)
  if (!isTyped) return
  const typed = args.map((arg) =>
    typeof arg === 'string' ? { type: 'string', const: arg, loose: true } : withoutNull(typeOfLogic(arg, types).type),
  )
  if (numeric.has(op) && !(args.length === 1 && typed[0]?.type === 'array')) {
    for (const [i, type] of typed.entries()) {
      if (op === 'round' && i === 2) continue
      const why = notNumeric(type)
      if (why) yield world.report('operands', entry, at(i), `"${op}" works on decimals, not on ${why}`)
    }
  }
  if (lists.has(op) && typed[0]?.type !== undefined && typed[0].type !== 'array') {
    yield world.report('operands', entry, at(0), `"${op}" works on a list`)
  }
  if (op === '===' || op === '!==') yield* never(world, entry, typed, at)
  if (isFunctionName(op)) yield* called(world, entry, op, typed, at)
}

/** Functions exist and get what they take. */
function* called(
  world: World,
  entry: Entry,
  name: string,
  typed: readonly JsonSchema[],
  at: (i: number) => string,
): Generator<LintProblem> {
  const { functions } = world.catalog
  const known = functions.find((one) => one.name === name)
  const pointer = at(0).replace(/\/0$/, '')
  if (!known) {
    const names = functions.map((one) => one.name)
    yield world.report('operands', entry, pointer, `there is no function "${name}"`, { suggestion: nearest(name, names) })
    return
  }
  const wanted = known.params.map((param) => param.name).join(', ')
  if (typed.length !== known.params.length) {
    yield world.report('operands', entry, pointer, `"${name}" takes ${known.params.length} values (${wanted}), not ${typed.length}`)
    return
  }
  for (const [i, param] of known.params.entries()) {
    const why = misfit(typed[i] ?? anything, param.type)
    if (why) yield world.report('operands', entry, at(i), `"${param.name}" of "${name}" takes ${why}`)
  }
}

function misfit(type: JsonSchema, wanted: JsonSchema): string | undefined {
  const isNumeric = wanted.decimal || wanted.type === 'integer'
  const why = isNumeric ? notNumeric(type) : undefined
  if (why) return `a number, not ${why}`
  if (isNumeric || type.type === undefined || type.type === 'null') return undefined
  return type.type === wanted.type ? undefined : `${wanted.type === 'boolean' ? 'true or false' : 'a text'}, not ${String(type.type)}`
}

function notNumeric(type: JsonSchema): string | undefined {
  if (type.type === 'boolean') return 'true or false'
  if (type.type === 'array') return 'a list'
  if (type.type === 'object') return 'an object'
  if (type.enum) return 'one of some words'
  if (typeof type.const === 'string') return isNumber(type.const) ? undefined : `the text "${type.const}"`
  return type.type === 'string' && !type.decimal && !type.loose ? 'a text' : undefined
}

function isNumber(text: string): boolean {
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)
}

/** A word that a list of words does not have, or a type that can never be equal. */
function* never(world: World, entry: Entry, typed: readonly JsonSchema[], at: (i: number) => string): Generator<LintProblem> {
  const [left = anything, right = anything] = typed
  for (const [type, other, i] of [
    [left, right, 1],
    [right, left, 0],
  ] as const) {
    if (type.enum && typeof other.const === 'string' && !type.enum.includes(other.const)) {
      const suggestion = nearest(other.const, type.enum.map(String))
      yield world.report('operands', entry, at(i), `"${other.const}" is none of ${type.enum.join(', ')}`, { suggestion })
    }
  }
  const kinds = [left, right].map(({ type }) => (type === 'integer' || type === 'number' ? 'number' : type))
  const [a, b] = kinds
  if (a === undefined || b === undefined || a === b || a === 'null' || b === 'null') return
  const word = [left, right].find((type) => type.type === 'string')
  // A text that is a number is compared by its amount.
  if ([a, b].includes('number') && word && (typeof word.const !== 'string' || isNumber(word.const))) return
  yield world.report('operands', entry, at(1), `${a} and ${b} are never the same`)
}
