import type { AnyDoc, AppDoc, FormDoc, FragmentDoc, Kind, Logic, RouteDoc, RoutesDoc, ScreenDoc } from '#language/documents/documents.ts'
import { type Inlined, inline } from '#language/documents/inline.ts'
import { formAround, formsOf } from '#language/documents/named-values.ts'
import { segmentsOf, withSegments } from '#language/documents/segments.ts'
import { type ActionPlace, type Facts, factsOf, type NodePlace } from '#language/documents/walk.ts'
import { placeIn } from '#language/edit/edit.ts'
import { lineOf, outline } from '#language/text/position.ts'
import { expressionPart } from '#language/text/problem-range.ts'
import { shortPlace } from '#language/text/short-nodes.ts'
import type {
  CallManifest,
  Catalog,
  JsonSchema,
  LintProblem,
  SourceDocument,
  TextCatalog,
  WidgetManifest,
} from '#language/types/catalog.ts'
import { typeOfLogic, typeOfValue } from '#language/types/paths.ts'
import { type KnownRows, type RowTypes, rowTypesAt, withValueTypes } from '#language/types/places.ts'
import { anything, fieldType, record, resultTypes, type Types, typesOf } from '#language/types/types.ts'
import { coinOf } from '#language/types/units.ts'

/** A document prepared for checks: fragments inlined, places collected. */
export interface Entry {
  source: SourceDocument
  doc: AnyDoc
  inlined: Inlined
  /** All places; those from fragments have `node.fragment`. */
  facts: Facts
  /** Places of the document itself. Problems inside a fragment are reported in the fragment. */
  own: Facts
  types: Types
  /** For a form: the screens that show it. */
  shownBy: readonly (Entry & { doc: ScreenDoc })[]
}

/** Input of all checks. */
export interface World {
  entries: readonly Entry[]
  texts: TextCatalog
  catalog: Catalog
  app: AppDoc | undefined
  /** Languages that the app offers. */
  languages: readonly string[]
  screens: readonly (Entry & { doc: ScreenDoc })[]
  routes: { entry: Entry; routes: Record<string, RouteDoc> } | undefined
  /** The route of a path or alias. */
  route(path: string): RouteDoc | undefined
  routePaths: readonly string[]
  ids(kind: Kind): readonly string[]
  find(kind: Kind, id: string): Entry | undefined
  widget(ref: string): WidgetManifest | undefined
  call(name: string): CallManifest | undefined
  /** Types of the roots at a place. */
  typesAt(
    entry: Entry,
    place: { node?: NodePlace; action?: ActionPlace; role?: string; topic?: string; inSlot?: boolean; source?: string },
  ): Types
  report(
    check: string,
    entry: Entry,
    pointer: string,
    message: string,
    more?: { suggestion?: string | undefined; severity?: 'error' | 'warn' },
  ): LintProblem
}

type Reading = Pick<Entry, 'doc' | 'inlined' | 'facts' | 'own'>
/** Documents whose names others read. */
interface Shared {
  /** Conditions of the segments, which stand in the place of their names as in published documents. */
  segments: Readonly<Record<string, Logic>>
  fragments: ReadonlyMap<string, FragmentDoc>
  forms: ReadonlyMap<string, FormDoc>
}
const readings = new WeakMap<SourceDocument, { madeOf: readonly unknown[]; reading: Reading }>()

/** A document with its fragments inlined, and its places. Cached per document, because an edit changes one document. */
function readingOf(source: SourceDocument, shared: Shared): Reading {
  const madeOf = [...shared.fragments.values(), ...formsOf(source.doc, shared), ...Object.values(shared.segments)]
  const known = readings.get(source)
  if (known && known.madeOf.length === madeOf.length && known.madeOf.every((one, i) => one === madeOf[i])) return known.reading
  const doc = source.doc.kind === 'app' ? source.doc : withSegments(source.doc, shared.segments)
  const inlined = inline(doc, { ...shared, how: 'expressions' })
  const facts = factsOf(inlined.doc, inlined.origins)
  const reading = { doc: inlined.doc, inlined, facts, own: inlined.origins.size === 0 ? facts : ownOf(facts, source) }
  readings.set(source, { madeOf, reading })
  return reading
}

/** Cached entries with the objects from which they were made. */
const entriesBefore = new WeakMap<SourceDocument, { madeOf: readonly unknown[]; entry: Entry }>()

/**
 * Creates the entries of documents. A screen and its forms are created together, because they share types. When nothing of them has changed
 * since the last world, the entry is the same object, so that checks can cache their findings.
 */
function entriesOf(documents: readonly SourceDocument[], shared: Shared, catalog: Catalog, app: AppDoc | undefined): readonly Entry[] {
  const made = new Map<SourceDocument, Entry>()
  for (const group of linkedDocuments(documents, shared)) {
    const madeOf = [catalog, app, ...shared.fragments.values(), ...group]
    const before = group.map((source) => entriesBefore.get(source))
    const isSame = before.every((one) => one?.madeOf.length === madeOf.length && one.madeOf.every((part, i) => part === madeOf[i]))
    const entries = isSame ? before.map((one) => one!.entry) : newEntries(group, shared, catalog, app)
    for (const entry of entries) {
      made.set(entry.source, entry)
      if (!isSame) entriesBefore.set(entry.source, { madeOf, entry })
    }
  }
  return documents.map((source) => made.get(source)!)
}

/** Documents in groups: a screen with its forms, and with other screens of these forms. Most documents form a group alone. */
function linkedDocuments(documents: readonly SourceDocument[], shared: Shared): ReadonlySet<SourceDocument[]> {
  const groups = new Map(documents.map((source) => [source, [source]]))
  const forms = new Map(documents.filter(({ doc }) => doc.kind === 'form').map((source) => [source.doc.id, source]))
  for (const source of documents) {
    if (source.doc.kind !== 'screen') continue
    for (const id of formsIn(readingOf(source, shared).facts)) {
      const [own, other] = [groups.get(source)!, groups.get(forms.get(id) ?? source)!]
      if (own === other) continue
      own.push(...other)
      for (const one of other) groups.set(one, own)
    }
  }
  return new Set(groups.values())
}

function newEntries(group: readonly SourceDocument[], shared: Shared, catalog: Catalog, app: AppDoc | undefined): readonly Entry[] {
  const entries = group.map((source): Entry => {
    const reading = readingOf(source, shared)
    const types = typesOf(reading.doc, catalog, app)
    return { source, ...reading, types, shownBy: [] }
  })
  linkForms(entries)
  countFields(entries)
  for (const entry of entries) entry.types = withValueTypes(entry.types, entry.doc)
  return entries
}

const rowsOf = new WeakMap<Entry, KnownRows>()

export type Check = (world: World) => Iterable<LintProblem>

export function createWorld(documents: readonly SourceDocument[], texts: TextCatalog, catalog: Catalog): World {
  const fragments = new Map(documents.flatMap(({ doc }) => (doc.kind === 'fragment' ? [[doc.id, doc as FragmentDoc] as const] : [])))
  const forms = new Map(documents.flatMap(({ doc }) => (doc.kind === 'form' ? [[doc.id, doc as FormDoc] as const] : [])))
  const app = documents.find(({ doc }) => doc.kind === 'app')?.doc as AppDoc | undefined
  const entries = entriesOf(documents, { segments: segmentsOf(app), fragments, forms }, catalog, app)
  const byKey = new Map(entries.map((entry) => [entry.source.key as string, entry]))
  const widgets = new Map(catalog.widgets.map((widget) => [widget.type, widget]))
  const calls = new Map(catalog.calls.map((call) => [call.name, call]))
  const routesEntry = entries.find(({ doc }) => doc.kind === 'routes')
  const routes = routesEntry && { entry: routesEntry, routes: (routesEntry.doc as RoutesDoc).routes }
  const byPath = new Map<string, RouteDoc>()
  for (const [path, route] of Object.entries(routes?.routes ?? {}))
    for (const name of [path, ...(route.aliases ?? [])]) byPath.set(name, route)
  const lines = new Map<string, ReadonlyMap<string, number>>()
  const linesOf = ({ file, text }: SourceDocument) => {
    const known = lines.get(file) ?? outline(text).lines
    lines.set(file, known)
    return known
  }
  const world: World = {
    entries,
    texts,
    catalog,
    app,
    languages: app ? app.languages.map(({ id }) => id) : Object.keys(texts),
    screens: entries.filter((entry): entry is Entry & { doc: ScreenDoc } => entry.doc.kind === 'screen'),
    routes,
    route: (path) => byPath.get(path),
    routePaths: [...byPath.keys()],
    ids: (kind) => entries.flatMap(({ doc }) => (doc.kind === kind ? [doc.id] : [])),
    find: (kind, id) => byKey.get(`${kind}/${id}`),
    widget: (ref) => widgets.get(ref.split('@', 1)[0] as string),
    call: (name) => calls.get(name),
    typesAt(whole, { node, action, role, topic, inSlot, source }) {
      const form = whole.doc.kind === 'screen' ? formAround(node) : undefined
      const inForm = form === undefined ? undefined : byKey.get(`form/${form}`)?.types.form
      const entry = inForm ? { ...whole, types: { ...whole.types, form: inForm } } : whole
      if (topic !== undefined) return { ...entry.types, item: pushedRow(topic), value: { type: 'integer' } }
      // The row that a source shows until the server answers is made of the arguments of the call.
      if (source !== undefined) return { ...entry.types, value: sentBy(entry, source) }
      if (role === 'stale_when') return { ...entry.types, latest: anything }
      // As written, the row is that of a fragment which is not inserted; the inserted place is checked with it.
      const row =
        rowAt(entry, role === 'each' ? node?.parent : node) ?? (inSlot ? { item: anything, index: anything, row: anything } : undefined)
      const field = role === 'test' ? node?.field : undefined
      const own = node?.parent?.field ? undefined : entry.types.form?.properties?.[field?.name ?? '']
      const judged = field && { value: own ?? fieldType(field) }
      if (!action) return row || judged ? { ...entry.types, ...row, ...judged } : entry.types
      const result = resultTypes(action.steps, catalog)
      if (action.source !== undefined) return { ...entry.types, ...before(entry, action), result }
      if (action.watched !== undefined) return { ...entry.types, value: typeOfLogic(action.watched, entry.types).type, result }
      const rest = node ? row : { item: anything, index: anything, row: anything }
      return { ...entry.types, ...rest, value: anything, result }
    },
    report(check, { source, inlined }, long, message, { suggestion, severity = 'error' } = {}) {
      const lines = linesOf(source)
      const brought = inlined.brought.get(long.split('/', 3).join('/'))
      const pointer = brought ?? shortPlace(long, (one) => lines.has(one))
      const place = placeOf(source, lines, pointer)
      return { check, severity, file: source.file, ...place, pointer, message, ...(suggestion !== undefined && { suggestion }) }
    },
  }

  function sentBy({ doc }: Entry, source: string): JsonSchema {
    const sent = doc.kind === 'screen' || doc.kind === 'fragment' ? doc.data?.[source]?.send?.call : undefined
    return calls.get(sent ?? '')?.input ?? anything
  }

  function pushedRow(name: string): JsonSchema {
    const rows = catalog.topics.find((topic) => topic.name === name)?.rows
    const list = calls.get(rows?.call ?? '')?.output.properties?.list
    return list?.items ?? anything
  }

  /** In the steps of a source, `value` is the previous answer; before the first answer there is none. */
  function before({ types }: Entry, { name, source = '' }: ActionPlace): Types {
    return name === 'loaded' ? {} : { value: types.data?.properties?.[source] ?? anything }
  }

  function rowAt(entry: Entry, place: NodePlace | undefined): RowTypes | undefined {
    const known = rowsOf.get(entry) ?? (new Map() as KnownRows)
    rowsOf.set(entry, known)
    return rowTypesAt(entry.types, place, known)
  }
  return world
}

/** Position of a part of a document in its file; for a part of an expression, its position in the text. */
function placeOf({ text }: SourceDocument, lines: ReadonlyMap<string, number>, pointer: string): { line: number; column?: number } {
  const part = lines.has(pointer) ? undefined : expressionPart(text, pointer)
  const place = part && placeIn(text, part.pointer, part.from)
  return place ?? { line: lineOf(lines, pointer) }
}

/** Ids of the forms that a screen shows, one for each place. */
function formsIn({ nodes }: Facts): string[] {
  return nodes.flatMap(({ node }) => {
    const id = node.widget.split('@', 1)[0] === 'form' ? node.props?.form : undefined
    return typeof id === 'string' ? [id] : []
  })
}

/**
 * A form in a single screen reads the screen's values, and the screen reads the form's. For a form in several screens, or a screen with
 * several forms, the types are unknown.
 */
function linkForms(entries: readonly Entry[]): void {
  const forms = new Map(entries.flatMap((entry) => (entry.doc.kind === 'form' ? [[entry.doc.id, entry] as const] : [])))
  for (const screen of entries) {
    if (screen.doc.kind !== 'screen') continue
    const shown = formsIn(screen.facts).flatMap((id) => forms.get(id) ?? [])
    for (const form of shown) form.shownBy = [...form.shownBy, screen as Entry & { doc: ScreenDoc }]
    if (shown.length === 1 && shown[0]) screen.types = { ...screen.types, form: shown[0].types.form ?? anything }
  }
  for (const form of forms.values()) {
    const [only, ...others] = form.shownBy
    if (!only || others.length > 0) continue
    const { params = anything, state = anything, data = anything } = only.types
    form.types = { ...form.types, params, state, data }
  }
}

/** Sets the unit of decimal fields whose `unit` names a currency. */
function countFields(entries: readonly Entry[]): void {
  for (const entry of entries) {
    const { form: plain = anything } = entry.types
    if (entry.doc.kind !== 'form') continue
    const counted = entry.doc.fields.flatMap(({ name, type, props }): [string, JsonSchema][] => {
      const coin = type === 'decimal' && props?.unit !== undefined ? coinIn(props.unit, entry.types) : undefined
      return coin === undefined ? [] : [[name, { ...plain.properties?.[name], unit: 'money', coin }]]
    })
    if (counted.length === 0) continue
    const form = record({ ...plain.properties, ...Object.fromEntries(counted) })
    for (const one of [entry, ...entry.shownBy]) if (one.types.form === plain) one.types = { ...one.types, form }
  }
}

/** The currency that a text names, by code or by path. */
function coinIn(value: unknown, types: Types): string | undefined {
  if (typeof value === 'string') return /^[A-Z][A-Z0-9]{1,9}$/.test(value) ? value : undefined
  const coin = coinOf(typeOfValue(value, types).type)
  return coin === '?' ? undefined : coin
}

function ownOf(facts: Facts, source: SourceDocument): Facts {
  const own = <T extends { node?: NodePlace }>(places: readonly T[]) => places.filter(({ node }) => node?.fragment === undefined)
  const written = factsOf(source.doc)
  return {
    nodes: facts.nodes.filter(({ fragment }) => fragment === undefined),
    values: [...own(facts.values), ...written.values.filter(({ role, pointer }) => role === 'with' && isUse(written, pointer))],
    logics: own(facts.logics),
    steps: own(facts.steps),
    actions: own(facts.actions),
    uses: written.uses,
  }
}

function isUse(written: Facts, pointer: string): boolean {
  return written.uses.some((use) => pointer.startsWith(`${use.pointer}/with/`))
}
