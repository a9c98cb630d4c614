import { compile, ExpressionProblem, scopeOf } from '#language/expression/expression.ts'
import { truthy } from '#language/expression/operator.ts'

/** The result of a rule for a typed value. `unsure`: the rule reads a value that was not given, so the form stays disabled. */
type Verdict = { kind: 'right' } | { kind: 'wrong' } | { kind: 'unsure'; missing: readonly string[] } | { kind: 'broken'; message: string }

export function verdictOf(test: unknown, value: unknown, params: Readonly<Record<string, unknown>>): Verdict {
  try {
    const { value: said, missing, stopped } = compile(test).evaluate(scopeOf({ value, params }))
    if (stopped !== undefined) return { kind: 'broken', message: String(stopped) }
    if (missing.length > 0) return { kind: 'unsure', missing }
    return { kind: truthy(said) ? 'right' : 'wrong' }
  } catch (problem) {
    if (problem instanceof ExpressionProblem) return { kind: 'broken', message: problem.message }
    throw problem
  }
}

/** Typed text as the value that a form would hold: a list or a boolean where the field is one, else text. */
export function typedValue(text: string, as: 'text' | 'list' | 'switch'): unknown {
  if (as === 'switch') return text === 'true'
  if (as === 'list')
    return text
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
  return text
}
