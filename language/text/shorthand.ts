import { quoted } from '#language/text/infix.ts'

/**
 * The short forms of files: what documents may leave out, and values in one string (`"= data.fee"`, `"@funding.fee"`). Reading a document
 * writes both out (language/documents/nodes.ts, language/documents/form.ts, language/documents/parse.ts), so checks and engines see the long form alone; the printed form
 * of files is the short one.
 */

/** Types of fields, and the widget that shows a field that names none. */
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
} as const
export type FieldType = keyof typeof usualWidgets

/** The widget of a node or a field, as files have them: its own, else the usual one of a field's type. Empty for anything else. */
export function widgetOf({ widget, name, type }: { widget?: unknown; name?: unknown; type?: unknown }): string {
  if (typeof widget === 'string') return widget
  return typeof name === 'string' && Object.hasOwn(usualWidgets, String(type)) ? usualWidgets[type as FieldType] : ''
}

interface Call {
  fields?: readonly string[] | undefined
  args?: Record<string, unknown> | undefined
}

/** A `call` step whose `fields` stand among its arguments: `"fields": ["amount"]` is `"args": { "amount": { "$": "form.amount" } }`. */
export function withFieldsAsArgs<Step extends Call>({ fields, args, ...step }: Step) {
  const sent = fields?.map((name) => [name, { $: `form.${name}` }] as const)
  return { ...step, ...((sent || args) && { args: { ...(sent && Object.fromEntries(sent)), ...args } }) }
}

const shortExpression = /^= (?=\S)/
const shortText = /^@(?=[A-Za-z][\w-]*\.\S+$)/

/** How many characters stand before the expression or the key of a value that is written short; 0 for any other text. */
export function shortMark(value: unknown): number {
  return typeof value !== 'string' ? 0 : shortExpression.test(value) ? 2 : shortText.test(value) ? 1 : 0
}

/** Members that hold a text as it stands, whatever it begins with. */
const verbatim = new Set(['$schema', 'about', '$', '$t'])

/**
 * JSON of a document with its values written out: `"= data.fee"` is `{"$": "data.fee"}` and `"@funding.fee"` is `{"$t": "funding.fee"}`.
 * A literal that begins like one of these is written as an expression, `"= '@funding.fee'"`. Flows hold no values, so theirs stay as they are.
 */
export function lengthened(value: unknown): unknown {
  if (isObject(value) && value.kind === 'flow') return value
  if (shortMark(value) > 0) return writtenOut(value as string)
  if (Array.isArray(value)) return value.map(lengthened)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, verbatim.has(name) ? part : lengthened(part)]))
}

const writtenOut = (text: string) => (shortExpression.test(text) ? { $: text.slice(2) } : { $t: text.slice(1) })

/** The reverse of `lengthened`. */
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

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The same JSON, with what may be left out left out. Anything that is no document comes back as it is. */
export function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortened)
  if (!isObject(value)) return value
  const parts = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shortened(part)]))
  if (value.kind === 'form' && Array.isArray(parts.fields)) return { ...parts, fields: parts.fields.map(withoutUsualWidget) }
  return typeof value.call === 'string' && isObject(parts.args) ? withArgsAsFields(parts, parts.args) : parts
}

function withoutUsualWidget(field: unknown): unknown {
  if (!isObject(field) || usualWidgets[field.type as FieldType] !== field.widget) return field
  const { widget: _, ...rest } = field
  return rest
}

/** One argument alone stays where it is: a list would not make it shorter. */
function withArgsAsFields(step: Record<string, unknown>, args: Record<string, unknown>): unknown {
  const isSent = ([name, value]: [string, unknown]) => isObject(value) && Object.keys(value).length === 1 && value.$ === `form.${name}`
  const [sent, rest] = [Object.entries(args).filter(isSent), Object.entries(args).filter((one) => !isSent(one))]
  const fields = [...(Array.isArray(step.fields) ? step.fields : []), ...sent.map(([name]) => name)]
  if (fields.length < 2) return step
  const { args: _, ...others } = step
  return { ...others, fields, ...(rest.length > 0 && { args: Object.fromEntries(rest) }) }
}
