import type { Emitter } from 'mitt'
import type { AppDoc } from '#language/documents/documents.ts'
import type { ClientReport, DocumentEntry, DocumentKey, Manifest } from '#language/publish/release.ts'
import type { Config } from '#renderer/config/config.ts'
import { configUrl } from '#renderer/config/early.ts'
import { bodiesOf, type CachedSet, type CacheStore, cachedSetOf, openCacheStore, readCached } from '#renderer/config/offline-cache.ts'
import { createPinned, type PinnedDocuments } from '#renderer/config/pinned-documents.ts'
import { createReports } from '#renderer/config/reports.ts'
import { storagePrefix } from '#renderer/device/storage-prefix.ts'
import type { EngineEvents } from '#renderer/engine/types.ts'

/** One event of the engine, and when it was heard: ms since the page was asked for. */
export interface Heard {
  type: keyof EngineEvents
  event: unknown
  atMs: number
}

/** The part of safe mode that a normal first paint does without: cached and built-in sets, pinned documents, reports. */

const builtInUrl = '/built-in'
const answerMs = 5_000
/** A set counts as good when it has been shown for so long. */
const keepAfterMs = 3_000

const store: CacheStore = openCacheStore(globalThis.indexedDB)
let known: Promise<CachedSet | undefined> | undefined
/** @throws where the store does not answer; the next one asks again */
const cached = () =>
  (known ??= readCached(store).catch((error: unknown) => {
    known = undefined
    throw error
  }))
const nothing = () => undefined

async function getJson(url: string): Promise<unknown> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(answerMs) })
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`)
  return answer.json()
}

// ---- sets

const essential = (manifest: Manifest) => manifest.inline[manifest.documents['app/app']?.sha256 ?? ''] as AppDoc | undefined

/** The language that a request stands for, among those of the set. */
function languageOf(app: AppDoc | undefined, asked: string): string | undefined {
  const request = asked.toLowerCase().replace('_', '-')
  const named = (name: string) =>
    app?.languages.find(({ id, tag, aliases = [] }) => [id, tag, ...aliases].some((one) => one.toLowerCase() === name))
  return (named(request) ?? named(request.split('-')[0] ?? ''))?.id ?? app?.defaultLanguage
}

async function builtIn(asked: string): Promise<unknown> {
  const documents = (await getJson(`${builtInUrl}/documents.json`)) as Manifest
  const words = (await getJson(`${builtInUrl}/${languageOf(essential(documents), asked)}.json`)) as Manifest
  return { ...documents, locale: words.locale, texts: words.texts, inline: { ...documents.inline, ...words.inline } }
}

/** The last good set in the wanted language, else the one of the build, else the last good one in whatever language it is. */
export async function rescue(locale: string, fits: (set: unknown) => Manifest | undefined): Promise<Manifest | undefined> {
  const set = await cached().catch(nothing)
  const mine = set && fits({ ...set.manifest, inline: bodiesOf(set) })
  if (mine && languageOf(essential(mine), locale) === mine.locale) return mine
  return fits(await builtIn(locale).catch(() => undefined)) ?? mine
}

/** Keeps what is shown for the next start, now and after each release. */
export function keepCached(config: Config, pinned: PinnedDocuments | undefined): void {
  const write = async () => {
    const set = await cachedSetOf(config, (sha256) => pinned?.suspect(sha256) ?? false, cached())
    if (!set) return
    known = Promise.resolve(set)
    // A storage that is full or blocked costs the next start without a server, and no setting of the customer's.
    await store.put(set).catch(() => undefined)
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void write().catch(() => undefined), keepAfterMs)
  }
  config.watch(soon)
  soon()
}

// ---- pinned documents

/** Bodies of revisions that were found and are not in the release. */
const found: Record<string, unknown> = {}

export function openPinned(storage: Storage | undefined, caps: string): PinnedDocuments {
  const key = `${storagePrefix}pins`
  let text: string | null = null
  try {
    text = storage?.getItem(key) ?? null
  } catch {
    // Blocked: they then last as long as the page.
  }
  const write = (next: string | null) => {
    try {
      if (next === null) storage?.removeItem(key)
      else storage?.setItem(key, next)
    } catch {
      // The same.
    }
  }
  return createPinned({ text, write, find: (document, broken) => lastThatWorked(document, broken, caps) })
}

/**
 * Returns the revision that this device had, else that of the server, else that of the build. Rejects when neither server nor build answer.
 */
async function lastThatWorked(key: DocumentKey, broken: readonly string[], caps: string): Promise<DocumentEntry | undefined> {
  const fits = (entry: DocumentEntry | undefined) => (entry && !broken.includes(entry.sha256) ? entry : undefined)
  const set = await cached().catch(nothing)
  const own = fits(set?.manifest.documents[key]) ?? fits(set?.before[key])
  if (set && own) {
    const bodies = bodiesOf(set, [own.sha256])
    if (bodies[own.sha256]) {
      Object.assign(found, bodies)
      return own
    }
  }
  const query = new URLSearchParams({ document: key, broken: broken.slice(-8).join(','), caps })
  const theirs = (await getJson(`${configUrl}/revisions?${query}`).catch(() => undefined)) as DocumentEntry | undefined
  if (typeof theirs?.sha256 === 'string' && Array.isArray(theirs.uses) && Array.isArray(theirs.areas)) return fits(theirs)
  const build = (await getJson(`${builtInUrl}/documents.json`)) as Manifest
  const builtInEntry = fits(build.documents[key])
  if (builtInEntry) found[builtInEntry.sha256] = build.inline[builtInEntry.sha256]
  return builtInEntry
}

// ---- watching

export interface Watched {
  config: Config
  bus: Emitter<EngineEvents>
  pinned: PinnedDocuments
  caps: string
}

/** @returns takes what the engine says, from the beginning on */
export function watchOver({ config, bus, pinned, caps }: Watched): (heard: Heard) => void {
  const reports = createReports({
    release: () => config.current(),
    caps,
    tickets: config.tickets,
    send: (body) => void navigator.sendBeacon(`${configUrl}/reports`, new Blob([body], { type: 'application/json' })),
    later: (run, ms) => void setTimeout(run, ms),
    chance: Math.random(),
  })
  addEventListener('pagehide', reports.flush)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && reports.flush())
  register(config, caps)

  const shaOf = (key: DocumentKey) => config.current()?.documents[key]?.sha256
  const tell = (kind: ClientReport['kind'], screen: string, node: string, code: string) =>
    reports.add({ kind, document: `screen/${screen}`, revision: shaOf(`screen/${screen}`), node, code })

  /** Documents whose earlier revision is on its way: what breaks meanwhile is no second time. */
  const onTheirWay = new Set<DocumentKey>()
  async function putBack(key: DocumentKey, node: string, gone: 'node' | 'screen' | 'lost', atMs: number): Promise<void> {
    const sha256 = shaOf(key)
    if (sha256 === undefined || (await pinned.struck(key, sha256, gone, atMs)) !== 'pinned' || onTheirWay.has(key)) return
    onTheirWay.add(key)
    reports.add({ kind: 'pinned', document: key, revision: sha256, node, code: '' })
    try {
      await config.reconsider(found)
    } finally {
      onTheirWay.delete(key)
    }
    bus.emit('document-pinned', { document: key, revision: shaOf(key) ?? '' })
  }
  function broke({ screen, node, widget, reason, stands, whole }: EngineEvents['node-broken'], atMs: number): void {
    // A part that did not arrive says nothing about the document.
    const missed = reason.startsWith('chunk_load_failed')
    tell(missed ? 'failed' : 'broken', screen, node, missed ? 'chunk_load_failed' : widget)
    // An author who names something to stand in has thought of this.
    if (!stands && !missed) void putBack(`screen/${screen}`, node, whole ? 'screen' : 'node', atMs).catch(() => undefined)
  }

  let pressedMs: number | undefined = 0
  const ears: { [K in keyof EngineEvents]?: (event: EngineEvents[K], atMs: number) => void } = {
    'node-broken': broke,
    'document-lost': ({ document: key }, atMs) => void putBack(key, '', 'lost', atMs).catch(() => undefined),
    'guard-closed': ({ screen, node, what }) => tell('closed', screen, node, what),
    'node-stopped': ({ screen, node, reason }) => tell('failed', screen, node, `expression_${reason}`),
    'call-failed': ({ screen, call, name }) => tell('failed', screen, call, name),
    'release-unfit': ({ release }) => reports.add({ kind: 'refused', document: 'release', node: '', code: String(release) }),
    action: (_event, atMs) => {
      pressedMs = atMs
    },
    'screen-drawn': ({ screen }, atMs) => {
      // From the press, or for the first screen from the moment that the page was asked for.
      const ms = pressedMs === undefined ? undefined : atMs - pressedMs
      pressedMs = undefined
      if (ms !== undefined && ms < 10_000)
        reports.add({ kind: 'latency', document: `screen/${screen}`, revision: shaOf(`screen/${screen}`), node: '', code: '', ms })
    },
  }
  return ({ type, event, atMs }) => ears[type]?.(event as never, atMs)
}

/** Tells a server that asks for it what this build can show; the next manifest is then the newest that fits. */
function register(config: Config, caps: string): void {
  let reported = false
  const look = () => {
    if (reported || !config.current()?.unknownBuild) return
    reported = true
    void tellCaps(caps).then(config.check, () => undefined)
  }
  config.watch(look)
  look()
}

async function tellCaps(caps: string): Promise<void> {
  const catalog = (await getJson(`${builtInUrl}/caps.json`)) as { hash?: unknown }
  if (catalog.hash !== caps) throw new Error('the catalog is of another build')
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${configUrl}/caps`, { method: 'POST', headers, body: JSON.stringify(catalog) })
  if (!answer.ok) throw new Error(`the catalog was refused: ${answer.status}`)
}
