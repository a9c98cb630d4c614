import { isObject } from '#language/documents/json.ts'
import type { JsonSchema } from '#language/types/catalog.ts'

/** The kind of name that a member holds; the picker offers the existing names of that kind. */
export type NameKind =
  | 'icon'
  | 'route'
  | 'screen'
  | 'form'
  | 'prompt'
  | 'validation'
  | 'quick-entries'
  | 'fragment'
  | 'call'
  /** A call that changes nothing; sources may use no other. */
  | 'read'
  | 'widget'
  | 'node'
  | 'source'
  | 'tab'
  | 'action'
  /** A field of the form. */
  | 'field'

/** The control that edits a member. */
export type Control =
  /** A text by key, shown and edited in every language. */
  | { kind: 'words' }
  | { kind: 'line' }
  | {
      kind: 'choice'
      options: readonly (string | number)[] /** Words of the options, by their values. */
      labels?: Readonly<Record<string, string>>
    }
  | { kind: 'number'; integer: boolean; min: number | null; max: number | null }
  /** A decimal as text. */
  | { kind: 'decimal' }
  | { kind: 'switch' }
  /** A day of the calendar. */
  | { kind: 'date' }
  | { kind: 'name'; of: NameKind }
  | { kind: 'list'; item: JsonSchema; max: number | null }
  | { kind: 'record'; fields: FormField[] }
  /** Members of any name. */
  | { kind: 'map'; item: JsonSchema }
  | { kind: 'logic' }
  /** An expression that is true or false. */
  | { kind: 'condition' }
  | { kind: 'steps' }
  | { kind: 'json' }

export interface FormField {
  name: string
  required: boolean
  help: string
  schema: JsonSchema
  control: Control
  /** Area of the console's words that has the label and the help of the member: `fields.default` and `fields.default_help`. */
  words?: string
  /** Key before the labels of a choice: `fields.type_decimal`. */
  choices?: string
  /** Whether the member takes an expression or a text as well as a constant. False where a document must spell the value out. */
  computed: boolean
}

const named: Record<string, NameKind> = {
  icon: 'icon',
  route: 'route',
  form: 'form',
  prompt: 'prompt',
  validation: 'validation',
  'quick-entries': 'quick-entries',
  sheet: 'node',
  node: 'node',
  screen: 'screen',
  fragment: 'fragment',
}

/** Members of steps, routes and entries that hold a name; their schema says only "text". */
const namedMembers: Record<string, NameKind> = {
  icon: 'icon',
  go: 'route',
  to: 'route',
  screen: 'screen',
  call: 'call',
  confirm: 'prompt',
  open: 'node',
  more: 'source',
  widget: 'widget',
  tab: 'tab',
  use: 'fragment',
  field: 'field',
}

const isValue = ({ description }: JsonSchema) => typeof description === 'string' && description.startsWith('a literal, {"$"')
const isLogic = ({ expression }: JsonSchema) => expression === true

/** Follows `$ref` into the definitions of a meta schema. */
export function resolved(schema: JsonSchema, root: JsonSchema = schema): JsonSchema {
  const ref = schema.$ref
  if (typeof ref !== 'string' || !ref.startsWith('#/$defs/')) return schema
  const defs = isObject(root.$defs) ? root.$defs : {}
  const found = defs[ref.slice('#/$defs/'.length)]
  return isObject(found) ? (found as JsonSchema) : {}
}

const isExpression = ({ properties }: JsonSchema) => properties !== undefined && Object.keys(properties).join() === '$'

/** The type without `null` and without the forms of computed values. */
function plain(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null')
    return { ...schema, type: types.length === 1 ? (types[0] as string) : 'string' }
  }
  const rest = schema.anyOf?.filter((one) => one.type !== 'null' && !isExpression(one)) ?? []
  return rest.length === 1 ? { ...schema, anyOf: undefined, ...rest[0] } : schema
}

export function controlOf(written: JsonSchema, name = '', root: JsonSchema = written): Control {
  const schema = plain(resolved(written, root))
  if (isLogic(schema)) return { kind: conditions.has(name) ? 'condition' : 'logic' }
  if (typeof schema.ref === 'string' && Object.hasOwn(named, schema.ref)) return { kind: 'name', of: named[schema.ref] as NameKind }
  if (schema.text) return { kind: 'words' }
  if (schema.enum) return { kind: 'choice', options: schema.enum.map((one) => (typeof one === 'number' ? one : String(one))) }
  if (Object.hasOwn(namedMembers, name) && (schema.type === 'string' || schema.anyOf))
    return { kind: 'name', of: namedMembers[name] as NameKind }
  if (schema.decimal) return { kind: 'decimal' }
  if (schema.type === 'boolean') return { kind: 'switch' }
  if (schema.type === 'integer' || schema.type === 'number')
    return { kind: 'number', integer: schema.type === 'integer', min: leastOf(schema), max: limit(schema.maximum) }
  if (schema.type === 'string') return { kind: 'line' }
  if (schema.type === 'array') {
    const item = resolved(schema.items ?? {}, root)
    if (item.anyOf?.some(({ properties }) => properties && 'toast' in properties)) return { kind: 'steps' }
    return { kind: 'list', item, max: limit(schema.maxItems) }
  }
  if (schema.type === 'object' && schema.properties) return { kind: 'record', fields: fieldsOf(schema, root) }
  if (schema.type === 'object') return { kind: 'map', item: isObject(schema.additionalProperties) ? schema.additionalProperties : {} }
  if (isValue(schema)) return { kind: textual.has(name) ? 'words' : 'line' }
  // Of several kinds of rows the first is edited by hand; the others come from data.
  if (schema.anyOf?.every(({ properties }) => properties)) return controlOf(schema.anyOf[0]!, name, root)
  return { kind: 'json' }
}

/** Members of documents that hold a condition. */
const conditions = new Set(['show', 'enable', 'when', 'test', 'if', 'required', 'stale_when'])
/** Members of documents whose value is shown to people. */
const textual = new Set(['label', 'title', 'text', 'ok', 'cancel', 'message', 'toast', 'hint', 'badge'])

/** The least whole value, also where the schema gives the value that it must exceed. */
function leastOf({ minimum, exclusiveMinimum }: JsonSchema): number | null {
  const above = limit(exclusiveMinimum)
  return above === null ? limit(minimum) : above + 1
}

function limit(value: unknown): number | null {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : null
}

/** The fields of a widget's settings, with words of the console for the usual names. */
export const propsOf = (schema: JsonSchema): FormField[] => fieldsOf(schema).map((field) => ({ ...field, words: 'members' }))

/** The form of an object: one field per member, required members first. Members of documents are computed only where their schema allows it. */
export function fieldsOf(schema: JsonSchema, root: JsonSchema = schema): FormField[] {
  const isProps = root === schema && !Object.hasOwn(root, '$schema')
  const required = new Set(schema.required ?? [])
  const fields = Object.entries(schema.properties ?? {}).map(([name, written]): FormField => {
    const part = resolved(written, root)
    return {
      name,
      required: required.has(name),
      help: typeof part.description === 'string' && !isValue(part) ? part.description : '',
      schema: part,
      control: controlOf(part, name, root),
      ...(!isProps && { words: 'members' }),
      computed: isProps || isValue(part),
    }
  })
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)]
}

/** Schema of an undeclared member, from the literal that it has or starts with. */
export function schemaOfLiteral(value: unknown): JsonSchema {
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' ? { type } : {}
}

/** `rowHeight` reads "Row height", `stale_after_ms` "Stale after ms". */
export function labelOf(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const valueForms = ['constant', 'expression', 'words'] as const
/** The three ways to give a value. */
export type ValueForm = (typeof valueForms)[number]

/** How the value of a member is given. An unset member of any type starts as a text or as an expression. */
export function formFor(value: unknown, { schema, control }: Pick<FormField, 'schema' | 'control'>): ValueForm {
  if (value !== undefined || !isValue(schema)) return formOf(value)
  return control.kind === 'words' ? 'words' : 'expression'
}

export function formOf(value: unknown): ValueForm {
  if (!isObject(value)) return 'constant'
  if ('$t' in value) return 'words'
  if ('$' in value) return 'expression'
  return 'constant'
}

/** The initial value of a member in its plainest form. A text without a key gets a key when the value is inserted into the document. */
export function startOf(schema: JsonSchema, name = ''): unknown {
  const control = controlOf(schema, name)
  const first = schema.enum?.[0]
  if (first !== undefined) return first
  if (control.kind === 'words') return { $t: '' }
  if (control.kind === 'switch') return false
  if (control.kind === 'condition') return 'session.logged_in'
  if (control.kind === 'number') return Math.max(0, control.min ?? 0)
  if (control.kind === 'decimal') return '0'
  if (control.kind === 'list' || control.kind === 'steps') return []
  if (control.kind === 'record' || control.kind === 'map') return startOfAll(schema)
  return control.kind === 'json' ? null : ''
}

/** All required members with their initial values. */
export function startOfAll(schema: JsonSchema): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const field of fieldsOf(schema)) if (field.required) made[field.name] = startOf(field.schema, field.name)
  return made
}

/**
 * The value in another form. An expression or a text starts empty, so that the operator must choose.
 */
export function inForm(value: unknown, form: ValueForm, start: unknown): unknown {
  if (formOf(value) === form) return value
  if (form === 'words') return { $t: '' }
  if (form === 'expression') return { $: '' }
  return formOf(start) === 'constant' ? start : ''
}
