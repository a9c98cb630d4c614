import { addTick, type Bar, barOf, joinBars, type LiveBar } from '#api-server/market/bars/bars.rules.ts'
import { bucketEnd, bucketStart, finerOf, fineToCoarse } from '#api-server/market/bars/periods.rules.ts'
import { createDayWindow, type DayStats, type DayWindow } from '#api-server/market/bars/stats.rules.ts'
import type { MarketInstrument } from '#api-server/market/instruments.ts'
import type { Tick } from '#api-server/market/sources/source.ts'
import { changeRatio, fromUnits } from '#api-server/market/units.rules.ts'
import { type Candle, type Period, periods, type Quote } from '#contract/calls/market.calls.ts'
import type { TradePrint } from '#contract/feed.ts'

/** State of a symbol when the server starts. All bars oldest first. */
interface Beginning {
  /** Price to show until the first tick; undefined without any price. */
  last?: { id: number; price: number; time: number }
  /** Closed bars of each period from which the open bars are built. */
  closed: ReadonlyMap<Period, readonly Bar[]>
  /** Ticks in the minute of `last`, as bars of one price each. */
  minute: readonly Bar[]
}

const tradesKept = 50
/** Two nodes may show times that differ by this much. */
export const clocksApartMsMax = 10_000
const sparkLength = 24

interface Row {
  readonly instrument: MarketInstrument
  readonly open: Map<Period, LiveBar>
  readonly window: DayWindow
  readonly spark: string[]
  readonly trades: TradePrint[]
  last: { id: number; price: number; time: number } | undefined
  quote: Quote | undefined
}

/** The effect of a tick on a candle: the bar that it closes, or itself as a bar, late for a bucket that was closed before. */
export type BarChange = { period: Period; bar: LiveBar; late?: undefined } | { period: Period; bar: Bar; late: TickPlace }

/** Where a tick stands among those of its symbol. */
export interface TickPlace {
  time: number
  id: number
}

export interface Board {
  begin(instrument: MarketInstrument, beginning: Beginning): void
  /**
   * Applies a tick. One that is older than the last one is not the price of now, and belongs to the candles of its own time.
   * @returns the bars that it closed and those that it came too late for, finer periods first
   */
  apply(tick: Tick, id: number): BarChange[]
  symbols(): string[]
  instrument(symbol: string): MarketInstrument | undefined
  /** Last tick, in units; undefined before the first price. */
  last(symbol: string): { id: number; price: number; time: number } | undefined
  quote(symbol: string): Quote | undefined
  openBar(symbol: string, period: Period): LiveBar | undefined
  candle(symbol: string, bar: Bar): Candle
  /** The newest 50 trades, newest last. */
  trades(symbol: string): readonly TradePrint[]
  /** The last 24 hourly closes, including the current hour. */
  spark(symbol: string): string[]
}

interface BoardOptions {
  /** Statistics of 24 hours from the source, which replace computed ones. */
  dayStats?: (symbol: string) => DayStats | undefined
  /** Milliseconds since 1970. */
  now: () => number
}

/** Builds the open bar of each period at the time of `last` from closed finer bars and the current minute. */
function openBars(beginning: Beginning): Map<Period, LiveBar> {
  const open = new Map<Period, LiveBar>()
  if (!beginning.last) return open
  for (const period of fineToCoarse) {
    const start = bucketStart(period, beginning.last.time)
    const finer = finerOf[period]
    const running = finer ? open.get(finer) : undefined
    const parts = finer
      ? [
          ...(beginning.closed.get(finer) ?? []).filter(
            (bar) => bar.time >= start && bar.time < (running?.time ?? bucketEnd(period, start)),
          ),
          ...(running ? [running] : []),
        ]
      : beginning.minute
    const bar = joinBars(start, parts)
    if (bar) open.set(period, { ...bar, firstAt: undefined, lastAt: beginning.last.time })
  }
  return open
}

/** Keeps the live market in memory: last prices, open candles, statistics of 24 hours and latest trades. */
export function createBoard(options: BoardOptions): Board {
  const rows = new Map<string, Row>()

  function statsOf(row: Row, now: number): DayStats | undefined {
    const known = options.dayStats?.(row.instrument.symbol)
    const price = row.last?.price
    return known && price !== undefined
      ? { ...known, high: Math.max(known.high, price), low: Math.min(known.low, price) }
      : row.window.at(now)
  }

  function quoteOf(row: Row): Quote | undefined {
    if (row.quote || !row.last) return row.quote
    const { symbol, priceScale, sizeScale } = row.instrument
    const { price, time, id } = row.last
    const stats = statsOf(row, time) ?? { open: price, high: price, low: price, volume: 0 }
    row.quote = {
      symbol,
      last: fromUnits(price, priceScale),
      open24h: fromUnits(stats.open, priceScale),
      high24h: fromUnits(stats.high, priceScale),
      low24h: fromUnits(stats.low, priceScale),
      volume24h: fromUnits(stats.volume, sizeScale),
      change: changeRatio(price, stats.open),
      ts: time,
      seq: id,
    }
    return row.quote
  }

  /** Later than now by more than the clocks of two nodes may differ: the clock was set back. */
  const isOfFuture = (time: number) => time > options.now() + clocksApartMsMax

  function roll(row: Row, period: Period, tick: Tick, id: number): BarChange | undefined {
    const { time, price, size } = tick
    const start = bucketStart(period, time)
    const bar = row.open.get(period)
    if (bar?.time === start) {
      addTick(bar, tick)
      return undefined
    }
    const isBack = bar !== undefined && start < bar.time
    if (isBack && !isOfFuture(bar.time)) return { period, bar: barOf(start, price, size), late: { time, id } }
    row.open.set(period, { ...barOf(start, price, size), firstAt: time, lastAt: time, ...(isBack && { again: true }) })
    return bar && { period, bar }
  }

  /** Prints are in order of time, the newest last. */
  function print(row: Row, { price, size, side, time }: Tick, id: number): void {
    const { priceScale, sizeScale } = row.instrument
    let at = row.trades.length
    while (at > 0 && row.trades[at - 1]!.ts > time && !isOfFuture(row.trades[at - 1]!.ts)) at--
    row.trades.splice(at, 0, { id: String(id), price: fromUnits(price, priceScale), size: fromUnits(size, sizeScale), side, ts: time })
    if (row.trades.length > tradesKept) row.trades.shift()
  }

  return {
    begin(instrument, beginning) {
      const hours = beginning.closed.get('1h') ?? []
      const closes = hours.slice(-(sparkLength - 1)).map((bar) => fromUnits(bar.close, instrument.priceScale))
      const open = openBars(beginning)
      const running = open.get('5m')
      const window = createDayWindow([
        ...(beginning.closed.get('5m') ?? []).filter((bar) => !running || bar.time < running.time),
        ...(running ? [running] : []),
      ])
      rows.set(instrument.symbol, { instrument, open, window, spark: closes, trades: [], last: beginning.last, quote: undefined })
    },
    apply(tick, id) {
      const row = rows.get(tick.symbol)
      if (!row) return []
      if (!row.last || tick.time >= row.last.time || isOfFuture(row.last.time)) row.last = { id, price: tick.price, time: tick.time }
      row.quote = undefined
      row.window.add(tick.time, tick.price, tick.size)
      print(row, tick, id)
      const changes: BarChange[] = []
      for (const period of periods) {
        const change = roll(row, period, tick, id)
        if (!change) continue
        changes.push(change)
        if (period !== '1h' || change.late) continue
        if (row.spark.push(fromUnits(change.bar.close, row.instrument.priceScale)) >= sparkLength) row.spark.shift()
      }
      return changes
    },
    symbols: () => [...rows.keys()],
    instrument: (symbol) => rows.get(symbol)?.instrument,
    last: (symbol) => rows.get(symbol)?.last,
    quote(symbol) {
      const row = rows.get(symbol)
      return row && quoteOf(row)
    },
    openBar: (symbol, period) => rows.get(symbol)?.open.get(period),
    candle(symbol, bar) {
      const { priceScale, sizeScale } = rows.get(symbol)!.instrument
      return {
        time: bar.time,
        open: fromUnits(bar.open, priceScale),
        high: fromUnits(bar.high, priceScale),
        low: fromUnits(bar.low, priceScale),
        close: fromUnits(bar.close, priceScale),
        volume: fromUnits(bar.volume, sizeScale),
      }
    },
    trades: (symbol) => rows.get(symbol)?.trades ?? [],
    spark(symbol) {
      const row = rows.get(symbol)
      return row?.last ? [...row.spark, fromUnits(row.last.price, row.instrument.priceScale)] : []
    },
  }
}
