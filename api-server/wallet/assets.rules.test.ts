import { expect, test } from 'vitest'
import { balanceOf, byAccount, byWorth, type Held, shareOf } from '#api-server/wallet/assets.rules.ts'

const rows: Held[] = [
  { currency: 1, kind: 'change', available: '0.100000000000000000', frozen: '0.2' },
  { currency: 1, kind: 'lever', available: '1', frozen: '0' },
]

test('a balance is the sum of its rows, and its worth follows the price', () => {
  expect(balanceOf(rows, '50000.5')).toEqual({ available: '1.1', frozen: '0.2', total: '1.3', usd: '65000.65' })
  expect(balanceOf(rows, undefined).usd).toBe('0')
  expect(balanceOf([], '5')).toEqual({ available: '0', frozen: '0', total: '0', usd: '0' })
})

test('four accounts in their order, including empty ones', () => {
  expect(byAccount(rows, '10').map(({ id, kind, total, usd }) => [id, kind, total, usd])).toEqual([
    [1, 'legal', '0', '0'],
    [2, 'change', '0.3', '3'],
    [3, 'lever', '1', '10'],
    [4, 'micro', '0', '0'],
  ])
})

test.each([
  ['1', '3', '0.3333'],
  ['2', '3', '0.6667'],
  ['5', '5', '1'],
  ['0', '0', '0'],
])('the share of %s in %s is %s', (part, whole, share) => {
  expect(shareOf(part, whole)).toBe(share)
})

test('larger worth first', () => {
  expect([{ usd: '9' }, { usd: '10' }, { usd: '0' }].sort(byWorth)).toEqual([{ usd: '10' }, { usd: '9' }, { usd: '0' }])
})
