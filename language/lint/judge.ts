import { nearest } from '#language/documents/nearest.ts'
import type { NodePlace } from '#language/documents/walk.ts'
import { decimalOf } from '#language/expression/decimal.ts'
import type { Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { JsonSchema } from '#language/types/catalog.ts'
import { typeOfValue } from '#language/types/paths.ts'
import { replaceableMembers } from '#language/types/prop-names.ts'
import { type Types, withoutNull } from '#language/types/types.ts'

/** How a value does not match a schema. `text`: literal text in place of a key. `ref`: a name that must exist. */
export interface Finding {
  kind: 'unknown' | 'missing' | 'type' | 'text' | 'ref'
  pointer: string
  message: string
  suggestion?: string
  ref?: { kind: string; name: string }
}

/** Compares a value of any form with the schema of a prop. Expressions are compared by type. */
export function judge(value: unknown, wanted: JsonSchema, types: Types, pointer: string): Finding[] {
  const schema = withoutNull(wanted)
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && ('$' in value || '$t' in value)) {
    const why =
      '$t' in value && schema.ref !== undefined
        ? `a displayed text where a name of kind ${schema.ref} is expected`
        : mismatch(typeOfValue(value, types).type, schema)
    return why === undefined ? [] : [{ kind: 'type', pointer, message: why }]
  }
  if (schema.anyOf) {
    const tries = schema.anyOf.map((one) => judge(value, one, types, pointer)).sort((a, b) => weight(a) - weight(b))
    return tries[0] ?? []
  }
  if (value === null)
    return wanted.anyOf?.some(({ type }) => type === 'null') || isAny(schema)
      ? []
      : [{ kind: 'type', pointer, message: `null where ${named(schema)} is expected` }]
  if (Array.isArray(value)) {
    if (!isAny(schema) && schema.type !== 'array') return [{ kind: 'type', pointer, message: `a list where ${named(schema)} is expected` }]
    const { minItems: least = 0, maxItems: most = Number.POSITIVE_INFINITY } = schema
    if (value.length > most) return [{ kind: 'type', pointer, message: `${value.length} entries where at most ${most} may stand` }]
    if (value.length < least) return [{ kind: 'type', pointer, message: `${value.length} entries where at least ${least} are needed` }]
    return value.flatMap((part, i) => judge(part, schema.items ?? {}, types, below(pointer, i)))
  }
  return typeof value === 'object' ? members(value as Record<string, unknown>, schema, types, pointer) : scalar(value, schema, pointer)
}

const weight = (findings: readonly Finding[]) =>
  findings.reduce((total, { kind }) => total + (kind === 'ref' ? 0 : kind === 'type' ? 3 : 1), 0)
const isAny = (schema: JsonSchema) =>
  schema.type === undefined && !schema.properties && !schema.anyOf && schema.enum === undefined && schema.const === undefined

/** Compares the members of an object with properties: unknown ones, missing ones, and each present one. */
export function members(value: Record<string, unknown>, schema: JsonSchema, types: Types, pointer: string): Finding[] {
  if (isAny(schema)) return Object.entries(value).flatMap(([name, part]) => judge(part, {}, types, below(pointer, name)))
  if (schema.type !== 'object') return [{ kind: 'type', pointer, message: `an object where ${named(schema)} is expected` }]
  const properties = schema.properties ?? {}
  const rest = schema.additionalProperties
  const open = rest === true || typeof rest === 'object' || (schema.properties === undefined && rest === undefined)
  const found: Finding[] = []
  for (const [name, part] of Object.entries(value)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : typeof rest === 'object' ? rest : undefined
    if (inner) found.push(...judge(part, inner, types, below(pointer, name)))
    else if (!open) {
      const near = nearest(
        name,
        Object.keys(properties).filter((other) => !Object.hasOwn(value, other)),
      )
      found.push({
        kind: 'unknown',
        pointer: below(pointer, name),
        message: `there is no "${name}"`,
        ...(near !== undefined && { suggestion: near }),
      })
    }
  }
  const replaceable = replaceableMembers(schema)
  for (const name of schema.required ?? [])
    if (!Object.hasOwn(value, name) && !Object.hasOwn(value, replaceable.get(name) ?? name))
      found.push({ kind: 'missing', pointer, message: `"${name}" is missing` })
  return found
}

function scalar(value: unknown, schema: JsonSchema, pointer: string): Finding[] {
  const wrong = (message: string, suggestion?: string): Finding[] => [
    { kind: 'type', pointer, message, ...(suggestion !== undefined && { suggestion }) },
  ]
  if (isAny(schema)) return []
  const allowed = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (allowed && !allowed.includes(value))
    return wrong(
      `${JSON.stringify(value)} is not one of ${allowed.join(', ')}`,
      typeof value === 'string' ? nearest(value, allowed.map(String)) : undefined,
    )
  if (!typeNames(schema).includes(typeof value) && !allowed) return wrong(`${JSON.stringify(value)} where ${named(schema)} is expected`)
  if (typeof value === 'number') return wrongNumber(value, schema, wrong)
  if (typeof value !== 'string') return []
  if (typeof schema.pattern === 'string' && !new RegExp(schema.pattern, 'u').test(value))
    return wrong(`"${value}" does not match ${schema.pattern}`)
  if (typeof schema.maxLength === 'number' && value.length > schema.maxLength)
    return wrong(`a text of more than ${schema.maxLength} characters`)
  if (typeof schema.minLength === 'number' && value.length < schema.minLength)
    return wrong(`a text of less than ${schema.minLength} characters`)
  if (schema.decimal && !decimalOf(value)) return wrong(`"${value}" is not a decimal`)
  if (typeof schema.ref === 'string')
    return [{ kind: 'ref', pointer, message: `there is no ${schema.ref} "${value}"`, ref: { kind: schema.ref, name: value } }]
  if (schema.text && /\p{L}{2}/u.test(value)) return [{ kind: 'text', pointer, message: `"${value}" is displayed text: use a text key` }]
  return []
}

function wrongNumber(value: number, schema: JsonSchema, wrong: (message: string) => Finding[]): Finding[] {
  if (schema.type === 'integer' && !Number.isInteger(value)) return wrong(`${value} is not a whole number`)
  const least = schema.minimum ?? schema.exclusiveMinimum
  const most = schema.maximum ?? schema.exclusiveMaximum
  if (typeof least === 'number' && value < least) return wrong(`${value} is less than ${least}`)
  return typeof most === 'number' && value > most ? wrong(`${value} is more than ${most}`) : []
}

function typeNames(schema: JsonSchema): string[] {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? '']
  return types.map((type) => (type === 'integer' ? 'number' : type))
}

function named(schema: JsonSchema): string {
  if (schema.decimal) return 'a decimal as text'
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  if (schema.anyOf) return schema.anyOf.map(named).join(' or ')
  const words: Record<string, string> = {
    string: 'a text',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    null: 'null',
  }
  return words[String(schema.type)] ?? 'something else'
}

/** Why a type does not match the wanted one; undefined when it matches or the types are not fully known. */
export function mismatch(from_: JsonSchema, wanted: JsonSchema, depth = 0): string | undefined {
  const from = withoutNull(from_)
  const to = withoutNull(wanted)
  if (isAny(from) || isAny(to) || depth > 4 || from.type === 'null') return undefined
  if (to.anyOf) {
    const tries = to.anyOf.map((one) => mismatch(from, one, depth + 1))
    return tries.some((why) => why === undefined) ? undefined : `${named(from)} where ${named(to)} is expected`
  }
  if (from.anyOf) {
    const tries = from.anyOf.map((one) => mismatch(one, to, depth + 1))
    return from.computed ? (tries.every((why) => why !== undefined) ? tries[0] : undefined) : tries.find((why) => why !== undefined)
  }
  const differ = `${named(from)} where ${named(to)} is expected`
  if (to.enum) return wrongWord(from, to.enum)
  if (to.type === 'string') {
    if (to.decimal && (from.type === 'integer' || from.type === 'number')) return undefined
    if (from.type !== 'string') return to.text && (from.type === 'integer' || from.type === 'number') ? undefined : differ
    return to.decimal && !from.decimal && !from.loose ? differ : undefined
  }
  if (to.type === 'integer' || to.type === 'number') return from.type === 'integer' || from.type === 'number' ? undefined : differ
  if (to.type === 'array') return from.type === 'array' ? mismatch(from.items ?? {}, to.items ?? {}, depth + 1) : differ
  if (to.type === 'object') return from.type === 'object' ? wrongMembers(from, to, depth) : differ
  return from.type === to.type ? undefined : differ
}

function wrongWord(from: JsonSchema, words: readonly unknown[]): string | undefined {
  const given = from.enum ?? (from.const === undefined ? undefined : [from.const])
  const strange = given?.find((word) => !words.includes(word))
  if (strange !== undefined) return `${JSON.stringify(strange)} is not one of ${words.join(', ')}`
  if (given || from.loose) return undefined
  return from.type === 'string'
    ? `any text where one of ${words.join(', ')} is expected`
    : `${named(from)} where one of ${words.join(', ')} is expected`
}

function wrongMembers(from: JsonSchema, to: JsonSchema, depth: number): string | undefined {
  if (!from.properties) return undefined
  for (const name of to.required ?? []) {
    if (!Object.hasOwn(from.properties, name)) return `the object has no "${name}"`
  }
  for (const [name, wanted] of Object.entries(to.properties ?? {})) {
    const have = Object.hasOwn(from.properties, name) ? from.properties[name] : undefined
    const why = have && mismatch(have, wanted, depth + 1)
    if (why) return `"${name}": ${why}`
  }
  return undefined
}

const known = new WeakMap<NodePlace, readonly Finding[]>()

/** How the props of a node differ from the passport. Cached, because several checks use it. Empty for unknown widgets. */
export function findingsOf(world: World, entry: Entry, place: NodePlace): readonly Finding[] {
  const before = known.get(place)
  if (before) return before
  const widget = world.widget(place.node.widget)
  const pointer = place.fragment === undefined ? `${place.pointer}/props` : place.pointer
  const found = widget ? members(place.node.props ?? {}, widget.props, world.typesAt(entry, { node: place }), pointer) : []
  const placed = place.fragment === undefined ? found : found.map((finding) => ({ ...finding, pointer: place.pointer }))
  known.set(place, placed)
  return placed
}
