import { WebSocket } from 'ws'
import type { DayStats } from '#api-server/market/bars/stats.rules.ts'
import type { UnitBook, UnitLevel } from '#api-server/market/book.rules.ts'
import type { MarketInstrument } from '#api-server/market/instruments.ts'
import { readFrame, streamAddress, type UpstreamFrame } from '#api-server/market/sources/binance.frames.rules.ts'
import type { Source, Tick } from '#api-server/market/sources/source.ts'
import { toUnits, toUnitsCut } from '#api-server/market/units.rules.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Log } from '#server-kit/ops/log.ts'

const upstreamLimits = {
  frameBytesMax: 262_144,
  handshakeMs: 10_000,
  /** A connection without any frame for this long counts as dead. */
  silenceMs: 20_000,
  /** A frame sent longer ago than this is ignored, because its price is out of date. */
  frameAgeMsMax: 10_000,
  /** The summary counts as a price when there was no trade for this long. */
  tradeQuietMs: 1_000,
  retryMinMs: 1_000,
  retryMaxMs: 30_000,
} as const

interface BinanceOptions {
  /** Address of the stream, wss:// (ws:// to a stub). */
  url: string
  log: Log
  retryMinMs?: number
  silenceMs?: number
}

export interface BinanceSource extends Source {
  depth: NonNullable<Source['depth']>
  counts: NonNullable<Source['counts']>
  /** Statistics of 24 hours from the upstream, in units. */
  dayStats(symbol: string): DayStats | undefined
}

interface Known {
  instrument: MarketInstrument
  book?: UnitBook
  bookAt: number
  update: number
  day?: DayStats
  tradeId: number
  tradeAt: number
}

/** Price source on the public stream of Binance. Trades become ticks; order book and 24-hour statistics are passed on. Currencies only. */
export function createBinanceSource(all: readonly MarketInstrument[], options: BinanceOptions): BinanceSource {
  const instruments = all.filter((one) => one.group === 'currency')
  const known = new Map<string, Known>(
    instruments.map((instrument) => [instrument.symbol, { instrument, bookAt: 0, update: 0, tradeId: 0, tradeAt: 0 }]),
  )
  const counts = { frames: 0, refused: 0, late: 0, reconnects: 0 }
  let run: { socket?: WebSocket; retry?: NodeJS.Timeout; watch: NodeJS.Timeout; heardAt: number; failures: number } | undefined

  const levels = (rows: [string, string][], one: MarketInstrument) =>
    rows
      .map(([price, size]): UnitLevel => [toUnits(price, one.priceScale) ?? 0, toUnitsCut(size, one.sizeScale) ?? 0])
      .filter(([price, size]) => price > 0 && size > 0)

  function takeDepth(one: Known, frame: Extract<UpstreamFrame, { kind: 'depth' }>, now: number): boolean {
    if (frame.update <= one.update) return true
    const bids = levels(frame.bids, one.instrument)
    const asks = levels(frame.asks, one.instrument)
    if (bids[0] && asks[0] && bids[0][0] >= asks[0][0]) return false
    Object.assign(one, { book: { bids, asks }, bookAt: now, update: frame.update })
    return true
  }

  function takeDay(one: Known, frame: Extract<UpstreamFrame, { kind: 'day' }>, now: number): Tick | undefined | false {
    const { priceScale, sizeScale, symbol } = one.instrument
    const [open, high, low, last] = [frame.open, frame.high, frame.low, frame.last].map((text) => toUnits(text, priceScale))
    const volume = toUnitsCut(frame.volume, sizeScale)
    if (!open || !high || !low || !last || volume === undefined || high < low) return false
    one.day = { open, high, low, volume }
    if (now - one.tradeAt < upstreamLimits.tradeQuietMs) return undefined
    return { symbol, price: last, size: 0, side: 'buy', time: now }
  }

  function takeTrade(one: Known, frame: Extract<UpstreamFrame, { kind: 'trade' }>, now: number): Tick | undefined | false {
    const price = toUnits(frame.price, one.instrument.priceScale)
    const size = toUnitsCut(frame.size, one.instrument.sizeScale)
    if (!price || size === undefined) return false
    if (frame.id <= one.tradeId) return undefined
    one.tradeId = frame.id
    one.tradeAt = now
    return { symbol: frame.symbol, price, size, side: frame.side, time: now }
  }

  function take(json: string, emit: (ticks: Tick[]) => void, clock: Clock): void {
    counts.frames++
    const frame = readFrame(json)
    const one = frame && known.get(frame.symbol)
    if (!frame || !one) {
      counts.refused++
      return
    }
    const now = clock.now()
    if (frame.kind !== 'depth' && now - frame.sentAt > upstreamLimits.frameAgeMsMax) {
      counts.late++
      return
    }
    const tick =
      frame.kind === 'depth'
        ? takeDepth(one, frame, now)
          ? undefined
          : false
        : frame.kind === 'day'
          ? takeDay(one, frame, now)
          : takeTrade(one, frame, now)
    if (tick === false) counts.refused++
    else if (tick) emit([tick])
  }

  function connect(emit: (ticks: Tick[]) => void, clock: Clock): void {
    const mine = run
    if (!mine) return
    const address = streamAddress(
      options.url,
      instruments.map((one) => one.symbol),
    )
    const socket = new WebSocket(address, {
      perMessageDeflate: false,
      maxPayload: upstreamLimits.frameBytesMax,
      handshakeTimeout: upstreamLimits.handshakeMs,
    })
    mine.socket = socket
    mine.heardAt = performance.now()
    const heard = () => {
      mine.heardAt = performance.now()
    }
    socket.on('open', () => options.log.info({ host: new URL(address).host }, 'market: the price stream is open'))
    socket.on('ping', heard)
    socket.on('message', (data, isBinary) => {
      heard()
      mine.failures = 0
      if (isBinary) counts.refused++
      else if (run === mine) take(String(data), emit, clock)
    })
    socket.on('error', (error) => options.log.warn({ err: error }, 'market: the price stream failed; the source reconnects'))
    socket.on('close', () => {
      if (run !== mine) return
      counts.reconnects++
      const least = options.retryMinMs ?? upstreamLimits.retryMinMs
      const waitMs = Math.min(upstreamLimits.retryMaxMs, least * 2 ** Math.min(mine.failures++, 10)) * (0.5 + Math.random())
      mine.retry = setTimeout(() => connect(emit, clock), waitMs)
    })
  }

  function stop(): void {
    const ended = run
    run = undefined
    if (!ended) return
    clearInterval(ended.watch)
    clearTimeout(ended.retry)
    ended.socket?.terminate()
  }

  return {
    name: 'binance',
    instruments,
    start(emit, clock) {
      stop()
      const silenceMs = options.silenceMs ?? upstreamLimits.silenceMs
      const watch = setInterval(
        () => {
          if (run && performance.now() - run.heardAt > silenceMs) run.socket?.terminate()
        },
        Math.max(50, silenceMs / 4),
      )
      watch.unref()
      run = { watch, heardAt: performance.now(), failures: 0 }
      connect(emit, clock)
    },
    stop,
    depth(symbol, _last, now) {
      const one = known.get(symbol)
      return one?.book && now - one.bookAt <= upstreamLimits.frameAgeMsMax ? one.book : undefined
    },
    dayStats: (symbol) => known.get(symbol)?.day,
    counts: () => ({ ...counts }),
  }
}
