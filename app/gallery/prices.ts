import type { Candle, DepthLevel, DepthMessage, FeedMessage, FeedRequest, Quote, TradePrint } from '#contract/feed.ts'
import { browserClock } from '#renderer/device/clock.ts'
import type { Socket } from '#renderer/feed/feed.ts'

/** A market with fixed prices, so that screenshots of the gallery can be compared. */
const last = 64_230.5
const tick = 0.01
const price = (value: number) => value.toFixed(2)
/** A deterministic curve that looks like a market. */
const wave = (i: number) => Math.sin(i * 1.7) * 0.6 + Math.sin(i * 0.31) * 1.4

function quoteOf(symbol: string, ts: number): Quote {
  return {
    symbol,
    last: price(last),
    open24h: '63120.00',
    high24h: '64980.10',
    low24h: '62710.35',
    volume24h: '18234.5521',
    change: '0.0176',
    ts,
    seq: 1,
  }
}

function bookOf(symbol: string, ts: number): DepthMessage {
  const side = (sign: 1 | -1): DepthLevel[] =>
    Array.from({ length: 20 }, (_, i) => [price(last + sign * (i + 1) * tick * 90), (0.4 + Math.abs(wave(i + sign))).toFixed(4)])
  const trades = Array.from(
    { length: 20 },
    (_, i): TradePrint => ({
      id: `${i}`,
      price: price(last + wave(i)),
      size: (0.02 + Math.abs(wave(i * 3)) / 4).toFixed(4),
      side: wave(i) > 0 ? 'buy' : 'sell',
      ts: ts - (20 - i) * 4_000,
    }),
  )
  return { action: 'getDepth', symbol, type: 'snap', epoch: 'gallery', seq: 1, bids: side(-1), asks: side(1), trades, ts }
}

/** Candles up to now, oldest first. */
export function candlesUntil(nowMs: number, lengthMs: number, count: number): Candle[] {
  const from = Math.floor(nowMs / lengthMs) - count + 1
  return Array.from({ length: count }, (_, i) => {
    const open = last + wave(i) * 180 + (i - count) * 6
    const close = last + wave(i + 1) * 180 + (i + 1 - count) * 6
    return {
      time: (from + i) * lengthMs,
      open: price(open),
      close: price(close),
      high: price(Math.max(open, close) + 60 + 20 * Math.abs(wave(i))),
      low: price(Math.min(open, close) - 60 - 20 * Math.abs(wave(i + 4))),
      volume: (40 + 30 * Math.abs(wave(i * 2))).toFixed(2),
    }
  })
}

/** The server side of the feed's socket, in this page. It answers each request once. */
export function createStillSocket(): Socket {
  const socket: Socket = {
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
    close: () => undefined,
    send(text) {
      const answer = answerTo(JSON.parse(text) as FeedRequest, browserClock.wall())
      if (answer) queueMicrotask(() => socket.onmessage?.({ data: JSON.stringify(answer) } as never))
    },
  }
  queueMicrotask(() => socket.onopen?.(undefined as never))
  return socket
}

function answerTo(request: FeedRequest, ts: number): FeedMessage | undefined {
  switch (request.action) {
    case 'checkToken':
      return { action: 'checkToken', data: { uid: null, heartbeatMs: 15_000, epoch: 'gallery' } }
    case 'getQuota':
      return request.off ? undefined : { action: 'getQuota', data: (request.symbols ?? []).map((symbol) => quoteOf(symbol, ts)) }
    case 'getDepth':
      return request.off ? undefined : bookOf(request.symbol, ts)
    case 'ping':
      return { action: 'ping', ts }
    default:
      return undefined
  }
}
