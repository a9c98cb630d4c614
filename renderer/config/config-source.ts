import { isObject } from '#language/documents/json.ts'
import type { DocumentKey, Manifest } from '#language/publish/release.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import type { Timers } from '#renderer/calls/retry.ts'
import { manifestAddress } from '#renderer/config/manifest-address.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

interface SourceOptions {
  baseUrl: string
  fetch: Fetch
  caps: string
  segment: () => string
  timers: Timers
}

/** Fetches and caches what a release names by hash; knows nothing of which release is shown. */
export interface ConfigSource {
  /** Undefined when `known` is still the newest. */
  manifest(locale: string, known: Manifest | undefined): Promise<Manifest | undefined>
  document(key: DocumentKey, sha256: string): Promise<unknown>
  texts(sha256: string): Promise<Record<string, unknown>>
  cached(sha256: string | undefined): unknown
  /** Held, or on its way because somebody asked. */
  uses(sha256: string | undefined): boolean
  keep(inline: Record<string, unknown>): void
  /** Tickets that the server sent with the manifests of the last releases. They prove that a report comes from a client that was served. */
  tickets(): string[]
  /** Drops everything that is not named. */
  forget(named: ReadonlySet<string>): void
  /** A manifest from text or parsed JSON; undefined when it is none. */
  read(from: unknown): Manifest | undefined
  notFound(): CallProblem
}

const timeoutMs = 15_000

type Part = Record<string, unknown>
const unreadable = () => new CallProblem(0, 'answer_unreadable')

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readManifest(from: unknown): Manifest | undefined {
  const body = typeof from === 'string' ? parse(from) : from
  if (!isObject(body) || !Number.isInteger(body.release) || typeof body.hash !== 'string' || typeof body.locale !== 'string')
    return undefined
  if (!isObject(body.documents) || !isObject(body.texts) || !isObject(body.inline)) return undefined
  const entries = Object.values(body.documents)
  if (entries.length === 0 || !entries.every((entry) => isObject(entry) && typeof entry.sha256 === 'string')) return undefined
  if (!Object.values(body.texts).every((sha256) => typeof sha256 === 'string')) return undefined
  return body as unknown as Manifest
}

export function createSource({ baseUrl, fetch, caps, segment, timers }: SourceOptions): ConfigSource {
  const { setTimeout, clearTimeout } = timers
  const cache = new Map<string, unknown>()
  const inFlight = new Map<string, Promise<unknown>>()
  let tickets: string[] = []

  /** Status and text, or one of the client's own problems. */
  async function get(path: string, init: RequestInit): Promise<{ status: number; text: string; ticket: string | null }> {
    const control = new AbortController()
    const timer = setTimeout(() => control.abort(), timeoutMs)
    try {
      const answer = await fetch(baseUrl + path, { ...init, signal: control.signal })
      return { status: answer.status, text: await answer.text(), ticket: answer.headers.get('report-ticket') }
    } catch {
      throw new CallProblem(0, control.signal.aborted ? 'timed_out' : 'network_failed')
    } finally {
      clearTimeout(timer)
    }
  }

  /** One request per hash, however many ask; a failed one may be asked again. */
  function part(sha256: string, fits: (body: Part) => boolean): Promise<unknown> {
    if (cache.has(sha256)) return Promise.resolve(cache.get(sha256))
    const running = inFlight.get(sha256)
    if (running) return running
    // The name is the content's hash, so a copy of any age is the right one, and it is there offline too.
    const asked = get(`/documents/${encodeURIComponent(sha256)}.json`, { cache: 'force-cache' })
      .then(({ status, text }) => {
        const body = parse(text)
        if (status !== 200 || !isObject(body) || !fits(body)) throw unreadable()
        cache.set(sha256, body)
        return body
      })
      .finally(() => inFlight.delete(sha256))
    inFlight.set(sha256, asked)
    return asked
  }

  return {
    async manifest(locale, known) {
      const headers: Record<string, string> = known ? { 'If-None-Match': `"${known.release}-${known.hash}"` } : {}
      const { status, text, ticket } = await get(manifestAddress('', caps, segment(), locale), { headers, cache: 'no-store' })
      // One for each release, which stands in front.
      if (ticket) tickets = [ticket, ...tickets.filter((one) => one.split('.')[0] !== ticket.split('.')[0])].slice(0, 3)
      if (status === 304 && known) return undefined
      const manifest = status === 200 ? readManifest(text) : undefined
      if (!manifest) throw unreadable()
      return manifest
    },
    document: (key, sha256) => part(sha256, (body) => `${body.kind}/${body.id}` === key),
    texts: (sha256) => part(sha256, () => true) as Promise<Record<string, unknown>>,
    cached: (sha256) => (sha256 === undefined ? undefined : cache.get(sha256)),
    uses: (sha256) => sha256 !== undefined && (cache.has(sha256) || inFlight.has(sha256)),
    keep(inline) {
      for (const [sha256, body] of Object.entries(inline)) if (isObject(body) && !cache.has(sha256)) cache.set(sha256, body)
    },
    tickets: () => tickets,
    forget(named) {
      for (const sha256 of cache.keys()) if (!named.has(sha256)) cache.delete(sha256)
    },
    read: readManifest,
    notFound: () => new CallProblem(4004, 'not_found'),
  }
}

/** Hash of a document, and of the words of an area, in a release; undefined where it has none. */
export const entryOf = (manifest: Manifest | undefined, key: DocumentKey): string | undefined =>
  manifest && Object.hasOwn(manifest.documents, key) ? manifest.documents[key]?.sha256 : undefined
export const areaOf = (manifest: Manifest | undefined, area: string): string | undefined =>
  manifest && Object.hasOwn(manifest.texts, area) ? manifest.texts[area] : undefined
