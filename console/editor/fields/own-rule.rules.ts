import type { Json } from '#language/documents/documents.ts'
import { isObject } from '#language/documents/json.ts'
import { type Given, substituteLogic } from '#language/documents/substitute.ts'
import { toText } from '#language/text/infix.ts'
import { parseLogic } from '#language/text/logic-text.ts'

/** Id of the validation that a rule uses; undefined for a rule with a test of its own. */
export function validationIn(rule: unknown): string | undefined {
  if (typeof rule === 'string') return rule
  return isObject(rule) && typeof rule.use === 'string' ? rule.use : undefined
}

/** The rule for a chosen validation: its name, or its name with an empty argument for each parameter that it needs. */
export function ruleFor(id: string, params: unknown): unknown {
  const needed = Object.entries(isObject(params) ? params : {}).flatMap(([name, param]) =>
    isObject(param) && param.required === true && param.default === undefined ? [name] : [],
  )
  return needed.length === 0 ? id : { use: id, with: Object.fromEntries(needed.map((name) => [name, ''])) }
}

/**
 * A rule with the same test as a validation and a message of its own: parameters are replaced by the arguments of the rule. Undefined where that
 * cannot be done.
 * @param validation as it is written in its file
 * @param message `{"$t": key}` of the new message
 */
export function ownRule(
  rule: unknown,
  validation: Readonly<Record<string, unknown>>,
  message: unknown,
): Record<string, unknown> | undefined {
  const given: Given = new Map()
  for (const [name, param] of Object.entries(isObject(validation.params) ? validation.params : {}))
    if (isObject(param) && param.default !== undefined) given.set(`params.${name}`, param.default as Json)
  for (const [name, value] of Object.entries(isObject(rule) && isObject(rule.with) ? rule.with : {})) {
    const argument = argumentOf(value)
    if (argument === undefined) return undefined
    given.set(`params.${name}`, argument)
  }
  const parsed = typeof validation.test === 'string' ? parseLogic(validation.test) : { ok: true as const, logic: validation.test }
  if (!parsed.ok) return undefined
  let refused = false
  const logic = substituteLogic(parsed.logic as Json, given, () => {
    refused = true
  })
  if (refused || JSON.stringify(logic).includes('"params.')) return undefined
  return { test: toText(logic), message, ...(validation.level !== undefined && { level: validation.level }) }
}

/** An argument with its expression as a tree; undefined while it cannot be read. */
function argumentOf(value: unknown): Json | undefined {
  if (!isObject(value) || typeof value.$ !== 'string') return value as Json
  const parsed = parseLogic(value.$)
  return parsed.ok ? ({ $: parsed.logic } as Json) : undefined
}
