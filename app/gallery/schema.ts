import type { JsonSchema, WidgetManifest } from '#language/types/catalog.ts'

/** One prop in readable form. */
interface PropFact {
  name: string
  type: string
  required: boolean
  notes: string
}

const quoted = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).join(' · ')
const refs: Record<string, string> = {
  icon: 'name of an icon',
  route: 'a route',
  'quick-entries': 'a list of entries',
  prompt: 'a prompt',
}

/** A schema in a few words: `text`, `decimal text`, `list of {id, title}`, `"md" · "sm"`. */
export function typeWords(schema: JsonSchema): string {
  const { type, enum: values, anyOf, items, text, decimal, ref, properties } = schema as Record<string, never> & JsonSchema
  if (Array.isArray(values)) return quoted(values)
  if (schema.const !== undefined) return quoted([schema.const])
  if (Array.isArray(anyOf)) return anyOf.map((one) => typeWords(one)).join(' or ')
  if (typeof ref === 'string') return refs[ref] ?? ref
  if (text) return 'text'
  if (decimal) return 'decimal text'
  if (Array.isArray(type)) return type.join(' or ')
  if (type === 'array') return `list of ${items ? typeWords(items) : 'anything'}`
  if (type === 'object') return properties ? `{${Object.keys(properties).join(', ')}}` : 'object'
  return typeof type === 'string' ? type : 'anything'
}

/** Bounds of the schema, without those of safe integers. */
function bounds({ minimum, maximum, minLength, maxLength, maxItems, minItems }: JsonSchema): string {
  const said = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER
  return [
    said(minimum) && `at least ${minimum}`,
    said(maximum) && `at most ${maximum}`,
    said(minLength) && `at least ${minLength} characters`,
    said(maxLength) && `at most ${maxLength} characters`,
    said(minItems) && `at least ${minItems} items`,
    said(maxItems) && `at most ${maxItems} items`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Props of a widget, or arguments of a call, required ones first. */
export function propFacts({ props }: Pick<WidgetManifest, 'props'>): PropFact[] {
  const required = new Set((props.required as string[] | undefined) ?? [])
  return Object.entries(props.properties ?? {})
    .map(([name, schema]) => ({
      name,
      type: typeWords(schema),
      required: required.has(name),
      notes: [schema.description, schema.default !== undefined && `${JSON.stringify(schema.default)} unless given`, bounds(schema)]
        .filter(Boolean)
        .join('; '),
    }))
    .sort((a, b) => Number(b.required) - Number(a.required))
}

/** Returns the words for the nodes that a slot accepts: `row, card; at most 3`. */
export function slotWords({ allow, min, max }: WidgetManifest['slots'][string]): string {
  return [
    allow ? allow.join(', ') : 'any widget',
    min !== undefined && min > 0 && `at least ${min}`,
    max !== undefined && (max === 1 ? 'one, which may repeat' : `at most ${max}`),
  ]
    .filter(Boolean)
    .join('; ')
}
