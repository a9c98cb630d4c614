import { uniform } from '#api-server/market/sources/noise.rules.ts'

/** A level of the book in units: price, then size. */
export type UnitLevel = readonly [price: number, size: number]
/** Best level first on both sides. */
export interface UnitBook {
  bids: UnitLevel[]
  asks: UnitLevel[]
}

export interface BookParameters {
  /** Result of `keyOf(symbol, seed)`. */
  key: number
  tickUnits: number
  /** Average size of one trade, in units of size. */
  tradeSize: number
}

export const bookLevels = 24
/** Average distance of two levels, as a ratio of the price. */
const gridShare = 0.00004
const lane = { life: 11, size: 12, place: 14 } as const

/** Distance of two levels in units: 1, 2 or 5 times a power of ten of the price step. */
export function gridOf(price: number, tickUnits: number): number {
  const wanted = Math.max(1, (price * gridShare) / tickUnits)
  const power = 10 ** Math.floor(Math.log10(wanted))
  const lead = wanted / power
  return Math.max(1, Math.round((lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * power)) * tickUnits
}

function sizeAt(p: BookParameters, side: number, price: number, rank: number, time: number): number {
  // Each level keeps its size for 1 to 9 seconds, so that only some levels change at a time.
  const life = 1_000 + Math.floor(uniform(p.key, lane.life, price, side) * 8_000)
  const u = uniform(p.key, lane.size + side, price, Math.floor(time / life))
  return Math.max(1, Math.round(p.tradeSize * (1 + rank * 0.35) * (0.4 + 3.2 * u * u)))
}

/** The price of a grid cell's single level: a fixed price in the cell, on the price step. */
function priceIn(p: BookParameters, cell: number, grid: number): number {
  return cell * grid + Math.floor(uniform(p.key, lane.place, cell) * (grid / p.tickUnits)) * p.tickUnits
}

/**
 * The simulator's order book around the last price: one level in each grid cell, never crossed, with sizes that change every few seconds.
 * Levels at or below the last price are bids, levels above it are asks. A pure function, so that every node shows the same book.
 */
export function simulatedBook(p: BookParameters, last: number, time: number): UnitBook {
  const grid = gridOf(last, p.tickUnits)
  const middle = Math.floor(last / grid)
  const bids: UnitLevel[] = []
  const asks: UnitLevel[] = []
  for (let cell = middle; cell >= 0 && bids.length < bookLevels; cell--) {
    const price = priceIn(p, cell, grid)
    if (price > 0 && price <= last) bids.push([price, sizeAt(p, 0, price, bids.length, time)])
  }
  for (let cell = middle; asks.length < bookLevels; cell++) {
    const price = priceIn(p, cell, grid)
    if (price > last) asks.push([price, sizeAt(p, 1, price, asks.length, time)])
  }
  return { bids, asks }
}
