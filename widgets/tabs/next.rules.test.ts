import { expect, test } from 'vitest'
import { nextIndex } from '#widgets/tabs/next.rules.ts'

test.each([
  ['ArrowRight', 0, 3, 1],
  ['ArrowRight', 2, 3, 0],
  ['ArrowLeft', 1, 3, 0],
  ['ArrowLeft', 0, 3, 2],
  ['Home', 2, 3, 0],
  ['End', 0, 3, 2],
  ['ArrowDown', 0, 3, undefined],
  ['Enter', 0, 3, undefined],
  ['Tab', 0, 3, undefined],
  ['ArrowRight', 0, 0, undefined],
])('%s at %i of %i', (key, index, count, next) => {
  expect(nextIndex(key, index, count)).toBe(next)
})
