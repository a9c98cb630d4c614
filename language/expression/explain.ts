import { compile, ExpressionProblem, type NamedValues, type Scope } from '#language/expression/expression.ts'
import { truthy } from '#language/expression/operator.ts'
import { operators } from '#language/expression/operators.ts'
import type { StopReason } from '#language/expression/run.ts'
import { toText } from '#language/text/infix.ts'

/** A part of a condition with its value. `deciding` marks the path from the whole condition to the part that decided it. */
export interface Clause {
  /** Operator, `path` or `literal`. */
  op: string
  text: string
  value: unknown
  deciding: boolean
  missing: readonly string[]
  stopped?: StopReason
  children: Clause[]
}

/**
 * Evaluates an expression to a tree of clauses that explains why something is shown, hidden or disabled. @throws ExpressionProblem like
 * `compile`
 */
export function explain(logic: unknown, scope: Scope): Clause {
  compile(logic)
  const tree = clause(logic, scope, true)
  decide(tree)
  return tree
}

function clause(logic: unknown, scope: Scope, top: boolean): Clause {
  const { op, args } = partsOf(logic, top)
  const outcome = top || (typeof logic === 'object' && logic !== null) ? settle(logic, scope) : { value: logic, missing: [] }
  return {
    op,
    text: toText(logic, top),
    deciding: false,
    children: [...definitionOf(logic, top, scope).map((one) => clause(one, scope, true)), ...args.map((arg) => clause(arg, scope, false))],
    ...outcome,
  }
}

/** The expression behind a read of a named value. */
function definitionOf(logic: unknown, top: boolean, scope: Scope): unknown[] {
  const read = typeof logic === 'object' && logic !== null && 'var' in logic ? [(logic as { var: unknown }).var].flat()[0] : top && logic
  const name = typeof read === 'string' && /^values\.(\w+)$/.exec(read)?.[1]
  const found = name && (scope.get('values') as Partial<NamedValues> | undefined)?.expressionOf?.(name)
  return found === undefined || found === false || found === '' ? [] : [found]
}

function settle(logic: unknown, scope: Scope): { value: unknown; missing: readonly string[]; stopped?: StopReason } {
  try {
    return compile(logic).evaluate(scope)
  } catch (problem) {
    if (problem instanceof ExpressionProblem) return { value: undefined, missing: [] }
    throw problem
  }
}

/** The operands that can be evaluated alone: no literal words, no body of an iteration. */
function partsOf(logic: unknown, top: boolean): { op: string; args: readonly unknown[] } {
  if (typeof logic !== 'object' || logic === null || Array.isArray(logic))
    return { op: top && typeof logic === 'string' ? 'path' : 'literal', args: [] }
  const op = Object.keys(logic)[0] as string
  const written = (logic as Record<string, unknown>)[op]
  const args: readonly unknown[] = Array.isArray(written) ? written : [written]
  if (op === 'var') return { op: 'path', args: [] }
  if (op === 'has') return { op, args: [] }
  const known = operators[op]
  return {
    op,
    args: known?.body
      ? args.slice(0, 1)
      : args.filter((_, i) => known?.words?.[i] === undefined && !(known?.namesFrom !== undefined && i >= known.namesFrom)),
  }
}

function decide(tree: Clause): void {
  tree.deciding = true
  for (const child of settlers(tree)) decide(child)
}

function settlers({ op, children, missing }: Clause): Clause[] {
  const lost = children.find((child) => child.missing.length > 0 || child.stopped !== undefined)
  if (op === 'and' || op === 'or') {
    const stopsAt = children.find((child) => truthy(child.value) === (op === 'or') || (missing.length > 0 && child === lost))
    return stopsAt ? [stopsAt] : children
  }
  if (op === 'if') {
    for (let i = 0; i + 1 < children.length; i += 2) {
      const condition = children[i] as Clause
      if (truthy(condition.value)) return [condition, children[i + 1] as Clause]
    }
    return children.length % 2 === 1 ? children.slice(-1) : children.filter((_, i) => i % 2 === 0)
  }
  if (op === '!' || op === '!!' || op === 'path') return children
  return missing.length > 0 && lost ? [lost] : []
}
