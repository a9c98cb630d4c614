import type { Json } from '#language/documents/documents.ts'
import { isObject } from '#language/documents/json.ts'
import { operators } from '#language/expression/operators.ts'

/** A problem and its place. */
export interface Misfit {
  pointer: string
  message: string
  suggestion?: string
}

/**
 * Replacements of reads: `params.x` of a fragment → value of the using document, `state.x` and `data.x` of a fragment → those of the use,
 * `values.x` → its expression, `segment.x` → its condition. Undefined stands for absent.
 */
export type Given = Map<string, Json | undefined>
type Complain = (message: string) => unknown

type Members = { [name: string]: Json }
const expressionOf = (json: Json | undefined): Json | undefined =>
  isObject<Json>(json) && Object.keys(json).length === 1 && '$' in json ? json.$ : undefined
const reading = /^((?:params|values|segment|state|data)\.[A-Za-z_][A-Za-z0-9_-]*)(.*)$/

/** Replaces `{"$": "params.x"}` and `{"$": "values.x"}` at any depth of a value. */
export function substituteValue(value: Json, given: Given, complain: Complain): Json {
  if (Array.isArray(value)) return value.map((part) => substituteValue(part, given, complain))
  if (!isObject<Json>(value)) return value
  const expression = expressionOf(value)
  if (expression === undefined)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, substituteValue(part, given, complain)]))
  const whole = typeof expression === 'string' ? reading.exec(expression) : null
  if (whole && given.has(whole[1] as string)) {
    const put = given.get(whole[1] as string)
    if (expressionOf(put) === undefined) return whole[2] === '' ? (put ?? null) : inside(put, whole[2] as string)
  }
  const made = substituteLogic(expression, given, complain)
  if (made === null || typeof made === 'boolean') return made
  return { $: isObject<Json>(made) && typeof made.var === 'string' ? made.var : made }
}

/** The same for plain logic, where a text is a path. */
export function substituteLogic(logic: Json, given: Given, complain: Complain): Json {
  if (typeof logic !== 'string') return tree(logic, given, complain)
  const made = read(logic, given, complain)
  if (isObject<Json>(made) && typeof made.var === 'string') return made.var
  return typeof made === 'string' || made === null ? made !== null && made !== '' : made
}

function tree(logic: Json, given: Given, complain: Complain): Json {
  if (Array.isArray(logic)) return logic.map((part) => tree(part, given, complain))
  if (!isObject<Json>(logic)) return logic
  const [op] = Object.keys(logic)
  if (op === undefined) return logic
  const written = logic[op] as Json
  const args = Array.isArray(written) ? written : [written]
  if (op === 'var' && typeof args[0] === 'string') {
    const made = read(args[0], given, complain)
    const fallback = args[1]
    if (fallback === undefined) return made
    if (made === null) return tree(fallback, given, complain)
    if (!isObject<Json>(made)) return made
    const otherwise = tree(fallback, given, complain)
    return isPath(made, args[0], given) ? { var: [made.var as Json, otherwise] } : { if: [{ present: [made] }, made, otherwise] }
  }
  if (op === 'has' && typeof args[0] === 'string') {
    const made = read(args[0], given, complain)
    if (isObject<Json>(made)) return isPath(made, args[0], given) ? { has: made.var as Json } : { present: [made] }
    return made !== null
  }
  const body = Object.hasOwn(operators, op) && operators[op]?.body === true
  const made = args.map((arg, i) => (body && i === 1 ? inBody(arg, given, complain) : tree(arg, given, complain)))
  return settled(
    op,
    made,
    made.map((part, i) => (typeof part === 'boolean' && typeof args[i] === 'object' ? part : undefined)),
  )
}

/** An operation whose condition a parameter has decided becomes what remains of it. */
function settled(op: string, made: readonly Json[], decided: readonly (boolean | undefined)[]): Json {
  if (op === 'if' && made.length > 2 && decided[0] !== undefined) {
    const rest = made.slice(2)
    return decided[0] ? (made[1] as Json) : rest.length === 1 ? (rest[0] as Json) : settled(op, rest, decided.slice(2))
  }
  if (op === '!' && decided[0] !== undefined) return !decided[0]
  if (op !== 'and' && op !== 'or') return { [op]: [...made] }
  const ends = op === 'or'
  if (decided.includes(ends)) return ends
  const open = made.filter((_, i) => decided[i] === undefined)
  return open.length === 0 ? !ends : open.length === 1 && made.length > 1 ? (open[0] as Json) : { [op]: open }
}

/** Whether an expression reads a path. A named value that an engine evaluates is computed, though it is read by a path. */
function isPath({ var: path }: Members, written: string, given: Given): boolean {
  return typeof path === 'string' && !(path.startsWith('values.') && given.has(reading.exec(written)?.[1] ?? ''))
}

/** The same inside an iteration, where `outer` reads outside the element and every other path starts at the element. */
function inBody(logic: Json, given: Given, complain: Complain): Json {
  if (Array.isArray(logic)) return logic.map((part) => inBody(part, given, complain))
  if (!isObject<Json>(logic)) return logic
  const [op, written] = Object.entries(logic)[0] ?? []
  if (op === undefined || written === undefined) return logic
  if (op !== 'outer')
    return { [op]: Array.isArray(written) ? written.map((arg) => inBody(arg, given, complain)) : inBody(written, given, complain) }
  return asOuter(tree({ var: written }, given, complain), complain)
}

/** Converts an outer expression for use inside an iteration. */
function asOuter(logic: Json, complain: Complain): Json {
  if (Array.isArray(logic)) return logic.map((part) => asOuter(part, complain))
  if (!isObject<Json>(logic)) return logic
  const [op, written] = Object.entries(logic)[0] ?? []
  if (op === undefined || written === undefined) return logic
  if (Object.hasOwn(operators, op) && operators[op]?.body) complain('an iteration over a list cannot be inside another iteration')
  const args = Array.isArray(written) ? written : [written]
  if (op === 'var') return { outer: args.length > 1 ? [args[0] as Json, asOuter(args[1] as Json, complain)] : (args[0] as Json) }
  if (op === 'has') return { present: [{ outer: args[0] as Json }] }
  return { [op]: args.map((arg) => asOuter(arg, complain)) }
}

/** The replacement of a path: a read of the using document, a tree, or a literal. */
function read(path: string, given: Given, complain: Complain): Json {
  const [, name, rest] = reading.exec(path) ?? []
  if (name === undefined || !given.has(name)) return { var: brackets(path, given, complain) }
  const put = given.get(name)
  const expression = expressionOf(put)
  if (typeof expression === 'string') return { var: brackets(`${expression}${rest}`, given, complain) }
  if (expression !== undefined) {
    if (rest !== '') complain(`"${path}" reads inside of what is computed`)
    return expression
  }
  const literal = rest === '' ? (put ?? null) : inside(put, rest as string)
  if (isObject<Json>(literal)) {
    complain(`"${path}" is a text or an object of the host and cannot be computed with`)
    return null
  }
  return literal
}

/** Replaces inside brackets: `data.nets[params.net]`, where `params.net` is a path. */
function brackets(path: string, given: Given, complain: Complain): string {
  return path.replace(/\[((?:params|values|segment|state|data)\.[^\][]+)\]/g, (all, inner: string) => {
    if (/^(?:state|data)\./.test(inner) && !given.has(reading.exec(inner)?.[1] ?? '')) return all
    const made = read(inner, given, complain)
    if (isObject<Json>(made) && typeof made.var === 'string') return `[${made.var}]`
    complain(`"${path}": the part in brackets must be a path`)
    return all
  })
}

function inside(literal: Json | undefined, rest: string): Json {
  let current: Json | undefined = literal
  for (const name of rest.split('.').slice(1)) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return null
    current = (current as Members)[name]
  }
  return current ?? null
}
