import { expect, test } from 'vitest'
import { sizesOf } from '#tests/support/house/sizes.ts'

test.each([
  ['npm test', undefined, [false, 3, 2]],
  ['npm test, said', '0', [false, 3, 2]],
  ['npm run test:full', '1', [true, 40, 4]],
  ['a night', '10', [true, 400, 4]],
] as const)('%s: whether it is full, a size that grows, rows of a table', (_run, text, expected) => {
  const { isFull, sized, firstOf } = sizesOf(text)
  expect([isFull, sized(3, 40), firstOf([1, 2, 3, 4], 2).length]).toEqual(expected)
})

test.each(['', 'yes', '-1', '1.5', '1e3'])('TEST_FULL=%s is refused', (text) => {
  expect(() => sizesOf(text)).toThrow('TEST_FULL')
})
