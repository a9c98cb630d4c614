import { setTimeout as pause } from 'node:timers/promises'
import type { Manifest } from '#language/publish/release.ts'
import { type Answer, ask, type EventSourceClient, listenTo } from '#tests/support/servers/http.ts'

/** Clients of a config server, each with a device of its own. */

export const segmentOf = (device: string, who = '0.0') => `${who}.${device}`

export async function readManifest(
  origin: string,
  segment: string,
  etag?: string,
  headers: Record<string, string> = {},
): Promise<{ manifest: Manifest | undefined; etag: string; ticket: string }> {
  const sent = { ...headers, ...(etag && { 'if-none-match': etag }) }
  const answer = await ask(origin, `/config/manifest?locale=en&segment=${segment}`, { headers: sent })
  if (answer.status !== 200 && answer.status !== 304) throw new Error(`the manifest answers ${answer.status}`)
  const ticket = String(answer.headers['report-ticket'])
  return { manifest: answer.status === 200 ? answer.json<Manifest>() : undefined, etag: answer.headers.etag ?? '', ticket }
}

/** Fetches everything that a manifest names. @returns the release numbers in its parts: one, unless parts of several releases are mixed */
export async function releasesIn(origin: string, manifest: Manifest): Promise<Set<number>> {
  const shas = [...Object.values(manifest.documents).map(({ sha256 }) => sha256), ...Object.values(manifest.texts)]
  const bodies = await Promise.all(
    shas.map(async (sha) => {
      const inline = manifest.inline[sha]
      if (inline !== undefined) return inline
      const answer: Answer = await ask(origin, `/config/documents/${sha}.json`)
      if (answer.status !== 200) throw new Error(`document ${sha} answers ${answer.status}`)
      return answer.json()
    }),
  )
  return new Set([manifest.release, ...bodies.map((body) => Number((body as { release: unknown }).release))])
}

/** Listens for releases and loads the newest manifest. */
export interface Listener {
  release: number
  /** Time of loading its release, ms of `performance.now()`. */
  atMs: number
  close(): void
}
export async function listen(origin: string, segment: string): Promise<Listener> {
  const stream: EventSourceClient = await listenTo(origin, '/config/events')
  let { manifest, etag } = await readManifest(origin, segment)
  const me: Listener = { release: manifest!.release, atMs: performance.now(), close: stream.close }
  let closed = false
  void stream.ended.then(() => {
    closed = true
  })
  void (async () => {
    while (!closed) {
      const event = await stream.next('release', 60_000).catch(() => undefined)
      if (event === undefined) return
      const answer = await readManifest(origin, segment, etag)
      if (!answer.manifest) continue
      ;({ manifest, etag } = answer)
      me.release = manifest!.release
      me.atMs = performance.now()
    }
  })().catch(() => undefined)
  return me
}

/** Time until this share of the listeners has the release, ms. @throws after `withinMs` */
export async function reach(all: readonly Listener[], release: number, share: number, withinMs: number): Promise<number> {
  const fromMs = performance.now()
  for (;;) {
    const times = all.filter((one) => one.release === release).map(({ atMs }) => Math.max(0, atMs - fromMs))
    if (times.length >= share * all.length) return times.sort((a, b) => a - b)[Math.ceil(share * all.length) - 1]!
    if (performance.now() - fromMs > withinMs)
      throw new Error(`${times.length} of ${all.length} hold release ${release} after ${withinMs} ms`)
    await pause(5)
  }
}
