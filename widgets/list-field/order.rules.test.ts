import { expect, test } from 'vitest'
import { chosen, moveEntry, pickable, sent } from '#widgets/list-field/order.rules.ts'

test.each([
  [0, 1, 'bac'],
  [2, 0, 'cab'],
  [0, 2, 'bca'],
  [1, 1, 'abc'],
  [0, -1, 'abc'],
  [2, 3, 'abc'],
  [5, 0, 'abc'],
])('moved from %d to %d: %s', (from, to, order) => {
  expect(moveEntry(['a', 'b', 'c'], from, to).join('')).toBe(order)
})

test('empty entries are not sent', () => {
  expect(sent([' a ', '', '  ', 'b'])).toEqual(['a', 'b'])
})

const coins = [
  { id: 1, label: 'BTC' },
  { id: 2, label: 'ETH' },
  { id: 'usdt', label: 'USDT' },
]
test.each<[entries: string[], at: number, labels: string]>([
  [[], 0, 'BTC ETH USDT'],
  [['1', ''], 1, 'ETH USDT'],
  [['1', '2'], 0, 'BTC USDT'],
  [['1', '2', 'usdt'], 2, 'USDT'],
  [['gone', '1'], 0, 'gone ETH USDT'],
])('in %j place %d may hold %s', (entries, at, labels) => {
  expect(
    pickable(entries, at, coins)
      .map(({ label }) => label)
      .join(' '),
  ).toBe(labels)
})

test('what is picked is sent as the options name it', () => {
  expect(chosen(['usdt', '2', 'gone'], coins)).toEqual(['usdt', 2, 'gone'])
})
