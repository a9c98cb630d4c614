import type { JsonSchema } from '#language/types/catalog.ts'

/** Names of props with dots, starting with the type of the widget; lists add no level: `tabs.items.label`. */

/** All props of a schema. */
export function* propsOf(schema: JsonSchema, prefix: string): Generator<string> {
  for (const one of schema.anyOf ?? []) yield* propsOf(one, prefix)
  if (schema.items) yield* propsOf(schema.items, prefix)
  if (typeof schema.additionalProperties === 'object') yield* propsOf(schema.additionalProperties, prefix)
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    yield `${prefix}.${name}`
    yield* propsOf(inner, `${prefix}.${name}`)
  }
}

/** Props of the schema that a value writes literally, without those inside expressions. */
export function* propsIn(value: unknown, schema: JsonSchema, prefix: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const part of value) yield* propsIn(part, schema.items ?? onlyItems(schema), prefix)
    return
  }
  if ('$' in value || '$t' in value) return
  for (const one of schema.anyOf ?? []) yield* propsIn(value, one, prefix)
  for (const [name, part] of Object.entries(value)) {
    const inner = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    if (inner) {
      yield `${prefix}.${name}`
      yield* propsIn(part, inner, `${prefix}.${name}`)
    } else if (typeof schema.additionalProperties === 'object') yield* propsIn(part, schema.additionalProperties, prefix)
  }
}

/** The items of a list that may also be of another type. */
const onlyItems = ({ anyOf = [] }: JsonSchema): JsonSchema => ({ anyOf: anyOf.flatMap(({ items }) => (items ? [items] : [])) })

/** Required members of an object that a status beside them may replace, with the name of the status. */
export function replaceableMembers({ properties, required = [] }: JsonSchema): Map<string, string> {
  const shown = Object.entries(properties ?? {}).flatMap(([name, { shows }]) => (shows ? [[shows.text, name] as const] : []))
  return new Map(shown.filter(([text]) => required.includes(text)))
}
