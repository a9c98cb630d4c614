import jsonLogic from 'json-logic-js'
import { limits } from '#language/documents/limits.ts'
import { isFunctionName, type Operator, truthy } from '#language/expression/operator.ts'
import { operators } from '#language/expression/operators.ts'
import { member } from '#language/expression/rows.ts'
import {
  boundedRows,
  charge,
  type Ended,
  halt,
  isPresent,
  missingApart,
  noteMissing,
  running,
  type StopReason,
  within,
} from '#language/expression/run.ts'
import {
  compilePath,
  ExpressionProblem,
  type Path,
  type PathOptions,
  readElement,
  readPath,
  type Scope,
} from '#language/expression/scope.ts'
import { type Checked, checkLogic, inner } from '#language/types/check-logic.ts'

/**
 * The only place that calls json-logic-js. The library walks the tree; all operators are defined in operators.ts, paths read own properties
 * only, and a budget stops long evaluations. Runs in browser, server and CLI.
 */

/** `missing` names paths without a value; null is a value. `stopped` names the limit that ended the evaluation. */
export interface Outcome extends Ended {
  stopped?: StopReason
}

export interface Compiled {
  /** Static paths that the expression may read, and `clock`, `format`, `formMeta` when an operator reads them. */
  readonly deps: readonly string[]
  readonly paths: readonly Path[]
  readonly operators: readonly string[]
  /** Text keys whose words it gives. */
  readonly texts: readonly string[]
  /** Set when the expression is a single path, which is read without an evaluation. */
  readonly path?: Path
  /** True for a literal. */
  readonly literal?: true
  /** Never throws. */
  evaluate(scope: Scope): Outcome
}

const none: readonly string[] = []

/** The named values of a document, in its scopes as root `values`. */
export interface NamedValues {
  /** Evaluates a value in a scope. Undefined for a name that the document does not have. */
  outcomeOf(name: string, scope: Scope): Outcome | undefined
  /** Returns what a value depends on. */
  readonly deps: NonNullable<PathOptions['named']>
  /** Returns the expression of a value. */
  expressionOf(name: string): unknown
}

/** The outcome of `values.<name>` in a scope. */
function namedIn(scope: Scope, path: Path): Outcome {
  const values = scope.get('values') as Partial<NamedValues> | undefined
  return values?.outcomeOf?.(String(path.segments[0]), scope) ?? { value: undefined, missing: [path.text] }
}

function define(name: string, run: (this: unknown, ...args: unknown[]) => unknown): void {
  jsonLogic.add_operation(name, function counted(this: unknown, ...args: unknown[]) {
    charge(1)
    return run.apply(this, args)
  } as never)
}

function pathAt(k: unknown): Path {
  return running().paths[k as number] as Path
}

function found(value: unknown, args: readonly unknown[], path: Path): unknown {
  if (value !== undefined) return value
  if (args.length > 1) return args[1]
  noteMissing(path.text)
  return undefined
}

/** Adds operators. Expressions refused earlier because an operator was missing are not compiled again. */
export function learn(more: Readonly<Record<string, Operator>>): void {
  Object.assign(operators, more)
  for (const [name, { run }] of Object.entries(more)) if (run && !isFunctionName(name)) define(name, run)
}

learn(operators)
define(inner.read, (...args) => {
  const path = pathAt(args[0])
  const { scope } = running()
  if (path.root !== 'values') return found(readPath(scope, path), args, path)
  const { value, missing, stopped } = namedIn(scope, path)
  if (stopped !== undefined) halt(stopped)
  for (const one of missing) noteMissing(one)
  return missing.length === 0 ? found(value, args, path) : value
})
define(inner.element, function element(...args) {
  return found(readElement(this, pathAt(args[0])), args, pathAt(args[0]))
})
define(inner.hasRead, (k) => {
  const value = readPath(running().scope, pathAt(k))
  return value !== undefined && value !== null
})
define(inner.hasElement, function has(k) {
  const value = readElement(this, pathAt(k))
  return value !== undefined && value !== null
})
define(inner.apart, missingApart)
// The library would resolve a name with a dot among members of its own operations, so functions are resolved here.
define(inner.call, (name, ...args) => {
  const run = Object.hasOwn(operators, name as string) ? operators[name as string]?.run : undefined
  if (!run) throw new Error(`the function ${String(name)} is not loaded`)
  return run(...args)
})
define('present', (_, value) => isPresent(value))
define(inner.found, (list, name) => {
  const row = Array.isArray(list) ? list[0] : undefined
  const value = name === undefined ? row : member(row, name)
  if (value === undefined) noteMissing('find')
  return value
})
define(inner.items, (list) => (Array.isArray(list) ? boundedRows(list, limits.expressionItemsMax) : list))
define(inner.tick, (weight) => {
  charge(weight as number)
  return true
})

const known = new WeakMap<object, { compiled: Compiled; named: PathOptions['named'] }>()

/**
 * Validates and compiles an expression. A plain text is a path (`{"$": "item.price"}` gives `"item.price"`); everything else is a
 * JSON-Logic tree or a literal. The same tree is compiled once.
 * @throws ExpressionProblem for an expression that may not be published
 */
export function compile(logic: unknown, options: PathOptions = {}): Compiled {
  if (typeof logic === 'string') return compiledPath(compilePath(logic, options), options)
  if (typeof logic !== 'object') return literal(logic, options)
  if (logic === null) throw new ExpressionProblem('not_logic', options.pointer ?? '', 'there is no expression')
  const { named } = options
  const before = known.get(logic)
  if (before && (named === undefined || named === before.named)) return before.compiled
  const compiled = fromTree(checkLogic(logic, options), options)
  known.set(logic, { compiled, named })
  return compiled
}

function literal(value: unknown, { pointer = '' }: PathOptions): Compiled {
  if (typeof value !== 'boolean' && !(typeof value === 'number' && Number.isFinite(value)))
    throw new ExpressionProblem('not_logic', pointer, 'not JSON')
  const outcome: Outcome = { value, missing: none }
  return { deps: none, paths: [], operators: none, texts: none, literal: true, evaluate: () => outcome }
}

function compiledPath(path: Path, options: PathOptions): Compiled {
  if (path.root === 'values') {
    const texts = options.named?.(String(path.segments[0]))?.texts ?? none
    return { deps: path.deps, paths: [path], operators: none, texts, evaluate: (scope) => namedIn(scope, path) }
  }
  const lost: Outcome = { value: undefined, missing: [path.text] }
  return {
    deps: path.deps,
    paths: [path],
    operators: none,
    texts: none,
    path,
    evaluate(scope) {
      try {
        const value = readPath(scope, path)
        return value === undefined ? lost : { value, missing: none }
      } catch {
        return lost
      }
    },
  }
}

function fromTree({ tree, paths, deps, operators: used, texts }: Checked, options: PathOptions): Compiled {
  const onlyPath = isOnlyRead(tree) ? paths[0] : undefined
  if (onlyPath) return { ...compiledPath(onlyPath, options), operators: used }
  return {
    deps,
    paths,
    operators: used,
    texts,
    evaluate: (scope) => within(scope, paths, deps.length > 0 ? deps : ['scope'], () => jsonLogic.apply(tree as never, rootData)),
  }
}

/** Data argument of json-logic-js. It is empty, because reads use the running scope. */
const rootData = Object.freeze(Object.create(null) as object)

function isOnlyRead(tree: unknown): boolean {
  const args = typeof tree === 'object' && tree !== null && !Array.isArray(tree) ? (tree as Record<string, unknown>)[inner.read] : undefined
  return Array.isArray(args) && args.length === 1
}

/** Evaluates a guard. It is closed when a value that it read was missing or the evaluation was stopped, so it never opens by accident. */
export function guard(compiled: Compiled, scope: Scope): { open: boolean; missing: readonly string[]; stopped?: StopReason } {
  const { value, missing, stopped } = compiled.evaluate(scope)
  const open = stopped === undefined && missing.length === 0 && truthy(value)
  return stopped === undefined ? { open, missing } : { open, missing, stopped }
}

/** Static paths that an expression may read. @throws ExpressionProblem */
export function dependencies(logic: unknown): readonly string[] {
  return compile(logic).deps
}

export { compilePath, ExpressionProblem, type Path, readPath, type Scope, scopeOf } from '#language/expression/scope.ts'
