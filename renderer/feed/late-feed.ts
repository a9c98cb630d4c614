import type { Feed, FeedHealth } from '#renderer/feed/feed.ts'

const unborn: FeedHealth = { state: 'down', lastMessageMs: undefined }
const none: readonly never[] = []
const againMs = 5_000
type Off = () => void
type Begins =
  | 'on'
  | 'onQuote'
  | 'onQuotes'
  | 'wantQuotes'
  | 'wantDepth'
  | 'onDepth'
  | 'onTrades'
  | 'wantCandles'
  | 'onCandle'
  | 'onHealth'
  | 'onTold'

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

  /** What begins something and can be ended, by its name. */
  const later =
    <K extends Begins>(name: K) =>
    (...given: Parameters<Feed[K]>): Off => {
      const begin = (made: Feed) => (made[name] as (...all: typeof given) => Off)(...given)
      if (feed) return begin(feed)
      let off: Off | undefined
      const hand = (made: Feed) => {
        off = begin(made)
      }
      waiting.add(hand)
      return () => {
        waiting.delete(hand)
        off?.()
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
    onQuote: later('onQuote'),
    onQuotes: later('onQuotes'),
    wantQuotes: later('wantQuotes'),
    wantDepth: later('wantDepth'),
    onDepth: later('onDepth'),
    onTrades: later('onTrades'),
    wantCandles: later('wantCandles'),
    onCandle: later('onCandle'),
    onHealth: later('onHealth'),
    onTold: later('onTold'),
    on: later('on') as Feed['on'],
  }
}
