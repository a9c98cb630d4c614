import type { RoutesDoc } from '#language/documents/documents.ts'
import { needsOf } from '#language/edit/where-used.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import type { Catalog, SourceDocument } from '#language/types/catalog.ts'

/** Which screens show a document, text or route. Results are sorted ids of screens. */
export interface Shown {
  /**
   * Screens that show the document, also through fragments, forms, prompts, validations, quick entries and the tab bar. A screen shows
   * itself.
   */
  document(key: string): string[]
  /**
   * Screens that show one of these text keys (`home.entry_gold`), also through documents they use. Texts of widgets belong to no screen.
   */
  texts(keys: readonly string[]): string[]
  /** Screens of these routes. */
  routes(paths: readonly string[]): string[]
}

export function createShown(documents: readonly SourceDocument[], catalog: Catalog): Shown {
  const widgets = new Map(catalog.widgets.map((widget) => [widget.type, widget.props]))
  const users = new Map<string, Set<DocumentKey>>()
  const speakers = new Map<string, Set<DocumentKey>>()
  const add = (map: Map<string, Set<DocumentKey>>, name: string, key: DocumentKey) =>
    void map.set(name, (map.get(name) ?? new Set<DocumentKey>()).add(key))
  const screens = documents.flatMap(({ doc }) => (doc.kind === 'screen' ? [doc.id] : []))
  const routes = (documents.find(({ doc }) => doc.kind === 'routes')?.doc as RoutesDoc | undefined)?.routes ?? {}
  const tabbed = Object.values(routes).flatMap(({ screen, tab }) => (tab === undefined ? [] : [screen]))
  for (const { key, doc } of documents) {
    for (const word of wordsIn(doc)) add(speakers, word, key)
    if (doc.kind !== 'routes') for (const { need } of needsOf(doc, widgets)) add(users, need, key)
  }

  function reach(start: Iterable<string>): string[] {
    const seen = new Set<string>(start)
    const found = new Set<string>()
    // Keys added during the loop are visited too.
    for (const key of seen) {
      if (key.startsWith('screen/')) found.add(key.slice('screen/'.length))
      if (key === 'app/app') for (const screen of tabbed) found.add(screen)
      for (const user of users.get(key) ?? []) seen.add(user)
    }
    return [...found].sort()
  }

  return {
    document: (key) => (key === 'app/app' || key === 'theme/theme' ? [...screens].sort() : reach([key])),
    texts: (keys) => reach(keys.flatMap((key) => [...(speakers.get(key.replace(plural, '')) ?? speakers.get(key) ?? [])])),
    routes: (paths) => [...new Set(paths.flatMap((path) => (Object.hasOwn(routes, path) ? (routes[path]?.screen ?? []) : [])))].sort(),
  }
}

const plural = /_(?:zero|one|two|few|many|other)$/

function* wordsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    if (name === '$t' && typeof part === 'string') yield part
    else if (name === 't' && typeof part === 'string') yield part
    else if (name === 't' && Array.isArray(part) && typeof part[0] === 'string') yield part[0]
    else yield* wordsIn(part)
  }
}
