import type { UnitBook } from '#api-server/market/book.rules.ts'
import type { MarketInstrument } from '#api-server/market/instruments.ts'
import type { Clock } from '#server-kit/ops/clock.ts'

export type SourceName = 'simulator' | 'binance' | 'manual'

/** One trade as a source reports it, in units of its instrument. */
export interface Tick {
  symbol: string
  price: number
  size: number
  /** Side of the taker: 'buy' took an ask. */
  side: 'buy' | 'sell'
  /** Time of receipt by this server, ms UTC. Settlements use the same clock. */
  time: number
}

/** Ticks that are further ahead of the clock are refused. */
export const tickAheadMsMax = 1_000

/** Prices to continue from, by symbol and in units. */
type StartPrices = ReadonlyMap<string, number>

/** A source of prices. It owns its timers and sockets and frees them in `stop`. */
export interface Source {
  readonly name: SourceName
  /** The instruments of this source. */
  readonly instruments: readonly MarketInstrument[]
  /** Starts the source. `emit` takes ticks in order of time. A stopped source may be started again. */
  start(emit: (ticks: Tick[]) => void, clock: Clock, from: StartPrices): void
  stop(): void
  /** The order book, best level first; undefined when the source has none for the symbol. */
  depth?(symbol: string, last: number, now: number): UnitBook | undefined
  /** Counters for the metrics, such as the number of refused frames. */
  counts?(): Record<string, number>
}
