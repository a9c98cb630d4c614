import { expect, test } from 'vitest'
import { moveEntry, sent } from '#widgets/list-field/order.rules.ts'

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
