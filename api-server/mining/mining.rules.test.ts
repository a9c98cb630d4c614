import { expect, test } from 'vitest'
import {
  agreedBy,
  dayMs,
  daysBy,
  dueDays,
  incomeOf,
  isNoWorse,
  leftOf,
  type MiningTerms,
  miningMachine,
  miningSaleMachine,
  progressOf,
  redeemed,
  renewedAmount,
  saleState,
  wrongTerm,
} from '#api-server/mining/mining.rules.ts'
import { miningSales, miningStates } from '#contract/calls/earning/mining.calls.ts'
import type { ApiProblem } from '#contract/problem.ts'

const terms: MiningTerms = {
  kind: 'lock',
  coin: 'USDT',
  locked_days: 5,
  daily: '0.0035',
  penalty: '0.004',
  least: '10',
  most: '1000',
  capacity: '5000',
  risk: 3,
}
const refusal = (typed: string) => {
  try {
    return agreedBy(terms, typed, 6, 0).amount
  } catch (error) {
    return (error as ApiProblem).code
  }
}

test.each([
  ['10', '10'],
  ['1000', '1000'],
  ['10.000000', '10'],
  ['9.999999', 'amount_too_small'],
  ['1000.000001', 'amount_too_large'],
  ['10.0000001', 'amount_wrong'],
  ['0', 'amount_wrong'],
  ['-10', 'amount_wrong'],
  ['ten', 'amount_wrong'],
])('an order of %s: %s', (typed, outcome) => {
  expect(refusal(typed)).toBe(outcome)
})

test.each([
  ['1000', '0.0035', 8, '3.5'],
  ['10000', '0.003', 8, '30'],
  ['10000', '0.004', 8, '40'],
  ['33.333333', '0.0035', 6, '0.116666'],
  ['10', '0.0035', 2, '0.03'],
])('the income of %s at %s and %i decimals is %s a day', (amount, daily, scale, income) => {
  expect(incomeOf(amount, daily, scale)).toBe(income)
})

test('the first income is due after exactly 24 hours, the last one at the end, and the reminder a day before it', () => {
  expect(agreedBy(terms, '1000', 8, 1_000)).toEqual({
    amount: '1000',
    income: '3.5',
    bought_at: 1_000,
    due_at: 86_401_000,
    ends_at: 432_001_000,
    remind_at: 345_601_000,
  })
})

test.each([
  [0, 0],
  [dayMs - 1, 0],
  [dayMs, 1],
  [5 * dayMs - 1, 4],
  [5 * dayMs, 5],
  [90 * dayMs, 5],
  [-dayMs, 0],
])('%i ms after the purchase %i whole days have passed', (after, days) => {
  expect(daysBy({ bought_at: 7, locked_days: 5 }, 7 + after)).toBe(days)
})

test('days that were missed are due one by one', () => {
  const order = { bought_at: 0, locked_days: 5, paid_days: 1 }
  expect([dueDays(order, dayMs), dueDays(order, 3 * dayMs), dueDays(order, 9 * dayMs), dueDays(order, 0)]).toEqual([
    [],
    [2, 3],
    [2, 3, 4, 5],
    [],
  ])
})

test.each([
  ['1000', '0.004', 2, '12', '988'],
  ['1000', '0.004', 0, '20', '980'],
  ['1000', '0.004', 5, '0', '1000'],
  ['1000', '0.5', 2, '1000', '0'],
  ['33.33', '0.0001', 4, '0', '33.33'],
])('%s at a penalty of %s after %i days: %s is kept, %s comes back', (amount, penalty, paid, kept, returned) => {
  expect(redeemed({ amount, penalty, locked_days: 5 }, paid, 2)).toEqual({ penalty: kept, returned })
})

test.each([
  ['none', undefined],
  ['principal', '1000'],
  ['all', '1017.5'],
] as const)('the renewal %s locks %s', (renewal, amount) => {
  expect(renewedAmount({ renewal, amount: '1000.00', income: '3.5', locked_days: 5 })).toBe(amount)
})

test.each([
  [{}, true],
  [{ daily: '0.0036', locked_days: 4, penalty: '0' }, true],
  [{ daily: '0.0034' }, false],
  [{ locked_days: 6 }, false],
  [{ penalty: '0.0041' }, false],
])('terms with %j are no worse: %s', (change, isSo) => {
  expect(isNoWorse({ ...terms, ...change }, terms)).toBe(isSo)
})

test.each([
  [{ least: '1000' }, undefined],
  [{ least: '1000.01' }, 'most'],
  [{ capacity: '999.99' }, 'capacity'],
  [{ capacity: '1000' }, undefined],
])('terms with %j: the wrong member is %s', (change, wrong) => {
  expect(wrongTerm({ ...terms, ...change })).toBe(wrong)
})

const stock = { sale: 'open', locked: '0', capacity: '5000', least: '10' } as const
test.each([
  [{}, 'on_sale', '5000', '0'],
  [{ locked: '4990' }, 'on_sale', '10', '0.998'],
  [{ locked: '4990.01' }, 'sold_out', '9.99', '0.998'],
  [{ locked: '6000' }, 'sold_out', '0', '1'],
  [{ sale: 'paused' }, 'paused', '5000', '0'],
  [{ sale: 'ended' }, 'ended', '5000', '0'],
] as const)('a product with %j is %s, with %s left, %s is locked', (change, state, left, part) => {
  const now = { ...stock, ...change }
  expect([saleState(now), leftOf(now), progressOf(now)]).toEqual([state, left, part])
})

test('an order is redeemed once, and a sale that has ended does not open again', () => {
  expect(miningStates.map((state) => miningMachine.next(state, 'redeem'))).toEqual(['redeemed', undefined])
  expect(miningSales.map((sale) => miningSaleMachine.next(sale, 'resume'))).toEqual([undefined, 'open', undefined])
})
