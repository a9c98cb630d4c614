import { expect, test } from 'vitest'
import { createStream, gauss, gaussFrom, hash32, keyOf, uniform } from '#api-server/market/sources/noise.rules.ts'

test('the same key gives the same number, another key another number', () => {
  expect(hash32(1, 2, 3, 4)).toBe(hash32(1, 2, 3, 4))
  const keys = [
    hash32(1, 2, 3),
    hash32(2, 1, 3),
    hash32(1, 3, 2),
    hash32(1, 2, 3, 1),
    keyOf('BTCUSDT', 1),
    keyOf('BTCUSDT', 2),
    keyOf('ETHUSDT', 1),
  ]
  expect(new Set(keys).size).toBe(keys.length)
})

test('times beyond 32 bits give different numbers', () => {
  expect(hash32(1, 2, 1_795_174_860_000)).not.toBe(hash32(1, 2, 1_795_174_860_000 - 4_294_967_296))
})

test('uniform fills [0, 1) evenly', () => {
  const bins = new Array(10).fill(0)
  for (let i = 0; i < 20_000; i++) bins[Math.floor(uniform(7, i) * 10)]++
  for (const count of bins) expect(Math.abs(count - 2_000)).toBeLessThan(250)
})

test.each([
  ['by key', (i: number) => gauss(3, 5, i)],
  [
    'from a stream',
    (
      (next) => () =>
        gaussFrom(next)
    )(createStream(9)),
  ],
])('normal numbers %s have mean 0 and deviation 1', (_name, draw) => {
  const all = Array.from({ length: 20_000 }, (_, i) => draw(i))
  const mean = all.reduce((a, b) => a + b) / all.length
  expect(Math.abs(mean)).toBeLessThan(0.03)
  expect(Math.abs(Math.sqrt(all.reduce((a, b) => a + b * b) / all.length) - 1)).toBeLessThan(0.03)
  expect(all.every(Number.isFinite)).toBe(true)
})
