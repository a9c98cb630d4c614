import { WebSocket } from 'ws'
import { type Allowance, newAllowance, takeOne } from '#api-server/feed/allowance.rules.ts'
import { feedLimits } from '#contract/feed.ts'

export interface FeedCounts {
  clients: number
  /** Clients that showed a token which is still valid. */
  members: number
  received: number
  sent: number
  /** Messages turned into bytes; each may go to many clients. */
  serialised: number
  /** Messages not sent at once because the client did not keep up; it gets the latest state later. */
  coalesced: number
  refusedUpgrades: number
  closedSlow: number
  closedLimit: number
  closedIdle: number
}

const messageBurst = 10
/** Control frames cost little but not nothing; a browser sends one pong in 15 seconds. */
const controlPerSecond = 5
const controlBurst = 20
const strikesMax = 10

/** One client. It belongs to its topics through the sets below; what it could not take is owed to it as latest state. */
export interface Connection {
  readonly socket: WebSocket
  /** Said `v: 2` in its checkToken. */
  extended: boolean
  /** Wants trades inside depth messages. */
  trades: boolean
  /** Takes changed rows. */
  rows: boolean
  uid: string | null
  /** Public id of the session whose token was shown; undefined for a visitor. */
  session: string | undefined
  /** Ends the count of this socket among those of its session. */
  endHold: (() => void) | undefined
  /** Counts checkTokens, so that a slow answer never overtakes a newer one. */
  tokenTurn: number
  /** Monotonic ms of the last sign of life. */
  heardAt: number
  /** Monotonic ms since which more is buffered than a reading client would leave. */
  slowSince: number | undefined
  strikes: number
  closing: boolean
  /** Names of symbols, undefined when not subscribed, 'all' for every one. */
  quotes: 'all' | ReadonlySet<string> | undefined
  readonly depth: Set<string>
  readonly candles: Set<string>
  readonly owed: { quotes: Set<string>; wholeList: boolean; depth: Set<string>; candles: Map<string, Buffer> }
  readonly messages: Allowance
  readonly controls: Allowance
}

export function createConnection(socket: WebSocket, now: number): Connection {
  return {
    socket,
    extended: false,
    trades: false,
    rows: false,
    uid: null,
    session: undefined,
    endHold: undefined,
    tokenTurn: 0,
    heardAt: now,
    slowSince: undefined,
    strikes: 0,
    closing: false,
    quotes: undefined,
    depth: new Set(),
    candles: new Set(),
    owed: { quotes: new Set(), wholeList: false, depth: new Set(), candles: new Map() },
    messages: newAllowance(messageBurst, now),
    controls: newAllowance(controlBurst, now),
  }
}

/** The client is a visitor from now on. */
export function leaveSession(one: Connection): void {
  one.uid = null
  one.session = undefined
  one.endHold?.()
  one.endHold = undefined
}

export const mayMessage = (one: Connection, now: number) => takeOne(one.messages, feedLimits.messagesPerSecondMax, messageBurst, now)
export const mayControl = (one: Connection, now: number) => takeOne(one.controls, controlPerSecond, controlBurst, now)
/** Counts a message that made no sense. @returns false when it was one too many */
export const mayErr = (one: Connection) => ++one.strikes < strikesMax

export function subscriptionsOf(one: Connection): number {
  return (one.quotes === 'all' ? 1 : (one.quotes?.size ?? 0)) + one.depth.size + one.candles.size
}

/** More is waiting than a client that reads would leave. */
export const isSlow = (one: Connection) => one.socket.bufferedAmount > feedLimits.bufferSoftBytes

/** Why a client must go, if it must. */
export function overBudget(one: Connection, now: number): boolean {
  const buffered = one.socket.bufferedAmount
  if (buffered <= feedLimits.bufferSoftBytes) {
    one.slowSince = undefined
    return false
  }
  one.slowSince ??= now
  return buffered > feedLimits.bufferHardBytes || now - one.slowSince > feedLimits.bufferHardMs
}

export const owesNothing = ({ owed }: Connection) => !owed.wholeList && !owed.quotes.size && !owed.depth.size && !owed.candles.size

/** Turns a message into bytes once and hands the same bytes to as many clients as there are. */
export function createSender(counts: FeedCounts) {
  return {
    encode(message: object): Buffer {
      counts.serialised++
      return Buffer.from(JSON.stringify(message))
    },
    send(to: Connection, bytes: Buffer): void {
      if (to.closing || to.socket.readyState !== WebSocket.OPEN) return
      counts.sent++
      to.socket.send(bytes, { binary: false }, () => {})
    },
  }
}
export type Sender = ReturnType<typeof createSender>
