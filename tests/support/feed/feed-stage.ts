import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { authorityEveryMs } from '#api-server/feed/authority.ts'
import { attachFeed, type Feed, type FeedOptions } from '#api-server/feed/feed.ts'
import type { FeedMarket, Sessions } from '#api-server/feed/feed-market.ts'
import type { Candle, Period, Quote } from '#contract/calls/market.calls.ts'
import type { DepthLevel, TradePrint } from '#contract/feed.ts'
import { feedLimits } from '#contract/feed.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { type FeedClient, openFeed } from '#tests/support/feed/feed-client.ts'

type Listener = Parameters<FeedMarket['listen']>[0]

/** A market whose prices, books and trades are set by the test. */
export interface StageMarket extends FeedMarket {
  tick(symbol: string, last: string): void
  book(symbol: string, bids: DepthLevel[], asks: DepthLevel[]): void
  trade(symbol: string, price: string): void
  candle(symbol: string, period: Period, candle: Candle): void
  close(symbol: string, period: Period, candle: Candle): void
}

export function createStageMarket(symbols: readonly string[]): StageMarket {
  const listeners = new Set<Listener>()
  const quotes = new Map<string, Quote>()
  const books = new Map<string, { bids: DepthLevel[]; asks: DepthLevel[] }>()
  const trades = new Map<string, TradePrint[]>(symbols.map((symbol) => [symbol, []]))
  const candles = new Map<string, Candle>()
  let id = 0
  const market: StageMarket = {
    symbols: () => [...symbols],
    quote: (symbol) => quotes.get(symbol),
    trades: (symbol) => trades.get(symbol) ?? [],
    depth: (symbol, levels) => {
      const { bids, asks } = books.get(symbol) ?? { bids: [], asks: [] }
      return { bids: bids.slice(0, levels), asks: asks.slice(0, levels) }
    },
    openCandle: (symbol, period) => candles.get(`${symbol} ${period}`),
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tick(symbol, last) {
      quotes.set(symbol, {
        symbol,
        last,
        open24h: '100',
        high24h: '200',
        low24h: '50',
        volume24h: '7',
        change: '0.010000',
        ts: 1_795_000_000_000 + id,
        seq: ++id,
      })
      for (const listener of listeners) listener.ticked({ symbol })
    },
    book: (symbol, bids, asks) => void books.set(symbol, { bids, asks }),
    trade(symbol, price) {
      trades.set(
        symbol,
        [...trades.get(symbol)!, { id: String(++id), price, size: '1', side: 'buy' as const, ts: 1_795_000_000_000 }].slice(
          -feedLimits.tradesKept,
        ),
      )
    },
    candle(symbol, period, candle) {
      candles.set(`${symbol} ${period}`, candle)
      for (const listener of listeners) listener.ticked({ symbol })
    },
    close(symbol, period, candle) {
      for (const listener of listeners) listener.closed(symbol, period, candle)
    },
  }
  for (const symbol of symbols) market.tick(symbol, '100')
  return market
}

export interface Stage {
  market: StageMarket
  feed: Feed
  url: string
  server: Server
  /** Moves the feed's monotonic clock, which stands still otherwise, by ms. */
  later(ms: number): void
  /** The intervals of quotes and of all else; two make one interval of candles. */
  beat(): void
  heartbeat(): void
  /** The check of all sessions. */
  lookUp(): void
  client(options?: Parameters<typeof openFeed>[1]): Promise<FeedClient>
  /** A client with `v: 2`, after its answer was removed. */
  extended(...caps: string[]): Promise<FeedClient>
  end(): Promise<void>
}

const sessions: Sessions = {
  check: async (token) => {
    if (token === 'broken') throw new Error('no database')
    return token === 'good' ? { uid: '7', session: 's7' } : undefined
  },
  alive: async (ids) => new Set(ids),
  listen: () => () => undefined,
}

/** A feed on a loopback port whose timers the test controls. */
export async function openStage(
  symbols: readonly string[] = ['BTCUSDT', 'ETHUSDT', 'XAUUSDT'],
  origins: readonly string[] = [],
  own: Partial<Pick<FeedOptions, 'sessions' | 'log' | 'changes' | 'limits'>> = {},
): Promise<Stage> {
  const market = createStageMarket(symbols)
  const server = createServer((_req, res) => res.writeHead(426).end())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  let monotonic = 1_000_000
  const beats = new Map<number, () => void>()
  const feed = attachFeed(server, {
    market,
    sessions,
    clock: { now: () => 1_795_000_000_000 },
    log: createLog('silent'),
    origins,
    trusts: () => true,
    ...own,
    monotonic: () => monotonic,
    every(ms, beat) {
      beats.set(ms, beat)
      return () => beats.delete(ms)
    },
  })
  const url = `ws://127.0.0.1:${port}/ws`
  const clients: FeedClient[] = []
  const stage: Stage = {
    market,
    feed,
    url,
    server,
    later: (ms) => {
      monotonic += ms
    },
    beat: () => {
      beats.get(feedLimits.quoteEveryMs)?.()
      beats.get(feedLimits.gatherMs)?.()
    },
    heartbeat: () => beats.get(feedLimits.heartbeatMs)?.(),
    lookUp: () => beats.get(authorityEveryMs)?.(),
    async client(options) {
      const client = await openFeed(url, options)
      clients.push(client)
      return client
    },
    async extended(...caps) {
      const client = await stage.client()
      client.send({ action: 'checkToken', v: 2, caps })
      await client.next((message) => message.action === 'checkToken')
      client.clear()
      return client
    },
    async end() {
      for (const { socket } of clients) socket.terminate()
      await feed.stop()
      await new Promise((done) => server.close(done))
    },
  }
  return stage
}
