import type { Feed, FeedHealth } from '#renderer/io/feed.ts'

const unborn: FeedHealth = { state: 'down', lastMessageMs: undefined }
const none: readonly never[] = []
const againMs = 5_000
type Off = () => void

/**
 * A feed whose code is still on its way. What is wanted and listened to before it is here is handed over when it comes, in the order in
 * which it was asked; what ended meanwhile is not. Nothing is lost but the moment.
 * @param load brings the feed itself; tried again every five seconds until it has come
 */
export function createLateFeed(load: () => Promise<Feed>): Feed {
  let feed: Feed | undefined
  let coming = false
  let started = false
  const waiting = new Set<(feed: Feed) => void>()

  function come(): void {
    if (feed || coming) return
    coming = true
    load().then(
      (made) => {
        feed = made
        for (const hand of waiting) hand(made)
        waiting.clear()
        if (started) made.start()
      },
      () => {
        coming = false
        setTimeout(come, againMs)
      },
    )
  }

  function later<A extends unknown[]>(begin: (feed: Feed, ...args: A) => Off): (...args: A) => Off {
    return (...args) => {
      if (feed) return begin(feed, ...args)
      let off: Off | undefined
      const hand = (made: Feed) => {
        off = begin(made, ...args)
      }
      waiting.add(hand)
      return () => {
        waiting.delete(hand)
        off?.()
      }
    }
  }

  return {
    start() {
      started = true
      if (feed) feed.start()
      else come()
    },
    stop() {
      started = false
      feed?.stop()
    },
    reconnect: () => feed?.reconnect(),
    quote: (symbol) => feed?.quote(symbol),
    quotes: () => feed?.quotes() ?? none,
    depth: (symbol) => feed?.depth(symbol),
    trades: (symbol) => feed?.trades(symbol) ?? none,
    candle: (symbol, period) => feed?.candle(symbol, period),
    health: () => feed?.health() ?? unborn,
    age: (symbol, nowMs) => feed?.age(symbol, nowMs),
    onQuote: later((made, symbol, wake) => made.onQuote(symbol, wake)),
    onQuotes: later((made, wake) => made.onQuotes(wake)),
    wantQuotes: later((made, symbols) => made.wantQuotes(symbols)),
    wantDepth: later((made, symbol) => made.wantDepth(symbol)),
    onDepth: later((made, symbol, wake) => made.onDepth(symbol, wake)),
    onTrades: later((made, symbol, wake) => made.onTrades(symbol, wake)),
    wantCandles: later((made, symbol, period) => made.wantCandles(symbol, period)),
    onCandle: later((made, symbol, period, wake) => made.onCandle(symbol, period, wake)),
    onHealth: later((made, wake) => made.onHealth(wake)),
    onTold: later((made, run) => made.onTold(run)),
    on: (event, run) => later((made) => made.on(event, run))(),
  }
}
