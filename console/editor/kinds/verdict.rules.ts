import { compile, ExpressionProblem, scopeOf } from '#language/expression/expression.ts'
import { truthy } from '#language/expression/operator.ts'

/** What a rule says of a typed value. `unsure`: something that it reads was not given, so the form stays closed. */
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

/** What people type, as a form would hold it: text, but for lists and switches. */
export function typedValue(text: string, as: 'text' | 'list' | 'switch'): unknown {
  if (as === 'switch') return text === 'true'
  if (as === 'list')
    return text
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
  return text
}
