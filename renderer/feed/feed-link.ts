import { type FeedRequest, feedLimits } from '#contract/feed.ts'
import { type RetryTimes, retryDelayMs, type Timers } from '#renderer/calls/retry.ts'

/** The part of WebSocket that is used. */
export interface Socket {
  send(text: string): void
  close(): void
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
}

export type LinkState = 'connected' | 'connecting' | 'down'

/** Times of the connection. */
export type LinkTimes = RetryTimes & Readonly<Record<'staleMs' | 'connectTimeoutMs', number>>

/**
 * The times that an app document declares among its constants. A value that is no number, or is shorter than the contract allows, is
 * replaced by the time of the contract: a wrong constant must not make all clients reconnect without a pause.
 */
export function linkTimes(constants: Readonly<Record<string, unknown>>): LinkTimes {
  const atLeast = (name: string, least: number) => {
    const value = Number(constants[name])
    return value >= least ? value : least
  }
  const jitter = Number(constants.reconnectRandomization)
  return {
    staleMs: atLeast('heartbeatStaleMs', feedLimits.staleMs),
    connectTimeoutMs: atLeast('socketConnectTimeoutMs', feedLimits.connectTimeoutMs),
    reconnectMinMs: atLeast('reconnectDelayMs', feedLimits.reconnectMinMs),
    reconnectMaxMs: atLeast('reconnectDelayMaxMs', feedLimits.reconnectMaxMs),
    reconnectJitter: jitter >= 0 && jitter <= 1 ? jitter : feedLimits.reconnectJitter,
  }
}

export interface LinkOptions {
  url: string
  createSocket: (url: string) => Socket
  /** Milliseconds that never go back. */
  now: () => number
  timers: Timers
  times: LinkTimes
  random: () => number
  /** Returns the first messages of a fresh connection. */
  greet: (reconnected: boolean) => FeedRequest[]
  /** Returns the next message to send; asked whenever a message may be sent. */
  next: () => FeedRequest | undefined
  receive: (data: unknown) => void
  changed: () => void
  /** Once per outage: a try to connect has failed. */
  failed: (reason: string) => void
  /** At least once a second while the link runs. */
  tick: () => void
}

/** Keeps one connection alive: connects, notices silence, comes back, and never says more than five things a second. */
export interface Link {
  start(): void
  stop(): void
  /** Drops the connection and makes another at once. */
  reconnect(): void
  /** The page is shown or the network changed: is the other side still there? */
  probe(): void
  /** The server has accepted the connection (or at least not our token). */
  accepted(withToken: boolean): void
  /** A ping came; gives the time in milliseconds since our own ping that it answers. */
  beat(): number | undefined
  /** The server goes down soon; everybody comes back at a moment of his own within `ms`. */
  restarting(ms: number): void
  /** Something new may be there to say. */
  pump(): void
  state(): LinkState
  lastMessageMs(): number | undefined
}

const never = Number.POSITIVE_INFINITY
const tickMs = 1_000
/** A little longer than the second in which five messages are allowed, as two messages may travel at different speeds. */
const windowMs = 1_100
const restartMsMax = 60_000

export function createLink(options: LinkOptions): Link {
  const { url, createSocket, now, times, random, greet, next, receive, changed, failed, tick } = options
  const { setTimeout, clearTimeout } = options.timers
  let running = false
  let state: LinkState = 'down'
  let socket: Socket | undefined
  let open = false
  let timer: unknown
  let tries = 0
  let connections = 0
  let failureReported = false
  let heardAt = 0
  let lastMessageAt: number | undefined
  let startedAt = 0
  let pingedAt: number | undefined
  let probing = false
  // moments at which something is due
  let retryAt = never
  let connectBy = never
  let probeBy = never
  let restartAt = never
  let sendAt = never
  let sentAt: number[] = []
  let urgent: FeedRequest[] = []

  function arm(): void {
    clearTimeout(timer)
    if (!running) return
    const due = Math.min(retryAt, connectBy, probeBy, restartAt, sendAt) - now()
    timer = setTimeout(onTimer, Math.max(0, Math.min(tickMs, due)))
  }

  function onTimer(): void {
    const t = now()
    if (state === 'connected' && t - heardAt >= times.staleMs) lose('silent')
    else if (t >= probeBy) lose('no answer')
    else if (t >= connectBy) lose('timeout')
    else if (state === 'connected' && t >= restartAt) reconnect()
    if (state === 'down' && t >= retryAt) connect()
    pump()
    tick()
    arm()
  }

  function to(nextState: LinkState): void {
    if (state === nextState) return
    state = nextState
    changed()
  }

  /** Lets go of the socket; its later messages are ignored. */
  function drop(): void {
    const old = socket
    socket = undefined
    open = false
    probing = false
    pingedAt = undefined
    connectBy = probeBy = sendAt = never
    if (!old) return
    old.onopen = old.onmessage = old.onclose = old.onerror = null
    try {
      old.close()
    } catch {
      // a socket that cannot even close is gone already
    }
  }

  function lose(reason: string): void {
    const trying = state === 'connecting'
    drop()
    const t = now()
    retryAt = restartAt !== never && restartAt > t ? restartAt : t + retryDelayMs(tries++, random(), times)
    restartAt = never
    to('down')
    if (trying && !failureReported) {
      failureReported = true
      failed(reason)
    }
    arm()
  }

  function connect(): void {
    drop()
    retryAt = restartAt = never
    startedAt = now()
    connectBy = startedAt + times.connectTimeoutMs
    to('connecting')
    let mine: Socket
    try {
      mine = createSocket(url)
    } catch (error) {
      lose(error instanceof Error ? error.message : 'refused')
      return
    }
    socket = mine
    mine.onopen = () => {
      open = true
      heardAt = now()
      sentAt = []
      urgent = greet(connections++ > 0)
      pump()
      arm()
    }
    mine.onmessage = (event: { data: unknown }) => {
      heardAt = lastMessageAt = now()
      receive(event.data)
    }
    mine.onclose = (event: { code?: number }) => lose(`closed ${event?.code ?? ''}`.trim())
    mine.onerror = () => undefined
    arm()
  }

  function reconnect(): void {
    if (!running) return
    tries = 0
    connect()
  }

  function pump(): void {
    sendAt = never
    while (open && socket) {
      const t = now()
      while (sentAt.length > 0 && t - sentAt[0]! >= windowMs) sentAt.shift()
      if (sentAt.length >= feedLimits.messagesPerSecondMax) {
        sendAt = sentAt[0]! + windowMs
        arm()
        return
      }
      const message = urgent.shift() ?? next()
      if (!message) return
      sentAt.push(t)
      if (message.action === 'ping') {
        pingedAt = t
      }
      try {
        socket.send(JSON.stringify(message))
      } catch {
        lose('send failed')
        return
      }
    }
  }

  return {
    start() {
      if (running) return
      running = true
      connect()
    },
    stop() {
      running = false
      clearTimeout(timer)
      drop()
      retryAt = restartAt = never
      tries = 0
      to('down')
    },
    reconnect,
    probe() {
      if (!running) return
      if (state === 'connected') {
        if (probing) return
        probing = true
        // From now, though the ping may have to wait for its turn.
        probeBy = now() + feedLimits.probeMs
        urgent.unshift({ action: 'ping' })
        pump()
        arm()
      } else if (state === 'down' || now() - startedAt > feedLimits.probeMs) reconnect()
      else {
        // A young try may be on its way over a network that is gone.
        connectBy = Math.min(connectBy, now() + feedLimits.probeMs)
        arm()
      }
    },
    accepted(withToken) {
      connectBy = never
      failureReported = false
      if (withToken) tries = 0
      to('connected')
      arm()
    },
    beat() {
      const since = pingedAt === undefined ? undefined : now() - pingedAt
      pingedAt = undefined
      probing = false
      probeBy = never
      return since
    },
    restarting(ms) {
      if (ms > 0) restartAt = now() + random() * Math.min(ms, restartMsMax)
      arm()
    },
    pump,
    state: () => state,
    lastMessageMs: () => lastMessageAt,
  }
}
