import { expect, test } from 'vitest'
import { codeIn, secondsLeft } from '#widgets/code-field/code.rules.ts'

test.each([
  ['123456', 6, '123456'],
  ['123 456', 6, '123456'],
  ['Your code: 12-34-56.', 6, '123456'],
  ['1234567', 6, '123456'],
  ['１２３４', 6, '1234'],
  ['abc', 6, ''],
  ['', 6, ''],
  ['12345678', 8, '12345678'],
])('%j with %d digits is %j', (text, digits, code) => {
  expect(codeIn(text, digits)).toBe(code)
})

test.each([
  [60_000, 0, 60],
  [60_000, 1, 60],
  [60_000, 59_001, 1],
  [60_000, 60_000, 0],
  [60_000, 90_000, 0],
  [0, 5, 0],
])('until %d at %d are %d s', (until, now, seconds) => {
  expect(secondsLeft(until, now)).toBe(seconds)
})
