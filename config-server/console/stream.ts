import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Session } from '#config-server/operators/account.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { ConsoleEvent } from '#language/publish/publishing.ts'

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
  const clients = new Map<ServerResponse, string>()
  let closed = false

  const write = (client: ServerResponse, text: string) => {
    if (client.writableLength > unreadBytesMax) client.destroy()
    else client.write(text)
  }
  async function look(): Promise<void> {
    const ids = [...new Set(clients.values())]
    const alive = new Map(await Promise.all(ids.map(async (id) => [id, await isAlive(id)] as const)))
    for (const [client, id] of clients) if (alive.get(id) === false) client.end()
  }
  const heartbeat = setInterval(() => {
    for (const client of clients.keys()) write(client, ': \n\n')
    look().catch(() => undefined)
  }, heartbeatMs)
  heartbeat.unref()

  return {
    open(session, req, res) {
      const { retryAfterSeconds } = limits
      if (closed || clients.size >= limits.all) throw new ApiProblem('busy', { retryAfterSeconds })
      const own = [...clients.values()].filter((id) => id === session.id).length
      if (own >= limits.perSession) throw new ApiProblem('too_many_requests', { retryAfterSeconds })
      res.setHeader('Content-Type', 'text/event-stream; charset=utf-8')
      res.setHeader('Cache-Control', 'no-store, no-transform')
      res.setHeader('X-Accel-Buffering', 'no')
      res.writeHead(200)
      clients.set(res, session.id)
      const gone = () => void clients.delete(res)
      res.on('close', gone)
      res.on('error', gone)
      req.on('error', gone)
      res.write(`retry: ${reconnectMs}\n\n`)
    },
    tell(event) {
      const text = `data: ${JSON.stringify(event)}\n\n`
      for (const client of clients.keys()) write(client, text)
      if (event.about === 'operators') look().catch(() => undefined)
    },
    clients: () => clients.size,
    close() {
      closed = true
      clearInterval(heartbeat)
      for (const client of clients.keys()) client.end()
    },
  }
}
