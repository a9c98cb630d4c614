import { expect, test } from 'vitest'
import { bookLevels, gridOf, simulatedBook } from '#api-server/market/book.rules.ts'
import { keyOf } from '#api-server/market/sources/noise.rules.ts'

const p = { key: keyOf('BTCUSDT', 1), tickUnits: 1, tradeSize: 5_000 }
const at = Date.parse('2026-11-20T11:41:00Z')

test('at every price and time each side has twenty levels or more, sorted, on the tick, with sizes, and never crossed', () => {
  for (let i = 0; i < 300; i++) {
    const tickUnits = [1, 5, 10][i % 3]!
    const last = (100_000 + i * 37) * tickUnits
    const { bids, asks } = simulatedBook({ ...p, tickUnits }, last, at + i * 250)
    expect(bids.length).toBe(bookLevels)
    expect(asks.length).toBe(bookLevels)
    expect(bids[0]![0]).toBeLessThanOrEqual(last)
    expect(asks[0]![0]).toBeGreaterThan(bids[0]![0])
    for (const side of [bids, asks]) for (const [price, size] of side) expect(price % tickUnits === 0 && size > 0).toBe(true)
    for (let rank = 1; rank < bookLevels; rank++) {
      expect(bids[rank]![0]).toBeLessThan(bids[rank - 1]![0])
      expect(asks[rank]![0]).toBeGreaterThan(asks[rank - 1]![0])
    }
  }
})

test('a price of few ticks has as many bids as fit above zero', () => {
  const { bids, asks } = simulatedBook(p, 3, at)
  expect(bids.map(([price]) => price)).toEqual([3, 2, 1])
  expect(asks).toHaveLength(bookLevels)
})

test('levels keep their prices while the last price moves, and use every price step', () => {
  const prices = (last: number) => {
    const { bids, asks } = simulatedBook(p, last, at)
    return new Set([...bids, ...asks].map(([price]) => price))
  }
  const before = prices(9_800_000)
  const after = [...prices(9_800_700)].filter((price) => before.has(price))
  expect(after.length).toBeGreaterThan(bookLevels)
  expect([...before].some((price) => price % 100 !== 0)).toBe(true)
})

test('after a short time some levels have changed and most have not', () => {
  const before = simulatedBook(p, 9_800_000, at)
  const after = simulatedBook(p, 9_800_000, at + 250)
  const changed = before.asks.filter(([, size], i) => after.asks[i]![1] !== size).length
  expect(changed).toBeLessThan(bookLevels / 2)
  expect(simulatedBook(p, 9_800_000, at + 10_000)).not.toEqual(before)
  expect(simulatedBook(p, 9_800_000, at)).toEqual(before)
})

test.each([
  [9_800_000, 1, 500],
  [340_000, 1, 10],
  [85, 1, 1],
  [39_000, 5, 5],
  [20_000, 1, 1],
])('levels around %i with a tick of %i are %i apart', (price, tick, grid) => {
  expect(gridOf(price, tick)).toBe(grid)
})
