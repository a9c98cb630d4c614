import { createHistory, type History } from '#api-server/market/bars/history.rules.ts'
import { type BookParameters, simulatedBook } from '#api-server/market/book.rules.ts'
import type { MarketInstrument } from '#api-server/market/instruments.ts'
import { keyOf } from '#api-server/market/sources/noise.rules.ts'
import type { Source, Tick } from '#api-server/market/sources/source.ts'
import { createWalk, type Walk, type WalkParameters } from '#api-server/market/sources/walk.rules.ts'
import { decimalsOf, toUnitsCut } from '#api-server/market/units.rules.ts'

/** How an instrument moves in the simulation: mean price, daily deviation, ticks a second, average trade and average day in base units. */
type Character = readonly [price: string, dayVolatility: number, ticksPerSecond: number, trade: string, day: string]

const characters: Readonly<Record<string, Character>> = {
  BTCUSDT: ['98000', 0.022, 3, '0.05', '24000'],
  ETHUSDT: ['3400', 0.028, 3, '0.8', '390000'],
  BNBUSDT: ['650', 0.022, 1.5, '1.5', '240000'],
  SOLUSDT: ['190', 0.036, 1.5, '8', '4200000'],
  XRPUSDT: ['2.3', 0.034, 1.5, '900', '260000000'],
  ADAUSDT: ['0.85', 0.036, 0.7, '1800', '160000000'],
  DOGEUSDT: ['0.32', 0.04, 1.5, '5200', '1500000000'],
  TRXUSDT: ['0.25', 0.024, 0.7, '3900', '420000000'],
  AVAXUSDT: ['38', 0.037, 0.7, '24', '5600000'],
  LINKUSDT: ['23', 0.035, 0.7, '38', '6100000'],
  DOTUSDT: ['7', 0.034, 0.7, '110', '11000000'],
  LTCUSDT: ['105', 0.03, 0.7, '6', '900000'],
  BCHUSDT: ['440', 0.031, 0.7, '1.4', '120000'],
  UNIUSDT: ['13', 0.038, 0.7, '60', '5200000'],
  ATOMUSDT: ['6.6', 0.033, 0.7, '90', '4800000'],
  NEARUSDT: ['5.2', 0.039, 0.7, '130', '9000000'],
  AAPLUSDT: ['230', 0.014, 0.7, '12', '900000'],
  MSFTUSDT: ['430', 0.013, 0.7, '7', '420000'],
  NVDAUSDT: ['140', 0.026, 1.5, '25', '3600000'],
  TSLAUSDT: ['350', 0.032, 1.5, '9', '1900000'],
  AMZNUSDT: ['220', 0.017, 0.7, '11', '760000'],
  GOOGLUSDT: ['190', 0.016, 0.7, '12', '680000'],
  XAUUSDT: ['2700', 0.009, 1.5, '1.2', '98000'],
  XAGUSDT: ['31', 0.016, 0.7, '60', '3100000'],
  XPTUSDT: ['960', 0.014, 0.7, '1.5', '42000'],
  XPDUSDT: ['980', 0.019, 0.7, '1.1', '31000'],
  US500USDT: ['5950', 0.009, 1.5, '0.8', '88000'],
  NAS100USDT: ['21000', 0.012, 1.5, '0.3', '41000'],
  HK50USDT: ['20000', 0.014, 0.7, '0.3', '22000'],
  JP225USDT: ['39000', 0.013, 0.7, '0.2', '18000'],
}

const beatMs = 100
const minuteMs = 60_000

interface Simulated {
  instrument: MarketInstrument
  history: History
  book: BookParameters
  walk: WalkParameters
}

interface SimulatorOptions {
  /** Determines the past and the order book. */
  seed: number
  /** Determines the future. Random outside tests, so that nobody can predict prices. */
  liveSeed: number
  /** Calls `beat` every `ms` until the returned function is called; replaced in tests. */
  every?: (ms: number, beat: () => void) => () => void
}

export interface Simulator extends Source {
  depth: NonNullable<Source['depth']>
  /** The past of an instrument; undefined for an instrument that is not simulated. */
  history(symbol: string): History | undefined
}

function everyMs(ms: number, beat: () => void): () => void {
  const timer = setInterval(beat, ms)
  timer.unref()
  return () => clearInterval(timer)
}

function simulate(instrument: MarketInstrument, seed: number): Simulated | undefined {
  const character = Object.hasOwn(characters, instrument.symbol) ? characters[instrument.symbol] : undefined
  if (!character) return undefined
  const [price, dayVolatility, ticksPerSecond, trade, day] = character
  const key = keyOf(instrument.symbol, seed)
  const basePrice = Math.round(Number(price) / Number(instrument.tick))
  const sizeOf = (text: string) => Math.max(1, toUnitsCut(text, decimalsOf(instrument.step)) ?? 1)
  const tradeSize = sizeOf(trade)
  return {
    instrument,
    history: createHistory({ key, basePrice, dayVolatility, dayVolume: sizeOf(day), tickUnits: instrument.tickUnits }),
    book: { key, tickUnits: instrument.tickUnits, tradeSize },
    walk: { basePrice, dayVolatility, ticksPerSecond, tradeSize },
  }
}

/** Price source with simulated prices, for trials and development. Screens label them as simulated. Trades around the clock. */
export function createSimulator(instruments: readonly MarketInstrument[], options: SimulatorOptions): Simulator {
  const simulated = new Map<string, Simulated>()
  for (const instrument of instruments) {
    const one = simulate(instrument, options.seed)
    if (one) simulated.set(instrument.symbol, one)
  }
  let stopBeat: (() => void) | undefined

  return {
    name: 'simulator',
    instruments: [...simulated.values()].map((one) => one.instrument),
    start(emit, clock, from) {
      stopBeat?.()
      const walks: { one: Simulated; walk: Walk; last: number }[] = []
      for (const one of simulated.values()) {
        const { symbol, tickUnits } = one.instrument
        const start = from.get(symbol) ?? one.history.priceAt(Math.floor(clock.now() / minuteMs) * minuteMs)
        walks.push({
          one,
          walk: createWalk(one.walk, Math.max(1, Math.round(start / tickUnits)), keyOf(symbol, options.liveSeed)),
          last: start,
        })
      }
      const beat = () => {
        const now = clock.now()
        const steps: { tick: Tick; at: number }[] = []
        for (const each of walks) {
          const { symbol, tickUnits } = each.one.instrument
          for (const step of each.walk.advance(now)) {
            const price = step.price * tickUnits
            const side = price === each.last ? (step.size % 2 ? 'buy' : 'sell') : price > each.last ? 'buy' : 'sell'
            each.last = price
            // Received now: a price of an earlier moment would come after what was settled by the last one before it.
            steps.push({ tick: { symbol, price, size: step.size, side, time: now }, at: step.time })
          }
        }
        if (steps.length) emit(steps.sort((a, b) => a.at - b.at).map(({ tick }) => tick))
      }
      beat()
      stopBeat = (options.every ?? everyMs)(beatMs, beat)
    },
    stop() {
      stopBeat?.()
      stopBeat = undefined
    },
    depth(symbol, last, now) {
      const one = simulated.get(symbol)
      return one && simulatedBook(one.book, last, now)
    },
    history: (symbol) => simulated.get(symbol)?.history,
  }
}
