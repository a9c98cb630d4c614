import type { Kind } from '#language/documents/documents.ts'
import type { FunctionManifest, JsonSchema } from '#language/types/catalog.ts'
import type { Names } from '#scripts/editor-schemas.ts'

/** schemas/meta/documents.d.ts: the kinds of documents and the names in them as types, for people who write documents by program. Generated. */

const quoted = (list: readonly string[]) => (list.length > 0 ? list.map((one) => JSON.stringify(one)).join(' | ') : 'string')
const typeName = (text: string) =>
  text
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

/** A schema as a type. `definitions` names the types of `$defs`. */
function typeOf(schema: JsonSchema, definitions: (ref: string) => string): string {
  const inside = (one: JsonSchema) => typeOf(one, definitions)
  const { type, anyOf, items, properties, required = [], additionalProperties } = schema
  if (typeof schema.$ref === 'string') return definitions(schema.$ref)
  if (schema.expression) return 'Expression'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return quoted(schema.enum.map(String))
  if (anyOf) return anyOf.map((one) => `(${inside(one)})`).join(' | ')
  if (Array.isArray(type)) return type.join(' | ')
  if (type === 'array') return `(${items ? inside(items) : 'Value'})[]`
  if (type === 'object' && properties) {
    const members = Object.entries(properties).map(([name, part]) => {
      const about = typeof part.description === 'string' ? `/** ${part.description} */ ` : ''
      return `${about}${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${inside(part)}`
    })
    return `{ ${members.join('; ')} }`
  }
  if (type === 'object') return `{ [name: string]: ${typeof additionalProperties === 'object' ? inside(additionalProperties) : 'Value'} }`
  if (type === 'integer') return 'number'
  return typeof type === 'string' ? type : 'Value'
}

export function documentTypes(
  schemas: Readonly<Record<Kind, JsonSchema>>,
  {
    names,
    widgets,
    calls,
    functions,
  }: { names: Names; widgets: readonly string[]; calls: readonly string[]; functions: readonly FunctionManifest[] },
): string {
  const kinds = Object.entries(schemas).flatMap(([kind, schema]) => {
    const own = typeName(kind)
    const definitions = (ref: string) => `${own}Part${ref.replace(/\D/g, '')}`
    const parts = Object.entries((schema.$defs ?? {}) as Record<string, JsonSchema>).map(
      ([name, part]) => `type ${definitions(name)} = ${typeOf(part, definitions)}`,
    )
    return [...parts, `export type ${own}Document = ${typeOf(schema, definitions)}`]
  })
  const kindNames = Object.keys(schemas).map((kind) => `${typeName(kind)}Document`)
  return [
    '/** Documents and the names that they may use. Made by `npm run generate`. */',
    '/** An expression as text, a literal, or a JSON-Logic tree. */',
    'export type Expression = Value',
    'export type Value = null | boolean | number | string | Value[] | { [name: string]: Value }',
    `export type WidgetName = ${quoted(widgets)}`,
    `export type CallName = ${quoted(calls)}`,
    `export type FunctionName = ${quoted(functions.map(({ name }) => name))}`,
    `export type RouteName = ${quoted(names.route)}`,
    `export type PromptName = ${quoted(names.prompt)}`,
    `export type TextKey = ${quoted(names.text)}`,
    ...kinds,
    `export type AnyDocument = ${kindNames.join(' | ')}`,
    '',
  ].join('\n')
}
