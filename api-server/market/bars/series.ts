import { addTick, type Bar, fillFlat, joinBars, type LiveBar } from '#api-server/market/bars/bars.rules.ts'
import type { History } from '#api-server/market/bars/history.rules.ts'
import { bucketBefore, bucketEnd, bucketStart } from '#api-server/market/bars/periods.rules.ts'
import type { Board } from '#api-server/market/board.ts'
import type { MarketInstrument } from '#api-server/market/instruments.ts'
import type { MarketStore } from '#api-server/market/market.store.ts'
import { type Candle, type Period, periods } from '#contract/calls/market.calls.ts'
import type { Clock } from '#server-kit/ops/clock.ts'

const dayMs = 86_400_000
const historyDays = 5 * 365
/** Number of closed candles kept in memory, because the table may not have them yet. */
const recentKept = 8

interface SeriesOptions {
  store: Pick<MarketStore, 'candles' | 'candlesSince'>
  board: Board
  source: string
  clock: Clock
  /** The simulated past of a symbol; undefined for real sources, whose candles may have gaps. */
  history: (symbol: string) => History | undefined
}

export interface Series {
  /** Closed bars that the open bars at `time` are built from, and those of the 24 hours before. */
  before(instrument: MarketInstrument, time: number): Promise<Map<Period, Bar[]>>
  /** Remembers a bar that has just closed. */
  closed(symbol: string, period: Period, bar: LiveBar): void
  /** Adds a tick that came too late for its bucket. @returns the bar of that bucket, undefined where only the table knows it */
  late(symbol: string, period: Period, start: number, tick: { time: number; price: number; size: number }): Bar | undefined
  /** The newest `limit` candles with from ≤ time ≤ to, oldest first; the last may be open. `to` defaults to now. */
  candles(instrument: MarketInstrument, period: Period, from: number | undefined, to: number | undefined, limit: number): Promise<Candle[]>
}

/** Merges lists by bucket; a later list overrides an earlier one. Oldest first. */
function overlay(...lists: readonly (readonly Bar[])[]): Bar[] {
  const byTime = new Map<number, Bar>()
  for (const list of lists) for (const bar of list) byTime.set(bar.time, bar)
  return [...byTime.values()].sort((a, b) => a.time - b.time)
}

/** Combines candles of the simulated past, of the table and of memory into one series. */
export function createSeries({ store, board, source, clock, history }: SeriesOptions): Series {
  const recent = new Map<string, LiveBar[]>()

  function simulated(instrument: MarketInstrument, period: Period, from: number, to: number): Bar[] {
    const end = instrument.historyEnd
    const past = history(instrument.symbol)
    if (!past || end === null) return []
    return past.bars(period, Math.max(from, end - historyDays * dayMs), Math.min(to + 1, end), end)
  }

  return {
    async before(instrument, time) {
      const start = (period: Period) => bucketStart(period, time)
      const since: Record<Period, number> = {
        '1m': start('5m'),
        '5m': Math.min(start('15m'), bucketEnd('5m', start('5m')) - dayMs),
        '15m': start('30m'),
        '30m': start('1h'),
        '1h': Math.min(start('4h'), start('1h') - dayMs),
        '4h': start('1d'),
        '1d': Math.min(start('1w'), start('1M')),
        '1w': start('1w'),
        '1M': start('1M'),
      }
      const stored = await store.candlesSince(instrument, source, since)
      // The bucket in which ticks begin holds the end of the past. It is open, not closed.
      return new Map(
        periods.map((period) => [period, overlay(simulated(instrument, period, since[period], start(period) - 1), stored.get(period)!)]),
      )
    },
    closed(symbol, period, bar) {
      const name = `${symbol} ${period}`
      const list = (recent.get(name) ?? []).filter(({ time }) => time !== bar.time)
      // A copy, because the bar itself waits to be stored. Of a bucket that closes again the table has the whole.
      if (!bar.again) list.push({ ...bar })
      if (list.length > recentKept) list.shift()
      recent.set(name, list)
    },
    late(symbol, period, start, tick) {
      const name = `${symbol} ${period}`
      const list = recent.get(name) ?? []
      const bar = list.find(({ time }) => time === start)
      if (!bar) return undefined
      if (bar.firstAt === undefined) {
        // Whether the tick is the first of the bucket is known to the table alone.
        recent.set(
          name,
          list.filter((one) => one !== bar),
        )
        return undefined
      }
      addTick(bar, tick)
      return bar
    },
    async candles(instrument, period, from = 0, to = Number.MAX_SAFE_INTEGER, limit) {
      const { symbol } = instrument
      const open = board.openBar(symbol, period)
      const last = Math.min(to, Math.max(open?.time ?? 0, clock.now()))
      const inRange = (bar: Bar) => bar.time >= from && bar.time <= last
      const stored = await store.candles({ instrument, period, source, from, to: last, limit })
      const fresh = (recent.get(`${symbol} ${period}`) ?? []).filter(inRange)
      const oldest = Math.max(from, bucketBefore(period, bucketStart(period, last), limit))
      const first = open?.again && stored.find(({ time }) => time === open.time)
      const live = overlay(stored, fresh, open && inRange(open) ? [first ? joinBars(open.time, [first, open])! : open] : [])
      const whole = overlay(simulated(instrument, period, oldest, last), live)
      const filled = history(symbol) ? fillFlat(period, whole, last + 1, limit) : whole
      return filled
        .filter(inRange)
        .slice(-limit)
        .map((bar) => board.candle(symbol, bar))
    },
  }
}
