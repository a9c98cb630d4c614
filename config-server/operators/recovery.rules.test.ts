import { expect, test } from 'vitest'
import { readRecovery } from '#config-server/operators/recovery.rules.ts'

test.each([
  ['abcd-efgh-jkmn', 'abcdefghjkmn'],
  ['ABCD efgh JKMN', 'abcdefghjkmn'],
  ['abcdefghjkmn', 'abcdefghjkmn'],
  ['abcd-efgh-jkm', undefined],
  ['abcd-efgh-jkmnp', undefined],
  ['abcd-efgh-jkm0', undefined],
  ['123456', undefined],
  ['', undefined],
])('%j is read as %j', (typed, code) => {
  expect(readRecovery(typed)).toBe(code)
})
