/**
 * What documents may leave out. Reading a document writes it out (language/nodes.ts, language/form.ts), so checks and engines see the long
 * form alone; the printed form of files is the short one.
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
