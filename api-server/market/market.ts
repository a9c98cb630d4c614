import { randomInt, randomUUID } from 'node:crypto'
import * as z from 'zod'
import { createSeries, type Series } from '#api-server/market/bars/series.ts'
import { type BarChange, type Board, createBoard } from '#api-server/market/board.ts'
import type { UnitBook, UnitLevel } from '#api-server/market/book.rules.ts'
import { createFollower, ticksMessage, ticksTopic } from '#api-server/market/follower.ts'
import type { MarketInstrument } from '#api-server/market/instruments.ts'
import { loadBoard } from '#api-server/market/load.ts'
import { createMarketReads, type MarketReads } from '#api-server/market/market.reads.ts'
import { type ClosedCandle, createMarketStore } from '#api-server/market/market.store.ts'
import { type BinanceSource, createBinanceSource } from '#api-server/market/sources/binance.source.ts'
import { createManualSource, type ManualSource } from '#api-server/market/sources/manual.source.ts'
import { createSimulator, type Simulator } from '#api-server/market/sources/simulator.source.ts'
import { type Source, type SourceName, type Tick, tickAheadMsMax } from '#api-server/market/sources/source.ts'
import { createTickLog } from '#api-server/market/tick-log.ts'
import { fromUnits } from '#api-server/market/units.rules.ts'
import type { Candle, Period, Quote } from '#contract/calls/market.calls.ts'
import type { DepthLevel, TradePrint } from '#contract/feed.ts'
import type { LoggedTick } from '#contract/tick-chain.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Bus } from '#server-kit/ops/bus.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import { createLease, createLeaseStore, type Lease } from '#server-kit/ops/lease.ts'
import type { Log } from '#server-kit/ops/log.ts'

const minuteMs = 60_000
const followEveryMs = 1_000
const depthEveryMs = 250
const depthTopic = 'market.depth'
const depthMessage = z.object({
  symbol: z.string().max(20),
  time: z.int(),
  bids: z.array(z.tuple([z.int().positive(), z.int().positive()])).max(50),
  asks: z.array(z.tuple([z.int().positive(), z.int().positive()])).max(50),
})
/** Past and order book of the simulator are the same in every installation. */
const simulatorSeed = 20_260_101
const depthAgeMsMax = 10_000

export interface MarketOptions {
  database: Database
  clock: Clock
  bus: Bus
  log: Log
  source: SourceName
  /** Address of the price stream (FEED_URL); for the source binance. */
  feedUrl?: string | undefined
  /** False for a market without data: the simulator starts without a past. */
  history?: boolean
  /** Seed of the simulator's future; for tests only. */
  liveSeed?: number
  /** Timer of the simulator; for tests only. */
  every?: (ms: number, beat: () => void) => () => void
  flushEveryMs?: number
}

/** A tick of the log, with the price as text. */
export type TickSeen = Pick<LoggedTick, 'id' | 'symbol' | 'price' | 'time'>
/** Called for each tick and each closed candle, synchronously and in order. */
interface MarketListener {
  ticked(tick: TickSeen): void
  closed(symbol: string, period: Period, candle: Candle): void
}

export interface Market {
  readonly source: SourceName
  readonly board: Board
  readonly series: Series
  readonly reads: MarketReads
  /** Accepts pushed ticks; undefined unless the source is manual. */
  readonly manual: ManualSource | undefined
  symbols(): string[]
  quote(symbol: string): Quote | undefined
  trades(symbol: string): readonly TradePrint[]
  /** Order book, best level first; empty sides when no book is known. Sizes are totals of the level. */
  depth(symbol: string, levels: number): { bids: DepthLevel[]; asks: DepthLevel[] }
  openCandle(symbol: string, period: Period): Candle | undefined
  listen(listener: MarketListener): () => void
  counts(): Record<string, number>
  /** Stops the source and writes queued ticks. */
  stop(): Promise<void>
}

type AnySource = { source: Source; simulator?: Simulator; binance?: BinanceSource; manual?: ManualSource }

function makeSource(options: MarketOptions, instruments: readonly MarketInstrument[]): AnySource {
  if (options.source === 'manual') {
    const manual = createManualSource(instruments)
    return { source: manual, manual }
  }
  if (options.source === 'binance') {
    if (!options.feedUrl) throw new Error('the source binance needs the address of its stream')
    const binance = createBinanceSource(instruments, { url: options.feedUrl, log: options.log })
    return { source: binance, binance }
  }
  const liveSeed = options.liveSeed ?? randomInt(0xffff_ffff)
  const simulator = createSimulator(instruments, { seed: simulatorSeed, liveSeed, every: options.every })
  return { source: simulator, simulator }
}

/** Opens the market: loads its state, then runs the source or follows the node that does. Resolves when quotes can be read. */
export async function openMarket(options: MarketOptions): Promise<Market> {
  const { database, clock, bus, log } = options
  const store = createMarketStore(database)
  if (options.source === 'simulator') await store.setHistoryEnd(Math.floor(clock.now() / minuteMs) * minuteMs)
  const instruments = await store.instruments()
  const { source, simulator, binance, manual } = makeSource(options, instruments)
  const pastOf = (symbol: string) => (options.history === false ? undefined : simulator?.history(symbol))

  const board = createBoard({ dayStats: binance?.dayStats, now: clock.now })
  const series = createSeries({ store, board, source: source.name, clock, history: pastOf })
  const listeners = new Set<MarketListener>()
  const remoteBooks = new Map<string, { book: UnitBook; time: number }>()
  let dropped = 0
  let leading = false
  let closing = Promise.resolve()
  let lease: Lease | undefined

  function apply(tick: Tick, id: number): ClosedCandle[] {
    const instrument = board.instrument(tick.symbol)
    if (!instrument) return []
    const changes = board.apply(tick, id)
    const remember = ({ period, bar, late }: BarChange) => {
      if (late) return series.late(tick.symbol, period, bar.time, tick)
      series.closed(tick.symbol, period, bar)
      return bar
    }
    const { symbol, time } = tick
    const seen: TickSeen = { id, symbol, price: fromUnits(tick.price, instrument.priceScale), time }
    const known = changes.map((change) => ({ period: change.period, bar: remember(change) }))
    for (const listener of listeners) {
      for (const { period, bar } of known) if (bar) listener.closed(tick.symbol, period, board.candle(tick.symbol, bar))
      listener.ticked(seen)
    }
    return changes.map(({ period, bar, late }) => ({ instrument, period, bar, late }))
  }

  const follower = createFollower({ board, store, apply })
  const tickLog = createTickLog({
    store,
    source: source.name,
    log,
    flushEveryMs: options.flushEveryMs,
    onStored(rows) {
      follower.moveTo(rows.at(-1)!.id)
      if (bus.shared)
        bus.publish(ticksTopic, { list: rows.map(({ id, symbol, price, size, time }) => ({ id, symbol, price, size, time })) })
    },
    onFenced() {
      stopLeading()
      void lease?.resign('another node writes the log')
    },
  })

  function onTicks(ticks: Tick[]): void {
    for (const tick of ticks) {
      const instrument = board.instrument(tick.symbol)
      // A price that bears a time that has not come yet is the price of no moment.
      const isOfFuture = tick.time > clock.now() + tickAheadMsMax
      if (!leading || !instrument || isOfFuture || !tickLog.accepting()) {
        dropped++
        continue
      }
      const row = {
        symbol: tick.symbol,
        price: fromUnits(tick.price, instrument.priceScale),
        size: fromUnits(tick.size, instrument.sizeScale),
        time: tick.time,
      }
      tickLog.add(row, (id) => apply(tick, id))
    }
  }

  async function lead(): Promise<void> {
    await closing
    // Later writes of another node are refused here, so nothing can come between the read and the write.
    await tickLog.open()
    await follower.catchUp()
    leading = true
    const from = new Map<string, number>()
    for (const instrument of source.instruments) {
      const price = board.last(instrument.symbol)?.price ?? pastEnd(instrument)?.price
      if (price) from.set(instrument.symbol, price)
    }
    source.start(onTicks, clock, from)
  }

  function stopLeading(): void {
    if (!leading) return
    leading = false
    source.stop()
    closing = tickLog.close()
  }

  /** Price at the end of the simulated past, which is the first price of all. */
  function pastEnd(instrument: MarketInstrument): { id: number; price: number; time: number } | undefined {
    const [past, time] = [simulator?.history(instrument.symbol), instrument.historyEnd]
    return past && time !== null ? { id: 0, price: past.priceAt(time), time } : undefined
  }

  const tip = await loadBoard({
    now: clock.now() + tickAheadMsMax,
    store,
    series,
    board,
    source,
    firstPrice: (one) => (pastOf(one.symbol) ? pastEnd(one) : undefined),
  })
  follower.moveTo(tip.id)
  const timers: NodeJS.Timeout[] = []
  const offs: (() => void)[] = []
  if (bus.shared) {
    let heardAt = 0
    const follow = (step: Promise<void>) =>
      void step.catch((error: unknown) =>
        log.warn({ err: error }, 'market: ticks could not be read from the log; they are read again at the next step'),
      )
    offs.push(
      bus.subscribe(ticksTopic, ticksMessage, ({ list }) => {
        heardAt = performance.now()
        if (!leading) follow(follower.take(list))
      }),
      bus.subscribe(depthTopic, depthMessage, ({ symbol, time, ...book }) => void (leading || remoteBooks.set(symbol, { book, time }))),
    )
    timers.push(
      setInterval(() => !leading && performance.now() - heardAt > 1.5 * followEveryMs && follow(follower.catchUp()), followEveryMs),
    )
    if (binance) {
      const sent = new Map<string, UnitBook>()
      const tell = (symbol: string) => {
        const book = binance.depth(symbol, 0, clock.now())
        if (!book || sent.get(symbol) === book) return
        sent.set(symbol, book)
        bus.publish(depthTopic, { symbol, time: clock.now(), ...book })
      }
      timers.push(setInterval(() => leading && board.symbols().forEach(tell), depthEveryMs))
    }
    lease = createLease({
      store: createLeaseStore(database, 'source'),
      does: 'runs the price source',
      holder: randomUUID(),
      log,
      onTaken: lead,
      onLost: stopLeading,
    })
    await lease.start()
  } else await lead()
  for (const timer of timers) timer.unref()

  function book(symbol: string): UnitBook | undefined {
    const last = board.last(symbol)
    const now = clock.now()
    const remote = leading ? undefined : remoteBooks.get(symbol)
    if (remote && now - remote.time <= depthAgeMsMax) return remote.book
    return last && source.depth?.(symbol, last.price, now)
  }

  function depth(symbol: string, levels: number): { bids: DepthLevel[]; asks: DepthLevel[] } {
    const { bids, asks } = book(symbol) ?? { bids: [], asks: [] }
    const { priceScale, sizeScale } = board.instrument(symbol) ?? { priceScale: 0, sizeScale: 0 }
    const text = (side: readonly UnitLevel[]) =>
      side.slice(0, levels).map(([price, size]): DepthLevel => [fromUnits(price, priceScale), fromUnits(size, sizeScale)])
    return { bids: text(bids), asks: text(asks) }
  }

  return {
    source: source.name,
    board,
    series,
    manual,
    reads: createMarketReads({
      board,
      store,
      clock,
      writer: () => (leading ? tickLog : undefined),
      // Ticks that this node still writes from its time as the writer come first.
      catchUp: () => (leading ? Promise.resolve() : closing.then(() => follower.catchUp())),
    }),
    symbols: board.symbols,
    quote: board.quote,
    trades: board.trades,
    depth,
    openCandle(symbol, period) {
      const bar = board.openBar(symbol, period)
      return bar && board.candle(symbol, bar)
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    counts: () => ({ leading: leading ? 1 : 0, dropped, ...tickLog.counts(), ...source.counts?.() }),
    async stop() {
      for (const timer of timers) clearInterval(timer)
      for (const off of offs) off()
      leading = false
      source.stop()
      await closing
      await tickLog.close()
      await lease?.stop()
    },
  }
}
