import type { UnitBook } from '#api-server/market/book.rules.ts'
import type { MarketInstrument } from '#api-server/market/instruments.ts'
import type { Clock } from '#server-kit/ops/clock.ts'

export type SourceName = 'simulator' | 'binance' | 'manual'

/** One trade as a source reports it, in units of its instrument. */
export interface Tick {
  symbol: string
  price: number
  size: number
  /** Who took: 'buy' lifted the offer. */
  side: 'buy' | 'sell'
  /** Time of receipt by this server, ms UTC; the same clock decides settlements. */
  time: number
}

/** Prices to go on from, by symbol and in units. */
export type StartPrices = ReadonlyMap<string, number>

/** Where prices come from. A source owns its timers and sockets and frees them in `stop`. */
export interface Source {
  readonly name: SourceName
  /** The instruments that it was made for. */
  readonly instruments: readonly MarketInstrument[]
  /** `emit` takes ticks in the order of their times. May be called again after `stop`. */
  start(emit: (ticks: Tick[]) => void, clock: Clock, from: StartPrices): void
  stop(): void
  /** The book, best level first; undefined when the source knows none for the symbol. */
  depth?(symbol: string, last: number, now: number): UnitBook | undefined
  /** Counters for the metrics, such as frames refused. */
  counts?(): Record<string, number>
}
