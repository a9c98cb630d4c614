import { functionOperators } from '#contract/functions/registry.ts'
import type { FieldDoc, FieldRule, ValidationDoc } from '#language/documents/documents.ts'
import { type Bounds, entryValue, isEmptyValue, schemaOf, type Wrong, wrongIn } from '#language/documents/field-values.ts'
import { compile, ExpressionProblem, learn, type Scope, scopeOf } from '#language/expression/expression.ts'
import { truthy } from '#language/expression/operator.ts'
import { compileValue } from '#language/expression/value.ts'

learn(functionOperators)

/** Tries a field as the form would judge it: its type and bounds, whether it may be empty, and its rules in their order. */

/** The verdict about a typed answer. `unsure`: a rule reads values that only the running page has. */
export type Trial =
  | { kind: 'right' }
  | { kind: 'empty' }
  /** A sentence of the app by key, with its arguments. */
  | { kind: 'type'; key: string; args: Readonly<Record<string, unknown>> }
  /** The message of a rule as it is written in the document, with the parameters of the rule. */
  | { kind: 'rule'; message: unknown; params: Readonly<Record<string, unknown>>; level: 'error' | 'warn' | 'info' }
  | { kind: 'unsure'; missing: readonly string[] }
  | { kind: 'broken'; message: string }

type Judged = Pick<FieldDoc, 'type' | 'minLength' | 'maxLength' | 'min' | 'max' | 'step' | 'options' | 'required' | 'rules' | 'name'>

class Unsure extends Error {
  readonly missing: readonly string[]
  constructor(missing: readonly string[]) {
    super('values are missing')
    this.missing = missing
  }
}

/** Members of a scope from paths and typed values: `form.to` → `{form: {to: …}}`. */
export function rootsOf(given: Readonly<Record<string, string>>): Record<string, unknown> {
  const roots: Record<string, unknown> = {}
  for (const [path, text] of Object.entries(given)) {
    const names = path.split('.')
    const last = names.pop() as string
    let at = roots
    for (const name of names) {
      const inner = at[name]
      at = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : (at[name] = {} as Record<string, unknown>)
    }
    at[last] = text === 'true' || text === 'false' ? text === 'true' : text
  }
  return roots
}

const say = (key: string): string => key

function computed(value: unknown, scope: Scope): unknown {
  if (value === undefined) return undefined
  const { value: made, missing } = compileValue(value).evaluate(scope, say)
  if (missing.length > 0) throw new Unsure(missing)
  return made
}

/**
 * @param field the field as the engine reads it: expressions compiled
 * @param raw the typed text, a list of ids, or a boolean
 * @param given values of other paths, as typed
 * @param find a validation by its id
 */
export function trialOf(
  field: Judged,
  raw: unknown,
  given: Readonly<Record<string, string>>,
  find: (id: string) => ValidationDoc | undefined,
): Trial {
  try {
    return judged(field, raw, rootsOf(given), find)
  } catch (problem) {
    if (problem instanceof Unsure) return { kind: 'unsure', missing: [...new Set(problem.missing)] }
    if (problem instanceof ExpressionProblem) return { kind: 'broken', message: problem.message }
    throw problem
  }
}

function judged(field: Judged, raw: unknown, roots: Record<string, unknown>, find: (id: string) => ValidationDoc | undefined): Trial {
  const outer = scopeOf(roots)
  const options = computed(field.options, outer)
  const value = entryValue(field.type, raw, options)
  const form = { ...(typeof roots.form === 'object' ? roots.form : {}), [field.name]: value }
  const within = (params?: Record<string, unknown>) => scopeOf({ ...roots, form, value, ...(params && { params }) })
  const empty = isEmptyValue(value) || (field.type === 'boolean' && value === false)
  if (empty) {
    const { required = false } = field
    const needed = typeof required === 'boolean' ? required : truthy(asked(required, within()))
    return needed ? { kind: 'type', key: 'form.required', args: {} } : { kind: 'empty' }
  }
  const bounds: Bounds = { min: computed(field.min, outer), max: computed(field.max, outer), step: computed(field.step, outer), options }
  const wrong: Wrong | undefined = wrongIn(
    schemaOf(field, () => bounds),
    field,
    value,
  )
  if (wrong) return { kind: 'type', key: `form.${wrong.key}`, args: wrong.args ?? {} }
  const missing: string[] = []
  let milder: Trial | undefined
  for (const rule of field.rules ?? []) {
    try {
      const trial = ruled(rule, within, outer, find)
      if (trial?.kind === 'rule' && trial.level === 'error') return trial
      if (trial && trial.kind !== 'rule') return trial
      milder ??= trial
    } catch (problem) {
      if (!(problem instanceof Unsure)) throw problem
      missing.push(...problem.missing)
    }
  }
  if (missing.length > 0) throw new Unsure(missing)
  return milder ?? { kind: 'right' }
}

function asked(logic: unknown, scope: Scope): unknown {
  const { value, missing, stopped } = compile(logic).evaluate(scope)
  if (stopped !== undefined) throw new ExpressionProblem('too_large', '', String(stopped))
  if (missing.length > 0) throw new Unsure(missing)
  return value
}

/** The verdict of a rule; undefined where it accepts the value. */
function ruled(
  rule: FieldRule,
  within: (params?: Record<string, unknown>) => Scope,
  outer: Scope,
  find: (id: string) => ValidationDoc | undefined,
): Trial | undefined {
  if (typeof rule === 'object' && 'test' in rule)
    return truthy(asked(rule.test, within()))
      ? undefined
      : { kind: 'rule', message: rule.message, params: {}, level: rule.level ?? 'error' }
  const doc = find(typeof rule === 'string' ? rule : rule.use)
  if (!doc) return undefined
  const params: Record<string, unknown> = {}
  for (const [name, param] of Object.entries(doc.params ?? {})) if (param.default !== undefined) params[name] = param.default
  if (typeof rule === 'object') for (const [name, value] of Object.entries(rule.with ?? {})) params[name] = computed(value, outer)
  return truthy(asked(doc.test, within(params))) ? undefined : { kind: 'rule', message: doc.message, params, level: doc.level ?? 'error' }
}
