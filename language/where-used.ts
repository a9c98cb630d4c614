import type { Catalog, JsonSchema, SourceDocument } from '#language/catalog.ts'
import type { AnyDoc } from '#language/documents.ts'
import { validationsOf } from '#language/form.ts'
import { below, lineOf, outline } from '#language/position.ts'
import type { DocumentKey } from '#language/release.ts'
import { factsOf } from '#language/walk.ts'

/** One place that names something. `line` counts from 1. */
export interface Use {
  document: DocumentKey
  file: string
  line: number
  pointer: string
}

/**
 * Every place that holds the word: a document's id, a widget, a call, a route, a text key or an icon. It is found as a value, as a member's
 * name, or as a widget with its major; the document's own id does not count.
 */
export function whereUsed(documents: readonly SourceDocument[], word: string): Use[] {
  return documents.flatMap((source) =>
    placed(
      source,
      [...placesOf(source.doc, word, '')].filter((pointer) => pointer !== '/id'),
    ),
  )
}

/**
 * Every place that needs the document: what would break if it were taken out. Unlike `whereUsed` it knows what a name stands for, so the
 * step `{"logout": true}` is no use of the prompt `logout`.
 */
export function usersOf(documents: readonly SourceDocument[], key: DocumentKey, catalog: Catalog): Use[] {
  const widgets = new Map(catalog.widgets.map((widget) => [widget.type, widget.props]))
  return documents.flatMap((source) =>
    source.key === key
      ? []
      : placed(source, [...new Set([...needsOf(source.doc, widgets)].filter(({ need }) => need === key).map(({ pointer }) => pointer))]),
  )
}

function placed({ key, file, text }: SourceDocument, pointers: readonly string[]): Use[] {
  if (pointers.length === 0) return []
  const { lines } = outline(text)
  return pointers.map((pointer) => ({ document: key, file, line: lineOf(lines, pointer), pointer }))
}

function* placesOf(value: unknown, word: string, pointer: string): Generator<string> {
  if (typeof value === 'string') {
    if (value === word || value.startsWith(`${word}@`)) yield pointer
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    const at = below(pointer, name)
    if (!Array.isArray(value) && name === word) yield at
    yield* placesOf(part, word, at)
  }
}

interface Need {
  need: string
  pointer: string
}

/** Documents that a document names, each with the place. */
export function* needsOf(doc: AnyDoc, widgets: ReadonlyMap<string, JsonSchema>): Generator<Need> {
  if (doc.kind === 'routes') {
    for (const [path, { screen }] of Object.entries(doc.routes))
      yield { need: `screen/${screen}`, pointer: `${below('/routes', path)}/screen` }
    return
  }
  const facts = factsOf(doc)
  for (const { use, pointer } of facts.uses) yield { need: `fragment/${use}`, pointer: `${pointer}/use` }
  for (const { step, pointer } of facts.steps)
    if ('confirm' in step) yield { need: `prompt/${step.confirm}`, pointer: `${pointer}/confirm` }
  for (const { node, field, pointer } of facts.nodes) {
    const schema = widgets.get(node.widget.split('@', 1)[0] as string)
    if (schema) yield* named(node.props ?? {}, schema, `${pointer}/props`)
    for (const rule of field ? validationsOf(field) : []) yield { need: `validation/${rule}`, pointer: `${pointer}/rules` }
  }
}

/** Names in props, by the `ref` of the passport. */
function* named(value: unknown, schema: JsonSchema, pointer: string): Generator<Need> {
  if (typeof value === 'string' && typeof schema.ref === 'string') yield { need: `${schema.ref}/${value}`, pointer }
  for (const one of schema.anyOf ?? []) yield* named(value, one, pointer)
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    const inner = Array.isArray(value)
      ? schema.items
      : schema.properties && Object.hasOwn(schema.properties, name) && schema.properties[name]
    if (inner) yield* named(part, inner, below(pointer, name))
  }
}
