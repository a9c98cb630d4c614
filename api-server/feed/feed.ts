import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { authorityEveryMs, createAuthority } from '#api-server/feed/authority.ts'
import { createCandlesTopic } from '#api-server/feed/candles.topic.ts'
import type { Changes } from '#api-server/feed/changes.ts'
import {
  askWhatIsRead,
  type Connection,
  createConnection,
  createSender,
  type FeedCounts,
  hasRead,
  isSlow,
  leaveSession,
  mayControl,
  mayMessage,
  overBudget,
  owesNothing,
} from '#api-server/feed/connection.ts'
import { createDepthTopic } from '#api-server/feed/depth.topic.ts'
import { createDispatch } from '#api-server/feed/dispatch.ts'
import type { FeedMarket, Sessions } from '#api-server/feed/feed-market.ts'
import { gate } from '#api-server/feed/origin.rules.ts'
import { createPrivateTopic } from '#api-server/feed/private.topic.ts'
import { createQuotesTopic } from '#api-server/feed/quotes.topic.ts'
import { type FeedMessage, feedLimits } from '#contract/feed.ts'
import { clientAddress, clientKey, type Trusts } from '#server-kit/http/client-address.ts'
import { createHolds } from '#server-kit/http/limiter.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Env } from '#server-kit/ops/env.ts'
import type { Log } from '#server-kit/ops/log.ts'
import { createAccessLog } from '#server-kit/security/access-log.ts'

const idleMsMax = 60_000
/** A client that does not answer a close frame is disconnected after this time. */
const closeMsMax = 4_000
const fragmentsMax = 64
/** On a restart, clients are asked to spread their reconnections over this time. */
const restartSpreadMs = 3_000
const stopMsMax = 2_000
const retryAfterSeconds = 30

/** Limits of the number of sockets. */
const socketLimits = {
  all: 10_000,
  /** Per IPv4 address or IPv6 /64: enough for an office or a campus behind one address. STREAMS_PER_ADDRESS overrides it. */
  perAddress: 500,
  perSession: 50,
  /** Further sockets of an address are opened and closed with a reason, up to this number at a time. Beyond it the upgrade is refused. */
  refused: 50,
}

/** Origins whose pages may open the socket whatever the Host header says: that of PUBLIC_URL, and ORIGINS. */
export const socketOrigins = ({ ORIGINS, PUBLIC_URL }: Pick<Env, 'ORIGINS' | 'PUBLIC_URL'>): string[] =>
  PUBLIC_URL === undefined ? ORIGINS : [new URL(PUBLIC_URL).origin, ...ORIGINS]

const code = { unsupported: 1003, policy: 1008, restart: 1012, tryLater: 1013 } as const
const statusText = { 403: 'Forbidden', 404: 'Not Found', 429: 'Too Many Requests', 503: 'Service Unavailable' } as const

export interface FeedOptions {
  market: FeedMarket
  sessions: Sessions
  /** Without it the feed has no private topics. */
  changes?: Pick<Changes, 'listen'>
  clock: Clock
  log: Log
  /** Additional origins whose pages may open the socket. */
  origins: readonly string[]
  /** Proxies whose headers about the client's address are trusted. */
  trusts: Trusts
  limits?: Partial<typeof socketLimits>
  /** Monotonic clock in ms; replaced in tests. */
  monotonic?: () => number
  /** Calls `beat` every `ms` until the returned function is called; replaced in tests. */
  every?: (ms: number, beat: () => void) => () => void
}

export interface Feed {
  counts(): FeedCounts
  /** Tells all clients that the server stops, and closes them with 1012. Resolves within two seconds. New clients are refused. */
  stop(): Promise<void>
}

function everyMs(ms: number, beat: () => void): () => void {
  const timer = setInterval(beat, ms)
  timer.unref()
  return () => clearInterval(timer)
}

function refuse(socket: Duplex, status: keyof typeof statusText): void {
  socket.on('error', () => socket.destroy())
  const retry = status === 429 || status === 503 ? `Retry-After: ${retryAfterSeconds}\r\n` : ''
  socket.end(`HTTP/1.1 ${status} ${statusText[status]}\r\nConnection: close\r\nContent-Length: 0\r\n${retry}\r\n`)
}

/** Serves the socket at /ws of an HTTP server. */
export function attachFeed(server: Server, options: FeedOptions): Feed {
  const { market, sessions, clock, log, trusts } = options
  const limits = { ...socketLimits, ...options.limits }
  const monotonic = options.monotonic ?? (() => performance.now())
  const every = options.every ?? everyMs
  const counts: FeedCounts = {
    clients: 0,
    members: 0,
    received: 0,
    sent: 0,
    serialised: 0,
    coalesced: 0,
    refusedUpgrades: 0,
    closedSlow: 0,
    closedLimit: 0,
    closedIdle: 0,
    quoteGroups: 0,
  }
  const epoch = randomUUID()
  const settings = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: feedLimits.messageBytesMax,
    maxFragments: fragmentsMax,
    closeTimeout: closeMsMax,
  }
  const sockets = new WebSocketServer(settings)
  const connections = new Set<Connection>()
  const addresses = createHolds()
  const sender = createSender(counts)
  const quotes = createQuotesTopic(market, sender, counts)
  const depth = createDepthTopic(market, sender, counts, epoch, clock)
  const candles = createCandlesTopic(market, sender, counts)
  const privates = createPrivateTopic(sender, counts, epoch, monotonic)
  const refused = createAccessLog(log, monotonic)
  let stopping = false

  function leaveAll(one: Connection): void {
    privates.leave(one)
    quotes.leave(one)
    for (const symbol of [...one.depth]) depth.leave(one, symbol)
    for (const name of [...one.candles]) candles.leave(one, name)
    one.owed.candles.clear()
  }

  function close(one: Connection, status: number, reason: string): void {
    if (one.closing) return
    one.closing = true
    leaveAll(one)
    one.socket.close(status, reason)
  }

  const authority = createAuthority({ sessions, connections, sender, privates, log })
  function limit(one: Connection, reason: string): void {
    if (!one.closing) counts.closedLimit++
    close(one, code.policy, reason)
  }
  const take = createDispatch({
    market,
    sessions,
    clock,
    log,
    epoch,
    sender,
    quotes,
    depth,
    candles,
    privates,
    limit,
    holds: createHolds(),
    perSessionMax: limits.perSession,
    refused,
  })

  function open(socket: WebSocket, wire: Duplex, request: IncomingMessage): void {
    const address = clientKey(request, trusts)
    const isOver = addresses.held(address) >= limits.perAddress
    socket.on('close', addresses.take(address))
    socket.on('error', (error) => log.debug({ err: error }, 'a socket failed'))
    if (isOver) {
      counts.closedLimit++
      socket.close(code.tryLater, 'too many sockets of this address')
      return
    }
    const one = createConnection(socket, wire, clientAddress(request, trusts), monotonic())
    connections.add(one)
    counts.clients = connections.size
    const control = () => {
      one.heardAt = monotonic()
      if (!mayControl(one, one.heardAt)) limit(one, 'too many control frames')
    }
    socket.on('ping', control)
    socket.on('pong', (data) => {
      one.heardAt = monotonic()
      if (!hasRead(one, data)) control()
    })
    socket.on('message', (data, isBinary) => {
      if (one.closing) return
      one.heardAt = monotonic()
      counts.received++
      if (isBinary) close(one, code.unsupported, 'text only')
      else if (!mayMessage(one, one.heardAt)) limit(one, 'too many messages')
      else if (!take(one, data.toString())) limit(one, 'messages not understood')
    })
    socket.on('close', () => {
      leaveAll(one)
      leaveSession(one)
      one.closing = true
      connections.delete(one)
      counts.clients = connections.size
    })
  }

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { origin, host } = request.headers
    const verdict = gate({ url: request.url ?? '', origin, host }, options.origins, stopping || connections.size >= limits.all)
    if (verdict === 'open') {
      const address = clientKey(request, trusts)
      if (addresses.held(address) < limits.perAddress + limits.refused)
        return sockets.handleUpgrade(request, socket, head, (opened) => open(opened, socket, request))
      counts.refusedUpgrades++
      refuse(socket, 429)
    } else if (verdict !== 'other') {
      counts.refusedUpgrades++
      if (verdict === 403) refused({ route: 'socket', problem: 'forbidden', ip: clientAddress(request, trusts) })
      refuse(socket, verdict)
    } else if (server.listenerCount('upgrade') === 1) refuse(socket, 404)
  }

  function fallBehind(one: Connection): void {
    counts.closedSlow++
    close(one, code.tryLater, 'reading too slowly')
  }

  let beats = 0
  function beat(): void {
    depth.beat()
    if (++beats % 2 === 0) candles.beat()
    const now = monotonic()
    for (const one of connections) {
      if (one.closing) continue
      askWhatIsRead(one, now)
      if (overBudget(one, now)) {
        fallBehind(one)
      } else if (now - one.heardAt > idleMsMax) {
        counts.closedIdle++
        one.socket.terminate()
      } else if (!owesNothing(one) && !isSlow(one)) {
        quotes.pay(one)
        depth.pay(one)
        candles.pay(one)
        if (!privates.pay(one)) fallBehind(one)
      }
    }
  }

  function heartbeat(): void {
    privates.sweep()
    const bytes = sender.encode({ action: 'ping', ts: clock.now() } satisfies FeedMessage)
    for (const one of connections) {
      if (isSlow(one)) continue
      sender.send(one, bytes)
      // Plain clients ignore the ping message of the feed, but every browser answers a ping frame of the protocol.
      askWhatIsRead(one, monotonic(), true)
    }
  }

  server.on('upgrade', upgrade)
  const offs = [
    market.listen({
      ticked({ symbol }) {
        quotes.ticked(symbol)
        candles.ticked(symbol)
      },
      closed: candles.closed,
    }),
    every(feedLimits.quoteEveryMs, quotes.beat),
    every(feedLimits.gatherMs, beat),
    every(feedLimits.heartbeatMs, heartbeat),
    sessions.listen(authority.hint),
    options.changes?.listen((uid, topic, changed) => privates.tell(String(uid), topic, changed), privates.lost) ?? (() => undefined),
    every(authorityEveryMs, authority.checkAll),
  ]

  return {
    counts: () => ({ ...counts, members: [...connections].filter((one) => one.session !== undefined).length }),
    async stop() {
      stopping = true
      for (const off of offs) off()
      const notice = sender.encode({ action: 'ping', ts: clock.now(), restart: restartSpreadMs } satisfies FeedMessage)
      const left = [...connections].map((one) => new Promise<void>((done) => one.socket.once('close', () => done())))
      for (const one of [...connections]) {
        if (one.extended && !isSlow(one)) sender.send(one, notice)
        close(one, code.restart, 'restarting')
      }
      const cut = setTimeout(() => {
        for (const one of connections) one.socket.terminate()
      }, stopMsMax)
      await Promise.all(left)
      clearTimeout(cut)
    },
  }
}
