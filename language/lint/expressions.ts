import type { AnyDoc } from '#language/documents/documents.ts'
import { namedValuesOf, valuesIn } from '#language/documents/named-values.ts'
import { nearest, nearestKnown } from '#language/documents/nearest.ts'
import { factsOf, type LogicPlace, type ValuePlace } from '#language/documents/walk.ts'
import { compile, ExpressionProblem } from '#language/expression/expression.ts'
import { isFunctionName } from '#language/expression/operator.ts'
import { operators } from '#language/expression/operators.ts'
import { compileValue } from '#language/expression/value.ts'
import { comparedWords } from '#language/lint/meaning/compared.ts'
import { expressionsOf, operationsIn, pathOf, pathsIn } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import { isNumberText, numberTextWarning } from '#language/types/bounds.ts'
import type { JsonSchema, LintProblem } from '#language/types/catalog.ts'
import { type Typed, typeOfLogic, typeOfValue } from '#language/types/paths.ts'
import { anything, type Types, withoutNull } from '#language/types/types.ts'

/** A value or an expression of a document with its type and the problems of its paths and units. */
export type TypedPlace = Typed & { place: ValuePlace | LogicPlace }

const typedBefore = new WeakMap<Entry, readonly TypedPlace[]>()

/** All values and expressions of a document with their types. Cached, because several checks use it. */
export function typedOf(world: World, entry: Entry): readonly TypedPlace[] {
  const before = typedBefore.get(entry)
  if (before) return before
  const found: TypedPlace[] = []
  for (const place of new Set([...entry.facts.values, ...entry.own.values]))
    found.push({ place, ...placed(typeOfValue(place.value, world.typesAt(entry, place), place.pointer), place) })
  for (const place of entry.facts.logics)
    found.push({ place, ...placed(typeOfLogic(place.logic, world.typesAt(entry, place), place.pointer), place) })
  typedBefore.set(entry, found)
  return found
}

/** Everything inside a fragment has the pointer of its `use`. */
function placed({ type, problems }: Typed, { node, pointer }: ValuePlace | LogicPlace): Typed {
  return node?.fragment === undefined ? { type, problems } : { type, problems: problems.map((one) => ({ ...one, pointer })) }
}

/** Checks that every expression may be published: known operators, valid paths, within the limits. */
export const expressions: Check = function* (world) {
  for (const entry of world.entries) {
    for (const { value, pointer } of entry.own.values) yield* refused(world, entry, pointer, () => compileValue(value))
    for (const { logic, pointer } of entry.own.logics) yield* refused(world, entry, pointer, () => compile(logic))
  }
}

const instead: Record<string, string> = { '==': '===', '!=': '!==', '?:': 'if', missing: 'has', missing_some: 'has', $: 'var' }

function refused(world: World, entry: Entry, pointer: string, work: () => unknown): LintProblem[] {
  try {
    work()
    return []
  } catch (problem) {
    // The paths check reports unknown roots, because it knows the available names.
    if (!(problem instanceof ExpressionProblem) || problem.code === 'unknown_root') return []
    const operator = problem.pointer.slice(problem.pointer.lastIndexOf('/') + 1)
    const suggestion =
      problem.code === 'unknown_operator'
        ? nearest(operator, Object.keys(operators))
        : problem.code === 'refused_operator' && Object.hasOwn(instead, operator)
          ? instead[operator]
          : nearestKnown(problem.message)
    return [world.report('expressions', entry, pointer + problem.pointer, problem.message, { suggestion })]
  }
}

/** Checks that every path exists, with the types of params, state, sources, rows, results and stored values. */
export const paths: Check = function* (world) {
  for (const entry of world.entries) {
    const said = new Set<string>()
    for (const { problems } of typedOf(world, entry)) {
      for (const { pointer, message, suggestion, path, about } of problems) {
        if (about !== undefined || said.has(`${pointer} ${path}`)) continue
        said.add(`${pointer} ${path}`)
        yield world.report('paths', entry, pointer, message, { suggestion })
      }
    }
  }
}

/** Warns of iterations over lists that nothing bounds: beyond the limit they show an error in place of their part. */
export const bounds: Check = (world) => warnings(world, 'bounds')

/** Warns of conditions that are the text of a number, which is always true. */
export const textConditions: Check = function* (world) {
  yield* warnings(world, 'text-conditions')
  for (const entry of world.entries)
    for (const { place, type } of typedOf(world, entry))
      if ('logic' in place && place.role !== 'value' && place.role !== 'watched' && isNumberText(type))
        yield world.report('text-conditions', entry, place.pointer, numberTextWarning, { severity: 'warn' })
}

function* warnings(world: World, kind: 'bounds' | 'text-conditions'): Generator<LintProblem> {
  for (const entry of world.entries) {
    const said = new Set<string>()
    for (const { problems } of typedOf(world, entry))
      for (const { pointer, message, about } of problems) {
        if (about !== kind || said.has(pointer)) continue
        said.add(pointer)
        yield world.report(kind, entry, pointer, message, { severity: 'warn' })
      }
  }
}

/** Checks that every named value is read. */
export const values: Check = function* (world) {
  for (const entry of world.entries) {
    const { values: definitions, ...rest } = entry.source.doc as { values?: Record<string, unknown> }
    const read = valuesIn([
      rest,
      Object.values(definitions ?? {}),
      ...entry.shownBy.flatMap((screen) => writtenOf(world, screen.source.doc)),
    ])
    for (const name of Object.keys(namedValuesOf(entry.source.doc)))
      if (!read.has(name)) yield world.report('values', entry, `/values/${name}`, `nothing reads the value "${name}"`, { severity: 'warn' })
  }
}

/** A document and the fragments that it uses. */
function writtenOf(world: World, doc: AnyDoc): AnyDoc[] {
  const found = new Set([doc])
  for (const one of found)
    for (const { use } of factsOf(one).uses) {
      const fragment = world.find('fragment', use)?.source.doc
      if (fragment) found.add(fragment)
    }
  return [...found]
}

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
  'last',
  'slice',
  'sort',
  'distinct',
  'concat',
  'join',
])

/** Checks that operators get operands of the right type, and that words are compared with words that can occur. */
export const operands: Check = function* (world) {
  for (const entry of world.entries) {
    for (const place of entry.own.logics) yield* misusedOperands(world, entry, place.logic, world.typesAt(entry, place), place.pointer)
    for (const place of entry.own.values) yield* inside(world, entry, place.value, world.typesAt(entry, place), place.pointer)
  }
  yield* comparedWords(world)
}

function* inside(world: World, entry: Entry, value: unknown, types: Types, pointer: string): Generator<LintProblem> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && '$' in value) yield* misusedOperands(world, entry, value.$, types, `${pointer}/$`)
  else for (const [name, part] of Object.entries(value)) yield* inside(world, entry, part, types, below(pointer, name))
}

function* misusedOperands(world: World, entry: Entry, logic: unknown, types: Types, pointer: string): Generator<LintProblem> {
  if (typeof logic !== 'object' || logic === null) return
  if (Array.isArray(logic)) {
    for (const [i, part] of logic.entries()) yield* misusedOperands(world, entry, part, types, below(pointer, i))
    return
  }
  const [op] = Object.keys(logic)
  if (op === undefined || op === 'var' || op === 'has') return
  const written = (logic as Record<string, unknown>)[op]
  const args: readonly unknown[] = Array.isArray(written) ? written : [written]
  const at = (i: number) => (Array.isArray(written) ? below(below(pointer, op), i) : below(pointer, op))
  // Inside an iteration the type of the element is not known here.
  for (const [i, arg] of args.entries()) if (!(bodies.has(op) && i === 1)) yield* misusedOperands(world, entry, arg, types, at(i))
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

/** Checks that functions exist and get the right arguments. */
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

/** Finds comparisons with a word outside the list, or between types that can never be equal. */
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
  // A text that is a number is compared by value.
  if ([a, b].includes('number') && word && (typeof word.const !== 'string' || isNumber(word.const))) return
  yield world.report('operands', entry, at(1), `${a} and ${b} are never the same`)
}

/**
 * Names of members that hold the symbol of an instrument: `symbol`, `defaultSymbol`, `price_symbol`. Market calls also accept one, or a
 * number, as `match_id`.
 */
const isSymbolName = (name: string) => /(?:^s|[a-z]S|_s)ymbol$/.test(name) || name === 'match_id'
/** Operators that look rows up by a member: where(list, 'symbol', 'BTCUSDT'). */
const lookups = new Set(['where', 'whereIn'])

/** Checks that symbols in documents are symbols of instruments. */
export const symbols: Check = function* (world) {
  if (world.catalog.symbols.length === 0) return
  for (const entry of world.entries) {
    const { doc } = entry
    if (doc.kind === 'app')
      for (const [name, value] of Object.entries(doc.constants)) yield* symbolsIn(world, entry, name, value, below('/constants', name))
    if (doc.kind === 'screen' || doc.kind === 'fragment')
      for (const [name, param] of Object.entries(doc.params ?? {}))
        yield* symbolsIn(world, entry, name, param.default, `${below('/params', name)}/default`)
    if (doc.kind === 'flow')
      for (const [i, step] of doc.steps.entries())
        if ('open' in step)
          for (const [name, value] of Object.entries(step.params ?? {}))
            yield* symbolsIn(world, entry, name, value, below(`/steps/${i}/params`, name))
    for (const { value, name, role, pointer } of entry.own.values)
      if (role === 'param' || role === 'arg' || role === 'with') yield* symbolsIn(world, entry, name, value, pointer)
    for (const { logic, pointer } of expressionsOf(entry.own)) yield* inExpression(world, entry, logic, pointer)
  }
}

function* symbolsIn(world: World, entry: Entry, name: string, value: unknown, pointer: string): Generator<LintProblem> {
  if (isSymbolName(name)) for (const one of [value].flat()) yield* unknownSymbol(world, entry, one, pointer)
}

function* inExpression(world: World, entry: Entry, logic: unknown, pointer: string): Generator<LintProblem> {
  for (const path of pathsIn({ $: logic })) {
    const [root, symbol = ''] = path.split('.')
    if (root === 'feed' && !symbol.includes('[')) yield* unknownSymbol(world, entry, symbol, pointer)
  }
  for (const { op, args, pointer: inside } of operationsIn(logic)) {
    if (op === '===' || op === '!==' || op === 'in') {
      const at = args.findIndex(
        (arg) => typeof arg === 'object' && !Array.isArray(arg) && isSymbolName(pathOf(arg)?.split('.').at(-1) ?? ''),
      )
      if (at >= 0) for (const word of [args[1 - at]].flat()) yield* unknownSymbol(world, entry, word, pointer + inside)
    } else if (lookups.has(op) && typeof args[1] === 'string' && isSymbolName(args[1]))
      for (const word of [args[2]].flat()) yield* unknownSymbol(world, entry, word, pointer + inside)
  }
}

function* unknownSymbol(world: World, entry: Entry, symbol: unknown, pointer: string): Generator<LintProblem> {
  const { symbols } = world.catalog
  if (typeof symbol !== 'string' || symbol === '' || /^\d+$/.test(symbol) || symbols.includes(symbol)) return
  yield world.report('symbols', entry, pointer, `there is no market "${symbol}"`, { suggestion: nearest(symbol, symbols) })
}
