import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refuse } from '#config-server/refuse.ts'
import { flat, type HeaderPairs } from '#config-server/serving/answers.ts'
import type { ReleaseEvent } from '#language/publish/release.ts'
import { clientKey, type Trusts } from '#server-kit/http/client-address.ts'
import { createHolds } from '#server-kit/http/limiter.ts'

export interface EventsOptions {
  security: HeaderPairs
  refuse: Refuse
  /** What a new client is told at once; undefined while nothing is published. */
  now: () => ReleaseEvent | undefined
  heartbeatMs?: number
  clientsMax?: number
  /** Which proxies are believed when they name a client. */
  trusts: Trusts
  perAddressMax?: number
}

/** GET /config/events: a stream per client that tells of releases. */
export interface Events {
  open(req: IncomingMessage, res: ServerResponse): void
  /** Within a second everybody knows. Who had not been told of an event before it hears only of this one. */
  tell(event: ReleaseEvent): void
  clients(): number
  /** Ends every stream; later clients are refused. */
  close(): void
}

/** Streams at a time; `perAddress` is of one IPv4 address or IPv6 /64, and STREAMS_PER_ADDRESS sets another. */
const limits = { all: 10_000, perAddress: 500, retryAfterSeconds: 30 } as const
/** A client that has this much unread is dropped: it comes back by itself and is told the newest release. */
const unreadBytesMax = 64 * 1024
const reconnectMs = 3_000
const reconnectSpreadMs = 4_000
/** Whoever is told asks for the manifest at once, so many clients are told in turns. */
const turn = { everyMs: 20, clientsLeast: 200, turnsMax: 50 } as const

const messageOf = ({ release, hash }: ReleaseEvent) =>
  `id: ${release}-${hash}\nevent: release\ndata: ${JSON.stringify({ release, hash })}\n\n`

export function createEvents(options: EventsOptions): Events {
  const { security, refuse, now, trusts } = options
  const { heartbeatMs = 20_000, clientsMax = limits.all, perAddressMax = limits.perAddress } = options
  const addresses = createHolds()
  const clients = new Set<ServerResponse>()
  const headers = flat([
    ...security,
    ['Content-Type', 'text/event-stream; charset=utf-8'],
    ['Cache-Control', 'no-store, no-transform'],
    ['X-Accel-Buffering', 'no'],
  ])
  let closed = false
  let opened = 0

  const write = (some: Iterable<ServerResponse>, text: string) => {
    for (const client of some) {
      if (client.writableLength > unreadBytesMax) client.destroy()
      else if (!client.destroyed) client.write(text)
    }
  }
  const heartbeat = setInterval(() => write(clients, ': \n\n'), heartbeatMs)
  heartbeat.unref()

  let waiting: ServerResponse[] = []
  let turns: NodeJS.Timeout | undefined
  function tell(event: ReleaseEvent): void {
    const text = messageOf(event)
    waiting = [...clients]
    const perTurn = Math.max(turn.clientsLeast, Math.ceil(waiting.length / turn.turnsMax))
    const next = () => {
      write(waiting.splice(0, perTurn), text)
      turns = waiting.length ? setTimeout(next, turn.everyMs) : undefined
    }
    clearTimeout(turns)
    next()
  }

  return {
    open(req, res) {
      const later: HeaderPairs = [['Retry-After', String(limits.retryAfterSeconds)]]
      if (closed || clients.size >= clientsMax) return refuse(res, 'busy', later)
      const address = clientKey(req, trusts)
      if (addresses.held(address) >= perAddressMax) return refuse(res, 'too_many_requests', later)
      res.writeHead(200, headers)
      if (req.method === 'HEAD') return void res.end()
      clients.add(res)
      res.on('close', addresses.take(address))
      res.on('close', () => clients.delete(res))
      res.on('error', () => clients.delete(res))
      // Each client gets its own waiting time, so that they do not all come back at once after a restart.
      opened = (opened + 1) % 100
      const event = now()
      res.write(`retry: ${reconnectMs + Math.round((reconnectSpreadMs * opened) / 100)}\n\n${event ? messageOf(event) : ''}`)
    },
    tell,
    clients: () => clients.size,
    close() {
      closed = true
      clearInterval(heartbeat)
      clearTimeout(turns)
      for (const client of clients) client.end()
    },
  }
}
