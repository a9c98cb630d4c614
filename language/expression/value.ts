import { limits } from '#language/documents/limits.ts'
import { type Compiled, compile, ExpressionProblem, type Outcome, readPath, type Scope } from '#language/expression/expression.ts'
import type { StopReason } from '#language/expression/run.ts'
import type { PathOptions } from '#language/expression/scope.ts'

/** Returns a text in the reader's language. Missing arguments are passed as "". */
export type Say = (key: string, args: Readonly<Record<string, unknown>>) => string

/** A compiled prop. */
export interface CompiledValue {
  /** True for literals, which always evaluate to the same reference. A text is not static, because the language may change. */
  readonly static: boolean
  /** Paths to observe, and `clock`, `format`, `formMeta` when an operator reads them. */
  readonly deps: readonly string[]
  /** Text keys of the value. */
  readonly texts: readonly string[]
  /** The expressions inside the value, for resolving lookups or types. */
  readonly expressions: readonly Compiled[]
  /** Never throws. Unchanged parts keep their reference; so does the whole when no part changed. */
  evaluate(scope: Scope, say: Say): Outcome
  /**
   * The value of `evaluate` without collecting missing paths, for values that are drawn again with every change.
   * @param stop called when a limit ended an evaluation: the value is incomplete then and must not be shown as if it were whole
   */
  read(scope: Scope, say: Say, stop: (reason: StopReason) => void): unknown
}

const none: readonly string[] = []
const noArgs: Readonly<Record<string, unknown>> = Object.freeze({})

/** Area of a text key: the part before the first dot. */
export function areaOf(key: string): string {
  return key.split('.', 1)[0] as string
}

/**
 * Compiles one of the four forms: a literal, `{"$": path or logic tree}`, `{"$t": key, …arguments}`, or lists and objects of these.
 * @throws ExpressionProblem with a pointer below the value
 */
export function compileValue(value: unknown, options: PathOptions = {}): CompiledValue {
  return read(value, options.pointer ?? '', options, 0)
}

function read(value: unknown, pointer: string, options: PathOptions, depth: number): CompiledValue {
  if (depth > limits.documentDepthMax)
    throw new ExpressionProblem('too_deep', pointer, `a value is at most ${limits.documentDepthMax} levels deep`)
  if (typeof value !== 'object' || value === null) return literal(value)
  if (Array.isArray(value)) {
    const parts = value.map((part, i) => read(part, `${pointer}/${i}`, options, depth + 1))
    return parts.every((part) => part.static) ? literal(value) : composed(parts, asList)
  }
  const members = value as Record<string, unknown>
  if (Object.hasOwn(members, '$')) return expression(members, pointer, options)
  if (Object.hasOwn(members, '$t')) return text(members, pointer, options, depth)
  const names = Object.keys(members)
  if (names.includes('__proto__')) throw new ExpressionProblem('not_logic', pointer, '"__proto__" is not the name of a member')
  const parts = names.map((name) => read(members[name], `${pointer}/${escaped(name)}`, options, depth + 1))
  return parts.every((part) => part.static) ? literal(value) : composed(parts, objectBuilder(names, parts))
}

function literal(value: unknown): CompiledValue {
  const outcome: Outcome = { value, missing: none }
  return {
    static: true,
    deps: none,
    texts: none,
    expressions: [],
    evaluate: () => outcome,
    read: () => value,
  }
}

function expression(members: Record<string, unknown>, pointer: string, options: PathOptions): CompiledValue {
  if (Object.keys(members).length !== 1) throw new ExpressionProblem('not_logic', pointer, '{"$": …} has no other members')
  const compiled = compile(members.$, { ...options, pointer: `${pointer}/$` })
  const { deps, literal: fixed } = compiled
  return {
    static: fixed === true,
    deps,
    texts: compiled.texts,
    expressions: [compiled],
    evaluate: (scope) => compiled.evaluate(scope),
    read: readerOf(compiled),
  }
}

function readerOf(compiled: Compiled): CompiledValue['read'] {
  const { path } = compiled
  if (!path)
    return (scope, _, stop) => {
      const { value, stopped } = compiled.evaluate(scope)
      if (stopped !== undefined) stop(stopped)
      return value
    }
  return (scope) => {
    try {
      return readPath(scope, path)
    } catch {
      return undefined
    }
  }
}

function text(members: Record<string, unknown>, pointer: string, options: PathOptions, depth: number): CompiledValue {
  const key = members.$t
  if (typeof key !== 'string' || key === '')
    throw new ExpressionProblem('computed_name', `${pointer}/$t`, 'a text key must be literal, not computed')
  const names = Object.keys(members).filter((name) => name !== '$t')
  if (names.includes('__proto__')) throw new ExpressionProblem('not_logic', pointer, '"__proto__" is not the name of an argument')
  const parts = names.map((name) => read(members[name], `${pointer}/${escaped(name)}`, options, depth + 1))
  const whole = composed(parts, (values) => {
    if (names.length === 0) return noArgs
    const args: Record<string, unknown> = {}
    names.forEach((name, i) => {
      args[name] = values[i] ?? ''
    })
    return args
  })
  return {
    ...whole,
    texts: [...new Set([key, ...whole.texts])],
    evaluate(scope, say) {
      const args = whole.evaluate(scope, say)
      return { ...args, value: saying(say, key, args.value) }
    },
    read: (scope, say, stop) => saying(say, key, whole.read(scope, say, stop)),
  }
}

function saying(say: Say, key: string, args: unknown): string {
  try {
    return say(key, args as Readonly<Record<string, unknown>>)
  } catch {
    return key
  }
}

/** The array belongs to this evaluation, so it can be returned as the list. */
const asList: Build = (values) => values

type Build = (values: readonly unknown[]) => unknown

function objectBuilder(names: readonly string[], parts: readonly CompiledValue[]): Build {
  return (values) => {
    const built: Record<string, unknown> = {}
    for (let i = 0; i < parts.length; i += 1) built[names[i] as string] = values[i]
    return built
  }
}

function composed(parts: readonly CompiledValue[], build: Build): CompiledValue {
  const union = (pick: (part: CompiledValue) => readonly string[]) => [...new Set(parts.flatMap(pick))]
  let last: readonly unknown[] | undefined
  let lastBuilt: unknown
  const keep = (values: readonly unknown[]): unknown => {
    const before = last
    let i = 0
    if (before) while (i < values.length && Object.is(values[i], before[i])) i += 1
    if (before && i === values.length) return lastBuilt
    last = values
    lastBuilt = build(values)
    return lastBuilt
  }
  return {
    static: false,
    deps: union((part) => part.deps),
    texts: union((part) => part.texts),
    expressions: parts.flatMap((part) => part.expressions),
    evaluate(scope, say) {
      let missing = none
      let stopped: Outcome['stopped']
      const values: unknown[] = []
      for (const part of parts) {
        const outcome = part.evaluate(scope, say)
        values.push(outcome.value)
        if (outcome.missing.length > 0) missing = missing.length === 0 ? outcome.missing : [...missing, ...outcome.missing]
        stopped ??= outcome.stopped
      }
      const value = keep(values)
      return stopped === undefined ? { value, missing } : { value, missing, stopped }
    },
    read(scope, say, stop) {
      const values = new Array<unknown>(parts.length)
      for (let i = 0; i < parts.length; i += 1) values[i] = (parts[i] as CompiledValue).read(scope, say, stop)
      return keep(values)
    },
  }
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
