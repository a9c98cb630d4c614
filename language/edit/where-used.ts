import type { AnyDoc } from '#language/documents/documents.ts'
import type { FlowDoc } from '#language/documents/flow.ts'
import { validationsOf } from '#language/documents/form.ts'
import { callOf } from '#language/documents/nodes.ts'
import { factsOf } from '#language/documents/walk.ts'
import { givenIn, givenTo } from '#language/edit/given-names.ts'
import { mayBeStatusText, statusTextsIn } from '#language/edit/status-words.ts'
import { roots } from '#language/expression/scope.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import { below, lineOf, outline } from '#language/text/position.ts'
import { kindOf } from '#language/text/step-kind.ts'
import type { Catalog, JsonSchema, SourceDocument } from '#language/types/catalog.ts'

/** A place that refers to a name. `line` counts from 1. */
export interface Use {
  document: DocumentKey
  file: string
  line: number
  pointer: string
}

/**
 * All places that refer to a document, widget, call, route, text key, icon or screen by name. Equal text elsewhere (sample data, literal
 * text, names of members) does not count.
 * @param word the name, or kind and name: `prompt/logout`, `call/user.info`, `text/pay.title`; or the path of a field, a source or state,
 * `form.amount`: all paths that read it and all steps that set it; with a document before it, `fund.withdraw#form.amount` or
 * `form/fund.withdraw#form.amount`, only those of that document
 */
export function whereUsed(documents: readonly SourceDocument[], word: string, catalog: Catalog): Use[] {
  const { document, name } = within(word)
  const inside = document === undefined ? documents : documents.filter((source) => isNamed(source, document))
  const given = givenTo(documents)
  return inside.flatMap((source) => {
    const statuses = mayBeStatusText(name) ? statusTextsIn(source, documents, catalog) : []
    const found = [...referencesIn(source.doc, catalog.widgets), ...givenIn(source.doc, given), ...statuses].filter(
      ({ need }) => need === name || need.slice(need.indexOf('/') + 1) === name,
    )
    return placed(source, [...new Set([...found.map(({ pointer }) => pointer), ...pathsIn(source.doc, name)])])
  })
}

/** Splits `fund.withdraw#form.amount`. Without a document the name is searched everywhere. */
export function within(word: string): { document?: string; name: string } {
  const cut = word.indexOf('#')
  return cut <= 0 ? { name: word } : { document: word.slice(0, cut), name: word.slice(cut + 1) }
}

/** Whether a document has this id, with or without its kind. */
export const isNamed = ({ key, doc }: SourceDocument, name: string): boolean => doc.id === name || key === name

/** Places of a document that read or set the path or a part of it, also in brackets of another path. */
function pathsIn(doc: AnyDoc, word: string): string[] {
  const [root] = word.split('.')
  if (!/^\w+\.[\w.-]+$/.test(word) || !(roots as readonly string[]).includes(root ?? '')) return []
  const path = new RegExp(`(?:^|\\[)${word.replaceAll('.', '\\.').replaceAll('-', '\\-')}(?=$|[.[\\]])`)
  const visit = (value: unknown, pointer: string): string[] => {
    if (typeof value === 'string') return path.test(value) && !pointer.endsWith('/$t') ? [pointer] : []
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([name, part]) => {
      const at = below(pointer, name)
      return [...(!Array.isArray(value) && path.test(name) ? [at] : []), ...visit(part, at)]
    })
  }
  return visit(doc, '')
}

/** All places that need the document, which would break if it were removed. */
export function usersOf(documents: readonly SourceDocument[], key: DocumentKey, catalog: Catalog): Use[] {
  return whereUsed(
    documents.filter((source) => source.key !== key),
    key,
    catalog,
  )
}

function placed({ key, file, text }: SourceDocument, pointers: readonly string[]): Use[] {
  if (pointers.length === 0) return []
  const { lines } = outline(text)
  return pointers.map((pointer) => ({ document: key, file, line: lineOf(lines, pointer), pointer }))
}

interface Need {
  /** Kind and name: `screen/home.home`, `call/user.info`. */
  need: string
  pointer: string
}

const known = new WeakMap<AnyDoc, { widgets: Catalog['widgets']; needs: readonly Need[] }>()

/** The references of a document. They are kept as long as document and widgets stay the same objects: the console asks at each key press. */
function referencesIn(doc: AnyDoc, widgets: Catalog['widgets']): readonly Need[] {
  const before = known.get(doc)
  if (before?.widgets === widgets) return before.needs
  const needs = [...referencesOf(doc, new Map(widgets.map((widget) => [widget.type, widget.props])))]
  known.set(doc, { widgets, needs })
  return needs
}

/** All names that a document refers to, with their places. */
function* referencesOf(doc: AnyDoc, widgets: ReadonlyMap<string, JsonSchema>): Generator<Need> {
  yield* textsIn(doc, '')
  if (doc.kind === 'flow') {
    yield* flowReferences(doc)
    return
  }
  yield* needsOf(doc, widgets)
  if (doc.kind === 'routes') {
    for (const path of Object.keys(doc.routes)) yield { need: `route/${path}`, pointer: below('/routes', path) }
    return
  }
  if (doc.kind === 'quick-entries')
    for (const [i, { icon, to }] of doc.entries.entries()) {
      yield { need: `icon/${icon}`, pointer: `/entries/${i}/icon` }
      yield { need: `route/${to}`, pointer: `/entries/${i}/to` }
    }
  if (doc.kind === 'screen')
    for (const [name, { call, send }] of Object.entries(doc.data ?? {})) {
      yield { need: `call/${call}`, pointer: `${below('/data', name)}/call` }
      if (send) yield { need: `call/${send.call}`, pointer: `${below('/data', name)}/send/call` }
    }
  const facts = factsOf(doc)
  for (const { node, pointer } of facts.nodes) yield { need: `widget/${node.widget.split('@', 1)[0]}`, pointer: `${pointer}/widget` }
  for (const { step, pointer } of facts.steps) {
    const call = callOf(step)
    if (call) yield { need: `call/${call.call}`, pointer: `${pointer}/${kindOf(step)}` }
    if ('go' in step) for (const path of stringsIn(step.go)) yield { need: `route/${path}`, pointer: `${pointer}/go` }
  }
}

function* flowReferences({ answers, steps }: FlowDoc): Generator<Need> {
  for (const call of Object.keys(answers ?? {})) yield { need: `call/${call}`, pointer: below('/answers', call) }
  for (const [i, step] of steps.entries()) {
    if ('open' in step) yield { need: `route/${step.open}`, pointer: `/steps/${i}/open` }
    if ('answer' in step) yield { need: `call/${step.answer}`, pointer: `/steps/${i}/answer` }
    if (!('expect' in step)) continue
    const { called, notCalled, screen } = step.expect
    if (called !== undefined) yield { need: `call/${called}`, pointer: `/steps/${i}/expect/called` }
    for (const call of [notCalled ?? []].flat()) yield { need: `call/${call}`, pointer: `/steps/${i}/expect/notCalled` }
    if (screen !== undefined) yield { need: `screen/${screen}`, pointer: `/steps/${i}/expect/screen` }
  }
}

/** Text keys at `$t`, at any depth; a computed key gives each text among its parts. */
function* textsIn(value: unknown, pointer: string): Generator<Need> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    const at = below(pointer, name)
    if (name === '$t' && !Array.isArray(value)) for (const key of stringsIn(part)) yield { need: `text/${key}`, pointer: at }
    else if (name === 't' && !Array.isArray(value)) yield* keyIn(part, at)
    else yield* textsIn(part, at)
  }
}

/** The key of the operator `t`, and keys among its arguments. */
function* keyIn(args: unknown, pointer: string): Generator<Need> {
  const [key, ...more] = Array.isArray(args) ? (args as unknown[]) : [args]
  if (typeof key === 'string') yield { need: `text/${key}`, pointer }
  yield* textsIn(more, pointer)
}

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* stringsIn(part)
}

/** Documents that a document refers to, with the places. */
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
    for (const [i, rule] of (field?.rules ?? []).entries())
      for (const id of validationsOf({ rules: [rule] })) yield { need: `validation/${id}`, pointer: `${pointer}/rules/${i}` }
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
