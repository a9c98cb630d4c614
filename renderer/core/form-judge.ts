import { guard, type Scope } from '#language/expression.ts'
import { boundNames, type CompiledField, type CompiledRule, type Level } from '#renderer/core/form.ts'
import { type Bounds, type FieldSchema, isEmptyValue, schemaOf, wrongIn } from '#renderer/core/form-schema.ts'
import type { Say } from '#renderer/core/resolve.ts'
import { overlay } from '#renderer/core/scope.ts'

/** What is wrong with an entry, the worst first. Undefined: nothing. */
export interface Finding {
  level: Level
  text: string
}
export type Verdict = Finding | undefined

/** What a field reads of its form: `entryOf` answers null for a field that is empty or does not show. */
export interface JudgeScope extends Scope {
  entryOf(name: string): unknown
}

const levels: readonly Level[] = ['error', 'warn', 'info']

/** Whether a field must be filled in now. A condition that cannot be told counts as yes: nothing opens by accident. */
export function requiredNow({ required }: CompiledField, scope: Scope): boolean {
  if (typeof required === 'boolean') return required
  const { open, missing } = guard(required, scope)
  return open || missing.length > 0
}

/** Whether a field shows now, with its group. */
export function shownNow({ show, group }: CompiledField, scope: Scope): boolean {
  if (group?.show && !guard(group.show, scope).open) return false
  return show === undefined || guard(show, scope).open
}

/** The judge of one field: its zod schema, then its rules. Made once for each open form. */
export class FieldJudge {
  readonly field: CompiledField
  private schema: FieldSchema | undefined
  private bounds: Bounds = {}

  constructor(field: CompiledField) {
    this.field = field
  }

  /**
   * @param value what `entryValue` made of the entry
   * @returns the worst that there is to say
   */
  judge(value: unknown, scope: JudgeScope, say: Say): Verdict {
    const { field } = this
    const cannot: Finding = { level: 'error', text: say('form.cannot_check') }
    if (isEmptyValue(value) || (field.type === 'boolean' && value === false && requiredNow(field, scope))) {
      const spoken = this.worst(
        field.rules.filter(({ speaksOfEmpty }) => speaksOfEmpty),
        value,
        scope,
        say,
        cannot,
      )
      if (spoken?.level === 'error') return spoken
      if (requiredNow(field, scope)) return { level: 'error', text: say('form.required') }
      return spoken
    }
    const bounds: Bounds = {}
    for (const name of boundNames) {
      const bound = field.bounds[name]
      if (!bound) continue
      const seen = bound.evaluate(scope, say)
      // What a bound misses because a neighbour is empty is no reason to stop; what has not been loaded is.
      if (seen.missing.length > 0) return cannot
      bounds[name] = seen.value
    }
    this.bounds = bounds
    this.schema ??= schemaOf(field.doc, () => this.bounds)
    const wrong = wrongIn(this.schema, field.doc, value)
    if (wrong) return { level: 'error', text: say(`form.${wrong.key}`, wrong.args && { ...wrong.args }) }
    return field.rules.length ? this.worst(field.rules, value, scope, say, cannot) : undefined
  }

  private worst(rules: readonly CompiledRule[], value: unknown, scope: JudgeScope, say: Say, cannot: Finding): Verdict {
    let worst: Verdict
    for (const rule of rules) {
      const found = broken(rule, value, scope, say, cannot)
      if (found && (!worst || levels.indexOf(found.level) < levels.indexOf(worst.level))) worst = found
      if (worst?.level === 'error') break
    }
    return worst
  }
}

function broken(rule: CompiledRule, value: unknown, scope: JudgeScope, say: Say, cannot: Finding): Verdict {
  if (!rule.speaksOfEmpty && rule.reads.some((name) => isEmptyValue(scope.entryOf(name)))) return undefined
  const roots: Record<string, unknown> = { value }
  if (rule.defaults) {
    const given = rule.with?.evaluate(scope, say)
    if (given && given.missing.length > 0) return cannot
    roots.params = { ...rule.defaults, ...(given?.value as object | undefined) }
  }
  const inside = overlay(scope, roots)
  const { open, missing, stopped } = guard(rule.test, inside)
  if (open) return undefined
  if (missing.length > 0 || stopped !== undefined) return cannot
  return { level: rule.level, text: String(rule.message.read(inside, say) ?? '') }
}
