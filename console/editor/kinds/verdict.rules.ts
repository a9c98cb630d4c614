import { functionOperators } from '#contract/functions/registry.ts'
import type { ParamDoc, ValidationDoc } from '#language/documents/documents.ts'
import { compile, ExpressionProblem, learn, scopeOf } from '#language/expression/expression.ts'
import { truthy } from '#language/expression/operator.ts'

learn(functionOperators)

/** The result of a rule for a typed value. `unsure`: the rule reads a value that was not given, so the form stays disabled. */
type Verdict = { kind: 'right' } | { kind: 'wrong' } | { kind: 'unsure'; missing: readonly string[] } | { kind: 'broken'; message: string }

/**
 * @param rule the validation as the engine reads it (`sources` of the workspace): its test is compiled. The text of a file would be read as a path
 * @param given parameters as typed; an empty one counts as not given
 */
export function verdictOf(
  { test, params = {} }: Pick<ValidationDoc, 'test' | 'params'>,
  value: unknown,
  given: Readonly<Record<string, string>>,
): Verdict {
  const values = Object.entries(params).flatMap(([name, param]) => {
    const text = given[name] ?? ''
    const passed = text === '' ? param.default : paramOf(text, param)
    return passed === undefined ? [] : [[name, passed] as const]
  })
  try {
    const { value: said, missing, stopped } = compile(test).evaluate(scopeOf({ value, params: Object.fromEntries(values) }))
    if (stopped !== undefined) return { kind: 'broken', message: String(stopped) }
    if (missing.length > 0) return { kind: 'unsure', missing }
    return { kind: truthy(said) ? 'right' : 'wrong' }
  } catch (problem) {
    if (problem instanceof ExpressionProblem) return { kind: 'broken', message: problem.message }
    throw problem
  }
}

/** A typed parameter as a form would pass it. */
function paramOf(text: string, { type }: ParamDoc): unknown {
  if (type === 'boolean') return text === 'true'
  return type === 'integer' ? Number(text) : text
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
