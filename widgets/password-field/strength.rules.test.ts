import { expect, test } from 'vitest'
import { coreMs } from '#tests/support/core-ms.ts'
import { strengthOf } from '#widgets/password-field/strength.rules.ts'

test.each([
  ['', 0],
  ['123456', 0],
  ['password', 0],
  ['P@ssw0rd', 0],
  ['qwertyuiop', 0],
  ['zxcvfdsa', 1],
  ['aaaaaaaaaaaa', 0],
  ['5201314', 0],
  ['bitcoin2024', 1],
])('%j is no better than %d', (text, most) => {
  expect(strengthOf(text)).toBeLessThanOrEqual(most)
})

test.each([
  ['xK7$pQ2!vR9z', 4],
  ['correct horse battery staple', 4],
  ['竹林深处有人家吗', 2],
])('%j is at least %d', (text, least) => {
  expect(strengthOf(text)).toBeGreaterThanOrEqual(least)
})

test('words that the guesser knows do not count', () => {
  expect(strengthOf('wolfeschlegelstein')).toBeGreaterThan(strengthOf('wolfeschlegelstein', ['wolfeschlegelstein']))
})

test('a very long text is measured in no time', () => {
  expect(coreMs(() => strengthOf('aB3$'.repeat(250)))).toBeLessThan(1_000)
})
