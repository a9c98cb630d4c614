import { lazy } from '#renderer/core/lazy.ts'
import type { Feed, FeedHealth } from '#renderer/feed/feed.ts'

const unborn: FeedHealth = { state: 'down', lastMessageMs: undefined }
const none: readonly never[] = []
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
  | 'onTopicMessage'

/**
 * A feed whose code comes when it is started. Earlier requests and listeners are handed over when it comes, in their order; those that
 * ended meanwhile are not. Nothing is lost but the moment.
 * @param load brings the feed itself; tried again every five seconds until it has come
 */
export function createLazyFeed(load: () => Promise<Feed>): Feed {
  const feed = lazy(load)
  const { ready, whenReady } = feed
  let started = false

  /** Makes a method, by its name, that starts something and returns the function that ends it. */
  const later =
    <K extends Begins>(name: K) =>
    (...given: Parameters<Feed[K]>): Off => {
      let off: Off | undefined
      const forget = whenReady((made) => {
        off = (made[name] as (...all: typeof given) => Off)(...given)
      }, false)
      return () => {
        forget()
        off?.()
      }
    }

  return {
    start() {
      started = true
      // After everything that was wanted meanwhile, so that the socket opens with all of it.
      whenReady((made) => queueMicrotask(() => started && made.start()))
    },
    stop() {
      started = false
      ready()?.stop()
    },
    reconnect: () => ready()?.reconnect(),
    quote: (symbol) => ready()?.quote(symbol),
    quotes: () => ready()?.quotes() ?? none,
    depth: (symbol) => ready()?.depth(symbol),
    trades: (symbol) => ready()?.trades(symbol) ?? none,
    candle: (symbol, period) => ready()?.candle(symbol, period),
    health: () => ready()?.health() ?? unborn,
    age: (symbol) => ready()?.age(symbol),
    silenceMs: () => ready()?.silenceMs(),
    onQuote: later('onQuote'),
    onQuotes: later('onQuotes'),
    wantQuotes: later('wantQuotes'),
    wantDepth: later('wantDepth'),
    onDepth: later('onDepth'),
    onTrades: later('onTrades'),
    wantCandles: later('wantCandles'),
    onCandle: later('onCandle'),
    onHealth: later('onHealth'),
    onTopicMessage: later('onTopicMessage'),
    on: later('on') as Feed['on'],
  }
}
