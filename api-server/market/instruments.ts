import { decimalsOf, toUnits } from '#api-server/market/units.rules.ts'
import type { Instrument } from '#contract/calls/market.calls.ts'

/** An instrument of the table, with the decimals of its units. */
export interface MarketInstrument extends Omit<Instrument, 'title' | 'source'> {
  position: number
  /** Decimals of a price in units, and of a size in units. */
  priceScale: number
  sizeScale: number
  /** Price step in units. */
  tickUnits: number
  /** End of the simulated past and start of ticks, ms UTC; null before the first run of the simulator. */
  historyEnd: number | null
}

export function withUnits(row: Omit<MarketInstrument, 'priceScale' | 'sizeScale' | 'tickUnits'>): MarketInstrument {
  const priceScale = decimalsOf(row.tick)
  const tickUnits = toUnits(row.tick, priceScale)
  if (!tickUnits) throw new Error(`the price step of ${row.symbol} is not above 0`)
  return { ...row, priceScale, sizeScale: decimalsOf(row.step), tickUnits }
}

type Seed = readonly [base: string, group: Instrument['group'], tick: string, step: string, hot: boolean]

/** Instruments of a new database. Numbers and order are stable: add new instruments at the end. */
const seeds: readonly Seed[] = [
  ['BTC', 'currency', '0.01', '0.00001', true],
  ['ETH', 'currency', '0.01', '0.0001', true],
  ['BNB', 'currency', '0.01', '0.001', true],
  ['SOL', 'currency', '0.01', '0.001', true],
  ['XRP', 'currency', '0.0001', '0.1', true],
  ['ADA', 'currency', '0.0001', '0.1', false],
  ['DOGE', 'currency', '0.00001', '1', true],
  ['TRX', 'currency', '0.0001', '0.1', false],
  ['AVAX', 'currency', '0.01', '0.01', false],
  ['LINK', 'currency', '0.01', '0.01', false],
  ['DOT', 'currency', '0.001', '0.01', false],
  ['LTC', 'currency', '0.01', '0.001', false],
  ['BCH', 'currency', '0.1', '0.001', false],
  ['UNI', 'currency', '0.001', '0.01', false],
  ['ATOM', 'currency', '0.001', '0.01', false],
  ['NEAR', 'currency', '0.001', '0.1', false],
  ['AAPL', 'stock', '0.01', '0.01', true],
  ['MSFT', 'stock', '0.01', '0.01', false],
  ['NVDA', 'stock', '0.01', '0.01', true],
  ['TSLA', 'stock', '0.01', '0.01', true],
  ['AMZN', 'stock', '0.01', '0.01', false],
  ['GOOGL', 'stock', '0.01', '0.01', false],
  ['XAU', 'metal', '0.01', '0.001', true],
  ['XAG', 'metal', '0.001', '0.01', false],
  ['XPT', 'metal', '0.1', '0.001', false],
  ['XPD', 'metal', '0.1', '0.001', false],
  ['US500', 'index', '0.1', '0.01', true],
  ['NAS100', 'index', '0.1', '0.01', false],
  ['HK50', 'index', '1', '0.01', false],
  ['JP225', 'index', '5', '0.01', false],
]

export const instrumentSeeds = seeds.map(([base, group, tick, step, hot], at) => ({
  match_id: at + 1,
  symbol: `${base}USDT`,
  name: `${base}/USDT`,
  base,
  quote: 'USDT',
  group,
  tick,
  step,
  hot,
  position: at + 1,
}))
