import { expect, test } from 'vitest'
import { canonicalEmail, loginKind, loginOf, loginProblem } from '#contract/rules/contact.rules.ts'
import { badTexts, nameOf } from '#tests/support/bad-inputs.ts'
import { cases } from '#tests/support/one-rule.ts'

test.each(cases.emails)('e-mail $text is $stored', ({ text, stored }) => {
  expect(canonicalEmail(text) ?? '').toBe(stored)
})
test.each<[text: string, isEmail: boolean]>([
  [`${'a'.repeat(64)}@example.com`, true],
  [`${'a'.repeat(65)}@example.com`, false],
  [`ann@${'a'.repeat(63)}.example`, true],
  [`ann@${'a'.repeat(64)}.example`, false],
  [`ann@${'abcdefg.'.repeat(30)}example`, true],
  [`ann@${'abcdefg.'.repeat(40)}example`, false],
  [`${'a.'.repeat(40_000)}@example.com`, false],
])('an e-mail address has bounds: %#', (text, isEmail) => {
  expect(canonicalEmail(text)).toBe(isEmail ? text : undefined)
})
test.each(badTexts('email').map((line) => [nameOf(line), line.value] as const))('e-mail: %s', (_name, text) => {
  expect(canonicalEmail(text)).toBeUndefined()
})

test.each(cases.logins)('$text in +$area names $stored', ({ text, area, kind, stored }) => {
  expect([loginKind(text), loginOf(text, area)?.address ?? '']).toEqual([kind, stored])
  expect(loginProblem(text)).toBe(kind === 'email' ? 'email_wrong' : 'mobile_wrong')
})
test('a number without an area names no account', () => {
  expect([loginOf('13800138000', undefined), loginOf('', '86'), loginOf('13800138000', '999')]).toEqual([undefined, undefined, undefined])
})
