import { expect, it } from 'vitest'
import { agreedBy, listOfState, optionMachine, priceBeforeMsMax, resultOf } from '#api-server/mic/mic.rules.ts'
import { optionStates } from '#contract/calls/mic.calls.ts'
import { ApiProblem } from '#contract/problem.ts'

it.each(optionStates.flatMap((from) => optionStates.map((to) => [from, to] as const)))('from %s to %s', (from, to) => {
  const ways = ['holding settling', 'settling won', 'settling lost', 'settling draw', 'settling void']
  expect(optionMachine.allows(from, to)).toBe(ways.includes(`${from} ${to}`))
})

it.each(optionStates)('an order that is %s stands in one list', (status) => {
  expect(listOfState(status)).toBe(status === 'holding' || status === 'settling' ? 'position' : 'history')
})

const order = { type: 'up', stake: '100.00', rate: '0.3', open_price: '50000.00', due_at: 60_000 } as const

it.each([
  ['up, a tick above', 'up', '50000.01', 'won', '130'],
  ['up, a tick below', 'up', '49999.99', 'lost', '0'],
  ['up, the same price', 'up', '50000', 'draw', '100'],
  ['down, a tick above', 'down', '50000.01', 'lost', '0'],
  ['down, a tick below', 'down', '49999.99', 'won', '130'],
  ['down, the same price in other digits', 'down', '50000.000', 'draw', '100'],
] as const)('%s', (_what, type, price, status, payout) => {
  expect(resultOf({ ...order, type }, { price, time: 60_000 }, 8)).toEqual({ status, payout })
})

it.each([
  ['at the expiry', 60_000, 'won'],
  ['five seconds before', 60_000 - priceBeforeMsMax, 'won'],
  ['longer before', 60_000 - priceBeforeMsMax - 1, 'void'],
] as const)('the last price came %s', (_what, time, status) => {
  expect(resultOf(order, { price: '50001', time }, 8).status).toBe(status)
})

it('returns the stake when there was never a price, and takes none from after the expiry', () => {
  expect(resultOf(order, undefined, 8)).toEqual({ status: 'void', payout: '100' })
  expect(() => resultOf(order, { price: '50001', time: 60_001 }, 8)).toThrow('never settled by a tick after')
})

const terms = {
  durations: [
    { seconds: 30, payout_rate: '0.2', stake_min: '10', stake_max: '5000' },
    { seconds: 60, payout_rate: '0.3', stake_min: '10', stake_max: '10000' },
  ],
  tolerance: '0.001',
}
const asked = { seconds: 60, number: '100', price: '50000', rate: '0.3' }
const now = { price: '50000', scale: 2 }

it.each([
  ['what was shown', {}, '100'],
  ['the least stake', { number: '10' }, '10'],
  ['less', { number: '9.99' }, 'amount_too_small number'],
  ['the largest stake', { number: '10000' }, '10000'],
  ['more', { number: '10000.01' }, 'amount_too_large number'],
  ['finer than the coin', { number: '10.001' }, 'amount_wrong number'],
  ['no amount', { number: '1e3' }, 'amount_wrong number'],
  ['nothing', { number: '0' }, 'amount_wrong number'],
  ['a duration that there is not', { seconds: 61 }, 'duration_unknown seconds'],
  ['the limits of another duration', { seconds: 30, number: '6000', rate: '0.2' }, 'amount_too_large number'],
  ['a payout that is another now', { rate: '0.31' }, 'terms_changed'],
  ['the payout in other digits', { rate: '0.30' }, '100'],
  ['a price at the edge of the tolerance', { price: '49950.05' }, '100'],
  ['a price beyond it', { price: '49950' }, 'price_moved'],
  ['a price far above', { price: '60000' }, 'price_moved'],
  ['a price below zero', { price: '-50000' }, 'price_wrong price'],
  ['a price with an exponent that fills the memory', { price: '1e999999999' }, 'price_wrong price'],
  ['no price', { price: 'abc' }, 'price_wrong price'],
  ['a payout with an exponent', { rate: '3e-1' }, 'terms_changed'],
  ['no payout', { rate: 'abc' }, 'terms_changed'],
  ['nothing shown', { price: undefined, rate: undefined }, '100'],
])('is asked for %s', (_what, over, answer) => {
  const reported = () => {
    try {
      return agreedBy(terms, { ...asked, ...over }, now).stake
    } catch (error) {
      if (error instanceof ApiProblem) return [error.code, error.field].filter(Boolean).join(' ')
      throw error
    }
  }
  expect(reported()).toBe(answer)
})
