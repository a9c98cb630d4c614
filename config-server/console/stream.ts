import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Session } from '#config-server/operators/account.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { ConsoleEvent } from '#language/publish/publishing.ts'
import { createEventStreams } from '#server-kit/http/sse.ts'

/** GET /console/api/events: what is to be asked again. */
export interface ConsoleStream {
  /** @throws ApiProblem busy, too_many_requests */
  open(session: Session, req: IncomingMessage, res: ServerResponse): void
  tell(event: ConsoleEvent): void
  clients(): number
  close(): void
}

/** Streams at a time; a session has one for each tab. */
const limits = { all: 200, perSession: 20, retryAfterSeconds: 30 } as const
const heartbeatMs = 15_000
const reconnectMs = 3_000
/** A client that has this much unread is dropped: it comes back by itself and asks for everything. */
const unreadBytesMax = 64 * 1024

/** @param isAlive asked at each heartbeat and when operators changed, so that a stream ends with its session */
export function createStream(isAlive: (session: string) => Promise<boolean>): ConsoleStream {
  async function look(): Promise<void> {
    const ids = [...new Set(streams.clients.values())]
    const alive = new Map(await Promise.all(ids.map(async (id) => [id, await isAlive(id)] as const)))
    for (const [client, id] of streams.clients) if (alive.get(id) === false) client.end()
  }
  const lookQuietly = () => void look().catch(() => undefined)
  const { all: max, perSession: perKeyMax, retryAfterSeconds } = limits
  const streams = createEventStreams<string>({ heartbeatMs, unreadBytesMax, max, perKeyMax, onHeartbeat: lookQuietly })

  return {
    open(session, req, res) {
      const place = streams.reserve(session.id)
      if (place.refused) throw new ApiProblem(place.refused, { retryAfterSeconds })
      streams.open(req, res, { release: place.release, about: session.id, reconnectMs })
    },
    tell(event) {
      for (const client of streams.clients.keys()) streams.write(client, `data: ${JSON.stringify(event)}\n\n`)
      if (event.about === 'operators') lookQuietly()
    },
    clients: () => streams.clients.size,
    close: streams.close,
  }
}
