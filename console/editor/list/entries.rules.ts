import { spoken } from '#console/editor/document/known.ts'
import { isObject } from '#language/documents/json.ts'
import { widgetOf } from '#language/text/shorthand.ts'

/** A document in the list, with everything that the search looks at. */
export interface DocumentEntry {
  path: string
  /** As `knownKind` gives it. */
  kind: string
  id: string
  /** Title in the operator's language, else the id in words. */
  title: string
  /** First part of an id with several parts: `setting` of `setting.security`. */
  area: string
  routes: string[]
  widgets: string[]
  calls: string[]
  /** Texts that the document shows. */
  words: string[]
  /** Ids of nodes, names of fields, text keys, names of other documents. */
  names: string[]
  /** The file cannot be parsed. */
  broken: boolean
}

const kindOrder = ['screen', 'form', 'quick-entries', 'prompt', 'validation', 'fragment', 'routes', 'app', 'theme', 'flow'] as const

/** Position of a kind in the usual order; unknown kinds come last. */
export function kindRank(kind: string): number {
  const at = (kindOrder as readonly string[]).indexOf(kind)
  return at < 0 ? kindOrder.length : at
}

/** The kind where there is one of this name, else `unknown`, as for a name with a typing error. */
export const knownKind = (kind: string): string => ((kindOrder as readonly string[]).includes(kind) ? kind : 'unknown')

type Words = Readonly<Record<string, string>>

/** @param doc the parsed file, or undefined where it is no JSON */
export function entryOf(path: string, doc: unknown, words: Words, routesOf: Readonly<Record<string, readonly string[]>>): DocumentEntry {
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '')
  if (!isObject(doc) || typeof doc.kind !== 'string' || typeof doc.id !== 'string')
    return {
      path,
      kind: knownKind(kindOfPath(path)),
      id: file,
      title: file,
      area: '',
      routes: [],
      widgets: [],
      calls: [],
      words: [],
      names: [],
      broken: true,
    }
  const found = { widgets: new Set<string>(), calls: new Set<string>(), words: new Set<string>(), names: new Set<string>() }
  collect(doc, '', words, found)
  const routes =
    doc.kind === 'screen' ? (routesOf[doc.id] ?? []) : doc.kind === 'routes' && isObject(doc.routes) ? Object.keys(doc.routes) : []
  const dot = doc.id.indexOf('.')
  return {
    path,
    kind: knownKind(doc.kind),
    id: doc.id,
    title: titleOf(doc, words) || inWords(doc.id),
    area: dot > 0 ? doc.id.slice(0, dot) : '',
    routes: [...routes],
    widgets: [...found.widgets],
    calls: [...found.calls],
    words: [...found.words],
    names: [...found.names],
    broken: false,
  }
}

function kindOfPath(path: string): string {
  const [, folder = ''] = path.split('/')
  return folder.endsWith('.json') ? folder.replace(/\.json$/, '') : folder === 'quick-entries' ? folder : folder.replace(/s$/, '')
}

/** Addresses by id of the screen that they open. */
export function routesByScreen(routes: unknown): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  if (!isObject(routes) || !isObject(routes.routes)) return found
  for (const [path, route] of Object.entries(routes.routes)) {
    if (!isObject(route) || typeof route.screen !== 'string') continue
    found[route.screen] ??= []
    found[route.screen]?.push(path)
  }
  return found
}

interface Found {
  widgets: Set<string>
  calls: Set<string>
  words: Set<string>
  names: Set<string>
}

function collect(value: unknown, name: string, words: Words, found: Found): void {
  if (typeof value === 'string') {
    if (name === 'call') found.calls.add(value)
    else if (name === '$t') {
      found.names.add(value)
      if (words[value]) found.words.add(words[value])
    } else if (
      name === 'id' ||
      name === 'name' ||
      name === 'form' ||
      name === 'use' ||
      name === 'confirm' ||
      name === 'list' ||
      name === 'to' ||
      name === 'go'
    )
      found.names.add(value)
    return
  }
  if (Array.isArray(value)) for (const part of value) collect(part, name, words, found)
  else if (isObject(value)) {
    const widget = widgetOf(value)
    if (widget !== '') found.widgets.add(widget.split('@', 1)[0] as string)
    for (const [key, part] of Object.entries(value)) collect(part, key, words, found)
  }
}

/** The text of the title bar, then other headings, then the usual naming member of the kind. */
export function titleOf(doc: Record<string, unknown>, words: Words): string {
  if (doc.kind === 'prompt') return spoken(doc.title, words)
  if (doc.kind === 'validation') return spoken(doc.message, words)
  if (doc.kind === 'form' && isObject(doc.submit)) return spoken(doc.submit.label, words)
  if (doc.kind !== 'screen') return ''
  const own = spoken(doc.title, words)
  if (own !== '' && !own.includes('{{')) return own
  for (const widget of ['nav-bar', 'section', 'web-view', 'quote-header']) {
    const title = headingIn(doc.body, widget, words)
    if (title !== '') return title
  }
  return ''
}

function headingIn(value: unknown, widget: string, words: Words): string {
  if (Array.isArray(value)) {
    for (const part of value) {
      const found = headingIn(part, widget, words)
      if (found !== '') return found
    }
    return ''
  }
  if (!isObject(value)) return ''
  if (value.widget === widget && isObject(value.props) && isObject(value.props.title) && '$t' in value.props.title) {
    const said = spoken(value.props.title, words)
    if (said !== '' && !said.includes('{{')) return said
  }
  for (const part of [value.slots, value.body]) {
    const found: string = isObject(part) ? headingIn(Object.values(part), widget, words) : headingIn(part, widget, words)
    if (found !== '') return found
  }
  return ''
}

/** `setting.bind_email` reads "Bind email". */
export function inWords(id: string): string {
  const last = id
    .slice(id.lastIndexOf('.') + 1)
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
  return last.charAt(0).toUpperCase() + last.slice(1).toLowerCase()
}

/** Kinds in their usual order, areas of each by name, documents by title. */
interface Group {
  kind: string
  areas: { area: string; entries: DocumentEntry[] }[]
}
export function grouped(entries: readonly DocumentEntry[]): Group[] {
  const kinds = [...new Set(entries.map(({ kind }) => kind))].sort((a, b) => kindRank(a) - kindRank(b))
  return kinds.map((kind) => {
    const own = entries.filter((entry) => entry.kind === kind)
    const areas = [...new Set(own.map(({ area }) => area))].sort()
    return {
      kind,
      areas: areas.map((area) => ({
        area,
        entries: own.filter((entry) => entry.area === area).sort((a, b) => a.title.localeCompare(b.title) || a.id.localeCompare(b.id)),
      })),
    }
  })
}
