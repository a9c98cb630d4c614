/** Fields of a tick in the log of prices. Price and size are decimal text as the log has it. */
export interface LoggedTick {
  /** Its number: 1 for the first tick of the log, then one more each. */
  id: number
  symbol: string
  price: string
  size: string
  /** ms UTC. */
  time: number
  source: string
}
export interface ChainedTick extends LoggedTick {
  /** Hash of the tick before, in hex. */
  prev_hash: string
  hash: string
}
/** Where a chain of ticks ends. */
export interface ChainTip {
  id: number
  hash: string
}

/** Hash before the first tick. */
export const genesisHash = '0'.repeat(64)

/** SHA-256 of a text in UTF-8, in hex. Servers take it from Node, browsers from a library, so that each has the quickest. */
export type Sha256 = (text: string) => string

/** The hash of a tick: SHA-256 over the hash of the tick before and the fields, one a line. */
export const tickHash = (sha256: Sha256, prevHash: string, { id, symbol, price, size, time, source }: LoggedTick): string =>
  sha256([prevHash, id, symbol, price, size, time, source].join('\n'))

/**
 * Verifies the hash chain from `tip` over rows in the order of their numbers.
 * @returns the number of the first row that does not fit (changed, inserted, or after a missing row), or the new tip
 */
export function followChain(sha256: Sha256, tip: ChainTip, rows: readonly ChainedTick[]): { brokenAt: number } | { tip: ChainTip } {
  let at = tip
  for (const row of rows) {
    if (row.id !== at.id + 1 || row.prev_hash !== at.hash || row.hash !== tickHash(sha256, at.hash, row)) return { brokenAt: row.id }
    at = { id: row.id, hash: row.hash }
  }
  return { tip: at }
}
