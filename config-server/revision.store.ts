import { type Answers, answersOf, flat, type HeaderPairs } from '#config-server/answers.ts'
import { type Archive, type KnownBuilds, revisionsOf } from '#config-server/archive.store.ts'
import { type Caps, commonCatalog } from '#config-server/caps.rules.ts'
import {
  baseLanguage,
  type DocumentRevision,
  makeRelease,
  manifestJson,
  type Release,
  revisionBefore,
  type Selection,
  select,
} from '#config-server/release.rules.ts'
import type { AppDoc } from '#language/documents.ts'
import type { DocumentEntry, DocumentKey } from '#language/release.ts'
import { chooseLanguage } from '#server-kit/texts.ts'

/** A manifest as it is sent, and what is sent to who has it already. */
export interface StoredManifest {
  etag: string
  answers: Answers
  notModified: string[]
}

/** Revisions that were published here, which release is live, and which builds ask for it. */
export interface RevisionStore {
  current(): Release | undefined
  /** Reads what an earlier process left. Nothing is live yet. */
  open(): Promise<void>
  /** Makes everything that the release serves ready, then moves the pointer in one step. The same set again is no new release. */
  put(documents: readonly DocumentRevision[], texts: Release['texts']): Promise<Release>
  document(sha256: string): Answers | undefined
  /**
   * @param locale what the client asked for: an id, an alias, a language tag, or anything else
   * @param caps hash of its catalog; without one it gets the newest of everything
   */
  manifest(locale: string | undefined, caps: string | undefined): StoredManifest | undefined
  /** A build says what it can show. From then on it gets the newest of what fits. */
  register(caps: Caps): Promise<void>
  /** What a client may show in place of revisions that break on it. */
  before(key: DocumentKey, broken: readonly string[], caps: string | undefined): DocumentEntry | undefined
}

type Manifests = ReadonlyMap<string, StoredManifest>
interface Live {
  release: Release
  languages: string[]
  names: ReadonlyMap<string, string>
  /** Each selection once, by its hash, however many builds get it. */
  selections: ReadonlyMap<string, Manifests>
  newest: Manifests
  unknown: Manifests
  byCaps: ReadonlyMap<string, Manifests>
}

const json = ['Content-Type', 'application/json; charset=utf-8'] as const
/** Clients that hold an earlier manifest still fetch its documents, and older builds stay on them, so revisions outlive their release by this many. */
const releasesKept = 50
const ownBuildsMax = 30
const registeredBuildsMax = 100

/** @param archive without one everything is forgotten at the end of the process */
export function createRevisionStore(options: { security: HeaderPairs; own: Caps; archive?: Archive }): RevisionStore {
  const { security, own, archive } = options
  let bodies: ReadonlyMap<string, Answers> = new Map()
  let history: readonly Release[] = []
  let lastNumber = 0
  let builds: KnownBuilds = { own: [own], registered: [] }
  let live: Live | undefined
  let queue: Promise<unknown> = Promise.resolve()

  /** One after the other: a release and a registration both make a new state from the present one. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }
  const known = () => [...builds.registered, ...builds.own]

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

  async function manifestsOf(selection: Selection, languages: readonly string[]): Promise<Manifests> {
    const etag = `"${selection.release.release}-${selection.hash}"`
    const headers = manifestHeaders(etag)
    const entries = languages.map(async (locale): Promise<[string, StoredManifest]> => {
      const answers = await answersOf(manifestJson(selection, locale), [json, ...headers])
      return [locale, { etag, answers, notModified: flat(headers) }]
    })
    return new Map(await Promise.all(entries))
  }

  /** Every answer for every build that is known, ready to be sent. */
  async function makeReady(all: readonly Release[], release: Release, before: Live['selections']): Promise<Live> {
    const languages = release.texts.size ? [...release.texts.keys()] : [baseLanguage]
    const selections = new Map<string, Manifests>()
    const ready = async (selection: Selection | undefined): Promise<Manifests> => {
      if (!selection) return new Map()
      const made = selections.get(selection.hash) ?? before.get(selection.hash) ?? (await manifestsOf(selection, languages))
      selections.set(selection.hash, made)
      return made
    }
    const newest = await ready(select(all, undefined))
    const unknown = await ready(select(all, commonCatalog(builds.own), true))
    const byCaps = new Map<string, Manifests>()
    for (const build of known()) byCaps.set(build.hash, await ready(select(all, build)))
    return { release, languages, names: languageNames(release), selections, newest, unknown, byCaps }
  }

  async function put(documents: readonly DocumentRevision[], texts: Release['texts']): Promise<Release> {
    const made = makeRelease(Math.max(lastNumber, history[0]?.release ?? 0) + 1, documents, texts)
    const again = history[0]?.hash === made.hash ? history[0] : undefined
    if (again && live) return live.release
    const release = again ?? made
    const kept = (again ? history : [release, ...history]).slice(0, releasesKept)
    const all = new Map(kept.flatMap(revisionsOf).map((one) => [one.sha256, one.canonical]))
    const ready = async ([sha, text]: [string, string]): Promise<[string, Answers]> => [
      sha,
      bodies.get(sha) ?? (await answersOf(text, documentHeaders(sha))),
    ]
    const next = new Map(await Promise.all([...all].map(ready)))
    const state = await makeReady(kept, release, new Map())
    if (!again) await archive?.keep(release, kept)
    bodies = next
    history = kept
    live = state
    return release
  }

  async function register(caps: Caps): Promise<void> {
    if (known().some(({ hash }) => hash === caps.hash)) return
    builds = { ...builds, registered: [...builds.registered, caps].slice(-registeredBuildsMax) }
    if (live) live = await makeReady(history, live.release, live.selections)
    await archive?.keepBuilds(builds)
  }

  return {
    current: () => live?.release,
    open: () =>
      inTurn(async () => {
        if (!archive) return
        const [releases, number, read] = [await archive.releases(), await archive.lastNumber(), await archive.builds()]
        history = releases.slice(0, releasesKept)
        lastNumber = number
        const others = read.own.filter(({ hash }) => hash !== own.hash)
        builds = { own: [...others, own].slice(-ownBuildsMax), registered: read.registered.filter(({ hash }) => hash !== own.hash) }
        if (read.own.at(-1)?.hash !== own.hash) await archive.keepBuilds(builds)
      }),
    put: (documents, texts) => inTurn(() => put(documents, texts)),
    register: (caps) => inTurn(() => register(caps)),
    document: (sha) => bodies.get(sha),
    manifest(locale, caps) {
      if (!live) return undefined
      const set = caps === undefined ? live.newest : (live.byCaps.get(caps) ?? live.unknown)
      return set.get(localeFor(locale, live)) ?? set.get(baseLanguage) ?? set.values().next().value
    },
    before(key, broken, caps) {
      const build = caps === undefined ? undefined : (known().find(({ hash }) => hash === caps) ?? commonCatalog(builds.own))
      const found = revisionBefore(history, key, broken, build)
      return found && { sha256: found.sha256, uses: found.uses, areas: found.areas }
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
