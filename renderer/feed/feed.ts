import mitt from 'mitt'
import type { Period, Quote } from '#contract/feed.ts'
import { type FeedMessage, feedLimits, type TradePrint } from '#contract/feed.ts'
import type { TopicMessage, TopicTable } from '#contract/topic.ts'
import type { Timers } from '#renderer/calls/retry.ts'
import type { Clock } from '#renderer/device/clock.ts'
import type { Book } from '#renderer/feed/feed-book.ts'
import { createLink, type LinkState, type LinkTimes, type Socket } from '#renderer/feed/feed-link.ts'
import { createPrivate } from '#renderer/feed/feed-private.ts'
import { anyQuote, createReadings, type LiveCandle } from '#renderer/feed/feed-readings.ts'
import { createPainter } from '#renderer/feed/feed-wakes.ts'
import { allQuotes, candleKey, depthKey, quoteKey, Wants } from '#renderer/feed/feed-wants.ts'

export type { Book } from '#renderer/feed/feed-book.ts'
export type { Socket } from '#renderer/feed/feed-link.ts'
export type { LiveCandle } from '#renderer/feed/feed-readings.ts'

/** Events of the page. */
export interface Page {
  onShow(run: () => void): () => void
  /** The network is back, or is another one, such as mobile data after Wi-Fi. */
  onOnline(run: () => void): () => void
  visible(): boolean
}

export interface FeedOptions {
  url: string
  createSocket: (url: string) => Socket
  /** Set by what the server says of its time. */
  clock: Clock
  timers: Timers
  /** Those of the contract by default. */
  times?: LinkTimes
  /** requestAnimationFrame. */
  frame: (run: () => void) => unknown
  random: () => number
  page: Page
  token: () => string | undefined
  /** Topics of messages to the customer. */
  topics: TopicTable
}

export interface FeedHealth {
  readonly state: LinkState
  /** By `elapsed` of the clock, in milliseconds; brought up to date once a second. */
  readonly lastMessageMs: number | undefined
}

export type FeedEvents = {
  /** Once per connection: an unknown action or something that cannot be read. */
  'invalid-message': { reason: string }
  /** Once per outage. */
  'connect-error': { reason: string }
  /** The server does not know the token; the connection goes on as a visitor's. */
  auth: { error: string }
}

/** One owner of the socket. Every reading is the newest value and keeps its identity until it changes; listeners are woken with a frame, at most so often as their channel allows. */
export interface Feed {
  start(): void
  stop(): void
  /** After login and logout: the token goes out with the first message of a connection. */
  reconnect(): void
  quote(symbol: string): Quote | undefined
  quotes(): readonly Quote[]
  onQuote(symbol: string, wake: () => void): () => void
  onQuotes(wake: () => void): () => void
  wantQuotes(symbols: readonly string[] | 'all'): () => void
  /** Books and trades of a symbol. */
  wantDepth(symbol: string): () => void
  depth(symbol: string): Book | undefined
  onDepth(symbol: string, wake: () => void): () => void
  /** Newest first. */
  trades(symbol: string): readonly TradePrint[]
  onTrades(symbol: string, wake: () => void): () => void
  wantCandles(symbol: string, period: Period): () => void
  candle(symbol: string, period: Period): LiveCandle | undefined
  onCandle(symbol: string, period: Period, wake: () => void): () => void
  health(): FeedHealth
  onHealth(wake: () => void): () => void
  /** Milliseconds since the price was made, by the server's clock where it is known; never below the time since it came. */
  age(symbol: string): number | undefined
  /** Milliseconds since the last message of any kind; undefined before the first. */
  silenceMs(): number | undefined
  /** Something of the customer's has changed, or may have while nothing was heard; at most four times a second. */
  onTopicMessage(run: (message: TopicMessage) => void): () => void
  on<E extends keyof FeedEvents>(event: E, run: (detail: FeedEvents[E]) => void): () => void
}

const messageLengthMax = 1_048_576
const askAgainMs = 1_000

export function createFeed({ token, page, frame, clock, times = feedLimits, ...options }: FeedOptions): Feed {
  const now = clock.elapsed
  const events = mitt<FeedEvents>()
  const wants = new Wants()
  const painter = createPainter(frame, () => page.visible(), now)
  const readings = createReadings(painter)
  const own = createPrivate(options.timers, options.topics)
  const healthWakes = painter.channel()
  const { wakes } = readings
  /** When a book was last asked for. */
  const askedAt = new Map<string, number>()
  let health: FeedHealth = { state: 'down', lastMessageMs: undefined }
  let invalidReported = false
  let wantList = false
  /** Connects anew, because the server was too busy to look the token up. */
  let askAgain: ReturnType<Timers['setTimeout']> | undefined
  let pumpAsked = false
  let offs: (() => void)[] = []

  const link = createLink({
    ...options,
    now,
    times,
    greet(reconnected) {
      wants.forget()
      readings.renew()
      wantList = reconnected
      invalidReported = false
      return [own.greeting(token()), { action: 'ping' }]
    },
    next() {
      const message = wants.next(wantList)
      if (message?.action === 'getQuota') wantList = false
      else if (message?.action === 'getDepth') {
        askedAt.set(message.symbol, now())
        if (message.off) readings.forgetDepth(message.symbol)
      } else if (message?.action === 'kline' && message.off) readings.forgetCandle(message.symbol, message.period)
      return message
    },
    receive(data) {
      try {
        read(data)
      } catch (error) {
        if (invalidReported) return
        invalidReported = true
        events.emit('invalid-message', { reason: error instanceof Error ? error.message : 'unreadable' })
      }
    },
    changed() {
      if (link.state() !== 'connected') readings.outdate()
      tellHealth()
    },
    failed: (reason) => events.emit('connect-error', { reason }),
    tick() {
      for (const symbol of readings.staleBooks()) {
        if (wants.wanted(depthKey(symbol))) askDepth(symbol, feedLimits.probeMs)
        else readings.forgetDepth(symbol)
      }
      if (health.lastMessageMs !== link.lastMessageMs()) tellHealth()
    },
  })

  function tellHealth(): void {
    health = { state: link.state(), lastMessageMs: link.lastMessageMs() }
    healthWakes.mark('')
  }

  function read(data: unknown): void {
    if (typeof data !== 'string' || data.length > messageLengthMax) throw new TypeError('not a text message')
    const message = JSON.parse(data) as FeedMessage
    switch (message?.action) {
      case 'getQuota':
        readings.readQuotes(message.data, message.full === true, now())
        break
      case 'getDepth':
        if (wants.wanted(depthKey(message.symbol)) && !readings.readDepth(message)) askDepth(message.symbol, askAgainMs)
        break
      case 'kline':
        if (wants.wanted(candleKey(message.symbol, message.period))) readings.readCandle(message)
        break
      case 'ping':
        // A refusal is no answer to a ping; every other request remains valid.
        if ('error' in message) break
        hearTime(message.ts, link.beat())
        if ('restart' in message && typeof message.restart === 'number') link.restarting(message.restart)
        break
      case 'checkToken':
        options.timers.clearTimeout(askAgain)
        link.accepted(!('error' in message))
        if ('error' in message) {
          events.emit('auth', { error: String(message.error) })
          // It has not said that the token is wrong, and as a visitor nothing private is heard.
          if (message.error === 'busy') askAgain = options.timers.setTimeout(link.reconnect, times.reconnectMaxMs)
        } else if (message.data) own.accepted(message.data)
        break
      default:
        if (message && own.isChange(message)) own.read(message)
        else if ((message as { action?: unknown } | null)?.action !== 'bindUid') throw new TypeError('unknown action')
    }
  }

  /** A beat that nobody asked for has been under way for some time. Where it contradicts the clock, the server is asked for its time. */
  function hearTime(serverMs: number, roundTripMs: number | undefined): void {
    if (roundTripMs !== undefined) clock.heard(serverMs, roundTripMs)
    else if (clock.contradicts(serverMs)) link.probe()
  }

  /** After a sleep the connection may be dead. After a step back of the server's clock, prices that are known bear later times than new ones. */
  function jumped(byMs: number): void {
    if (byMs > 0) {
      link.probe()
      return
    }
    readings.renew()
    wants.quotesAgain()
    wantList = true
    link.pump()
  }

  /** Once per gap; again only when no snapshot has come for `everyMs`. */
  function askDepth(symbol: string, everyMs: number): void {
    const t = now()
    if (t - (askedAt.get(symbol) ?? Number.NEGATIVE_INFINITY) < everyMs) return
    askedAt.set(symbol, t)
    wants.again(depthKey(symbol))
    link.pump()
  }

  function want(...keys: string[]): () => void {
    const off = wants.want(keys)
    pumpSoon()
    return () => {
      off()
      pumpSoon()
    }
  }
  /** At the end of the task, so that a screen that follows another keeps what both want. */
  function pumpSoon(): void {
    if (pumpAsked) return
    pumpAsked = true
    queueMicrotask(() => {
      pumpAsked = false
      link.pump()
    })
  }

  return {
    start() {
      if (offs.length > 0) return
      const shown = () => {
        painter.shown()
        link.start()
        link.probe()
      }
      offs = [page.onShow(shown), page.onOnline(() => link.probe()), clock.onJump(jumped)]
      if (page.visible()) link.start()
    },
    stop() {
      for (const off of offs) off()
      offs = []
      link.stop()
    },
    reconnect: link.reconnect,
    quote: readings.quote,
    quotes: readings.quotes,
    onQuote: (symbol, wake) => wakes.quote.on(symbol, wake),
    onQuotes: (wake) => wakes.quotes.on(anyQuote, wake),
    wantQuotes: (symbols) =>
      symbols === 'all' ? want(allQuotes) : want(...new Set(symbols.filter((symbol) => symbol !== '').map(quoteKey))),
    wantDepth: (symbol) => want(depthKey(symbol)),
    depth: readings.depth,
    onDepth: (symbol, wake) => wakes.depth.on(symbol, wake),
    trades: readings.trades,
    onTrades: (symbol, wake) => wakes.trades.on(symbol, wake),
    wantCandles: (symbol, period) => want(candleKey(symbol, period)),
    candle: readings.candle,
    onCandle: (symbol, period, wake) => wakes.candle.on(candleKey(symbol, period), wake),
    health: () => health,
    onHealth: (wake) => healthWakes.on('', wake),
    age(symbol) {
      const quote = readings.quote(symbol)
      if (!quote) return undefined
      const t = now()
      return Math.max(0, t - (readings.receivedAt(symbol) ?? t), clock.known() ? clock.now() - quote.ts : 0)
    },
    silenceMs() {
      const last = link.lastMessageMs()
      return last === undefined ? undefined : now() - last
    },
    onTopicMessage: own.onTopicMessage,
    on(event, run) {
      events.on(event, run)
      return () => events.off(event, run)
    },
  }
}
