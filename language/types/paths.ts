import { limits } from '#language/documents/limits.ts'
import { nearest } from '#language/documents/nearest.ts'
import { operators } from '#language/expression/operators.ts'
import { compileElementPath, compilePath, ExpressionProblem, type Path, type Root, roots, rootsBy } from '#language/expression/scope.ts'
import { below } from '#language/text/position.ts'
import { bounded, sameList, textConditions, unbounded } from '#language/types/bounds.ts'
import type { JsonSchema } from '#language/types/catalog.ts'
import { anything, literalType, type Types, withoutNull } from '#language/types/types.ts'
import { called } from '#language/types/unit-calls.ts'
import {
  asType,
  besides,
  common,
  computed,
  leaving,
  namesCoin,
  placed,
  type Row,
  type UnitProblem,
  withoutUnit,
} from '#language/types/units.ts'

/** A problem of a path. `pointer` is below the value or expression; `suggestion` is the whole path with the nearest valid name. */
export interface PathProblem {
  pointer: string
  path: string
  message: string
  suggestion?: string
  /** The problem concerns units, or the number of rows of an iteration, or a text as a condition, not the path. */
  about?: 'units' | 'bounds' | 'text-conditions'
}
export interface Typed {
  type: JsonSchema
  problems: PathProblem[]
}

const nothing: JsonSchema = { type: 'null' }
const boolean: JsonSchema = { type: 'boolean' }
const text: JsonSchema = { type: 'string' }
const amount: JsonSchema = { type: 'string', decimal: true }
const integer: JsonSchema = { type: 'integer' }
const results: Record<string, JsonSchema> = {
  ...Object.fromEntries(
    [
      '!',
      '!!',
      '===',
      '!==',
      '<',
      '<=',
      '>',
      '>=',
      'in',
      'all',
      'none',
      'some',
      'has',
      'present',
      'empty',
      'valid',
      'dirty',
      'match',
      'before',
    ].map((op) => [op, boolean]),
  ),
  ...Object.fromEntries(
    ['+', '-', '*', '/', '%', 'min', 'max', 'round', 'sum'].map((op) => [op, { anyOf: [amount, { type: 'number' }], computed: true }]),
  ),
  cat: text,
  substr: text,
  format: text,
  floorTo: { anyOf: [amount, { type: 'number' }], computed: true },
  money: text,
  t: { ...text, text: true },
  join: text,
  days: integer,
  range: { type: 'array', items: { anyOf: [amount, { type: 'number' }] }, maxItems: limits.expressionItemsMax },
  split: { type: 'array', items: text, maxItems: limits.expressionItemsMax },
  len: integer,
  now: integer,
}
/** Problems of units are reported by a check of their own. */
const asProblems = (problems: readonly UnitProblem[]): PathProblem[] =>
  problems.map((one) => ({ ...one, path: '', about: 'units' as const }))

const asWarnings = (about: 'bounds' | 'text-conditions', found: readonly { pointer: string; message: string }[]): PathProblem[] =>
  found.map((one) => ({ ...one, path: '', about }))

/** Type of the value at a path. */
export function typeOfPath(path: string, types: Types, pointer = ''): Typed {
  try {
    return follow(compilePath(path, { pointer }), types, undefined, pointer)
  } catch (problem) {
    return { type: anything, problems: problem instanceof ExpressionProblem ? [unreadable(path, pointer, problem)] : [] }
  }
}

/** Suggests a name for an unknown root. The expression check reports everything else that cannot be compiled. */
function unreadable(path: string, pointer: string, problem: ExpressionProblem): PathProblem {
  const [root = ''] = path.split(/[.[]/)
  const near = problem.code === 'unknown_root' ? nearest(root, roots) : undefined
  return { pointer, path, message: problem.message, ...(near !== undefined && { suggestion: near + path.slice(root.length) }) }
}

/** Type of an expression: a plain path, a tree or a literal. */
export function typeOfLogic(logic: unknown, types: Types, pointer = ''): Typed {
  return typeof logic === 'string' ? typeOfPath(logic, types, pointer) : tree(logic, { types, element: undefined }, pointer)
}

/** Type of a value of any form. A text from a key is a string with `text: true`. */
export function typeOfValue(value: unknown, types: Types, pointer = ''): Typed {
  if (typeof value !== 'object' || value === null) return { type: value === null ? nothing : literalType(value), problems: [] }
  if (Array.isArray(value)) {
    const parts = value.map((part, i) => typeOfValue(part, types, below(pointer, i)))
    const type = { type: 'array', items: either(parts.map((part) => part.type)), maxItems: parts.length }
    return { type, problems: parts.flatMap((part) => part.problems) }
  }
  if ('$' in value) return typeOfLogic(value.$, types, `${pointer}/$`)
  const parts = Object.entries(value)
    .filter(([name]) => name !== '$t')
    .map(([name, part]) => [name, typeOfValue(part, types, below(pointer, name))] as const)
  const said = parts.map(([name, { type }]) => ({ pointer: below(pointer, name), type }))
  const problems = [...parts.flatMap(([, part]) => part.problems), ...asProblems(besides(said))]
  if ('$t' in value) return { type: { ...text, text: true }, problems }
  const properties = Object.fromEntries(parts.map(([name, part]) => [name, part.type]))
  return { type: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }, problems }
}

interface Within {
  types: Types
  /** Type of the element inside an iteration. */
  element: JsonSchema | undefined
}

function tree(logic: unknown, within: Within, pointer: string): Typed {
  if (typeof logic !== 'object' || logic === null) return { type: logic === null ? nothing : literalType(logic), problems: [] }
  if (Array.isArray(logic)) {
    const parts = logic.map((part, i) => tree(part, within, below(pointer, i)))
    const type = { type: 'array', items: either(parts.map((part) => part.type)), maxItems: parts.length }
    return { type, problems: parts.flatMap((part) => part.problems) }
  }
  const [op] = Object.keys(logic)
  if (op === undefined) return { type: anything, problems: [] }
  const written = (logic as Record<string, unknown>)[op]
  const listed = Array.isArray(written)
  const args: readonly unknown[] = listed ? written : [written]
  const at = (i: number) => (listed ? below(below(pointer, op), i) : below(pointer, op))
  if (op === 'var' || op === 'has') return reading(op, args, within, at)
  if (op === 'outer') return reading('var', args, within, at, true)
  const known = Object.hasOwn(operators, op) ? operators[op] : undefined
  const first = args.length > 0 ? tree(args[0], within, at(0)) : { type: anything, problems: [] }
  const rest = args.slice(1).map((arg, i) => {
    const element = known?.body && i === 0 ? elementOf(op, first.type) : within.element
    return isWord(op, i + 1) ? { type: text, problems: [] } : tree(arg, { ...within, element }, at(i + 1))
  })
  const problems = [...first.problems, ...rest.flatMap((part) => part.problems)]
  if (known?.body) problems.push(...asWarnings('bounds', unbounded(op, first.type, at(0))))
  if (known?.scans) problems.push(...fields(op, args, first.type, at))
  const types = [first, ...rest].map((part) => part.type)
  problems.push(...asWarnings('text-conditions', textConditions(op, types, at)))
  if (op === 'find') return { type: foundIn(first.type, args[2]), problems }
  const domain = within.types.functions?.find(({ name }) => name === op)
  const result = bounded(domain?.result ?? (op === 'rename' ? renamed(args, first.type) : resultOf(op, types)), op, args, types)
  const units = domain ? called(domain.params, domain.result, types, at) : computed(op, args, types, at)
  problems.push(...asProblems(units.problems))
  return { type: units.counted ? { ...result, ...asType(units.counted) } : result, problems }
}

function isWord(op: string, i: number): boolean {
  const known = operators[op]
  return known?.words?.[i] !== undefined || (known?.namesFrom !== undefined && i >= known.namesFrom)
}

/** Whether an argument is the name of a member of a row. */
function isName(op: string, i: number): boolean {
  return isWord(op, i) && !Array.isArray(operators[op]?.words?.[i])
}

function elementOf(op: string, list: JsonSchema): JsonSchema {
  const item = withoutNull(list).items ?? anything
  return op === 'reduce' ? { type: 'object', properties: { current: item, accumulator: anything }, additionalProperties: false } : item
}

/** Type of a row, or of one of its members. */
function foundIn(list: JsonSchema, name: unknown): JsonSchema {
  const row = withoutNull(withoutNull(list).items ?? anything)
  return typeof name === 'string' ? (member(row, name) ?? anything) : row
}

/** Type of rows after `rename`: new name, old name, and so on. */
function renamed(args: readonly unknown[], list: JsonSchema): JsonSchema {
  const row = withoutNull(withoutNull(list).items ?? anything)
  const properties: Record<string, JsonSchema> = {}
  for (let i = 1; i + 1 < args.length; i += 2) {
    const old = String(args[i + 1])
    properties[String(args[i])] = row.properties
      ? ((Object.hasOwn(row.properties, old) ? row.properties[old] : undefined) ?? anything)
      : row
  }
  return { type: 'array', items: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false } }
}

/** Checks that members named in an operator are members of the rows. */
function fields(op: string, args: readonly unknown[], list: JsonSchema, at: (i: number) => string): PathProblem[] {
  const row = withoutNull(withoutNull(list).items ?? anything)
  const { properties } = row
  if (!properties) return []
  return args.flatMap((arg, i) => {
    const isNew = op === 'rename' && i % 2 === 1
    if (i === 0 || isNew || typeof arg !== 'string' || !isName(op, i) || Object.hasOwn(properties, arg)) return []
    const suggestion = nearest(arg, Object.keys(properties))
    return [{ pointer: at(i), path: arg, message: `the rows have no "${arg}"`, ...(suggestion !== undefined && { suggestion }) }]
  })
}

/** @param isOuter inside an iteration, a path that starts at a root */
function reading(op: string, args: readonly unknown[], within: Within, at: (i: number) => string, isOuter = false): Typed {
  const path = args[0]
  if (typeof path !== 'string') return { type: anything, problems: [] }
  const read = within.element && !isOuter ? element(path, within, at(0)) : typeOfPath(path, within.types, at(0))
  if (op === 'has') return { type: boolean, problems: read.problems }
  if (args.length < 2) return read
  const other = tree(args[1], within, at(1))
  return { type: either([read.type, other.type]), problems: [...read.problems, ...other.problems] }
}

function element(path: string, within: Within, pointer: string): Typed {
  try {
    return follow(compileElementPath(path, pointer), within.types, within.element, pointer)
  } catch {
    return { type: anything, problems: [] }
  }
}

function resultOf(op: string, types: readonly JsonSchema[]): JsonSchema {
  if (op === 'if') return either(types.filter((_, i) => i % 2 === 1 || i === types.length - 1))
  if (op === 'and' || op === 'or') return either(types)
  if (op === 'case') return either(types.filter((_, i) => i > 0 && (i % 2 === 0 || (i === types.length - 1 && types.length % 2 === 0))))
  if (op === 'concat') return { type: 'array', items: either(types.map((type) => withoutNull(type).items ?? anything)) }
  if (op === 'map') return { type: 'array', items: leaving(types[1] ?? anything) }
  if (sameList.has(op)) return types[0] ?? anything
  return Object.hasOwn(results, op) ? (results[op] as JsonSchema) : anything
}

function follow(path: Path, types: Types, start: JsonSchema | undefined, pointer: string): Typed {
  const problems: PathProblem[] = []
  const isElement = start !== undefined
  if (!isElement && !Object.hasOwn(types, path.root)) {
    return { type: anything, problems: [{ pointer, path: path.text, message: absent(path.root) }] }
  }
  let current = isElement ? start : (types[path.root as Root] as JsonSchema)
  let walked = isElement ? '' : path.root
  for (const segment of path.segments) {
    const here = withoutNull(current)
    if (typeof segment === 'string') {
      const next = member(here, segment)
      if (!next) return { type: anything, problems: [...problems, unknownMember(path.text, walked, segment, here, pointer)] }
      walked = walked === '' ? segment : `${walked}.${segment}`
      current = next
    } else {
      const by = follow(segment.by, types, isElement ? start : undefined, pointer)
      problems.push(...by.problems)
      const why = lookedUp(here, withoutNull(by.type))
      if (why !== undefined) problems.push({ pointer, path: path.text, message: `"${walked}" ${why}: "${segment.by.text}" is none` })
      walked = `${walked}[${segment.by.text}]`
      current = here.items ?? (typeof here.additionalProperties === 'object' ? here.additionalProperties : anything)
    }
  }
  return {
    type: namesCoin(current) ? whole(current, path, isElement ? start : (types[path.root as Root] as JsonSchema)) : current,
    problems,
  }
}

/** The type at a path, with the currencies of the records on the path. Paths of an element start with a dot. */
function whole(type: JsonSchema, { root, segments }: Path, start: JsonSchema): JsonSchema {
  const rows: Row[] = []
  let [current, walked] = [start, root]
  for (const segment of segments) {
    const here = withoutNull(current)
    rows.push({ type: here, path: walked })
    const isName = typeof segment === 'string'
    walked = isName ? `${walked}.${segment}` : `${walked}[${segment.by.text}]`
    current = isName ? (member(here, segment) ?? anything) : (here.items ?? anything)
  }
  return placed(type, walked, rows)
}

/** Why no row of a list can have this key; undefined when one can. */
function lookedUp({ key, items }: JsonSchema, by: JsonSchema): string | undefined {
  const wanted = key === undefined ? undefined : withoutNull(items ?? anything).properties?.[key]
  if (!wanted) return undefined
  const isNumber = wanted.type === 'integer'
  const isWord = by.type === 'string' && !by.loose && !by.decimal && (by.enum ?? []).every((word) => !/^\d+$/.test(String(word)))
  const isOther = by.type === 'boolean' || by.type === 'array' || by.type === 'object'
  return isOther || (isNumber && isWord) ? `is looked up by "${key}"${isNumber ? ', a number' : ''}` : undefined
}

function absent(root: string): string {
  const among = (names: readonly string[]) => names.includes(root)
  if (among(rootsBy.row)) return `"${root}" is only available inside a repeat`
  if (among(rootsBy.prompt)) return `"${root}" is only available in the "stale_when" of a prompt`
  if (among(rootsBy.action)) return `"${root}" is only available inside an action`
  return `"${root}" cannot be read here`
}

function unknownMember(path: string, walked: string, name: string, type: JsonSchema, pointer: string): PathProblem {
  if (isList(type)) return { pointer, path, message: `"${walked}" is a list: read a row by number or [key], its length with "len"` }
  const names = Object.keys(type.properties ?? {})
  const near = nearest(name, names)
  const from = walked === '' ? '' : `${walked}.`
  const whole = near === undefined ? undefined : `${from}${near}${path.slice(from.length + name.length)}`
  const message =
    names.length === 0 && type.type !== 'object' ? `"${walked}" has no members` : `there is no "${name}" in "${walked || 'the element'}"`
  return { pointer, path, message, ...(whole !== undefined && { suggestion: whole }) }
}

function isList(type: JsonSchema): boolean {
  return type.type === 'array'
}

/** Type of a member; undefined for an unknown one. Unknown types allow everything. */
function member(type: JsonSchema, name: string): JsonSchema | undefined {
  if (type.anyOf) {
    const found = type.anyOf.map((one) => member(withoutNull(one), name)).filter((one) => one !== undefined)
    return found.length > 0 ? either(found) : undefined
  }
  if (type.type === undefined && !type.properties) return anything
  if (isList(type)) return /^\d+$/.test(name) ? (type.items ?? anything) : undefined
  if (type.properties && Object.hasOwn(type.properties, name)) return type.properties[name]
  if (typeof type.additionalProperties === 'object') return type.additionalProperties
  return type.type === 'object' && !type.properties && type.additionalProperties !== false ? anything : undefined
}

function wider(type: JsonSchema, one: number | undefined, other: number | undefined): JsonSchema {
  const { maxItems: _, ...rest } = type
  return one === undefined || other === undefined ? rest : { ...rest, maxItems: Math.max(one, other) }
}

/** Union of types without duplicates. The unit is kept when it is the same in all. */
export function either(types: readonly JsonSchema[]): JsonSchema {
  const flat = types.flatMap(
    (type) => type.anyOf?.map((one) => (type.unit ? { ...one, unit: type.unit, coin: type.coin, per: type.per } : one)) ?? [type],
  )
  const byShape = new Map<string, JsonSchema>()
  for (const type of flat) {
    const { maxItems, ...rest } = withoutUnit(type)
    const shape = JSON.stringify(rest)
    const before = byShape.get(shape)
    byShape.set(shape, before === undefined ? type : wider(common(before, type), before.maxItems, maxItems))
  }
  const unique = [...byShape.values()]
  if (unique.length === 0 || unique.some((type) => type.type === undefined && type.properties === undefined)) return anything
  return unique.length === 1 ? (unique[0] as JsonSchema) : { anyOf: unique }
}
