import { expect, test } from 'vitest'
import { filled } from '#widgets/meter-bar/filled.rules.ts'

test.each([
  ['0', 0],
  ['0.25', 0.25],
  ['1', 1],
  ['1.7', 1],
  ['-0.3', 0],
  ['', 0],
  ['a quarter', 0],
  ['Infinity', 0],
])('%j fills %f', (ratio, share) => {
  expect(filled(ratio)).toBe(share)
})
