import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type ChainedTick, followChain, genesisHash, type Sha256, tickHash } from '#contract/tick-chain.ts'

const sha256: Sha256 = (text) => createHash('sha256').update(text).digest('hex')

function chain(count: number): ChainedTick[] {
  const rows: ChainedTick[] = []
  let prev_hash = genesisHash
  for (let id = 1; id <= count; id++) {
    const tick = { id, symbol: 'BTCUSDT', price: `${60_000 + id}.50`, size: '0.01', time: 1_795_000_000_000 + id, source: 'manual' }
    const hash = tickHash(sha256, prev_hash, tick)
    rows.push({ ...tick, prev_hash, hash })
    prev_hash = hash
  }
  return rows
}
const start = { id: 0, hash: genesisHash }

test('an unchanged chain ends at its last row', () => {
  const rows = chain(5)
  expect(followChain(sha256, start, rows)).toEqual({ tip: { id: 5, hash: rows[4]!.hash } })
  expect(followChain(sha256, { id: 2, hash: rows[1]!.hash }, rows.slice(2))).toEqual({ tip: { id: 5, hash: rows[4]!.hash } })
})

test('a known tick has a known hash, so the format cannot change unnoticed', () => {
  expect(chain(1)[0]!.hash).toBe('41232ab40c2c8a26d5ae0552ebe776ed004b00351819614271345431aea70351')
})

const changed: [string, Partial<ChainedTick>][] = [
  ['price', { price: '60003.51' }],
  ['the same price in another notation', { price: '60003.5' }],
  ['size', { size: '0.02' }],
  ['time', { time: 1 }],
  ['symbol', { symbol: 'ETHUSDT' }],
  ['source', { source: 'simulator' }],
  ['hash', { hash: genesisHash }],
  ['previous hash', { prev_hash: genesisHash }],
]
test.each(changed)('a row with another %s is found', (_name, change) => {
  const rows = chain(5)
  rows[2] = { ...rows[2]!, ...change }
  expect(followChain(sha256, start, rows)).toEqual({ brokenAt: 3 })
})

test('a row changed together with its hash is found at the next row', () => {
  const rows = chain(5)
  const forged = { ...rows[2]!, price: '1.00' }
  rows[2] = { ...forged, hash: tickHash(sha256, forged.prev_hash, forged) }
  expect(followChain(sha256, start, rows)).toEqual({ brokenAt: 4 })
})

test('a missing row and two swapped rows are found', () => {
  expect(
    followChain(
      sha256,
      start,
      chain(5).filter(({ id }) => id !== 3),
    ),
  ).toEqual({ brokenAt: 4 })
  const [a, b, c] = chain(3) as [ChainedTick, ChainedTick, ChainedTick]
  expect(followChain(sha256, start, [b, a, c])).toEqual({ brokenAt: 2 })
})
