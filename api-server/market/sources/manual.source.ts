import type { MarketInstrument } from '#api-server/market/instruments.ts'
import { type Source, type Tick, tickAheadMsMax } from '#api-server/market/sources/source.ts'
import { toUnits } from '#api-server/market/units.rules.ts'
import { parseAmount } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Clock } from '#server-kit/ops/clock.ts'

/** A tick from a test. `time` defaults to now; without `size` the trade has none. */
interface PushedTick {
  symbol: string
  price: string
  time?: number
  size?: string
}

export interface ManualSource extends Source {
  /**
   * @throws ApiProblem symbol_unknown; parameter_error for a price that is not a multiple of the price step, and for a time that has not come yet;
   * busy while the source is stopped
   */
  push(tick: PushedTick): void
}

/** A source for tests: prices change only by pushed ticks. It runs with TEST_HOOKS only. */
export function createManualSource(instruments: readonly MarketInstrument[]): ManualSource {
  const bySymbol = new Map(instruments.map((one) => [one.symbol, one]))
  const last = new Map<string, number>()
  let running: { emit: (ticks: Tick[]) => void; clock: Clock } | undefined

  return {
    name: 'manual',
    instruments,
    start(emit, clock, from) {
      running = { emit, clock }
      for (const [symbol, price] of from) last.set(symbol, price)
    },
    stop() {
      running = undefined
    },
    push({ symbol, price, time, size }) {
      const instrument = bySymbol.get(symbol)
      if (!instrument) throw new ApiProblem('symbol_unknown', { field: 'symbol' })
      const units = parseAmount(price) && toUnits(price, instrument.priceScale)
      if (!units || units % instrument.tickUnits !== 0) throw new ApiProblem('parameter_error', { field: 'price' })
      const volume = size === undefined ? 0 : toUnits(size, instrument.sizeScale)
      if (volume === undefined) throw new ApiProblem('parameter_error', { field: 'size' })
      if (time !== undefined && (!Number.isSafeInteger(time) || time < 0)) throw new ApiProblem('parameter_error', { field: 'time' })
      if (!running) throw new ApiProblem('busy')
      if (time !== undefined && time > running.clock.now() + tickAheadMsMax) throw new ApiProblem('parameter_error', { field: 'time' })
      const side = units < (last.get(symbol) ?? 0) ? 'sell' : 'buy'
      last.set(symbol, units)
      running.emit([{ symbol, price: units, size: volume, side, time: time ?? running.clock.now() }])
    },
  }
}
