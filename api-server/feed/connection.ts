import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { type Allowance, newAllowance, takeOne } from '#api-server/feed/allowance.rules.ts'
import { feedLimits } from '#contract/feed.ts'

export interface FeedCounts {
  clients: number
  /** Clients with a valid token. */
  members: number
  received: number
  sent: number
  /** Serialized messages; each may go to many clients. */
  serialised: number
  /** Messages held back because the client did not keep up. It receives the latest state later. */
  coalesced: number
  refusedUpgrades: number
  closedSlow: number
  closedLimit: number
  closedIdle: number
  /** Different lists of symbols that clients subscribe to. */
  quoteGroups: number
}

const messageBurst = 10
/** Control frames are cheap but not free. A browser sends one pong in 15 seconds. */
const controlPerSecond = 5
const controlBurst = 20
const strikesMax = 10

/** One client with its subscriptions. Messages that it could not take yet are kept as latest state. */
export interface Connection {
  readonly socket: WebSocket
  /** The stream that the socket writes to: takes messages that are framed already. */
  readonly wire: Duplex
  /** Network address of the client. */
  readonly ip: string
  /** True after a checkToken with `v: 2`. */
  extended: boolean
  /** True when depth messages shall contain trades. */
  trades: boolean
  /** True when the client accepts changed rows. */
  rows: boolean
  uid: string | null
  /** Public id of the session of the client's token; undefined for a visitor. */
  session: string | undefined
  /** Releases this socket from the count of its session. */
  endHold: (() => void) | undefined
  /** Number of the last checkToken, so that a slow answer never replaces a newer one. */
  tokenTurn: number
  /** Time of the last message or pong, monotonic ms. */
  heardAt: number
  /** Bytes of all messages so far, and of those that the client has read for sure. */
  sentBytes: number
  readBytes: number
  /** The ping that asks whether everything before it was read, until its pong comes; times are monotonic ms. */
  asked: { id: string; bytes: number; at: number } | undefined
  askedAt: number
  strikes: number
  closing: boolean
  /** Subscribed symbols; undefined when not subscribed, 'all' for all. */
  quotes: 'all' | ReadonlySet<string> | undefined
  readonly depth: Set<string>
  readonly candles: Set<string>
  /** `privateAfter`: the last private number that was sent before the client fell behind. */
  readonly owed: {
    quotes: Set<string>
    wholeList: boolean
    depth: Set<string>
    candles: Map<string, Buffer>
    privateAfter: number | undefined
  }
  readonly messages: Allowance
  readonly controls: Allowance
}

export function createConnection(socket: WebSocket, wire: Duplex, ip: string, now: number): Connection {
  return {
    socket,
    wire,
    ip,
    extended: false,
    trades: false,
    rows: false,
    uid: null,
    session: undefined,
    endHold: undefined,
    tokenTurn: 0,
    heardAt: now,
    sentBytes: 0,
    readBytes: 0,
    asked: undefined,
    askedAt: now,
    strikes: 0,
    closing: false,
    quotes: undefined,
    depth: new Set(),
    candles: new Set(),
    owed: { quotes: new Set(), wholeList: false, depth: new Set(), candles: new Map(), privateAfter: undefined },
    messages: newAllowance(messageBurst, now),
    controls: newAllowance(controlBurst, now),
  }
}

/** Turns the connection into a visitor's. */
export function leaveSession(one: Connection): void {
  one.uid = null
  one.session = undefined
  one.endHold?.()
  one.endHold = undefined
}

export const mayMessage = (one: Connection, now: number) => takeOne(one.messages, feedLimits.messagesPerSecondMax, messageBurst, now)
export const mayControl = (one: Connection, now: number) => takeOne(one.controls, controlPerSecond, controlBurst, now)
/** Counts an invalid message. @returns false when there were too many */
export const mayErr = (one: Connection) => ++one.strikes < strikesMax

export function subscriptionsOf(one: Connection): number {
  return (one.quotes === 'all' ? 1 : (one.quotes?.size ?? 0)) + one.depth.size + one.candles.size
}

/** Bytes that the client has not read for sure: those that wait here, and those that the system took without a pong that came after them. */
const unreadOf = (one: Connection) => one.sentBytes - one.readBytes

/** Whether more waits than a client that keeps up would leave. */
export const isSlow = (one: Connection) =>
  one.socket.bufferedAmount > feedLimits.bufferSoftBytes || unreadOf(one) > feedLimits.unreadSoftBytes

/**
 * Asks by a ping whether everything so far was read. The system takes some megabytes for a client that reads nothing, and Node does not see
 * them: only the pong shows it. One ping at a time; often enough that what is unread stays known.
 * @param always for the heartbeat, which also asks clients that were sent nothing
 */
export function askWhatIsRead(one: Connection, now: number, always = false): void {
  if (one.asked || one.closing || one.socket.readyState !== WebSocket.OPEN) return
  const unread = unreadOf(one)
  const isDue = unread > 0 && (now - one.askedAt >= feedLimits.unreadAskMs || unread > feedLimits.unreadSoftBytes / 2)
  if (!isDue && !always) return
  one.asked = { id: String(now), bytes: one.sentBytes, at: now }
  one.askedAt = now
  one.socket.ping(one.asked.id)
}

/** @returns whether this pong answers our ping; others count as control frames */
export function hasRead(one: Connection, pong: Buffer): boolean {
  if (!one.asked || pong.toString() !== one.asked.id) return false
  one.readBytes = one.asked.bytes
  one.asked = undefined
  return true
}

/** Whether a client leaves too much unread, or leaves it for too long. */
export const overBudget = (one: Connection, now: number): boolean =>
  unreadOf(one) > feedLimits.unreadHardBytes || (one.asked !== undefined && now - one.asked.at > feedLimits.unreadMsMax)

export const owesNothing = ({ owed }: Connection) =>
  !owed.wholeList && !owed.quotes.size && !owed.depth.size && !owed.candles.size && owed.privateAfter === undefined

/** First byte of a frame that is a whole text message. */
const wholeText = 0x81
/** A text message as a frame of a server: header and text in one buffer (RFC 6455, 5.2). */
export function frameOf(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const start = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(start + length)
  frame[0] = wholeText
  if (start === 2) frame[1] = length
  else if (start === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, start)
  return frame
}

/**
 * Serializes a message once and sends the same bytes to any number of clients. The bytes are a whole frame that goes to the wire in one
 * write: a frame by `WebSocket.send` is a header and a body for each client, which costs a third more and doubles what waits for a slow one.
 * This is sound because compression is off, so that the socket too writes its frames (ping, close) whole and at once.
 */
export function createSender(counts: FeedCounts) {
  /** Wires that got messages in this turn. All of a turn go to one client together: a write costs the system more than all else does. */
  const waiting: Duplex[] = []
  function flush(): void {
    for (const wire of waiting.splice(0)) wire.uncork()
  }
  return {
    encode(message: object): Buffer {
      counts.serialised++
      return frameOf(JSON.stringify(message))
    },
    send(to: Connection, bytes: Buffer): void {
      if (to.closing || to.socket.readyState !== WebSocket.OPEN) return
      counts.sent++
      to.sentBytes += bytes.length
      if (!to.wire.writableCorked) {
        to.wire.cork()
        if (waiting.push(to.wire) === 1) setImmediate(flush)
      }
      to.wire.write(bytes)
    },
  }
}
export type Sender = ReturnType<typeof createSender>
