import type { Logic } from '#language/documents/documents.ts'
import { type Compiled, compile, type NamedValues, type Outcome } from '#language/expression/expression.ts'
import { compilePath, type NamedDeps, type Path, readPath, roots, type Scope } from '#language/expression/scope.ts'

/** A named value made ready to be evaluated. `inputs` is all that it reads: paths, and roots that operators read. */
interface Definition {
  logic: Logic
  compiled: Compiled
  inputs: readonly (Path | string)[]
  /** Its outcome depends on its inputs alone. */
  kept: boolean
}

/** The compiled named values of a document. */
export interface Definitions {
  /** Returns what a value depends on. @throws ExpressionProblem for a value that this build refuses */
  deps(name: string): NamedDeps | undefined
  get(name: string): Definition | undefined
}

/** Compiles the named values of a document, each when it is first asked for. A value that is computed from itself has no value. */
export function compileNamed(values: Readonly<Record<string, Logic>> = {}): Definitions {
  const made = new Map<string, Definition>()
  const open = new Set<string>()
  function get(name: string): Definition | undefined {
    const known = made.get(name)
    if (known || !Object.hasOwn(values, name) || open.has(name)) return known
    open.add(name)
    try {
      const logic = values[name] as Logic
      const compiled = compile(logic, { named: deps })
      // The wording of a time that has passed changes with the clock, and texts change with the language.
      const kept = compiled.texts.length === 0 && !JSON.stringify(logic).includes('"ago"')
      made.set(name, { logic, compiled, inputs: compiled.deps.map(inputOf), kept })
    } finally {
      open.delete(name)
    }
    return made.get(name)
  }
  const deps = (name: string) => get(name)?.compiled
  return { deps, get }
}

const isPath = (dep: string) => (roots as readonly string[]).includes(/^\w*/.exec(dep)?.[0] ?? '')
const inputOf = (dep: string): Path | string => (isPath(dep) ? compilePath(dep) : dep)

interface Kept {
  inputs: readonly unknown[]
  outcome: Outcome
}

/**
 * Evaluates the named values of one open document, once for each change of what they read. The last two outcomes are kept, because what is
 * drawn and what decides may read different data.
 */
export function namedValues(definitions: Definitions): NamedValues {
  const kept = new Map<string, readonly Kept[]>()
  const open = new Set<string>()
  function outcomeOf(name: string, scope: Scope): Outcome | undefined {
    const one = open.has(name) ? undefined : definitions.get(name)
    if (!one) return undefined
    const inputs = one.inputs.map((input) => (typeof input === 'string' ? scope.get(input) : readPath(scope, input)))
    const before = kept.get(name) ?? []
    const same = one.kept ? before.find((other) => other.inputs.every((input, i) => Object.is(input, inputs[i]))) : undefined
    if (same) return same.outcome
    open.add(name)
    try {
      const outcome = one.compiled.evaluate(scope)
      kept.set(name, [{ inputs, outcome }, ...before.slice(0, 1)])
      return outcome
    } finally {
      open.delete(name)
    }
  }
  return { outcomeOf, deps: definitions.deps, expressionOf: (name) => definitions.get(name)?.logic }
}
