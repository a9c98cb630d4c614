import { expect, test } from 'vitest'
import { verdictOf } from '#console/review/verdict.rules.ts'

test.each([
  ['healthy', 0, 'unseen'],
  ['healthy', 1, 'healthy'],
  ['watching', 0, 'watching'],
  ['bad', 0, 'bad'],
] as const)('%s with %i screens shown is told as %s', (verdict, shown, told) => {
  expect(verdictOf({ verdict, shown })).toBe(told)
})
