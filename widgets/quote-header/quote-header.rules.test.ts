import { expect, test } from 'vitest'
import { isDollar } from '#widgets/quote-header/quote-header.rules.ts'

test.each([
  ['USDT', true],
  ['USD', true],
  ['USDC', true],
  ['JPY', false],
  ['BTC', false],
  ['', false],
])('%s counts as dollars: %s', (currency, counts) => {
  expect(isDollar(currency)).toBe(counts)
})
