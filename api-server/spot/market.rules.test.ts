import { expect, test } from 'vitest'
import {
  type Ask,
  bandOf,
  budgetUnits,
  decideOrder,
  heldBy,
  lotsOf,
  orderMachine,
  priceOf,
  quantityOf,
  type SpotMarket,
  ticksOf,
  worthOf,
} from '#api-server/spot/market.rules.ts'
import { spotStates } from '#contract/calls/c2c.calls.ts'

const market: SpotMarket = {
  symbol: 'BTCUSDT',
  name: 'BTC/USDT',
  tick: '0.01',
  step: '0.00001',
  base: { id: 1, code: 'BTC', scale: 8 },
  quote: { id: 3, code: 'USDT', scale: 8 },
}
const terms = { maker_rate: '0.001', taker_rate: '0.001', value_min: '5', size_max: '100', price_band: '0.5', tolerance: '0.01' }

test.each([
  ['0.01', 1],
  ['49990', 4_999_000],
  ['0.005', undefined],
  ['0', undefined],
  ['99999999999999', undefined],
])('a price of %s is %s ticks', (price, ticks) => expect(ticksOf(market, price)).toBe(ticks))

test.each(spotStates.flatMap((from) => spotStates.map((to) => [from, to] as const)))('from %s to %s', (from, to) => {
  const ways = {
    new: 'new open partial filled cancelled rejected',
    open: 'open partial filled cancelled',
    partial: 'partial filled cancelled',
    filled: '',
    cancelled: '',
    rejected: '',
  }
  expect(orderMachine.allows(from, to)).toBe(ways[from].split(' ').includes(to))
})

test('lots, prices and values go in and come out exactly', () => {
  expect(lotsOf(market, '1.2')).toBe(120_000)
  expect(lotsOf(market, '0.000001')).toBeUndefined()
  expect([priceOf(market, 4_999_000), quantityOf(market, 40_000), worthOf(market, 4_999_000, 40_000)]).toEqual(['49990', '0.4', '19996'])
  expect(budgetUnits(market, '0.00000019')).toBe(1)
})

test('a size just off a large step has no number of lots, however near the quotient is to one', () => {
  const coarse = { ...market, step: '1000' }
  expect(lotsOf(coarse, '9007199254740000')).toBeUndefined()
  expect(lotsOf(coarse, '900719925474000')).toBe(900_719_925_474)
  expect(lotsOf(coarse, '900719925474001')).toBeUndefined()
})

const limit: Ask = { isBuy: true, isMarket: false, price: '50000', quantity: '1.2', budget: undefined }
test.each<[string, Partial<Ask>, string | undefined, string]>([
  ['a limit', {}, '50000', 'asked'],
  ['without a price', { price: undefined }, '50000', 'price_wrong'],
  ['off the tick', { price: '50000.001' }, '50000', 'price_wrong'],
  ['off the step', { quantity: '0.000001' }, '50000', 'size_wrong'],
  ['before the first price', {}, undefined, 'price_stale'],
  ['too much', { quantity: '100.00001' }, '50000', 'amount_too_large'],
  ['worth too little', { quantity: '0.00009' }, '50000', 'amount_too_small'],
  ['just worth enough', { quantity: '0.0001' }, '50000', 'asked'],
  ['below the band', { price: '24999.99' }, '50000', 'price_out_of_band'],
  ['at its edge', { price: '25000' }, '50000', 'asked'],
  ['above it', { price: '75000.01' }, '50000', 'price_out_of_band'],
  ['a market order', { isMarket: true, price: undefined }, '50000', 'asked'],
  ['a budget', { isMarket: true, price: undefined, quantity: undefined, budget: '5' }, '50000', 'asked'],
  ['a budget that is too small', { isMarket: true, price: undefined, quantity: undefined, budget: '4.99' }, '50000', 'amount_too_small'],
  [
    'a budget beyond what is exact',
    { isMarket: true, price: undefined, quantity: undefined, budget: '1000000000' },
    '50000',
    'amount_too_large',
  ],
])('%s', (_says, over, last, outcome) => expect(decideOrder(market, terms, { ...limit, ...over }, last)).toBe(outcome))

test('the band is cut to the tick and never reaches zero', () => {
  expect(bandOf(market, '0.03', '0.5')).toEqual({ low: '0.02', high: '0.04' })
  expect(bandOf(market, '0.01', '1')).toEqual({ low: '0.01', high: '0.02' })
})

test.each([
  [
    'a buyer holds the limit of what is left',
    { side: 'buy' as const, price: '50000', quantity: '1.2', budget: null, filled: '0.2', value: '9990' },
    '50000',
  ],
  [
    'a seller holds what is left',
    { side: 'sell' as const, price: '50000', quantity: '1.2', budget: null, filled: '0.2', value: '10000' },
    '1',
  ],
  [
    'a budget holds what is not spent',
    { side: 'buy' as const, price: null, quantity: null, budget: '100', filled: '0.001', value: '50' },
    '50',
  ],
  ['a market order to sell', { side: 'sell' as const, price: null, quantity: '2', budget: null, filled: '0', value: '0' }, '2'],
])('%s', (_says, order, held) => expect(heldBy(order)).toBe(held))
