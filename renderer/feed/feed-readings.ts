import type { Candle, DepthMessage, FeedMessage, Period, Quote, TradePrint } from '#contract/feed.ts'
import { applyDepth, applyTrades, type Book } from '#renderer/feed/feed-book.ts'
import type { Painter, Wakes } from '#renderer/feed/feed-wakes.ts'
import { candleKey } from '#renderer/feed/feed-wants.ts'

/** The candle that is open now. `closed` is the last one that ended: within one frame both may have come. */
export interface LiveCandle {
  readonly candle: Candle
  readonly final: boolean
  readonly closed: Candle | undefined
}

/** The newest value of everything that the feed has received, and the listeners of each change. */
interface Readings {
  quote(symbol: string): Quote | undefined
  quotes(): readonly Quote[]
  receivedAt(symbol: string): number | undefined
  depth(symbol: string): Book | undefined
  trades(symbol: string): readonly TradePrint[]
  candle(symbol: string, period: Period): LiveCandle | undefined
  /** The next list of quotes counts whatever its numbers are: it comes from another connection. */
  renew(): void
  /** @throws TypeError when a row has not the shape that its action promises; rows before it are taken */
  readQuotes(rows: readonly Quote[], whole: boolean, nowMs: number): void
  /** @returns false when something before the message is missing; the book is then stale */
  readDepth(message: DepthMessage): boolean
  readCandle(message: Extract<FeedMessage, { action: 'kline' }>): void
  /** No more deltas will fit: all books are stale. */
  outdate(): void
  staleBooks(): string[]
  forgetDepth(symbol: string): void
  forgetCandle(symbol: string, period: Period): void
  readonly wakes: Readonly<Record<'quote' | 'quotes' | 'depth' | 'trades' | 'candle', Wakes>>
}

/** Key of the one listener list that hears of any quote. */
export const anyQuote = '*'
/** People cannot read more than this lets through, and each price moves all that is computed from it, each book dozens of cells. */
const [quoteEveryMs, bookEveryMs] = [50, 100]
const noTrades: readonly TradePrint[] = []

export function createReadings(painter: Painter): Readings {
  const quotes = new Map<string, Quote>()
  const receivedAt = new Map<string, number>()
  const books = new Map<string, Book>()
  const trades = new Map<string, readonly TradePrint[]>()
  const candles = new Map<string, LiveCandle>()
  let list: readonly Quote[] | undefined
  let anew = true
  const wakes = {
    quote: painter.channel(quoteEveryMs),
    quotes: painter.channel(quoteEveryMs),
    depth: painter.channel(bookEveryMs),
    trades: painter.channel(bookEveryMs),
    candle: painter.channel(),
  }

  function putBook(symbol: string, book: Book): void {
    books.set(symbol, book)
    wakes.depth.mark(symbol)
  }
  function outdateOne(symbol: string): void {
    const book = books.get(symbol)
    if (book && !book.stale) putBook(symbol, { ...book, stale: true })
  }

  return {
    quote: (symbol) => quotes.get(symbol),
    quotes() {
      list ??= [...quotes.values()]
      return list
    },
    receivedAt: (symbol) => receivedAt.get(symbol),
    depth: (symbol) => books.get(symbol),
    trades: (symbol) => trades.get(symbol) ?? noTrades,
    candle: (symbol, period) => candles.get(candleKey(symbol, period)),
    renew() {
      anew = true
    },
    readQuotes(rows, whole, nowMs) {
      for (const row of rows) {
        const { symbol, ts, seq } = row
        if (typeof symbol !== 'string' || typeof row.last !== 'string' || !Number.isFinite(ts)) throw new TypeError('quote without a price')
        const known = quotes.get(symbol)
        if (known) {
          if (known.ts === ts && known.seq === seq) continue
          // Two nodes may deliver out of order; a whole list is the truth whatever its numbers are.
          if (!whole && !anew && (ts < known.ts || (ts === known.ts && seq < known.seq))) continue
        }
        quotes.set(symbol, row)
        receivedAt.set(symbol, nowMs)
        list = undefined
        wakes.quote.mark(symbol)
        wakes.quotes.mark(anyQuote)
      }
      anew = false
    },
    readDepth(message) {
      const { symbol } = message
      const book = books.get(symbol)
      const next = applyDepth(book, message)
      if (next === 'gap') {
        outdateOne(symbol)
        return false
      }
      if (next === book) return true
      putBook(symbol, next)
      const before = trades.get(symbol) ?? noTrades
      const after = applyTrades(before, message)
      if (after !== before) {
        trades.set(symbol, after)
        wakes.trades.mark(symbol)
      }
      return true
    },
    readCandle({ symbol, period, data, final }) {
      if (!Number.isFinite(data.time) || typeof data.close !== 'string') throw new TypeError('candle without a price')
      const key = candleKey(symbol, period)
      const known = candles.get(key)
      if (known && data.time < known.candle.time) return
      candles.set(key, { candle: data, final: final === true, closed: final ? data : known?.closed })
      wakes.candle.mark(key)
    },
    outdate() {
      for (const symbol of books.keys()) outdateOne(symbol)
    },
    staleBooks: () => [...books].filter(([, book]) => book.stale).map(([symbol]) => symbol),
    forgetDepth(symbol) {
      books.delete(symbol)
      trades.delete(symbol)
    },
    forgetCandle: (symbol, period) => void candles.delete(candleKey(symbol, period)),
    wakes,
  }
}
