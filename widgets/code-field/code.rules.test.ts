import { expect, test } from 'vitest'
import { codeIn, secondsLeft } from '#widgets/code-field/code.rules.ts'

test.each<[before: string, after: string, digits: number, code: string]>([
  ['', '123456', 6, '123456'],
  ['', '123 456', 6, '123456'],
  ['', '123\u00a0456', 6, '123456'],
  ['', 'Your code: 12-34-56.', 6, '123456'],
  ['', '2026-11-29 08:30 Your code is 483920, valid for 10 minutes', 6, '483920'],
  ['', '10 minutes: 483 920', 6, '483920'],
  ['', 'Code 4839201 of order 123456', 6, '123456'],
  ['12', '12Your code: 483920', 6, '483920'],
  ['123456', '123456483920', 6, '483920'],
  ['123456', '1234567', 6, '123456'],
  ['', '1234567', 6, ''],
  ['12', '121234567', 6, '12'],
  ['1', '1a', 6, '1'],
  ['', '１２３４', 6, '1234'],
  ['', '๑๒๓๔๕๖', 6, '123456'],
  ['', '١٢٣٤٥٦', 6, '123456'],
  ['', 'abc', 6, ''],
  ['1', '', 6, ''],
  ['', '12345678', 8, '12345678'],
])('%j, then %j with %d digits, is %j', (before, after, digits, code) => {
  expect(codeIn(before, after, digits, { text: before, from: before.length, to: before.length })).toBe(code)
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
