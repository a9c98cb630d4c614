import type { Candle, Period, Quote } from '#contract/calls/market.calls.ts'
import type { ChangedRow } from '#contract/topic.ts'

/**
 * Messages of the socket at /ws. JSON text frames `{action, …}`. Six actions only; what is more rides inside them and is
 * sent only to a client that said `v: 2` in its checkToken.
 */
export const feedActions = ['checkToken', 'getQuota', 'getDepth', 'kline', 'ping', 'bindUid'] as const

/** Numbers that both sides share. */
export const feedLimits = {
  heartbeatMs: 15_000,
  staleMs: 40_000,
  probeMs: 2_000,
  quoteEveryMs: 250,
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
  bufferHardBytes: 2_097_152,
  bufferHardMs: 30_000,
  depthLevels: 20,
  tradesKept: 50,
  journalKept: 1_000,
  journalMs: 600_000,
  /** Changes of rows that wait to be shown; when more come, their list is loaded again. */
  rowsWaitingMax: 100,
  /** Rows of a list without pages that grows by pushes. */
  rowsKeptMax: 1_000,
} as const

// ---- client → server

export type FeedRequest =
  /** `resume`: the last private message that was heard, and the epoch that it was numbered in. */
  | { action: 'checkToken'; token?: string; v?: 2; caps?: string[]; resume?: { epoch: string; seq: number } }
  /** No symbols: all of them. `connect` asks for the whole list again. `off` ends it. */
  | { action: 'getQuota'; symbols?: string[]; connect?: boolean; off?: boolean }
  | { action: 'getDepth'; symbol: string; off?: boolean }
  | { action: 'kline'; symbol: string; period: Period; off?: boolean }
  | { action: 'ping' }
  | { action: 'bindUid'; uid?: string }

// ---- server → client

/** Price then size, decimals as text. In a delta a size of "0" removes the level. */
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
  /** Plain clients get `snap` each time. `prev` is the sequence number that a delta builds on. */
  type: 'snap' | 'delta'
  epoch: string
  prev?: number
  seq: number
  bids: DepthLevel[]
  asks: DepthLevel[]
  /** v2 with cap "trades": newest last; in a snap the last 50, in a delta the new ones. */
  trades?: TradePrint[]
  ts: number
}
export type { Candle, Period, Quote }

/** Messages that every client may get. */
export type FeedMessage =
  /** `private` (cap "private", with a token): messages up to `seq` have been given out; `resumed`: those that were missed follow, nothing is lost. */
  | { action: 'checkToken'; data: { uid: string | null; heartbeatMs: number; epoch: string; private?: { seq: number; resumed: boolean } } }
  | { action: 'checkToken'; error: string }
  /** `full` (v2): the whole list, otherwise only changed rows. Plain clients get the same rows without the flag. */
  | { action: 'getQuota'; data: Quote[]; full?: true }
  | DepthMessage
  | { action: 'kline'; symbol: string; period: Period; data: Candle; final?: true }
  /** The server's beat, or its answer to a client's ping. `restart` (v2): it will close soon; come back after so many ms. */
  | { action: 'ping'; ts: number; restart?: number }
  /**
   * Answer to a message that was not understood or not allowed; `of` is its action. `symbols` names those of a getQuota that there are
   * not: the others were taken. Rides in a ping, which a plain client ignores.
   */
  | { action: 'ping'; ts: number; error: string; of?: string; symbols?: string[] }

/**
 * Data of the customer has changed; `action` is the topic. Sent to a client that said `v: 2` with cap "private" and a token. Numbered per
 * customer, without a gap. Rows are for cap "rows"; in their place a client without it is told `balance`.
 */
export type ChangeMessage = { action: string; seq: number } & Partial<ChangedRow>
