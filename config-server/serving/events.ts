import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refuse } from '#config-server/refuse.ts'
import type { HeaderPairs } from '#config-server/serving/answers.ts'
import type { ReleaseEvent } from '#language/publish/release.ts'
import { clientKey, type Trusts } from '#server-kit/http/client-address.ts'
import { createEventStreams } from '#server-kit/http/sse.ts'

interface EventsOptions {
  security: HeaderPairs
  refuse: Refuse
  /** Returns the first event of a new client; undefined while nothing is published. */
  now: () => ReleaseEvent | undefined
  heartbeatMs?: number
  clientsMax?: number
  /** Which proxies are believed when they name a client. */
  trusts: Trusts
  perAddressMax?: number
}

/** GET /config/events: a stream per client that announces releases. */
export interface Events {
  open(req: IncomingMessage, res: ServerResponse): void
  /** Within a second everybody knows. A client that had not received an earlier event yet receives only this one. */
  tell(event: ReleaseEvent): void
  clients(): number
  /** Ends every stream; later clients are refused. */
  close(): void
}

/** Streams at a time; `perAddress` is of one IPv4 address or IPv6 /64, and STREAMS_PER_ADDRESS sets another. */
const limits = { all: 10_000, perAddress: 500, retryAfterSeconds: 30 } as const
/** A client that has this much unread is dropped: it comes back by itself and gets the newest release. */
const unreadBytesMax = 64 * 1024
const reconnectMsLeast = 3_000
const reconnectSpreadMs = 4_000
/** A client asks for the manifest as soon as it hears of a release, so many clients get the event in turns. */
const turn = { everyMs: 20, clientsLeast: 200, turnsMax: 50 } as const

const messageOf = ({ release, hash }: ReleaseEvent) =>
  `id: ${release}-${hash}\nevent: release\ndata: ${JSON.stringify({ release, hash })}\n\n`

export function createEvents(options: EventsOptions): Events {
  const { security, refuse, now, trusts } = options
  const { heartbeatMs = 20_000, clientsMax = limits.all, perAddressMax = limits.perAddress } = options
  const streams = createEventStreams<undefined>({
    heartbeatMs,
    unreadBytesMax,
    max: clientsMax,
    perKeyMax: perAddressMax,
    headers: security,
  })
  let opened = 0

  let waiting: ServerResponse[] = []
  let turns: NodeJS.Timeout | undefined
  function tell(event: ReleaseEvent): void {
    const text = messageOf(event)
    waiting = [...streams.clients.keys()]
    const perTurn = Math.max(turn.clientsLeast, Math.ceil(waiting.length / turn.turnsMax))
    const next = () => {
      for (const client of waiting.splice(0, perTurn)) streams.write(client, text)
      turns = waiting.length ? setTimeout(next, turn.everyMs) : undefined
    }
    clearTimeout(turns)
    next()
  }

  return {
    open(req, res) {
      const place = streams.reserve(clientKey(req, trusts))
      if (place.refused) return refuse(res, place.refused, [['Retry-After', String(limits.retryAfterSeconds)]])
      // Each client gets its own waiting time, so that they do not all come back at once after a restart.
      opened = (opened + 1) % 100
      const reconnectMs = reconnectMsLeast + Math.round((reconnectSpreadMs * opened) / 100)
      const event = now()
      streams.open(req, res, { release: place.release, about: undefined, reconnectMs, first: event ? messageOf(event) : '' })
    },
    tell,
    clients: () => streams.clients.size,
    close() {
      clearTimeout(turns)
      streams.close()
    },
  }
}
