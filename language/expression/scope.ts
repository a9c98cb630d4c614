import { limits } from '#language/documents/limits.ts'

/** Provides the roots of an expression. `get` returns undefined for an unknown root. */
export interface Scope {
  get(root: string): unknown
}

/** Roots of paths, by who sets them. Engine and checks use this table, so no root is accepted that nothing sets. */
export const rootsBy = {
  screen: ['params', 'state', 'data'],
  form: ['form'],
  /** Set by a repeat. `row` holds the outer rows, by the names that their repeats give them. */
  row: ['item', 'index', 'row'],
  /** `value` is the value under test in a rule, and the emitted value in an action. */
  action: ['value', 'result'],
  /** Set while a prompt is open: its parameters as they are at that moment, where `params` holds them as they are shown. */
  prompt: ['latest'],
  app: ['session', 'app', 'feed', 'device'],
  /** Named values of a document. */
  document: ['values'],
  /** Segments of customers of the app document. They are replaced by their conditions before publishing. */
  configuration: ['segment'],
} as const
export type Root = (typeof rootsBy)[keyof typeof rootsBy][number]
export const roots: readonly Root[] = Object.values(rootsBy).flat()

/** A scope over an object; own properties only. */
export function scopeOf(members: Record<string, unknown>): Scope {
  return { get: (root) => (Object.hasOwn(members, root) ? members[root] : undefined) }
}

/** The reason why an expression is refused. `pointer` is a JSON pointer below the expression, "" for the whole. */
export class ExpressionProblem extends Error {
  readonly code: ExpressionCode
  readonly pointer: string
  constructor(code: ExpressionCode, pointer: string, message: string) {
    super(message)
    this.name = 'ExpressionProblem'
    this.code = code
    this.pointer = pointer
  }
}
export type ExpressionCode =
  | 'not_logic'
  | 'unknown_operator'
  | 'refused_operator'
  | 'unknown_root'
  | 'bad_path'
  | 'computed_path'
  | 'computed_name'
  | 'arguments'
  | 'too_deep'
  | 'too_large'
  | 'nested_iteration'

/** Looks up a row of a list by its key, or a member of a record by its name. */
interface Lookup {
  by: Path
}

/** A compiled path. */
export interface Path {
  readonly text: string
  /** '' when the path starts at the element of an iteration. */
  readonly root: string
  readonly segments: readonly (string | Lookup)[]
  /**
   * Paths to observe in order to read this path again: the path up to the first lookup, and the paths inside brackets. A feed price
   * includes its bracket, `feed[state.symbol]`, because each name is subscribed separately.
   */
  readonly deps: readonly string[]
}

/** Dependencies of a named value. */
export interface NamedDeps {
  readonly deps: readonly string[]
  readonly operators: readonly string[]
  /** Text keys that it says. */
  readonly texts: readonly string[]
}

export interface PathOptions {
  pointer?: string
  /** Returns the dependencies of a named value of the document. An expression that reads the value has the same. */
  named?: (name: string) => NamedDeps | undefined
}

const segment = /^(?:[A-Za-z_][A-Za-z0-9_-]*|\d{1,6})$/
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])
/** Default key members of rows: the first that a row has. */
export const usualKeys = ['id', 'symbol', 'nid', 'currency_id', 'chain', 'currency_code'] as const
const declared = new WeakMap<object, string>()

/** Registers the key member of a list's rows when it is not one of the defaults. */
export function declareKey(list: readonly unknown[], key: string): void {
  declared.set(list, key)
}

/**
 * Compiles `data.info.balance`, `data.list.0.name`, `data.nets[form.network].min`.
 * @throws ExpressionProblem for an unknown root, a forbidden name or a syntax error
 */
export function compilePath(text: string, options: PathOptions = {}): Path {
  return parse(text, options, true, 0)
}

/** Compiles a path that starts at the element of an iteration; "" is the element itself. */
export function compileElementPath(text: string, pointer = ''): Path {
  return text === '' ? { text, root: '', segments: [], deps: [] } : parse(text, { pointer }, false, 0)
}

function parse(text: string, options: PathOptions, rooted: boolean, nesting: number): Path {
  const bad = (code: ExpressionCode, message: string) => new ExpressionProblem(code, options.pointer ?? '', message)
  if (text.length > limits.pathLengthMax) throw bad('bad_path', `a path has at most ${limits.pathLengthMax} characters`)
  const segments: (string | Lookup)[] = []
  const deps: string[] = []
  let plainEnd = text.length
  let at = 0
  while (at < text.length) {
    if (text[at] === '[') {
      const close = closing(text, at)
      if (close < 0 || at === 0 || nesting > 1) throw bad('bad_path', `"${text}": a bracket is not closed or not allowed here`)
      const by = parse(text.slice(at + 1, close), options, rooted, nesting + 1)
      segments.push({ by })
      deps.push(...by.deps)
      if (plainEnd === text.length) plainEnd = text.slice(0, at) === 'feed' ? close + 1 : at
      at = close + 1
    } else {
      if (at > 0 && text[at] !== '.') throw bad('bad_path', `"${text}": a dot is missing`)
      const from = at > 0 ? at + 1 : 0
      let to = from
      while (to < text.length && text[to] !== '.' && text[to] !== '[') to += 1
      const name = text.slice(from, to)
      if (!segment.test(name)) throw bad('bad_path', `"${text}": "${name}" is not a name`)
      if (forbidden.has(name)) throw bad('bad_path', `"${text}": "${name}" cannot be read`)
      segments.push(name)
      at = to
    }
  }
  if (!rooted) return { text, root: '', segments, deps: [] }
  const root = segments[0]
  if (typeof root !== 'string' || !(roots as readonly string[]).includes(root)) {
    throw bad('unknown_root', `"${text}": paths start with ${roots.join(', ')}`)
  }
  const named = root === 'values' && typeof segments[1] === 'string' ? options.named?.(segments[1]) : undefined
  deps.unshift(...(named?.deps ?? [text.slice(0, plainEnd)]))
  return { text, root, segments: segments.slice(1), deps }
}

function closing(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '[') depth += 1
    else if (text[at] === ']') {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return -1
}

/** Reads a path. Own properties only, rows of lists by index or key; undefined when a part is missing. */
export function readPath(scope: Scope, path: Path): unknown {
  return follow(scope.get(path.root), path.segments, scope)
}

/** Reads a path of an iteration's element. */
export function readElement(element: unknown, path: Path): unknown {
  return follow(element, path.segments, element)
}

function follow(start: unknown, segments: readonly (string | Lookup)[], origin: unknown): unknown {
  let current = start
  for (let i = 0; i < segments.length; i += 1) {
    if (typeof current !== 'object' || current === null) return undefined
    const at = segments[i] as string | Lookup
    if (typeof at === 'string') current = own(current, at)
    else {
      const wanted = at.by.root === '' ? readElement(origin, at.by) : readPath(origin as Scope, at.by)
      if (typeof wanted !== 'string' && typeof wanted !== 'number') return undefined
      current = Array.isArray(current) ? row(current, wanted) : own(current, String(wanted))
    }
  }
  return current
}

function own(holder: object, name: string): unknown {
  if (Array.isArray(holder)) {
    const first = name.charCodeAt(0)
    return first >= 48 && first <= 57 ? holder[Number(name)] : undefined
  }
  return Object.hasOwn(holder, name) ? (holder as Record<string, unknown>)[name] : undefined
}

function row(list: readonly unknown[], wanted: string | number): unknown {
  const own = declared.get(list)
  const keys: readonly string[] = own === undefined ? usualKeys : [own]
  const text = String(wanted)
  const end = Math.min(list.length, limits.repeatItemsMax)
  for (let i = 0; i < end; i += 1) {
    const candidate = list[i]
    if (typeof candidate !== 'object' || candidate === null) continue
    const key = keys.find((name) => Object.hasOwn(candidate, name))
    if (key !== undefined && String((candidate as Record<string, unknown>)[key]) === text) return candidate
  }
  return undefined
}

/** The name of a path's first lookup in this scope, such as that of `feed[state.symbol]`. Undefined without a value. */
export function nameOfLookup(scope: Scope, path: Path): string | undefined {
  const at = path.segments.find((one) => typeof one === 'object')
  const wanted = at && readPath(scope, at.by)
  return typeof wanted === 'number' || (typeof wanted === 'string' && wanted !== '') ? String(wanted) : undefined
}
