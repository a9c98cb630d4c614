import { expect, test } from 'vitest'
import { madeBy } from '#console/review/release.rules.ts'

test.each([
  ['publish', 'ann', 'dan', 'ann'],
  ['rollback', 'system', 'dan', 'dan'],
  ['rollback', 'ann', 'guard', 'guard'],
  ['files', 'system', 'system', 'system'],
] as const)('a release of kind %s, written by %s and published by %s, is by %s', (kind, author, publisher, by) => {
  expect(madeBy({ kind, author, publisher })).toBe(by)
})
