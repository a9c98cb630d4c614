import type { DocumentKey, Manifest } from '#language/publish/release.ts'
import type { Busy } from '#renderer/actions/busy.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import type { EventStream } from '#renderer/calls/event-stream.ts'
import { retryDelayMs, systemTimers, type Timers } from '#renderer/calls/retry.ts'
import type { ReleaseWatcher } from '#renderer/config/config-change.ts'
import { areaOf, type ConfigSource, createSource, entryOf, type Fetch } from '#renderer/config/config-source.ts'
import type { Hears } from '#renderer/config/config-stream.ts'
import { lazy } from '#renderer/core/lazy.ts'

export interface ConfigOptions {
  /** `/config`, without a slash at its end. */
  baseUrl: string
  fetch: Fetch
  /** Opens GET /config/events; without it, or without `listen`, the client hears of a release only when it loads. */
  eventSource?: (url: string) => EventStream
  /** `listenTo` of config-stream.ts, which may come later: with the stream it asks for what it has missed. */
  listen?: (hears: Hears) => () => void
  /** Hash of the widget catalog that this build can show. */
  caps: string
  segment: () => string
  /** A set to show when the server gives none: the last good one, else the one of the build, each only where `fits` reads it. */
  rescue?: (locale: string, fits: (set: unknown) => Manifest | undefined) => Promise<Manifest | undefined>
  /** Whether the app can live with a release at all. One that it cannot live with is never shown. */
  accepts?: (manifest: Manifest) => boolean
  /** Puts documents that break on this device back to what worked. */
  amend?: (manifest: Manifest) => Manifest
  /** A release waits while the customer is busy; another language does not, for the customer asked for it. */
  busy?: Pick<Busy, 'free'>
  timers?: Timers
  random?: () => number
  now?: () => number
}

/** Documents and texts of the release that is shown. Readers never see two releases mixed. */
export interface Config {
  /**
   * The newest manifest; the last good or the built-in one when the server is silent for 1.5 s or fails.
   * @throws CallProblem when there is none at all. Trying goes on, and `watch` reports the next manifest.
   */
  load(locale: string): Promise<Manifest>
  current(): Manifest | undefined
  /** Proof for reports that the server gave this page the last releases; see `ReportBatch.tickets`. */
  tickets(): string[]
  /** The document if it is already here. */
  document(key: DocumentKey): unknown
  /** @throws CallProblem: not_found when the release has no such document */
  fetchDocument(key: DocumentKey): Promise<unknown>
  texts(area: string): Record<string, unknown> | undefined
  /** Words of an area in the manifest's locale; none when the release has no such area. */
  fetchTexts(area: string): Promise<Record<string, unknown>>
  /** `changed` are all documents that differ. Those that were in use are here already. */
  watch(onRelease: ReleaseWatcher): () => void
  /** Asks for the newest manifest now; nothing is thrown. */
  check(): void
  /**
   * Shows the release again as `amend` sees it now.
   * @param bodies documents that it may need, by sha256
   * @throws CallProblem; everything then stays as it was
   */
  reconsider(bodies: Record<string, unknown>): Promise<void>
  /** Manifest and texts of another language. @throws CallProblem; everything then stays as it was */
  setLocale(locale: string): Promise<Manifest>
}

const patienceMs = 1_500
const sameManifestMs = 60_000

export function createConfig(options: ConfigOptions): Config {
  const { timers = systemTimers, random = Math.random, now = () => performance.now(), eventSource, listen, busy } = options
  const { rescue, accepts = () => true, amend = (given) => given } = options
  const { setTimeout, clearTimeout } = timers
  const source: ConfigSource = createSource({ ...options, timers })
  const watchers = new Set<ReleaseWatcher>()
  let manifest: Manifest | undefined
  /** The same as the server gave it. */
  let given: Manifest | undefined
  let wanted = ''
  let round = 0
  let pending: Pending | undefined
  /** Given by the server and not shown yet: it is made ready, or waits for the customer. */
  let coming: Manifest | undefined
  let tries = 0
  let retryTimer: unknown
  let failedBefore = false
  /** Comes when a release is to take the place of another. */
  const changes = lazy(() => import('#renderer/config/config-change.ts'))
  let checkedAt = Number.NEGATIVE_INFINITY

  // ---- the one way to a new manifest: the last asked wins, whatever is on its way

  function refresh(): Promise<Manifest> {
    const mine = ++round
    coming = undefined
    clearTimeout(retryTimer)
    checkedAt = now()
    pending ??= createPending()
    attempt(mine, wanted).then(
      (next) => {
        if (mine !== round) return
        tries = 0
        failedBefore = false
        // Asked for by a tag of the browser's; from now on by its own name, or it would count as another language each time.
        wanted = next.locale
        settle((one) => one.resolve(next))
      },
      (problem: unknown) => {
        if (mine !== round) return
        failedBefore = true
        wanted = manifest?.locale ?? wanted
        // A release that this app cannot show will not be better in a second.
        const waitMs = problem === unfit ? sameManifestMs : retryDelayMs(tries++, random())
        retryTimer = setTimeout(check, waitMs)
        settle((one) => one.reject(problem))
      },
    )
    return pending.promise
  }
  /** Settles all callers of earlier attempts with the result of the newest one. */
  function settle(how: (one: Pending) => void): void {
    const one = pending
    pending = undefined
    if (one) how(one)
  }

  /** An answer that arrives after a newer attempt began changes nothing. */
  async function attempt(mine: number, locale: string): Promise<Manifest> {
    const known = manifest?.locale === locale ? manifest : undefined
    const found = await source.manifest(locale, known)
    if (!found || mine !== round) return manifest as Manifest
    if (!accepts(found)) throw unfit
    coming = found
    const quiet = !manifest && !failedBefore
    if (!quiet) await changes.load()
    await gather(amend(found))
    if (manifest?.locale === locale) await busy?.free()
    // While it waited, another document may have been put back.
    const next = amend(found)
    await gather(next)
    if (mine !== round) return manifest as Manifest
    given = found
    coming = undefined
    adopt(next, quiet)
    return next
  }

  /** Brings what is in use and will be another, before anybody sees the new release. */
  async function gather(next: Manifest): Promise<void> {
    const old = manifest
    if (old) await (await changes.load()).gather(source, old, next)
  }

  /** @param quiet there is nothing on screen yet that could be another */
  function adopt(next: Manifest, quiet: boolean): void {
    const old = manifest
    manifest = next
    source.keep(next.inline)
    source.forget(new Set([...Object.values(next.documents).map((entry) => entry.sha256), ...Object.values(next.texts)]))
    if (!quiet) changes.ready()?.tell(watchers, old, next)
  }

  const fits = (set: unknown): Manifest | undefined => {
    const read = source.read(set)
    return read && accepts(read) ? read : undefined
  }

  // ---- releases are announced; after every silence the manifest is asked

  const check = () => void refresh().catch(() => undefined)
  let deafen: (() => void) | undefined

  const setLocale = (locale: string): Promise<Manifest> => {
    if (locale === wanted && manifest?.locale === locale) return Promise.resolve(manifest)
    if (locale === wanted && pending) return pending.promise
    wanted = locale
    return refresh()
  }

  return {
    async load(locale) {
      wanted = locale
      const fresh = refresh()
      const inTime = await Promise.race([
        fresh.catch(() => undefined),
        new Promise<undefined>((done) => setTimeout(() => done(undefined), patienceMs)),
      ])
      if (inTime) return inTime
      if (!manifest) {
        const rescued = await rescue?.(locale, fits).catch(() => undefined)
        if (rescued && !manifest) {
          given = rescued
          adopt(amend(rescued), true)
        }
      }
      return manifest ?? fresh
    },
    current: () => manifest,
    tickets: source.tickets,
    document: (key) => source.cached(entryOf(manifest, key)),
    async fetchDocument(key) {
      for (;;) {
        const sha256 = entryOf(manifest, key)
        if (sha256 === undefined) throw source.notFound()
        const document = await source.document(key, sha256)
        if (entryOf(manifest, key) === sha256) return document
      }
    },
    texts: (area) => source.cached(areaOf(manifest, area)) as Record<string, unknown> | undefined,
    async fetchTexts(area) {
      for (;;) {
        const sha256 = areaOf(manifest, area)
        if (sha256 === undefined) return {}
        const words = await source.texts(sha256)
        if (areaOf(manifest, area) === sha256) return words
      }
    },
    watch(onRelease) {
      watchers.add(onRelease)
      if (watchers.size === 1 && eventSource)
        deafen = listen?.({
          open: () => eventSource(`${options.baseUrl}/events`),
          timers,
          random,
          known: () => coming ?? manifest,
          check,
          opened: () => (pending ? void pending.promise.then(check, () => undefined) : check()),
          lost: () => now() - checkedAt > sameManifestMs && check(),
        })
      return () => {
        if (watchers.delete(onRelease) && watchers.size === 0) deafen?.()
      }
    },
    setLocale,
    check,
    async reconsider(bodies) {
      source.keep(bodies)
      // Another release may come while this one is made ready.
      for (let from = given; from; from = given) {
        const next = amend(from)
        await gather(next)
        await busy?.free()
        if (given === from) return adopt(next, false)
      }
    },
  }
}

const unfit = new CallProblem(0, 'release_unfit')

interface Pending {
  promise: Promise<Manifest>
  resolve: (manifest: Manifest) => void
  reject: (problem: unknown) => void
}
function createPending(): Pending {
  let resolve: Pending['resolve'] = () => {}
  let reject: Pending['reject'] = () => {}
  const promise = new Promise<Manifest>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
