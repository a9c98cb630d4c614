import { expect, test } from 'vitest'
import { canonicalEmail, canonicalMobile, loginOf, mask } from '#api-server/account/address/address.rules.ts'
import { badTexts, nameOf } from '#tests/support/bad-inputs.ts'

const refused = undefined

test.each<[text: string, email: string | undefined]>([
  ['ann@example.com', 'ann@example.com'],
  ['  Ann@Example.COM ', 'ann@example.com'],
  ['ann+tag@example.com', 'ann+tag@example.com'],
  ["o'hara@example.co.uk", "o'hara@example.co.uk"],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ['a@xn--bcher-kva.example', 'a@xn--bcher-kva.example'],
  ['', refused],
  ['ann', refused],
  ['ann@', refused],
  ['ann@localhost', refused],
  ['ann@example.c', refused],
  ['ann@-a.example', refused],
  ['ann@a..example', refused],
  ['.ann@example.com', refused],
  ['an..n@example.com', refused],
  ['ann@b@example.com', refused],
  ['ann@127.0.0.1', refused],
  [`ann@${'a'.repeat(64)}.example`, refused],
  [`ann@${'abcdefg.'.repeat(40)}example`, refused],
])('e-mail %s', (text, email) => {
  expect(canonicalEmail(text)).toBe(email)
})
test.each(badTexts('email').map((line) => [nameOf(line), line.value] as const))('e-mail: %s', (_name, text) => {
  expect(canonicalEmail(text)).toBeUndefined()
})

test.each<[code: string, text: string, mobile: string | undefined]>([
  ['86', '13800138000', '+86 13800138000'],
  ['86', ' 138 0013-8000 ', '+86 13800138000'],
  ['86', '12800138000', refused],
  ['86', '1380013800', refused],
  ['86', '138001380001', refused],
  ['86', '8613800138000', refused],
  ['44', '07911 123456', '+44 7911123456'],
  ['44', '7911123456', '+44 7911123456'],
  ['39', '0312345678', '+39 0312345678'],
  ['852', '51234567', '+852 51234567'],
  ['852', '0051234567', refused],
  ['852', '512', refused],
  ['1684', '123456789012', refused],
  ['852', '5123x567', refused],
  ['852', '+51234567', refused],
])('mobile +%s %s', (code, text, mobile) => {
  expect(canonicalMobile(code, text)).toBe(mobile)
})
test.each(badTexts('phone').map((line) => [nameOf(line), line] as const))('mobile: %s', (_name, { value, note }) => {
  expect(canonicalMobile('86', value) !== undefined).toBe(note.startsWith('accept'))
})

test.each<[text: string, code: string | undefined, login: ReturnType<typeof loginOf>]>([
  ['Ann@example.com', '86', { kind: 'email', address: 'ann@example.com' }],
  ['13800138000', '86', { kind: 'mobile', address: '+86 13800138000' }],
  ['+852 51234567', '86', { kind: 'mobile', address: '+852 51234567' }],
  ['+999 51234567', '86', undefined],
  ['13800138000', undefined, undefined],
  ["' OR '1'='1", '86', undefined],
  ['', '86', undefined],
])('%s in +%s names an account', (text, code, login) => {
  expect(loginOf(text, code)).toEqual(login)
})

test.each([
  ['ann@example.com', 'a***@example.com'],
  ['a@example.com', 'a***@example.com'],
  ['+86 13800138000', '+86 138****8000'],
  ['+852 51234567', '+852 5****67'],
])('%s is shown as %s', (address, shown) => {
  expect(mask(address)).toBe(shown)
})
