import { isObject } from '#language/documents/json.ts'
import { quoted } from '#language/text/infix.ts'
import { withShortActions } from '#language/text/short-nodes.ts'

/**
 * Short forms in files: members that may be omitted, and values in one string (`"= data.fee"`, `"@funding.fee"`). Reading a document
 * expands both (language/documents/nodes.ts, language/documents/form.ts, language/documents/parse.ts), so checks and engines see the long
 * form only. Files are printed in the short form.
 */

/** Types of fields, and the default widget of each. */
export const usualWidgets = {
  string: 'text-field',
  decimal: 'decimal-field',
  integer: 'integer-field',
  enum: 'select-field',
  boolean: 'check-field',
  date: 'date-field',
  file: 'image-field',
  code: 'code-field',
  password: 'password-field',
  list: 'list-field',
  rows: 'rows-field',
} as const
export type FieldType = keyof typeof usualWidgets

/** The widget of a node or a field in a file: its own, or the default of the field's type. '' for anything else. */
export function widgetOf({ widget, name, type }: { widget?: unknown; name?: unknown; type?: unknown }): string {
  if (typeof widget === 'string') return widget
  return typeof name === 'string' && Object.hasOwn(usualWidgets, String(type)) ? usualWidgets[type as FieldType] : ''
}

interface Call {
  fields?: readonly string[] | undefined
  args?: Record<string, unknown> | undefined
}

/** Expands `fields` of a `call` step to arguments: `"fields": ["amount"]` is `"args": { "amount": { "$": "form.amount" } }`. */
export function withFieldsAsArgs<Step extends Call>({ fields, args, ...step }: Step) {
  const sent = fields?.map((name) => [name, { $: `form.${name}` }] as const)
  return { ...step, ...((sent || args) && { args: { ...(sent && Object.fromEntries(sent)), ...args } }) }
}

const shortExpression = /^= (?=\S)/
const shortText = /^@(?=[A-Za-z][\w-]*\.\S+$)/

/** Number of characters before the expression or key of a short value; 0 for any other text. */
export function shortMark(value: unknown): number {
  return typeof value !== 'string' ? 0 : shortExpression.test(value) ? 2 : shortText.test(value) ? 1 : 0
}

/** Members whose text is literal, whatever it starts with. */
const verbatim = new Set(['$schema', 'about', '$', '$t'])

/**
 * Expands short values in the JSON of a document: `"= data.fee"` is `{"$": "data.fee"}` and `"@funding.fee"` is `{"$t": "funding.fee"}`.
 * A literal that starts like one of these is written as an expression, `"= '@funding.fee'"`. Flows have no values and stay unchanged.
 */
export function lengthened(value: unknown): unknown {
  if (isObject(value) && value.kind === 'flow') return value
  if (shortMark(value) > 0) return writtenOut(value as string)
  if (Array.isArray(value)) return value.map(lengthened)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, verbatim.has(name) ? part : lengthened(part)]))
}

/** A text in quotes that is all of an expression, as `quoted` writes it. */
const onlyQuoted = /^= (?:'([^'\\]*)'|("(?:[^"\\]|\\.)*"))$/

function writtenOut(text: string): unknown {
  const [, plain, escaped] = onlyQuoted.exec(text) ?? []
  if (plain !== undefined) return plain
  if (escaped !== undefined) return unescaped(escaped) ?? { $: text.slice(2) }
  return shortExpression.test(text) ? { $: text.slice(2) } : { $t: text.slice(1) }
}

function unescaped(text: string): string | undefined {
  try {
    return JSON.parse(text) as string
  } catch {
    return undefined
  }
}

/** The inverse of `lengthened`. */
export function withShortValues(value: unknown): unknown {
  if (isObject(value) && value.kind === 'flow') return value
  if (shortMark(value) > 0) return `= ${quoted(value as string)}`
  if (Array.isArray(value)) return value.map(withShortValues)
  if (!isObject(value)) return value
  const short = Object.keys(value).length === 1 ? shortOf(value) : undefined
  if (short !== undefined) return short
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, verbatim.has(name) ? part : withShortValues(part)]))
}

function shortOf({ $, $t }: Record<string, unknown>): string | undefined {
  const short = typeof $ === 'string' ? `= ${$}` : typeof $t === 'string' ? `@${$t}` : undefined
  return shortMark(short) > 0 ? short : undefined
}

/** Omits what may be omitted. JSON that is not a document is returned unchanged. */
export function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortened)
  if (!isObject(value)) return value
  const parts = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shortened(part)]))
  if (value.kind === 'form' && Array.isArray(parts.fields))
    return withoutUsualErrors({ ...parts, fields: parts.fields.map(withoutUsualWidget) })
  if (value.kind === 'screen') return withoutUsualErrors(parts)
  if (typeof value.id === 'string' && typeof value.widget === 'string') return withShortActions(parts)
  return typeof value.call === 'string' && isObject(parts.args) ? withArgsAsFields(parts, parts.args) : parts
}

/** Outcome of the refusals for which a document names none: their message is shown. */
export const usualErrors = { '*': { toast: true } } as const

/** Omits the outcome that a screen or form has anyway. */
export function withoutUsualErrors(doc: Record<string, unknown>): Record<string, unknown> {
  if (
    (doc.kind !== 'screen' && doc.kind !== 'form') ||
    !isObject(doc.errors) ||
    JSON.stringify(doc.errors['*']) !== JSON.stringify(usualErrors['*'])
  )
    return doc
  const { '*': _, ...others } = doc.errors
  const { errors: __, ...rest } = doc
  return Object.keys(others).length > 0 ? { ...rest, errors: others } : rest
}

function withoutUsualWidget(field: unknown): unknown {
  if (!isObject(field) || usualWidgets[field.type as FieldType] !== field.widget) return field
  const { widget: _, ...rest } = field
  return rest
}

/** A single argument stays: a list would not be shorter. */
function withArgsAsFields(step: Record<string, unknown>, args: Record<string, unknown>): unknown {
  const isSent = ([name, value]: [string, unknown]) => isObject(value) && Object.keys(value).length === 1 && value.$ === `form.${name}`
  const [sent, rest] = [Object.entries(args).filter(isSent), Object.entries(args).filter((one) => !isSent(one))]
  const fields = [...(Array.isArray(step.fields) ? step.fields : []), ...sent.map(([name]) => name)]
  if (fields.length < 2) return step
  const { args: _, ...others } = step
  return { ...others, fields, ...(rest.length > 0 && { args: Object.fromEntries(rest) }) }
}
