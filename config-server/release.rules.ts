import { createHash } from 'node:crypto'
import type { Catalog } from '#config-server/serving/caps.rules.ts'
import type { AppDoc, RoutesDoc } from '#language/documents/documents.ts'
import { baseLanguage } from '#language/edit/words.ts'
import { canonical } from '#language/publish/canonical.ts'
import { covers, type Requires } from '#language/publish/covers.ts'
import { type DocumentKey, engineAreas, type Manifest } from '#language/publish/release.ts'
import type { PreparedDocument, TextCatalog } from '#language/types/catalog.ts'

/** One state of one document, or of one text area in one language. Its address never changes. */
export interface Revision {
  sha256: string
  canonical: string
}
export interface DocumentRevision extends Revision {
  key: DocumentKey
  requires: Requires
  uses: string[]
  areas: string[]
  /** The same as it is written now, where it was published for earlier widgets or an earlier language. */
  modern?: DocumentRevision
}

/** An atomic set of documents and texts. Nobody ever sees a mix of two. */
export interface Release {
  release: number
  /** Over every document and every text, in every language. */
  hash: string
  documents: ReadonlyMap<DocumentKey, DocumentRevision>
  /** Language → area → revision. */
  texts: ReadonlyMap<string, ReadonlyMap<string, Revision>>
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

export function revisionOf(prepared: PreparedDocument): DocumentRevision {
  const { key, computed } = prepared
  return {
    key,
    canonical: prepared.canonical,
    sha256: sha256(prepared.canonical),
    requires: computed.requires,
    uses: computed.uses,
    areas: computed.areas,
  }
}

/** Every language has every area of the base language; a word that it lacks is the base language's. */
export function textRevisions(catalog: TextCatalog): Map<string, Map<string, Revision>> {
  const base = catalog[baseLanguage] ?? {}
  const languages = new Map<string, Map<string, Revision>>()
  for (const [language, own] of Object.entries(catalog)) {
    const areas = new Map<string, Revision>()
    for (const area of new Set([...Object.keys(base), ...Object.keys(own)])) {
      const text = canonical({ ...base[area], ...own[area] })
      areas.set(area, { canonical: text, sha256: sha256(text) })
    }
    languages.set(language, areas)
  }
  return languages
}

/** A release from its parts. The order of the parts makes no difference to its hash. */
export function makeRelease(release: number, documents: readonly DocumentRevision[], texts: Release['texts']): Release {
  const lines = documents.map((revision) => `${revision.key} ${revision.sha256}`)
  for (const [language, areas] of texts) for (const [area, revision] of areas) lines.push(`texts ${language} ${area} ${revision.sha256}`)
  return {
    release,
    hash: sha256(lines.sort().join('\n')).slice(0, 16),
    documents: new Map(documents.map((revision) => [revision.key, revision])),
    texts,
  }
}

/** The app document of a release; undefined for a release without one. */
export function appOf({ documents }: Pick<Release, 'documents'>): AppDoc | undefined {
  const revision = documents.get('app/app')
  return revision && (JSON.parse(revision.canonical) as AppDoc)
}

/** Every document and text of a release. */
export const revisionsOf = (release: Release): Revision[] => [
  ...[...release.documents.values()].flatMap((one) => (one.modern ? [one, one.modern] : [one])),
  ...[...release.texts.values()].flatMap((areas) => [...areas.values()]),
]

/** A revision as a build can show it: as it is written now, or as it was published. Undefined where it can show neither. */
export function shownBy(caps: Catalog, revision: DocumentRevision | undefined): DocumentRevision | undefined {
  return [revision?.modern, revision].find((one) => one && covers(caps, one.requires))
}

/**
 * The revision of each document that a build gets: the newest that it can show. A document that it can show in no release
 * comes as it is, and the build's own fallbacks speak. Documents that the newest release lacks are gone for everybody.
 * @param history newest first
 * @param caps undefined where there is nothing to go by: then it is the newest
 */
export function chooseRevisions(history: readonly Release[], caps: Catalog | undefined): ReadonlyMap<DocumentKey, DocumentRevision> {
  const newest = history[0]?.documents ?? new Map<DocumentKey, DocumentRevision>()
  if (!caps) return newest
  let same = true
  const chosen = new Map<DocumentKey, DocumentRevision>()
  for (const [key, revision] of newest) {
    const shown = shownBy(caps, revision) ?? firstOf(history, (release) => shownBy(caps, release.documents.get(key)))
    chosen.set(key, shown ?? revision)
    same &&= chosen.get(key) === revision
  }
  return same ? newest : chosen
}

function firstOf<T, R>(list: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of list) {
    const found = find(one)
    if (found !== undefined) return found
  }
  return undefined
}

const kindOf = (key: string) => key.slice(0, key.indexOf('/'))
const alwaysFirst = ['app', 'routes', 'theme', 'quick-entries']

/** Documents that the first screen needs: constants, routes, theme, entries, the screen of `/` and the prompts that it opens. */
export function firstDocuments(documents: ReadonlyMap<DocumentKey, DocumentRevision>): DocumentRevision[] {
  const all = [...documents.values()]
  const first = all.filter((revision) => alwaysFirst.includes(kindOf(revision.key)))
  const routes = documents.get('routes/routes')
  const home = routes && homeScreen(JSON.parse(routes.canonical) as RoutesDoc)
  const screen = home === undefined ? undefined : documents.get(`screen/${home}`)
  if (!screen) return first
  const used = all.filter((revision) => kindOf(revision.key) === 'prompt' && screen.uses.includes(revision.key))
  return [...first, screen, ...used]
}

function homeScreen(doc: RoutesDoc): string | undefined {
  const slashes = /^\/+|\/+$/g
  return Object.entries(doc.routes ?? {}).find(([path, route]) =>
    [path, ...(route?.aliases ?? [])].some((name) => name.replace(slashes, '') === ''),
  )?.[1]?.screen
}

/** The part of a release that one kind of client gets. */
export interface Selection {
  release: Release
  documents: ReadonlyMap<DocumentKey, DocumentRevision>
  /** Over what is in it, so that the ETag of every selection is its own; the release's for the newest of everything. */
  hash: string
  /** It is for builds that nobody has described yet, and asks them for their description. */
  unknown: boolean
}

/** @param caps undefined for the newest of everything */
export function select(history: readonly Release[], caps: Catalog | undefined, unknown = false): Selection | undefined {
  const release = history[0]
  if (!release) return undefined
  const documents = chooseRevisions(history, caps)
  const held = documents === release.documents ? release.hash : makeRelease(0, [...documents.values()], release.texts).hash
  return { release, documents, unknown, hash: unknown ? sha256(`unknown ${held}`).slice(0, 16) : held }
}

/** The newest revision of a document that is older than the one given, and that a build can show; for clients on which that one breaks. */
export function revisionBefore(
  history: readonly Release[],
  key: DocumentKey,
  broken: readonly string[],
  caps: Catalog | undefined,
): DocumentRevision | undefined {
  const revisions = history.flatMap(({ documents }) => documents.get(key) ?? [])
  const isRevision = (one: DocumentRevision, sha: string) => one.sha256 === sha || one.modern?.sha256 === sha
  const from = Math.max(0, ...broken.map((sha) => revisions.findLastIndex((one) => isRevision(one, sha))))
  const fitting = (one: DocumentRevision) => {
    const shown = caps ? shownBy(caps, one) : one
    return shown && !broken.includes(shown.sha256) ? shown : undefined
  }
  return firstOf(revisions.slice(from), fitting) ?? firstOf(revisions, fitting)
}

/** The answer of /config/manifest for one language, as JSON text. Members of `inline` are copied from the revisions, not written again. */
export function manifestJson({ release, documents, hash, unknown }: Selection, locale: string): string {
  const texts = release.texts.get(locale) ?? release.texts.get(baseLanguage) ?? new Map<string, Revision>()
  const first = firstDocuments(documents)
  const areas = new Set([...engineAreas, ...first.flatMap((revision) => revision.areas)])
  const inline = new Map<string, string>()
  for (const revision of first) inline.set(revision.sha256, revision.canonical)
  for (const area of areas) {
    const revision = texts.get(area)
    if (revision) inline.set(revision.sha256, revision.canonical)
  }
  const head: Omit<Manifest, 'inline'> = {
    release: release.release,
    hash,
    locale,
    ...(unknown && { unknownBuild: true as const }),
    documents: Object.fromEntries([...documents.values()].map(({ key, sha256, uses, areas }) => [key, { sha256, uses, areas }])),
    texts: Object.fromEntries([...texts].map(([area, revision]) => [area, revision.sha256])),
  }
  const members = [...inline].map(([sha, text]) => `${JSON.stringify(sha)}:${text}`)
  return `${JSON.stringify(head).slice(0, -1)},"inline":{${members.join(',')}}}`
}
