import { type Answers, answersOf, flat, type HeaderPairs } from '#config-server/answers.ts'
import {
  baseLanguage,
  type Caps,
  chooseRevisions,
  type DocumentRevision,
  makeRelease,
  manifestJson,
  type Release,
  type Revision,
} from '#config-server/release.rules.ts'
import type { AppDoc } from '#language/documents.ts'
import type { DocumentKey } from '#language/release.ts'
import { chooseLanguage } from '#server-kit/texts.ts'

/** A manifest as it is sent, and what is sent to who has it already. */
export interface StoredManifest {
  etag: string
  answers: Answers
  notModified: string[]
}

/** Every revision that was ever published here, and which release is live. */
export interface RevisionStore {
  current(): Release | undefined
  /** Makes everything that the release serves ready, then moves the pointer in one step. The same set again is no new release. */
  put(documents: readonly DocumentRevision[], texts: Release['texts']): Promise<Release>
  document(sha256: string): Answers | undefined
  /** @param locale what the client asked for: an id, an alias, a language tag, or anything else */
  manifest(locale: string | undefined, caps: string | undefined): StoredManifest | undefined
}

interface Live {
  release: Release
  languages: string[]
  names: ReadonlyMap<string, string>
  newest: ReadonlyMap<string, StoredManifest>
  /** Only builds that must stay on something older. */
  byCaps: ReadonlyMap<string, ReadonlyMap<string, StoredManifest>>
}

const json = ['Content-Type', 'application/json; charset=utf-8'] as const
/** Clients that hold an earlier manifest still fetch its documents, so revisions outlive their release by this many. */
const releasesKept = 50

export function createRevisionStore(options: { security: HeaderPairs; caps: readonly Caps[] }): RevisionStore {
  const { security, caps } = options
  let bodies = new Map<string, Answers>()
  let history: Release[] = []
  let live: Live | undefined

  const manifestHeaders = (etag: string): HeaderPairs => [
    ...security,
    ['ETag', etag],
    ['Cache-Control', 'no-cache'],
    ['Vary', 'Accept-Encoding'],
  ]
  const documentHeaders = (sha: string): HeaderPairs => [
    ...security,
    json,
    ['ETag', `"${sha}"`],
    ['Cache-Control', 'public, max-age=31536000, immutable'],
    ['Vary', 'Accept-Encoding'],
  ]

  async function manifests(
    release: Release,
    documents: ReadonlyMap<DocumentKey, DocumentRevision>,
    languages: readonly string[],
    suffix: string,
  ) {
    const etag = `"${release.release}-${release.hash}${suffix}"`
    const entries = languages.map(async (locale): Promise<[string, StoredManifest]> => {
      const headers = manifestHeaders(etag)
      return [
        locale,
        { etag, answers: await answersOf(manifestJson(release, documents, locale), [json, ...headers]), notModified: flat(headers) },
      ]
    })
    return new Map(await Promise.all(entries))
  }

  const revisionsOf = (release: Release): Revision[] => [
    ...release.documents.values(),
    ...[...release.texts.values()].flatMap((areas) => [...areas.values()]),
  ]

  async function put(documents: readonly DocumentRevision[], texts: Release['texts']): Promise<Release> {
    const release = makeRelease((history[0]?.release ?? 0) + 1, documents, texts)
    if (live?.release.hash === release.hash) return live.release
    const kept = [release, ...history].slice(0, releasesKept)
    const all = new Map(kept.flatMap(revisionsOf).map((one) => [one.sha256, one.canonical]))
    const ready = async ([sha, text]: [string, string]): Promise<[string, Answers]> => [
      sha,
      bodies.get(sha) ?? (await answersOf(text, documentHeaders(sha))),
    ]
    const next = new Map(await Promise.all([...all].map(ready)))
    const languages = texts.size ? [...texts.keys()] : [baseLanguage]
    const byCaps = new Map<string, ReadonlyMap<string, StoredManifest>>()
    for (const build of caps) {
      const chosen = chooseRevisions(kept, build)
      if (chosen !== release.documents) byCaps.set(build.hash, await manifests(release, chosen, languages, `-${build.hash.slice(0, 8)}`))
    }
    const newest = await manifests(release, release.documents, languages, '')
    bodies = next
    history = kept
    live = { release, languages, names: languageNames(release), newest, byCaps }
    return release
  }

  return {
    current: () => live?.release,
    put,
    document: (sha) => bodies.get(sha),
    manifest(locale, build) {
      if (!live) return undefined
      const set = (build !== undefined && live.byCaps.get(build)) || live.newest
      return set.get(localeFor(locale, live)) ?? set.get(baseLanguage) ?? set.values().next().value
    },
  }
}

/** Ids, aliases and tags of the languages that the app document offers, in lower case. */
function languageNames(release: Release): Map<string, string> {
  const names = new Map<string, string>()
  const revision = release.documents.get('app/app')
  const languages = revision && (JSON.parse(revision.canonical) as Partial<AppDoc>).languages
  if (!Array.isArray(languages)) return names
  for (const { id, tag, aliases } of languages) for (const name of [id, tag, ...(aliases ?? [])]) names.set(String(name).toLowerCase(), id)
  return names
}

function localeFor(asked: string | undefined, { names, languages }: Live): string {
  const lower = (asked ?? '').toLowerCase()
  return names.get(lower) ?? names.get(lower.split('-')[0] ?? '') ?? chooseLanguage(lower, languages)
}
