import type { AnyDoc, AppDoc, Value } from '#language/documents/documents.ts'
import { isObject } from '#language/documents/json.ts'
import { type Facts, factsOf } from '#language/documents/walk.ts'
import { below } from '#language/text/position.ts'
import type { Catalog, JsonSchema, StatusSet, WidgetManifest } from '#language/types/catalog.ts'
import { typeOfValue } from '#language/types/paths.ts'
import { type KnownRows, rowTypesAt, withValueTypes } from '#language/types/places.ts'
import { anything, type Types, typesOf, withoutNull } from '#language/types/types.ts'

/**
 * Statuses: a widget takes the status itself, `"status": "= item.status"`, and the contract says its text and its tone. Publishing writes both
 * out as the props that every build has, so no engine knows statuses.
 */

/** A place in the props of a node that takes a status. */
export interface StatusPlace {
  /** Below the props. */
  pointer: string
  /** The object with the status, which gets text and tone in its place. */
  holder: Record<string, unknown>
  /** Members that text and tone would replace. */
  replaces: readonly string[]
  /** Maximum width of the text, in letters. */
  fits?: number | undefined
  /** The value whose type names the statuses; absent for a member of rows. */
  value?: Value
  type(types: Types): JsonSchema
  /** Puts text and tone in place of the status. */
  write(set: StatusSet): void
}

/** Places in props that take a status. @param whole the props of the node */
export function* statusPlaces(
  value: unknown,
  schema: JsonSchema,
  whole: Readonly<Record<string, unknown>> = value as Record<string, unknown>,
  pointer = '',
): Generator<StatusPlace> {
  if (Array.isArray(value)) {
    for (const [i, part] of value.entries()) yield* statusPlaces(part, schema.items ?? {}, whole, below(pointer, i))
    return
  }
  if (!isObject(value) || '$' in value || '$t' in value) return
  const { properties = {}, statusOf } = schema
  if (statusOf !== undefined && value.kind === 'status') yield ofMember(value, whole[statusOf], pointer)
  for (const [name, part] of Object.entries(value)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (inner?.shows) yield ofValue(value, name, inner.shows, properties, below(pointer, name))
    else if (inner) yield* statusPlaces(part, inner, whole, below(pointer, name))
  }
}

function ofValue(
  holder: Record<string, unknown>,
  name: string,
  shows: { text: string; tone: string },
  properties: Record<string, JsonSchema>,
  pointer: string,
): StatusPlace {
  const value = holder[name] as Value
  return {
    pointer,
    holder,
    replaces: [shows.text, shows.tone],
    fits: properties[shows.text]?.fits,
    value,
    type: (types) => typeOfValue(value, types).type,
    write(set) {
      delete holder[name]
      holder[shows.text] = { $t: set.text, context: value }
      holder[shows.tone] = toneOf(set, isObject(value) ? value.$ : value)
    },
  }
}

/** A member of rows is shown by widgets themselves: they get the stem of the texts, and the tones. */
function ofMember(holder: Record<string, unknown>, rows: unknown, pointer: string): StatusPlace {
  return {
    pointer,
    holder,
    replaces: ['words', 'texts', 'of', 'tones'],
    type: (types) => typeOfValue(rows, types).type.items?.properties?.[String(holder.member)] ?? anything,
    write(set) {
      const tones = Object.entries(set.tones).filter(([, tone]) => tone !== 'default')
      Object.assign(holder, { kind: 'badge', texts: set.text, ...(tones.length > 0 && { tones: Object.fromEntries(tones) }) })
    },
  }
}

/** The tone of a status as an expression; the tone of most statuses is the last. */
function toneOf({ tones }: StatusSet, status: unknown): unknown {
  const words = new Map<string, string[]>()
  for (const [word, tone] of Object.entries(tones)) words.set(tone, [...(words.get(tone) ?? []), word])
  const byTone = [...words].sort(([, a], [, b]) => a.length - b.length)
  const last = byTone.pop()?.[0]
  const read = typeof status === 'string' ? { var: status } : status
  const test = (list: readonly string[]) => (list.length === 1 ? { '===': [read, list[0]] } : { in: [read, list] })
  return byTone.length === 0 ? last : { $: { if: [...byTone.flatMap(([tone, list]) => [test(list), tone]), last] } }
}

/** The statuses that a type stands for. */
export const statusSetOf = (type: JsonSchema): StatusSet | undefined => withoutNull(type).status

/**
 * Writes text and tone of each status out. A document without statuses is returned unchanged.
 * @param inlined with its fragments, as it is published
 */
export function withStatuses(
  inlined: AnyDoc,
  facts: Facts,
  widgets: ReadonlyMap<string, WidgetManifest>,
  catalog: Catalog,
  app: AppDoc | undefined,
): { doc: AnyDoc; facts: Facts } {
  const has = facts.nodes.some(({ node }) => placesIn(node, widgets).next().done === false)
  if (!has) return { doc: inlined, facts }
  const doc = structuredClone(inlined)
  const types = withValueTypes(typesOf(doc, catalog, app), doc)
  const rows: KnownRows = new Map()
  for (const place of factsOf(doc).nodes)
    for (const one of placesIn(place.node, widgets)) {
      const set = statusSetOf(one.type({ ...types, ...rowTypesAt(types, place, rows) }))
      if (set) one.write(set)
    }
  return { doc, facts: factsOf(doc) }
}

function placesIn(node: { widget: string; props?: unknown }, widgets: ReadonlyMap<string, WidgetManifest>): Generator<StatusPlace> {
  const known = widgets.get(node.widget.split('@', 1)[0] as string)
  return statusPlaces(node.props ?? {}, known?.props ?? {})
}
