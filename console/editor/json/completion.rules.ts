import { getLocation, parse } from 'jsonc-parser'
import type { Known } from '#console/editor/document/known.ts'
import { controlOf, type NameKind, resolved } from '#console/editor/values/fields.rules.ts'
import { hintsFor, wordBefore } from '#console/editor/values/paths.rules.ts'
import { isObject } from '#language/documents/json.ts'
import { operators } from '#language/expression/operators.ts'
import { widgetOf } from '#language/text/shorthand.ts'
import type { JsonSchema } from '#language/types/catalog.ts'

/** Schemas that apply at a path of a document. Of alternatives, those that fit the written members. */
export function branchesAt(root: JsonSchema, doc: unknown, path: readonly (string | number)[]): JsonSchema[] {
  let shapes = open(root, root, doc)
  let value = doc
  for (const name of path) {
    value = typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[name] : undefined
    shapes = shapes.flatMap((shape) => inside(shape, name)).flatMap((shape) => open(shape, root, value))
  }
  return shapes
}

/** Object schemas at a path that can take another member. `taken`: names of the written members. */
export function keysOf(root: JsonSchema, doc: unknown, path: readonly (string | number)[], taken: ReadonlySet<string>): JsonSchema[] {
  const shapes = branchesAt(root, doc, path).filter(({ properties }) => properties)
  const fitting = shapes.filter(({ properties }) => [...taken].every((name) => properties && Object.hasOwn(properties, name)))
  return fitting.length > 0 ? fitting : shapes
}

function inside(shape: JsonSchema, name: string | number): JsonSchema[] {
  if (typeof name === 'number') return shape.items ? [shape.items] : []
  if (shape.properties && Object.hasOwn(shape.properties, name)) return [shape.properties[name] as JsonSchema]
  return isObject(shape.additionalProperties) ? [shape.additionalProperties as JsonSchema] : []
}

/** The alternatives of a schema. An alternative is left out when the members of another one are written. */
function open(schema: JsonSchema, root: JsonSchema, value: unknown, depth = 0): JsonSchema[] {
  const shape = resolved(schema, root)
  if (!shape.anyOf || depth > 4) return [shape]
  const choices = shape.anyOf.flatMap((one) => open(one, root, value, depth + 1))
  if (!isObject(value)) return choices
  const names = Object.keys(value)
  const meant = choices.filter(({ properties, required = [] }) => properties && required.some((name) => names.includes(name)))
  return meant.length > 0 ? meant : choices
}

/** One completion at the cursor. */
interface Completion {
  label: string
  detail: string
  /** JSON that takes the place of what is between `start` and `end`. */
  insert: string
}
interface Completions {
  /** The range that a chosen completion replaces. */
  start: number
  end: number
  /** Start of the text that the labels are matched against. */
  from: number
  items: Completion[]
}
/** Complete paths that can be read at a pointer: `data.info.balance`. */
type PathsAt = (path: readonly (string | number)[], typed: string) => readonly { path: string; type: string }[]

type Steps = readonly (string | number)[]
const logicRoles = new Set(['show', 'enable', 'required', 'when', 'watched', 'test', 'if'])

/** Completions at the cursor. The text may be invalid JSON; null where nothing is known. */
export function completionsAt(text: string, offset: number, known: Known, pathsAt: PathsAt): Completions | null {
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset)
  const doc: unknown = parse(text, [], { allowTrailingComma: true })
  if (!isObject(doc)) return null
  const end = previousNode ? previousNode.offset + previousNode.length : offset
  const inside =
    previousNode && previousNode.offset < offset && offset <= end && text[previousNode.offset] === '"' ? previousNode : undefined
  const closed = inside ? text[end - 1] === '"' && inside.length > 1 : false
  if (inside && closed && offset === end) return null
  const range = inside ? { start: inside.offset, end: closed ? end : offset, from: inside.offset + 1 } : bareWord(text, offset)
  const schema = known.schemas[String(doc.kind)] ?? {}
  const typed = text.slice(range.from, offset)
  if (inside && !isAtPropertyKey && typed.startsWith('@')) return { ...range, items: keysOfTexts(known) }
  if (inside && !isAtPropertyKey && (typed.startsWith('= ') || isExpressionAt(doc, schema, path)))
    return inExpression(path, typed, offset, pathsAt)
  if (isAtPropertyKey) {
    const items = keysAt(doc, schema, path.slice(0, -1), known, String(path.at(-1) ?? ''))
    const hasColon = /^\s*:/.test(text.slice(range.end))
    return { ...range, items: items.map((item) => ({ ...item, insert: hasColon ? JSON.stringify(item.label) : item.insert })) }
  }
  return { ...range, items: valuesAt(doc, schema, path, known, pathsAt, typed) }
}

function bareWord(text: string, offset: number): { start: number; end: number; from: number } {
  let start = offset
  while (start > 0 && /[\w-]/.test(text[start - 1] as string)) start -= 1
  return { start, end: offset, from: start }
}

const at = (doc: unknown, path: Steps): unknown =>
  path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined),
    doc,
  )

const key = (label: string, detail: string, start: unknown): Completion => ({
  label,
  detail,
  insert: `${JSON.stringify(label)}: ${start === undefined ? '""' : JSON.stringify(start)}`,
})

function ofSchema(schema: JsonSchema): Completion[] {
  const required = new Set(schema.required ?? [])
  return Object.entries(schema.properties ?? {}).map(([name, part]) =>
    key(
      name,
      [required.has(name) ? 'required' : '', typeof part.description === 'string' ? part.description : ''].filter(Boolean).join(' · '),
      seed(part, name),
    ),
  )
}

/** The initial value of a new member, with the cursor inside it. */
function seed(schema: JsonSchema, name: string): unknown {
  const control = controlOf(schema, name)
  if (control.kind === 'words') return '@'
  if (control.kind === 'switch') return true
  if (control.kind === 'number') return control.min ?? 0
  if (control.kind === 'list' || control.kind === 'steps') return []
  if (control.kind === 'record' || control.kind === 'map' || control.kind === 'logic') return {}
  return control.kind === 'choice' ? control.options[0] : ''
}

function isInLogic(path: Steps): boolean {
  return path.some((name, i) => name === '$' || (logicRoles.has(String(name)) && path[i - 1] !== 'props' && path[i - 1] !== 'data'))
}

function keysAt(doc: object, schema: JsonSchema, path: Steps, known: Known, current: string): Completion[] {
  const written = at(doc, path)
  const taken = new Set(isObject(written) ? Object.keys(written).filter((name) => name !== current) : [])
  const found = special(doc, path, known) ?? keysOf(schema, doc, path, taken).flatMap((one) => ofSchema(one))
  const free = found.filter(({ label }) => !taken.has(label))
  return [...new Map(free.map((one) => [one.label, one])).values()]
}

/** Members whose names come from the catalog or from other documents. */
function special(doc: object, path: Steps, known: Known): Completion[] | undefined {
  const name = path.at(-1)
  const holder = at(doc, path.slice(0, -1))
  if (isInLogic(path)) return Object.keys(operators).map((op) => key(op, 'operator', op === 'var' || op === 'has' ? '' : []))
  if (!isObject(holder)) return undefined
  const named = widgetOf(holder).split('@')[0]
  const widget = known.catalog.widgets.find(({ type }) => type === named)
  if (name === 'props' && widget) return ofSchema(widget.props)
  if (name === 'on' && widget) return widget.events.map((event) => key(event, 'event', []))
  if (name === 'slots' && widget) return Object.keys(widget.slots).map((slot) => key(slot, 'slot', []))
  if (name === 'args' && typeof holder.call === 'string')
    return ofSchema(known.catalog.calls.find((call) => call.name === holder.call)?.input ?? {})
  if (name === 'params') {
    const route = typeof holder.go === 'string' ? holder.go : holder.to
    if (typeof route === 'string') return ofSchema(known.params[`screen/${known.screenOf[route]}`] ?? {})
  }
  if (name === 'with' && typeof holder.use === 'string')
    return ofSchema(known.params[`fragment/${holder.use}`] ?? known.params[`validation/${holder.use}`] ?? {})
  if (name === 'with' && typeof holder.confirm === 'string') return ofSchema(known.params[`prompt/${holder.confirm}`] ?? {})
  if (name === 'set') return [...stateOf(doc), ...known.device].map((place) => key(place, 'state', ''))
  return undefined
}

function stateOf(doc: object): string[] {
  const { kind, state, params } = doc as { kind?: unknown; state?: unknown; params?: unknown }
  const named = (root: string, parts: unknown) => (isObject(parts) ? Object.keys(parts).map((name) => `${root}.${name}`) : [])
  return [...named('state', state), ...(kind === 'fragment' ? named('params', params) : [])]
}

function valuesAt(doc: object, schema: JsonSchema, path: Steps, known: Known, pathsAt: PathsAt, typed: string): Completion[] {
  const name = path.at(-1)
  const value = (label: string, detail = ''): Completion => ({ label, detail, insert: JSON.stringify(label) })
  if (name === '$t') return Object.entries(known.words).map(([one, words]) => value(one, words))
  if (name === 'var' || name === 'has' || (typeof name === 'number' && path.at(-2) === 'var'))
    return pathsAt(path, typed).map(({ path: whole, type }) => value(whole, type))
  if (name === 'bind' || path.at(-2) === 'bind') return [...stateOf(doc), ...known.device].map((place) => value(place, 'state'))
  const prop = propSchema(doc, path, known)
  const shapes = prop ? [prop] : branchesAt(schema, doc, path)
  return shapes.flatMap((shape) => {
    const control = controlOf(shape, typeof name === 'string' ? name : '', schema)
    if (control.kind === 'choice') return control.options.map((one) => ({ label: String(one), detail: '', insert: JSON.stringify(one) }))
    if (control.kind === 'switch') return ['true', 'false'].map((label) => ({ label, detail: '', insert: label }))
    if (isCallOfData(path)) return namesOf(doc, 'read', known).map((one) => value(one, 'call'))
    if (control.kind === 'name') return namesOf(doc, control.of, known).map((one) => value(one, control.of))
    if (control.kind === 'words') return [{ label: '@', detail: 'words by key', insert: '"@"' }]
    if (path.at(-2) === 'rules') return (known.names.validation ?? []).map((one) => value(one, 'validation'))
    if (path.at(-2) === 'refresh') return namesOf(doc, 'source', known).map((one) => value(one, 'source'))
    return []
  })
}

/** Text keys for a value in the short form: `"@funding.fee"`. */
function keysOfTexts({ words }: Known): Completion[] {
  return Object.entries(words).map(([key, detail]) => ({ label: `@${key}`, detail, insert: JSON.stringify(`@${key}`) }))
}

/** Whether the text at a path is an expression that has no `=` before it. */
function isExpressionAt(doc: object, schema: JsonSchema, path: Steps): boolean {
  if (path.at(-1) === '$') return true
  return branchesAt(schema, doc, path).some((shape) => controlOf(shape, '', schema).kind === 'logic')
}

/** Completions of the word before the cursor: `"= data.f"`, `"show": "not data.f"`. The rest of the expression stays. */
function inExpression(path: Steps, typed: string, offset: number, pathsAt: PathsAt): Completions {
  const isShort = typed.startsWith('= ')
  const word = wordBefore(isShort ? typed.slice(2) : typed)
  const hints = hintsFor(word, pathsAt(isShort ? [...path, '$'] : path, word))
  const start = offset - word.length
  return { start, end: offset, from: start, items: hints.map(({ path: whole, type }) => ({ label: whole, detail: type, insert: whole })) }
}

/** Schema of a prop, at any depth below `props`, from the manifest of its widget. */
function propSchema(doc: object, path: Steps, known: Known): JsonSchema | undefined {
  const from = path.lastIndexOf('props')
  const node = from > 0 ? at(doc, path.slice(0, from)) : undefined
  if (!isObject(node)) return undefined
  const widget = known.catalog.widgets.find(({ type }) => type === widgetOf(node).split('@')[0])
  let schema: JsonSchema | undefined = widget?.props
  for (const name of path.slice(from + 1)) {
    const here: JsonSchema = resolved(schema ?? {})
    schema = typeof name === 'number' ? here.items : here.properties?.[name]
  }
  return schema
}

const isCallOfData = (path: Steps) => path.length === 3 && path[0] === 'data' && path[2] === 'call'

/** Names of one kind. Names that the document itself declares are read from it. */
export function namesOf(doc: object, of: NameKind, known: Known): readonly string[] {
  const { data, actions, fields } = doc as { data?: unknown; actions?: unknown; fields?: unknown }
  if (of === 'field') return Array.isArray(fields) ? fields.flatMap((one) => (isObject(one) ? [String(one.name)] : [])) : []
  if (of === 'source') return isObject(data) ? Object.keys(data) : []
  if (of === 'action') return isObject(actions) ? Object.keys(actions) : []
  if (of === 'node') return [...JSON.stringify(doc).matchAll(/"id":"([^"]+)","widget":"/g)].map(([, id]) => id as string)
  return known.names[of] ?? []
}
