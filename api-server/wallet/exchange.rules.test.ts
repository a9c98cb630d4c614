import Big from 'big.js'
import { expect, test } from 'vitest'
import { isQuoteGood, quoteLifeMs, ratesOf } from '#api-server/wallet/exchange.rules.ts'
import { walletExchangeReceived } from '#contract/functions/wallet.exchangeReceived.function.ts'

const paidOut = (amount: string, rate: string, scale: number) => walletExchangeReceived.run({ amount, rate, scale })

test.each<[fromUsd: string, toUsd: string, spread: string, rate: string, net: string]>([
  ['50000', '1', '0.002', '50000', '49900'],
  ['1', '50000', '0.002', '0.00002', '0.00001996'],
  ['1', '3', '0', '0.333333333333333333', '0.333333333333333333'],
  ['1', '3', '0.1', '0.333333333333333333', '0.299999999999999999'],
])('%s for %s, spread %s: %s, %s', (fromUsd, toUsd, spread, rate, netRate) => {
  expect(ratesOf(fromUsd, toUsd, spread)).toEqual({ rate, netRate })
})
test('a price of zero gives no rate', () => {
  expect(ratesOf('0.0000000001', '1000000000000', '0')).toBeUndefined()
  expect(ratesOf('1', '1', '1')).toBeUndefined()
})

test('exchanging the smallest unit there and back never gains, for every pair', () => {
  const coins = [
    { usd: '50000', scale: 8 },
    { usd: '2500.01', scale: 8 },
    { usd: '1', scale: 8 },
    { usd: '0.52', scale: 6 },
    { usd: '0.1', scale: 8 },
    { usd: '0.00001234', scale: 0 },
  ]
  for (const a of coins) {
    for (const b of coins) {
      for (const spread of ['0', '0.002']) {
        const there = ratesOf(a.usd, b.usd, spread)!.netRate
        const back = ratesOf(b.usd, a.usd, spread)!.netRate
        for (const units of [1, 2, 3, 7, 999, 12_345_679]) {
          const start = new Big(units).div(new Big(10).pow(a.scale)).toFixed()
          let held = start
          for (let round = 0; round < 5; round++) held = paidOut(paidOut(held, there, b.scale), back, a.scale)
          expect(new Big(held).lte(start), `${a.usd} ${b.usd} ${units}`).toBe(true)
        }
      }
    }
  }
})

const quote = { created_at: 100_000, expires_at: 100_000 + quoteLifeMs, used_at: null }
test.each<[string, Partial<{ used_at: number }>, number, boolean]>([
  ['just given', {}, 100_000, true],
  ['its last moment', {}, 109_999, true],
  ['over', {}, 110_000, false],
  ['a clock slightly behind', {}, 90_001, true],
  ['a clock set back', {}, 90_000, false],
  ['used', { used_at: 100_001 }, 100_002, false],
])('a quote: %s', (_says, over, now, good) => {
  expect(isQuoteGood({ ...quote, ...over }, now)).toBe(good)
})
