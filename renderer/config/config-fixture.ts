import type { DocumentKey, Manifest } from '#language/publish/release.ts'
import type { EventStream } from '#renderer/calls/event-stream.ts'
import { type ConfigOptions, createConfig } from '#renderer/config/config.ts'
import '#renderer/config/config-change.ts'
import { listenTo } from '#renderer/config/config-stream.ts'
import { createFakeTime } from '#renderer/feed/feed-fixture.ts'

const shaOf = (key: string, version: number) => `${key.replace('/', '-')}-${version}`
export const documentOf = (key: string, version: number) => {
  const [kind, id] = key.split('/')
  return { kind, id, format: 1, version }
}

/** A config server in memory. `release` changes what it serves; `hold` keeps answers back until the test lets them go. */
export function fakeServer() {
  const server = {
    release: 1,
    documents: { 'app/app': 1, 'screen/home': 1, 'screen/market': 1 } as Record<string, number>,
    texts: { market: 1, wallet: 1 } as Record<string, number>,
    /** Documents that a document needs. */
    uses: {} as Record<string, DocumentKey[]>,
    inline: ['app/app'] as string[],
    answers: new Map<string, () => Promise<Response>>(),
    asked: [] as string[],
    headers: [] as Record<string, string>[],
    manifest(locale: string): Manifest {
      return {
        release: server.release,
        hash: `h${server.release}`,
        locale,
        documents: Object.fromEntries(
          Object.entries(server.documents).map(([key, v]) => [key, { sha256: shaOf(key, v), uses: server.uses[key] ?? [], areas: [] }]),
        ) as Manifest['documents'],
        texts: Object.fromEntries(Object.entries(server.texts).map(([area, v]) => [area, `${locale}-${area}-${v}`])),
        inline: Object.fromEntries(
          server.inline.map((key) => [shaOf(key, server.documents[key]!), documentOf(key, server.documents[key]!)]),
        ),
      }
    },
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const [path = '', query] = url.replace('/config/', '').split('?')
      server.asked.push(path)
      server.headers.push({ ...(init.headers as Record<string, string>) })
      const special = [...server.answers].find(([part]) => path.includes(part))
      if (special) return special[1]()
      if (path === 'manifest') {
        const manifest = server.manifest(new URLSearchParams(query).get('locale') ?? '')
        const etag = `"${manifest.release}-${manifest.hash}"`
        const ticket = `${manifest.release}.ticket${server.asked.length}`
        if ((init.headers as Record<string, string>)?.['If-None-Match'] === etag)
          return new Response(null, { status: 304, headers: { 'report-ticket': ticket } })
        return Response.json(manifest, { headers: { etag, 'report-ticket': ticket } })
      }
      const sha = decodeURIComponent(path.replace('documents/', '').replace('.json', ''))
      const text = /^(\w+)-(\w+)-(\d+)$/.exec(sha)
      const key = Object.keys(server.documents).find((one) => sha.startsWith(`${one.replace('/', '-')}-`))
      if (key) return Response.json(documentOf(key, Number(sha.split('-').at(-1))))
      return text ? Response.json({ title: sha }) : new Response('no', { status: 404 })
    },
    publish(change: { documents?: Record<string, number>; texts?: Record<string, number> }) {
      server.release++
      server.documents = { ...server.documents, ...change.documents }
      server.texts = { ...server.texts, ...change.texts }
    },
  }
  return server
}

class FakeStream implements EventStream {
  closed = false
  readonly listeners: Record<string, (event: { data?: unknown }) => void> = {}
  addEventListener(type: string, listener: (event: { data?: unknown }) => void) {
    this.listeners[type] = listener
  }
  close() {
    this.closed = true
  }
}

export function startConfig(more: Partial<ConfigOptions> = {}) {
  const server = fakeServer()
  const time = createFakeTime()
  const streams: FakeStream[] = []
  const config = createConfig({
    baseUrl: '/config',
    fetch: server.fetch,
    eventSource: () => {
      streams.push(new FakeStream())
      return streams.at(-1)!
    },
    listen: listenTo,
    caps: 'caps1',
    segment: () => 's1',
    timers: time.timers,
    now: time.now,
    random: () => 0.5,
    ...more,
  })
  const says = (type: string, data?: unknown) => streams.at(-1)!.listeners[type]?.({ data: JSON.stringify(data) })
  return { server, config, streams, says, ...time }
}
/** Lets promises that depend on nothing else settle. */
export const settle = async () => {
  for (let i = 0; i < 60; i++) await Promise.resolve()
  await new Promise((done) => setImmediate(done))
}
export const later = <T>() => {
  let give: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => (give = done))
  return { promise, give }
}
export const count = (asked: string[], part: string) => asked.filter((path) => path.includes(part)).length
