import { uniform } from '#api-server/market/noise.rules.ts'

/** A level in units: price, then absolute size. */
export type UnitLevel = readonly [price: number, size: number]
/** Best level first on both sides. */
export interface UnitBook {
  bids: UnitLevel[]
  asks: UnitLevel[]
}

export interface BookParameters {
  /** From keyOf(symbol, seed). */
  key: number
  tickUnits: number
  /** Usual size of one trade, in units of size. */
  tradeSize: number
}

export const bookLevels = 24
/** Usual distance of two levels, as a part of the price. */
const gridShare = 0.00012
const lane = { life: 11, size: 12 } as const

/** Distance of levels in units: 1, 2 or 5 times a power of ten of the price step. */
export function gridOf(price: number, tickUnits: number): number {
  const wanted = Math.max(1, (price * gridShare) / tickUnits)
  const power = 10 ** Math.floor(Math.log10(wanted))
  const lead = wanted / power
  return Math.max(1, Math.round((lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * power)) * tickUnits
}

function sizeAt(p: BookParameters, side: number, price: number, rank: number, time: number): number {
  // Each level keeps its size for 1 to 9 seconds of its own, so that between two looks only some levels change.
  const life = 1_000 + Math.floor(uniform(p.key, lane.life, price, side) * 8_000)
  const u = uniform(p.key, lane.size + side, price, Math.floor(time / life))
  return Math.max(1, Math.round(p.tradeSize * (1 + rank * 0.35) * (0.4 + 3.2 * u * u)))
}

/**
 * The simulator's own book around the last price: levels on a fixed grid, never crossed, sizes that live a few seconds.
 * A function of its arguments alone, so that every node shows the same one.
 */
export function houseBook(p: BookParameters, last: number, time: number): UnitBook {
  const grid = gridOf(last, p.tickUnits)
  const bestBid = Math.floor(last / grid) * grid
  const bids: UnitLevel[] = []
  const asks: UnitLevel[] = []
  for (let rank = 0; rank < bookLevels; rank++) {
    const bid = bestBid - rank * grid
    const ask = bestBid + (rank + 1) * grid
    if (bid > 0) bids.push([bid, sizeAt(p, 0, bid, rank, time)])
    asks.push([ask, sizeAt(p, 1, ask, rank, time)])
  }
  return { bids, asks }
}
