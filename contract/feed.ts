import type { Candle, Period, Quote } from '#contract/calls/market.calls.ts'
import type { ChangedRow } from '#contract/topic.ts'

/**
 * Messages of the socket at /ws: JSON text frames `{action, …}`. There are six actions. Extensions are additional members of these messages
 * and are sent only to clients with `v: 2` in checkToken.
 */
export const feedActions = ['checkToken', 'getQuota', 'getDepth', 'kline', 'ping', 'bindUid'] as const

/** Limits that both sides use. */
export const feedLimits = {
  heartbeatMs: 15_000,
  staleMs: 40_000,
  probeMs: 2_000,
  quoteEveryMs: 100,
  /** Interval of order books, and of all else that is gathered before it is sent or loaded. */
  gatherMs: 250,
  candleEveryMs: 500,
  reconnectMinMs: 1_000,
  reconnectMaxMs: 5_000,
  reconnectJitter: 0.5,
  connectTimeoutMs: 20_000,
  priceQuietAfterMs: 3_000,
  priceBlockedAfterMs: 10_000,
  messagesPerSecondMax: 5,
  subscriptionsMax: 200,
  messageBytesMax: 4_096,
  bufferSoftBytes: 65_536,
  /** Bytes that a client has not confirmed by a pong, wherever they wait: here, in the system, or on the way. Beyond it nothing more is sent. */
  unreadSoftBytes: 524_288,
  /** So many are never left to one client: it is closed. */
  unreadHardBytes: 2_097_152,
  /** A client is asked by a ping so often whether it has read what it got, and closed when it does not answer for `unreadMsMax`. */
  unreadAskMs: 5_000,
  unreadMsMax: 20_000,
  depthLevels: 20,
  tradesKept: 50,
  journalKept: 1_000,
  journalMs: 600_000,
  /** Changed rows that may wait to be shown; when there are more, their list is loaded again. */
  rowsWaitingMax: 100,
  /** Maximum length of a list without pages that grows by pushed rows. */
  rowsKeptMax: 1_000,
} as const

// ---- client → server

export type FeedRequest =
  /** `resume`: number of the last private message received, and the epoch of that number. */
  | { action: 'checkToken'; token?: string; v?: 2; caps?: string[]; resume?: { epoch: string; seq: number } }
  /** Without symbols: all of them. `connect` requests the whole list again. `off` unsubscribes. */
  | { action: 'getQuota'; symbols?: string[]; connect?: boolean; off?: boolean }
  | { action: 'getDepth'; symbol: string; off?: boolean }
  | { action: 'kline'; symbol: string; period: Period; off?: boolean }
  | { action: 'ping' }
  | { action: 'bindUid'; uid?: string }

// ---- server → client

/** Price and size as decimal text. In a delta a size of "0" removes the level. */
export type DepthLevel = readonly [price: string, size: string]
export interface TradePrint {
  id: string
  price: string
  size: string
  side: 'buy' | 'sell'
  ts: number
}
export interface DepthMessage {
  action: 'getDepth'
  symbol: string
  /** Plain clients always get `snap`. `prev` is the sequence number to which a delta applies. */
  type: 'snap' | 'delta'
  epoch: string
  prev?: number
  seq: number
  bids: DepthLevel[]
  asks: DepthLevel[]
  /** v2 with cap "trades": newest last; the last 50 in a snap, the new ones in a delta. */
  trades?: TradePrint[]
  ts: number
}
export type { Candle, Period, Quote }

/** Messages to all clients. */
export type FeedMessage =
  /** `private` (cap "private", with a token): number of the last private message; `resumed`: missed messages follow and none is lost. */
  | { action: 'checkToken'; data: { uid: string | null; heartbeatMs: number; epoch: string; private?: { seq: number; resumed: boolean } } }
  | { action: 'checkToken'; error: string }
  /** `full` (v2): the whole list; otherwise changed rows only. Plain clients get the same rows without the flag. */
  | { action: 'getQuota'; data: Quote[]; full?: true }
  | DepthMessage
  | { action: 'kline'; symbol: string; period: Period; data: Candle; final?: true }
  /** Heartbeat of the server, or answer to a client's ping. `restart` (v2): the server will close soon; reconnect after this many ms. */
  | { action: 'ping'; ts: number; restart?: number }
  /**
   * Answer to an invalid or refused message; `of` is its action. `symbols` lists the unknown symbols of a getQuota; the others were
   * subscribed.
   * Sent inside a ping, which plain clients ignore.
   */
  | { action: 'ping'; ts: number; error: string; of?: string; symbols?: string[] }

/**
 * Data of the customer has changed; `action` is the topic. Sent to clients with `v: 2`, cap "private" and a token. Numbers are per customer
 * and have no gaps. Rows require cap "rows"; clients without it get `balance` instead.
 */
export type ChangeMessage = { action: string; seq: number } & Partial<ChangedRow>
