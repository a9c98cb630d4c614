import { type Bar, barOf } from '#api-server/market/bars/bars.rules.ts'
import { bucketStart } from '#api-server/market/bars/periods.rules.ts'
import type { Series } from '#api-server/market/bars/series.ts'
import type { Board } from '#api-server/market/board.ts'
import type { MarketInstrument } from '#api-server/market/instruments.ts'
import type { MarketStore } from '#api-server/market/market.store.ts'
import type { Source } from '#api-server/market/sources/source.ts'
import { toUnits, toUnitsCut } from '#api-server/market/units.rules.ts'
import type { ChainTip } from '#contract/tick-chain.ts'

interface LoadOptions {
  /** Ticks that bear a later time, in milliseconds since 1970, were written before the clock was set back. */
  now: number
  store: Pick<MarketStore, 'tip' | 'lastTicks' | 'ticksSince'>
  series: Series
  board: Board
  source: Source
  /** Price to show for an instrument without a tick of this source. */
  firstPrice: (instrument: MarketInstrument) => { id: number; price: number; time: number } | undefined
}

const ticksPerMinuteMax = 10_000

/** Loads the board from the database: last prices, open candles, the last 24 hours. @returns the end of the log */
export async function loadBoard({ now, store, series, board, source, firstPrice }: LoadOptions): Promise<ChainTip> {
  const tip = await store.tip()
  const lastTicks = new Map((await store.lastTicks(now)).filter((tick) => tick.source === source.name).map((tick) => [tick.symbol, tick]))
  for (const instrument of source.instruments) {
    const tick = lastTicks.get(instrument.symbol)
    const price = tick && toUnits(tick.price, instrument.priceScale)
    const last = tick && price ? { id: tick.id, price, time: tick.time } : firstPrice(instrument)
    const minute: Bar[] = []
    if (tick && last) {
      const start = bucketStart('1m', last.time)
      for (const row of await store.ticksSince(instrument.symbol, start, ticksPerMinuteMax)) {
        if (row.time > now) continue
        const units = toUnits(row.price, instrument.priceScale)
        if (row.id <= tip.id && row.source === source.name && units)
          minute.push(barOf(start, units, toUnitsCut(row.size, instrument.sizeScale) ?? 0))
      }
    }
    board.begin(instrument, { last, minute, closed: last ? await series.before(instrument, last.time) : new Map() })
  }
  return tip
}
