import { makeRelease, manifestJson, revisionOf, select, textRevisions } from '#config-server/release.rules.ts'
import type { AppDoc, FlowDoc, FormDoc, RouteDoc, RoutesDoc, ScreenDoc } from '#language/documents/documents.ts'
import { prepare } from '#language/documents/prepare.ts'
import { openPlanned } from '#language/publish/open-planned.ts'
import type { Catalog, PreparedDocument, SourceDocument, TextCatalog } from '#language/types/catalog.ts'

/** Documents and texts of one state of the product: the live release, an earlier one, a draft or a folder. */
export interface DocumentSet {
  /** Name for people: `live`, `release 7`, `draft 3`, `files`. */
  name: string
  documents: readonly SourceDocument[]
  texts: TextCatalog
  catalog: Catalog
}

/** The same set in the form that a config server gives to the app, and parts that flows and tests use. */
export interface Pages {
  app: AppDoc
  routes: Readonly<Record<string, RouteDoc>>
  /** Screens by id, with fragments inserted. */
  screens: ReadonlyMap<string, ScreenDoc>
  forms: ReadonlyMap<string, FormDoc>
  flows: readonly FlowDoc[]
  /** Answer of /config/manifest, as JSON text. */
  manifest(locale: string): string
  /** Answer of /config/documents/<sha256>.json; undefined for an unknown hash. */
  document(sha256: string): string | undefined
}

function byKind<T>(prepared: readonly PreparedDocument[], kind: string): Map<string, T> {
  return new Map(prepared.flatMap(({ doc }) => (doc.kind === kind ? [[doc.id, doc as unknown as T] as const] : [])))
}

/**
 * @param set documents without lint errors
 * @throws Error when it has no app or no routes
 */
export function openSet({ documents, texts, catalog }: DocumentSet): Pages {
  const prepared = openPlanned(prepare(documents, catalog), catalog)
  const app = byKind<AppDoc>(prepared, 'app').get('app')
  const routes = byKind<RoutesDoc>(prepared, 'routes').get('routes')
  if (!app || !routes) throw new Error('the set has no app and routes documents')
  // A number that no server uses, so that the app takes the set for another release than its own.
  const release = makeRelease(1, prepared.map(revisionOf), textRevisions(texts))
  const selection = select([release], undefined)
  if (!selection) throw new Error('the set has no documents')
  const bodies = new Map<string, string>()
  for (const { sha256, canonical } of release.documents.values()) bodies.set(sha256, canonical)
  for (const areas of release.texts.values()) for (const { sha256, canonical } of areas.values()) bodies.set(sha256, canonical)
  const manifests = new Map<string, string>()
  const languageOf = (locale: string) =>
    app.languages.find(({ id, tag, aliases = [] }) => [id, tag, ...aliases].includes(locale))?.id ?? app.defaultLanguage
  return {
    app,
    routes: routes.routes,
    screens: byKind<ScreenDoc>(prepared, 'screen'),
    forms: byKind<FormDoc>(prepared, 'form'),
    flows: documents.flatMap(({ doc }) => (doc.kind === 'flow' ? [doc as FlowDoc] : [])),
    manifest(locale) {
      const language = languageOf(locale)
      const known = manifests.get(language) ?? manifestJson(selection, language)
      manifests.set(language, known)
      return known
    },
    document: (sha256) => bodies.get(sha256),
  }
}

/** Address of a route: `/pages/x?id=3`. Parameters that are null or absent are omitted. */
export function addressOf(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (value !== undefined && value !== null) query.set(name, String(value))
  const text = query.toString()
  return `/${path.replace(/^\/+/, '')}${text === '' ? '' : `?${text}`}`
}
