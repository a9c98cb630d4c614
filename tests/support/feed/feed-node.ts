import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket as TcpSocket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { type Changes, createChanges } from '#api-server/feed/changes.ts'
import { attachFeed, type Feed as ServerFeed } from '#api-server/feed/feed.ts'
import type { Sessions } from '#api-server/feed/feed-market.ts'
import { topics } from '#contract/topics.ts'
import { systemTimers, type Timers } from '#renderer/calls/retry.ts'
import { createClock } from '#renderer/device/clock.ts'
import { createFeed, type Feed, type Socket } from '#renderer/feed/feed.ts'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { createStageMarket, type StageMarket } from '#tests/support/feed/feed-stage.ts'

/**
 * Clock of the time in which this process could run: a longer pause counts as a tenth of a second. Clients, server and test share the
 * process, so a pause affects all of them.
 */
export function workingClock(): { now(): number; stop(): void } {
  const everyMs = 20
  const countedMax = 100
  let worked = 0
  let last = performance.now()
  const look = () => {
    worked += Math.min(performance.now() - last, countedMax)
    last = performance.now()
  }
  const timer = setInterval(look, everyMs)
  return { now: () => worked, stop: () => clearInterval(timer) }
}

/** Waits without blocking the event loop; false when the time is over. */
export async function until(fits: () => boolean, ms: number): Promise<boolean> {
  const clock = workingClock()
  try {
    while (!fits()) {
      if (clock.now() > ms) return false
      await sleep(25)
    }
    return true
  } finally {
    clock.stop()
  }
}

/** Connection between a client and its socket. */
export interface Line {
  /** Address of the node to which a new connection leads; by default that of the client. */
  leadsTo?(): string
  made?(socket: WebSocket): void
  says?(text: string): void
  /** False when this message is lost, or comes later by `deliver`. */
  hears?(text: string, deliver: () => void, socket: WebSocket): boolean
}

/**
 * The app's client on a socket of Node, with its own reconnection times; a visitor's without a token.
 * @param time the clock and timers of the client
 */
export function openClient(
  url: string,
  line: Line,
  token?: string,
  time: { now(): number; timers: Timers } = { now: () => performance.now(), timers: systemTimers },
): Feed {
  function createSocket(to: string): Socket {
    const socket = new WebSocket(line.leadsTo?.() ?? to, { perMessageDeflate: false })
    line.made?.(socket)
    const own: Socket = {
      onopen: null,
      onmessage: null,
      onclose: null,
      onerror: null,
      send(text) {
        line.says?.(text)
        socket.send(text)
      },
      close: () => socket.close(),
    }
    socket.onopen = () => own.onopen?.({} as never)
    socket.onclose = ({ code }) => own.onclose?.({ code } as never)
    socket.onerror = () => undefined
    socket.onmessage = ({ data }) => {
      const deliver = () => own.onmessage?.({ data } as never)
      if (line.hears?.(String(data), deliver, socket) !== false) deliver()
    }
    return own
  }
  const feed = createFeed({
    url,
    createSocket,
    random: Math.random,
    timers: time.timers,
    token: () => token,
    clock: createClock({ device: { wall: time.now, steady: time.now } }),
    frame: (run) => time.timers.setTimeout(run, 100),
    page: { visible: () => true, onShow: () => () => undefined, onOnline: () => () => undefined },
    topics,
  })
  feed.start()
  return feed
}

interface FeedNode {
  readonly market: StageMarket
  readonly changes: Changes
  readonly url: string
  /** Closes every connection from the server's side, without a close frame. */
  cutAll(): void
  /** Stops the feed like a restarting server, and starts another one on the same port. */
  restart(): Promise<void>
  end(): Promise<void>
}

/** A feed on a running clock. A token is the number of its customer. */
export async function openNode(symbols: readonly string[]): Promise<FeedNode> {
  const market = createStageMarket(symbols)
  const server: Server = createServer((_req, res) => res.writeHead(426).end())
  const connections = new Set<TcpSocket>()
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const log = createLog('silent')
  const changes = createChanges(createLocalBus(log))
  const sessions: Sessions = {
    check: async (token) => ({ uid: token, session: token }),
    alive: async (ids) => new Set(ids),
    listen: () => () => undefined,
  }
  const attach = () =>
    attachFeed(server, {
      market,
      sessions,
      changes,
      clock: { now: Date.now },
      log,
      origins: [],
      trusts: () => false,
      limits: { perAddress: Number.POSITIVE_INFINITY },
    })
  let feed: ServerFeed = attach()
  return {
    market,
    changes,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAll() {
      for (const one of connections) one.resetAndDestroy()
    },
    async restart() {
      await feed.stop()
      server.removeAllListeners('upgrade')
      feed = attach()
    },
    async end() {
      await feed.stop()
      for (const one of connections) one.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
