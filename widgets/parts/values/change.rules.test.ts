import { expect, test } from 'vitest'
import { directionOf, stepOf } from '#widgets/parts/values/change.rules.ts'

test.each([
  ['0.0123', 'up'],
  ['-0.0123', 'down'],
  ['0.00005', 'up'],
  ['-0.00005', 'down'],
  ['0.00004', 'flat'],
  ['-0.00004', 'flat'],
  ['0', 'flat'],
  ['-0.0', 'flat'],
  ['not a number', 'flat'],
  [undefined, 'flat'],
])('a change of %s is %s', (ratio, direction) => {
  expect(directionOf(ratio)).toBe(direction)
})

test.each([
  [undefined, '1', 'flat'],
  ['1', undefined, 'flat'],
  ['1', '1', 'flat'],
  ['1.0', '1.00', 'flat'],
  ['9.5', '10', 'up'],
  ['10', '9.5', 'down'],
  ['-2', '-1', 'up'],
])('from %s to %s goes %s', (before, now, direction) => {
  expect(stepOf(before, now)).toBe(direction)
})
