import { expect, test } from 'vitest'
import { expectedAt, secondsLeft, shareLeft } from '#widgets/option-order/order.rules.ts'

test.each([
  [0, 60, 1],
  [1, 60, 59_999 / 60_000],
  [1_000, 59, 59_000 / 60_000],
  [59_001, 1, 999 / 60_000],
  [60_000, 0, 0],
  [90_000, 0, 0],
  [-30_000, 60, 1],
])('%i ms after it was opened', (ms, seconds, share) => {
  const opened = 1_700_000_000_000
  expect(secondsLeft(opened + 60_000, opened + ms, 60)).toBe(seconds)
  expect(shareLeft(opened + 60_000, opened + ms, 60)).toBeCloseTo(share)
})

const order = { type: 'up', number: '100', rate: '0.3', scale: 8, open_price: '50000' } as const
test.each([
  ['up', '50000.01', 'won', '30'],
  ['up', '49999.99', 'lost', '-100'],
  ['up', '50000.00', 'draw', '0'],
  ['down', '49999.99', 'won', '30'],
  ['down', '50000.01', 'lost', '-100'],
] as const)('%s at %s: %s %s', (type, price, outcome, profit) => {
  expect(expectedAt({ ...order, type }, price)).toEqual({ outcome, profit })
})
