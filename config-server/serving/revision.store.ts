import { appOf, manifestJson, type Release, revisionBefore, revisionsOf, type Selection, select } from '#config-server/release.rules.ts'
import { type Answers, answersOf, flat, type HeaderPairs } from '#config-server/serving/answers.ts'
import { type BuildStore, type BuildUse, createBuilds } from '#config-server/serving/builds.ts'
import type { Caps } from '#config-server/serving/caps.rules.ts'
import { type InSegment, isIn, readAsker, segmentsIn } from '#config-server/serving/rollout.rules.ts'
import { type Candidate, releasesKept, type Shown } from '#config-server/shown.ts'
import type { AppDoc } from '#language/documents/documents.ts'
import { baseLanguage } from '#language/edit/words.ts'
import type { Rollout } from '#language/publish/publishing.ts'
import type { DocumentEntry, DocumentKey, ReleaseEvent } from '#language/publish/release.ts'
import { chooseLanguage } from '#server-kit/ops/texts.ts'

/** A manifest as it is sent, and what is sent to who has it already. */
interface StoredManifest {
  release: number
  etag: string
  answers: Answers
  notModified: string[]
}

/** Everything that the live releases consist of, ready to be sent, and which builds ask for it. */
export interface RevisionStore {
  /** The stable release. */
  current(): Release | undefined
  candidate(): Candidate | undefined
  /** Whether a client may hold this release, and whether the release has the document. */
  knows(release: number, document?: string): boolean
  /** Reads which builds are known. Nothing is live yet. */
  open(): Promise<void>
  /**
   * Makes every answer ready, then swaps in one step; one call after the other.
   * @returns the release to announce to clients: the newest one that any of them may get. Undefined when none gets anything else than
   * before
   */
  show(shown: Shown): Promise<ReleaseEvent | undefined>
  document(sha256: string): Answers | undefined
  /**
   * @param locale what the client asked for: an id, an alias, a language tag, or anything else
   * @param caps hash of its catalog; without one it gets the newest of everything
   * @param segment `<logged in 0|1>.<level 0-2>.<device>`; what cannot be read gets the stable release
   */
  manifest(locale: string | undefined, caps: string | undefined, segment?: string): StoredManifest | undefined
  /** A build says what it can show. From then on it gets the newest of what fits. */
  register(caps: Caps): Promise<void>
  /** Known builds, and their shares of who asked in the last quarter to half an hour. */
  builds(): BuildUse[]
  /** Returns the revision that a client may show in place of revisions that break on it. */
  before(key: DocumentKey, broken: readonly string[], caps: string | undefined): DocumentEntry | undefined
}

type Manifests = ReadonlyMap<string, StoredManifest>
/** Every answer about one release, for every build that is known. */
interface Side {
  release: Release
  languages: string[]
  names: ReadonlyMap<string, string>
  newest: Manifests
  unknown: Manifests
  byCaps: ReadonlyMap<string, Manifests>
}
interface Live {
  shown: Shown
  stable: Side
  candidate: (Side & { rollout: Rollout; inSegment: InSegment }) | undefined
  /** The releases that builds and clients may fall back to, beginning with the stable release. */
  history: readonly Release[]
  /** Releases that a client may hold, by number. */
  held: ReadonlyMap<number, Release>
  /** Each selection once, by its tag, however many builds get it. */
  selections: ReadonlyMap<string, Manifests>
}

const json = ['Content-Type', 'application/json; charset=utf-8'] as const

interface RevisionStoreOptions {
  security: HeaderPairs
  /** The build that is served from here. */
  own: Caps
  /** Without it known builds are forgotten at the end of the process. */
  buildStore?: BuildStore | undefined
  /** Ms since 1970. */
  now?: () => number
}

export function createRevisionStore({ security, own, buildStore, now = Date.now }: RevisionStoreOptions): RevisionStore {
  const builds = createBuilds({ own, store: buildStore, now })
  let bodies: ReadonlyMap<string, Answers> = new Map()
  let live: Live | undefined
  let queue: Promise<unknown> = Promise.resolve()

  /** One after the other: a release and a registration both make a new state from the present one. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }

  /** All that a 304 says, too: a cache keeps the other headers of the answer that it has (RFC 9110, 15.4.5). */
  const cacheHeaders = (etag: string): HeaderPairs => [
    ['ETag', etag],
    // It goes out with a ticket of the client that asked.
    ['Cache-Control', 'private, no-cache'],
    ['Vary', 'Accept-Encoding'],
  ]
  const documentHeaders = (sha: string): HeaderPairs => [
    ...security,
    json,
    ['ETag', `"${sha}"`],
    ['Cache-Control', 'public, max-age=31536000, immutable'],
    ['Vary', 'Accept-Encoding'],
  ]

  async function manifestsOf(release: number, selection: Selection, etag: string, languages: readonly string[]): Promise<Manifests> {
    const headers = cacheHeaders(etag)
    const entries = languages.map(async (locale): Promise<[string, StoredManifest]> => {
      const answers = await answersOf(manifestJson(selection, locale), [...security, json, ...headers])
      return [locale, { release, etag, answers, notModified: flat(headers) }]
    })
    return new Map(await Promise.all(entries))
  }

  /** @param all the release, then what builds that cannot show it may get instead */
  async function sideOf(all: readonly Release[], made: Map<string, Manifests>): Promise<Side> {
    const release = all[0]!
    const languages = release.texts.size ? [...release.texts.keys()] : [baseLanguage]
    const ready = async (selection: Selection | undefined): Promise<Manifests> => {
      if (!selection) return new Map()
      const etag = `"${release.release}-${selection.hash}"`
      const manifests = made.get(etag) ?? live?.selections.get(etag) ?? (await manifestsOf(release.release, selection, etag, languages))
      made.set(etag, manifests)
      return manifests
    }
    const newest = await ready(select(all, undefined))
    const unknown = await ready(select(all, builds.common(), true))
    const byCaps = new Map<string, Manifests>()
    for (const build of builds.all()) byCaps.set(build.hash, await ready(select(all, build)))
    return { release, languages, names: languageNames(release), newest, unknown, byCaps }
  }

  async function liveOf(shown: Shown): Promise<Live> {
    const { stable, candidate, withdrawn = [] } = shown
    const held = newestFirst([...(candidate ? [candidate.release] : []), stable, ...shown.history]).slice(0, releasesKept)
    const history = [stable, ...held.filter(({ release }) => !withdrawn.includes(release) && release !== stable.release)]
    const earlier = history.filter(({ release }) => release !== candidate?.release.release)
    const made = new Map<string, Manifests>()
    return {
      shown,
      stable: await sideOf(earlier, made),
      candidate: candidate && {
        ...(await sideOf([candidate.release, ...earlier], made)),
        rollout: candidate.rollout,
        inSegment: segmentsIn(appOf(candidate.release)),
      },
      history: earlier,
      held: new Map(held.map((one) => [one.release, one])),
      selections: made,
    }
  }

  async function show(shown: Shown): Promise<ReleaseEvent | undefined> {
    const before = live?.shown
    const state = await liveOf(shown)
    // A client that asked a moment ago still fetches the release that was live then, whatever the history contains.
    const others = [shown.candidate, before?.candidate].flatMap((one) => (one ? [one.release] : []))
    const releases = [...state.history, ...shown.history.slice(0, releasesKept), ...others, ...(before ? [before.stable] : [])]
    const all = new Map(releases.flatMap(revisionsOf).map((one) => [one.sha256, one.canonical]))
    const ready = async ([sha, text]: [string, string]): Promise<[string, Answers]> => [
      sha,
      bodies.get(sha) ?? (await answersOf(text, documentHeaders(sha))),
    ]
    bodies = new Map(await Promise.all([...all].map(ready)))
    live = state
    if (before && sameView(before, shown)) return undefined
    const { release, hash } = shown.candidate?.release ?? shown.stable
    return { release, hash }
  }

  /** The answers that a client chooses from: those of the candidate where it is in. */
  function sideFor(now: Live, locale: string | undefined, caps: string | undefined, segment: string | undefined): Side {
    const { stable, candidate } = now
    if (!candidate) return stable
    const asker = readAsker(segment)
    return asker && isIn(candidate.rollout, candidate.release.release, asker, localeFor(locale, stable), caps, candidate.inSegment)
      ? candidate
      : stable
  }

  return {
    current: () => live?.stable.release,
    candidate: () => live?.shown.candidate,
    knows(release, document) {
      const found = live?.held.get(release)
      return found !== undefined && (document === undefined || found.documents.has(document as DocumentKey))
    },
    open: () => inTurn(() => builds.open()),
    show: (shown) => inTurn(() => show(shown)),
    register: (caps) =>
      inTurn(async () => {
        if ((await builds.add(caps)) && live) live = await liveOf(live.shown)
      }),
    builds: () => builds.uses(),
    document: (sha) => bodies.get(sha),
    manifest(locale, caps, segment) {
      if (!live) return undefined
      builds.asked(caps)
      const side = sideFor(live, locale, caps, segment)
      const set = caps === undefined ? side.newest : (side.byCaps.get(caps) ?? side.unknown)
      return set.get(localeFor(locale, side)) ?? set.get(baseLanguage) ?? set.values().next().value
    },
    before(key, broken, caps) {
      const build = caps === undefined ? undefined : (builds.find(caps) ?? builds.common())
      const found = revisionBefore(live?.history ?? [], key, broken, build)
      return found && { sha256: found.sha256, uses: found.uses, areas: found.areas }
    },
  }
}

function newestFirst(releases: readonly Release[]): Release[] {
  const byNumber = new Map(releases.map((one) => [one.release, one]))
  return [...byNumber.values()].sort((left, right) => right.release - left.release)
}

/** Whether every client gets the same from both. */
function sameView(left: Shown, right: Shown): boolean {
  const name = ({ stable, candidate }: Shown) =>
    JSON.stringify([stable, candidate?.release].map((one) => one && [one.release, one.hash]).concat([candidate?.rollout as never]))
  return name(left) === name(right)
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

function localeFor(asked: string | undefined, { names, languages }: Side): string {
  const lower = (asked ?? '').toLowerCase()
  return names.get(lower) ?? names.get(lower.split('-')[0] ?? '') ?? chooseLanguage(lower, languages)
}
