import { createHash } from 'node:crypto'

/** Fields of a tick in the log. Price and size are decimal text as stored. */
export interface LoggedTick {
  id: number
  symbol: string
  price: string
  size: string
  /** ms UTC. */
  time: number
  source: string
}
export interface ChainedTick extends LoggedTick {
  /** Hash of the previous row, in hex. */
  prev_hash: string
  hash: string
}

/** Hash before the first tick. */
export const genesisHash = '0'.repeat(64)

/** SHA-256 over the previous hash and the fields, one on each line. */
export function tickHash(prevHash: string, tick: LoggedTick): string {
  return createHash('sha256')
    .update(`${prevHash}\n${tick.id}\n${tick.symbol}\n${tick.price}\n${tick.size}\n${tick.time}\n${tick.source}`)
    .digest('hex')
}

export interface ChainTip {
  id: number
  hash: string
}

/**
 * Verifies the hash chain from `tip` over rows in the order of their ids.
 * @returns the id of the first row that does not fit (changed, inserted, or after a missing row), or the new tip
 */
export function followChain(tip: ChainTip, rows: readonly ChainedTick[]): { brokenAt: number } | { tip: ChainTip } {
  let at = tip
  for (const row of rows) {
    if (row.id !== at.id + 1 || row.prev_hash !== at.hash || row.hash !== tickHash(at.hash, row)) return { brokenAt: row.id }
    at = { id: row.id, hash: row.hash }
  }
  return { tip: at }
}
