import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Session } from '#config-server/operators/account.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { ConsoleEvent, DraftPresence, Present } from '#language/publish/publishing.ts'
import { createEventStreams } from '#server-kit/http/sse.ts'

/** The place that a page shows. */
export interface PagePlace {
  draft?: number
  path?: string | undefined
}

/** GET /console/api/events: what is to be asked again, and who else has the draft open. */
export interface ConsoleStream {
  /** @throws ApiProblem busy, too_many_requests */
  open(session: Session, at: PagePlace, req: IncomingMessage, res: ServerResponse): void
  tell(event: ConsoleEvent): void
  clients(): number
  close(): void
}

interface Client {
  session: string
  operator: Session['operator']
  at: PagePlace
  /** The presence that was sent last. */
  sent: string
  /** Was asked at the last heartbeat to open a stream in its place. */
  asked: boolean
}

/** Streams at a time; a session has one for each tab, and a second one while that is renewed. */
const limits = { all: 400, perSession: 40, retryAfterSeconds: 30 } as const
const heartbeatMs = 15_000
const reconnectMs = 3_000
/** A client that has this much unread is dropped: it comes back by itself and asks for everything. */
const unreadBytesMax = 64 * 1024
/** A page that goes from file to file closes one stream and opens another: others are notified once. */
const settleMs = 250

/** @param isAlive asked at each heartbeat and when operators changed, so that a stream ends with its session */
export function createStream(isAlive: (session: string) => Promise<boolean>): ConsoleStream {
  async function look(): Promise<void> {
    const ids = [...new Set([...streams.clients.values()].map(({ session }) => session))]
    const alive = new Map(await Promise.all(ids.map(async (id) => [id, await isAlive(id)] as const)))
    for (const [client, { session }] of streams.clients) if (alive.get(session) === false) client.end()
  }
  const lookQuietly = () => void look().catch(() => undefined)
  const { all: max, perSession: perKeyMax, retryAfterSeconds } = limits
  const streams = createEventStreams<Client>({
    heartbeatMs,
    unreadBytesMax,
    max,
    perKeyMax,
    onHeartbeat() {
      renew()
      lookQuietly()
    },
  })

  /**
   * The network does not report a peer that vanished, so each page with a draft opens its stream anew at every heartbeat. One that has not
   * done so by the next heartbeat is gone, even if its connection takes longer to end.
   */
  function renew(): void {
    for (const [client, known] of streams.clients) {
      if (known.at.draft === undefined) continue
      if (!known.asked) streams.write(client, 'event: renew\ndata: {}\n\n')
      else {
        client.end()
        movedIn(known.at)
        known.at = {}
      }
      known.asked = true
    }
  }

  /** Empty without a draft. */
  function presenceFor({ operator, at: { draft } }: Pick<Client, 'operator' | 'at'>): string {
    if (draft === undefined) return ''
    const found = new Map<string, Set<string>>()
    for (const { operator: other, at } of streams.clients.values()) {
      if (at.draft !== draft || other.id === operator.id) continue
      const paths = found.get(other.name) ?? new Set()
      found.set(other.name, at.path === undefined ? paths : paths.add(at.path))
    }
    const others = [...found].map(([name, paths]): Present => ({ name, paths: [...paths].sort() }))
    others.sort((a, b) => (a.name < b.name ? -1 : 1))
    return `event: presence\ndata: ${JSON.stringify({ draft, others } satisfies DraftPresence)}\n\n`
  }

  const changed = new Set<number>()
  let timer: NodeJS.Timeout | undefined
  function tellPresence(): void {
    timer = undefined
    for (const [client, known] of streams.clients) {
      if (known.at.draft === undefined || !changed.has(known.at.draft)) continue
      const text = presenceFor(known)
      if (text !== known.sent) streams.write(client, text)
      known.sent = text
    }
    changed.clear()
  }
  function movedIn({ draft }: PagePlace): void {
    if (draft === undefined || streams.isClosed) return
    changed.add(draft)
    timer ??= setTimeout(tellPresence, settleMs)
  }

  return {
    open(session, at, req, res) {
      const place = streams.reserve(session.id)
      if (place.refused) throw new ApiProblem(place.refused, { retryAfterSeconds })
      const { id, operator } = session
      const first = presenceFor({ operator, at })
      streams.open(req, res, {
        release: place.release,
        about: { session: id, operator, at, sent: first, asked: false },
        reconnectMs,
        first,
      })
      movedIn(at)
      res.on('close', () => movedIn(at))
    },
    tell(event) {
      for (const client of streams.clients.keys()) streams.write(client, `data: ${JSON.stringify(event)}\n\n`)
      if (event.about === 'operators') lookQuietly()
    },
    clients: () => streams.clients.size,
    close() {
      clearTimeout(timer)
      streams.close()
    },
  }
}
