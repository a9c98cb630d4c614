import { expect, test } from 'vitest'
import { asksBy, secondsLeft } from '#widgets/quote-ring/ring.rules.ts'

test.each([
  [0, 10, 0],
  [1, 10, 0],
  [1_000, 9, 0],
  [9_001, 1, 0],
  [9_999, 1, 0],
  [10_000, 0, 1],
  [12_999, 0, 1],
  [13_000, 0, 2],
  [40_000, 0, 11],
  [-5_000, 15, 0],
])('%i ms after it came: %i s left, asked for %i times', (ms, seconds, asks) => {
  expect([secondsLeft(7_000, 7_000 + ms, 10_000), asksBy(7_000, 7_000 + ms, 10_000)]).toEqual([seconds, asks])
})
