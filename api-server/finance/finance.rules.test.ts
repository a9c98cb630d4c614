import { expect, test } from 'vitest'
import { dayMs, incomeByDay, nextPayments, termOf, worthOf } from '#api-server/finance/finance.rules.ts'
import type { EarningOrder } from '#api-server/kit/earning.ts'
import { financeDays } from '#contract/calls/finance.calls.ts'

const prices: Record<number, string> = { 1: '50000', 3: '1' }
const priceOf = (currency: number) => prices[currency]

test.each([
  [[], '0'],
  [[{ currency: 1, amount: '0.5' }], '25000'],
  [
    [
      { currency: 1, amount: '0.00000011' },
      { currency: 3, amount: '0.005' },
    ],
    // 0.0055 + 0.005: cut once, after the sum.
    '0.01',
  ],
  [
    [
      { currency: 3, amount: '7' },
      { currency: 9, amount: '1000' },
    ],
    '7',
  ],
])('worth of %j in USD', (amounts, worth) => {
  expect(worthOf(amounts, priceOf)).toBe(worth)
})

test('income by day ends with today, has days without any, and leaves older ones out', () => {
  const today = 20_000
  const now = today * dayMs + dayMs - 1
  const rows = [
    { day: today - financeDays, currency: 3, amount: '99' },
    { day: today - financeDays + 1, currency: 3, amount: '1' },
    { day: today, currency: 3, amount: '2' },
    { day: today, currency: 1, amount: '0.0001' },
  ]
  const days = incomeByDay(rows, priceOf, now)
  expect(days).toHaveLength(financeDays)
  expect(days[0]).toEqual({ at: (today - financeDays + 1) * dayMs, value: '1' })
  expect(days.at(-1)).toEqual({ at: today * dayMs, value: '7' })
  expect(days.slice(1, -1).every(({ value }) => value === '0')).toBe(true)
  expect(incomeByDay(rows, priceOf, now + 1).at(-1)).toEqual({ at: (today + 1) * dayMs, value: '0' })
})

test('the next payments of all orders come by time', () => {
  const order = (id: number, ...times: number[]): EarningOrder => ({
    kind: 'dual_put',
    id,
    link: '',
    currency: 3,
    amount: '1',
    income: '0',
    payments: times.map((at) => ({ at, part: 'income', currency: 3, amount: '1' })),
  })
  const found = nextPayments([order(2, 10, 40, 50), order(1, 10, 20), order(3, 30)], 4)
  expect(found.map(({ order: { id }, payment: { at } }) => `${id} ${at}`)).toEqual(['1 10', '2 10', '1 20', '3 30'])
})

test.each([
  [1, 'week'],
  [7, 'week'],
  [8, 'month'],
  [31, 'month'],
  [32, 'longer'],
] as const)('a term of %i days is of the group %s', (days, group) => {
  expect(termOf(days)).toBe(group)
})
