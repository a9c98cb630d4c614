import { expect, test } from 'vitest'
import { isGuessable, isTooLong, passwordForm } from '#server-kit/security/password.rules.ts'
import { coreMs } from '#tests/support/core-ms.ts'

test('two keyboards, one password; and nothing else is folded', () => {
  expect(passwordForm('é')).toBe(passwordForm('e\u0301'))
  expect(passwordForm('ＡＢＣ１２３')).toBe('ABC123')
  expect(passwordForm(' A a ')).toBe(' A a ')
})

test.each<[password: string, guessable: boolean]>([
  ['iloveyou', true],
  ['IloveYou2024', true],
  ['aaaaaaaaaaaa', true],
  ['abcdefghijkl', true],
  ['TesseraWallet!', true],
  ['morgan1999', true],
  ['a quiet river in spring', false],
])('%s is guessable: %s', (password, guessable) => {
  expect(isGuessable(password, ['morgan'])).toBe(guessable)
})

test('bytes count, not characters', () => {
  expect(isTooLong('é'.repeat(512))).toBe(false)
  expect(isTooLong(`${'é'.repeat(512)}a`)).toBe(true)
})

test('a long hostile text is judged at once', () => {
  const texts = ['a'.repeat(1_024), 'ab'.repeat(512), `${'1'.repeat(1_000)}x`, '-_'.repeat(500)]
  expect(coreMs(() => texts.map((text) => isGuessable(text, [])))).toBeLessThan(100)
})
