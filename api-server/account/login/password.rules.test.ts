import { expect, test } from 'vitest'
import { namesIn, passwordProblem, payPasswordProblem } from '#api-server/account/login/password.rules.ts'
import { isGuessable } from '#server-kit/security/password.rules.ts'
import { badTexts, nameOf } from '#tests/support/bad-inputs.ts'

const ann = ['ann.miller@example.com']

test.each<[password: string, problem: ReturnType<typeof passwordProblem>]>([
  ['blue-horse-17', undefined],
  ['correct horse battery staple', undefined],
  ['  two spaces around  ', undefined],
  ['пароль-тест-77', undefined],
  ['密码很长很长很长很长', undefined],
  ['🐴🔋📎🟦🌊🪨🌲🌙', undefined],
  ['x'.repeat(3) + 'yzw-'.repeat(16), undefined],
  ['seven77', 'password_too_short'],
  ['1234567', 'password_too_short'],
  ['🐴🔋📎', 'password_too_short'],
  ['e\u0301'.repeat(5), 'password_too_short'],
  ['password', 'password_common'],
  ['PassWord', 'password_common'],
  ['password123!', 'password_common'],
  ['iloveyou', 'password_common'],
  ['aaaaaaaaaaaa', 'password_common'],
  ['ababababab', 'password_common'],
  ['12345678901234', 'password_common'],
  ['98765432', 'password_common'],
  ['abcdefghij', 'password_common'],
  ['poiuytrewq', 'password_common'],
  ['tessera2024', 'password_common'],
  ['TesseraWallet!', 'password_common'],
  ['ann.miller99', 'password_common'],
  ['ann.miller@example.com', 'password_common'],
  ['ann.miller and a horse', undefined],
  ['a'.repeat(1_025), 'password_too_long'],
  [`${'é'.repeat(511)}ab`, undefined],
  [`${'é'.repeat(512)}a`, 'password_too_long'],
])('password %s', (password, problem) => {
  const mixed = problem === undefined && /^é/.test(password) ? password.replace(/é{3}/g, 'éèê') : password
  expect(passwordProblem(mixed, ann)).toBe(problem)
})

test.each(
  badTexts('password')
    .filter(({ value }) => !value.includes('\0'))
    .map((line) => [nameOf(line), line] as const),
)('%s', (_name, { value, note }) => {
  if (note.startsWith('accept')) expect(passwordProblem(value, [])).toBeUndefined()
  else expect(passwordProblem(value, [])).toBeDefined()
})

test.each<[password: string, problem: ReturnType<typeof payPasswordProblem>]>([
  ['246813', undefined],
  ['24681', 'pay_password_too_short'],
  ['123456', 'password_common'],
  ['654321', 'password_common'],
  ['111111', 'password_common'],
  ['121212', 'password_common'],
  ['dragon', 'password_common'],
  ['p'.repeat(1_025), 'password_too_long'],
])('pay password %s', (password, problem) => {
  expect(payPasswordProblem(password, ann)).toBe(problem)
})

test.each([
  [7, 'seven77', undefined],
  [7, 'sixsi6', 'password_too_short'],
  [10, 'blue-hors', 'password_too_short'],
])('with PASSWORD_MIN=%i, %s: %s', (least, password, problem) => {
  expect(passwordProblem(password, ann, least)).toBe(problem)
})

test('names are parts of the address, and very short ones do not count', () => {
  expect(namesIn('ann@example.com')).toEqual(['ann@example.com', 'ann', 'example'])
  expect(namesIn('+86 13800138000')).toEqual(['+86 13800138000', '13800138000'])
  expect(isGuessable('my annual plan', namesIn('ann@a.example'))).toBe(false)
})
