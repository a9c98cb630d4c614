import { type Bounds, type FieldSchema, isEmptyValue, schemaOf, wrongIn } from '#language/documents/field-values.ts'
import { type Compiled, guard, type Scope } from '#language/expression/expression.ts'
import type { StopReason } from '#language/expression/run.ts'
import { boundNames, type CompiledField, type CompiledRule, type Level } from '#renderer/core/forms/form.ts'
import type { Say } from '#renderer/core/resolve.ts'
import { overlay } from '#renderer/core/scope.ts'

/** A problem of an entry, the worst one first. Undefined: nothing. */
export interface Finding {
  level: Level
  text: string
  /** Something that the judgement needs has not been loaded. */
  unjudged?: true
}
export type Verdict = Finding | undefined

/** The scope of a judgement: in `form` a field that does not show is absent, and an empty one is null. */
export interface JudgeScope extends Scope {
  /** True while the field shows, is required and is empty: the field itself stops the form and says why. */
  awaits(name: string): boolean
  /** A decimal as the language writes it, with its own decimals; any other text as it is. */
  amount(text: string): string
}

const levels: readonly Level[] = ['error', 'warn', 'info']

/** Whether a field must be filled in now. A condition that cannot be evaluated counts as yes: nothing opens by accident. */
export function requiredNow({ required }: CompiledField, scope: Scope): boolean {
  if (typeof required === 'boolean') return required
  const { open, missing, stopped } = guard(required, scope)
  return open || missing.length > 0 || stopped !== undefined
}

/** Whether a field shows now, with its group and its page. A field whose condition a limit has stopped shows its error state. */
export function shownNow({ show, group, page }: CompiledField, scope: Scope): boolean {
  return mayShow(page?.show, scope) && mayShow(group?.show, scope) && mayShow(show, scope)
}

/** Whether a part of a form with this condition shows: the condition holds, or a limit has stopped it, which is shown in its place. */
export function mayShow(condition: Compiled | undefined, scope: Scope): boolean {
  if (condition === undefined) return true
  const { open, stopped } = guard(condition, scope)
  return open || stopped !== undefined
}

/** The limit that has stopped the condition of a field, of its group or of its page. */
export function stoppedShow({ show, group, page }: CompiledField, scope: Scope): StopReason | undefined {
  return (
    (page?.show && guard(page.show, scope).stopped) ??
    (group?.show && guard(group.show, scope).stopped) ??
    (show && guard(show, scope).stopped)
  )
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
    const cannot = cannotCheck(say)
    if (stoppedShow(field, scope) !== undefined) return cannot
    if (isEmptyFor(field, value, scope)) {
      const required = requiredNow(field, scope)
      const spoken = this.worst(required ? field.rules.filter(({ speaksOfEmpty }) => speaksOfEmpty) : field.rules, value, scope, say)
      if (spoken?.level === 'error') return spoken
      return required ? { level: 'error', text: say('form.required') } : spoken
    }
    const bounds: Bounds = {}
    for (const name of boundNames) {
      const bound = field.bounds[name]
      if (!bound) continue
      const seen = bound.evaluate(scope, say)
      if (seen.missing.length > 0 || seen.stopped !== undefined) return cannot
      bounds[name] = seen.value
    }
    this.bounds = bounds
    this.schema ??= schemaOf(field.doc, () => this.bounds)
    const wrong = wrongIn(this.schema, field.doc, value)
    if (wrong) {
      const args = Object.entries(wrong.args ?? {}).map(([name, arg]) => [name, scope.amount(String(arg))])
      return { level: 'error', text: say(`form.${wrong.key}`, Object.fromEntries(args)) }
    }
    return field.rules.length ? this.worst(field.rules, value, scope, say) : undefined
  }

  /** Judges what holds although the field does not show: the rules of the form whose message would stand on the field. */
  judgeHidden(scope: JudgeScope, say: Say): Verdict {
    const across = this.field.rules.filter((rule) => rule.across)
    return across.length ? this.worst(across, undefined, scope, say) : undefined
  }

  private worst(rules: readonly CompiledRule[], value: unknown, scope: JudgeScope, say: Say): Verdict {
    let worst: Verdict
    for (const rule of rules) {
      const found = broken(rule, value, scope, say)
      if (found && (!worst || levels.indexOf(found.level) < levels.indexOf(worst.level))) worst = found
      if (worst?.level === 'error') break
    }
    return worst
  }
}

const cannotCheck = (say: Say): Finding => ({ level: 'error', text: say('form.cannot_check'), unjudged: true })

/** True when an entry is empty for `required`: a switch that must be on counts as empty while it is off. */
export function isEmptyFor(field: CompiledField, value: unknown, scope: Scope): boolean {
  return isEmptyValue(value) || (field.type === 'boolean' && value === false && requiredNow(field, scope))
}

/**
 * Returns the verdict of a rule. Only what the evaluation really read counts: a branch that was not taken may name a field that does not
 * show. A rule is silent where another sentence stops the form already (a required field that it names is empty), and where it read an own
 * entry that is empty and may be.
 */
function broken(rule: CompiledRule, value: unknown, scope: JudgeScope, say: Say): Verdict {
  const roots: Record<string, unknown> = {}
  if (rule.defaults) {
    const given = rule.with?.evaluate(scope, say)
    if (given && (given.missing.length > 0 || given.stopped !== undefined))
      return rule.reads.some((name) => scope.awaits(name)) ? undefined : cannotCheck(say)
    roots.params = { ...rule.defaults, ...(given?.value as object | undefined) }
  }
  let readsValue = false
  const around = overlay(scope, roots)
  const inside: Scope = {
    get(root) {
      if (root !== 'value') return around.get(root)
      readsValue = true
      return value
    },
  }
  const { open, missing, stopped } = guard(rule.test, inside)
  if (open) return undefined
  if (!rule.speaksOfEmpty && ((readsValue && value === null) || rule.reads.some((name) => scope.awaits(name)))) return undefined
  if (missing.length > 0 || stopped !== undefined) return cannotCheck(say)
  const message = rule.message.evaluate(inside, say)
  return message.stopped === undefined ? { level: rule.level, text: String(message.value ?? '') } : cannotCheck(say)
}
