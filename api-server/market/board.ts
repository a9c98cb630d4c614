import { addPrice, type Bar, barOf, joinBars } from '#api-server/market/bars/bars.rules.ts'
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
const sparkLength = 24

interface Row {
  readonly instrument: MarketInstrument
  readonly open: Map<Period, Bar>
  readonly window: DayWindow
  readonly spark: string[]
  readonly trades: TradePrint[]
  last: { id: number; price: number; time: number } | undefined
  quote: Quote | undefined
}

export interface Board {
  begin(instrument: MarketInstrument, beginning: Beginning): void
  /** Applies a tick. @returns the bars that it closed, finer periods first */
  apply(tick: Tick, id: number): { period: Period; bar: Bar }[]
  symbols(): string[]
  instrument(symbol: string): MarketInstrument | undefined
  /** Last tick, in units; undefined before the first price. */
  last(symbol: string): { id: number; price: number; time: number } | undefined
  quote(symbol: string): Quote | undefined
  openBar(symbol: string, period: Period): Bar | undefined
  candle(symbol: string, bar: Bar): Candle
  /** The newest 50 trades, newest last. */
  trades(symbol: string): readonly TradePrint[]
  /** The last 24 hourly closes, including the current hour. */
  spark(symbol: string): string[]
}

interface BoardOptions {
  /** Statistics of 24 hours from the source, which replace computed ones. */
  dayStats?: (symbol: string) => DayStats | undefined
}

/** Builds the open bar of each period at the time of `last` from closed finer bars and the current minute. */
function openBars(beginning: Beginning): Map<Period, Bar> {
  const open = new Map<Period, Bar>()
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
    if (bar) open.set(period, bar)
  }
  return open
}

/** Keeps the live market in memory: last prices, open candles, statistics of 24 hours and latest trades. */
export function createBoard(options: BoardOptions = {}): Board {
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

  function roll(row: Row, period: Period, tick: Tick): Bar | undefined {
    const start = bucketStart(period, tick.time)
    const bar = row.open.get(period)
    if (bar?.time === start) {
      addPrice(bar, tick.price, tick.size)
      return undefined
    }
    row.open.set(period, barOf(start, tick.price, tick.size))
    return bar
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
      row.last = { id, price: tick.price, time: tick.time }
      row.quote = undefined
      row.window.add(tick.time, tick.price, tick.size)
      const price = fromUnits(tick.price, row.instrument.priceScale)
      row.trades.push({ id: String(id), price, size: fromUnits(tick.size, row.instrument.sizeScale), side: tick.side, ts: tick.time })
      if (row.trades.length > tradesKept) row.trades.shift()
      const closed: { period: Period; bar: Bar }[] = []
      for (const period of periods) {
        const bar = roll(row, period, tick)
        if (!bar) continue
        closed.push({ period, bar })
        if (period === '1h' && row.spark.push(fromUnits(bar.close, row.instrument.priceScale)) >= sparkLength) row.spark.shift()
      }
      return closed
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
