import examples from 'libphonenumber-js/examples.mobile.json'
import { expect, test } from 'vitest'
import { areas } from '#api-server/account/address/areas.ts'
import { canonicalMobile, canonicalPhone, isWholeNumber, phoneDigits } from '#contract/rules/mobile.rules.ts'
import { badTexts, nameOf } from '#tests/support/bad-inputs.ts'
import { cases } from '#tests/support/one-rule.ts'

test.each(cases.mobiles)('+$area $text is $stored', ({ area, text, stored }) => {
  expect(canonicalMobile(area, text) ?? '').toBe(stored)
})

/** The example of each country in Google's data, as people there dial and write it. */
test.each(areas)('$iso +$code', ({ iso, code }) => {
  const national = (examples as Record<string, string>)[iso]!
  const calling = code.startsWith('1') ? '1' : code
  const stored = canonicalMobile(code, national)
  expect(stored?.replace(/[+ ]/g, '')).toBe(calling + national)
  for (const text of [`+${calling}${national}`, `00${calling} ${national}`, `＋${calling}\u00a0${national}`])
    expect(canonicalMobile('86', text), text).toBe(stored)
  expect(canonicalMobile(code, stored!)).toBe(stored)
  expect(canonicalPhone(stored!)).toBe(stored)
})

test.each(badTexts('phone').map((line) => [nameOf(line), line] as const))('mobile: %s', (_name, { value, note }) => {
  const folded = canonicalMobile('86', value)
  if (note.startsWith('accept')) expect(folded).toBe('+86 13800138000')
  else expect([undefined, '+86 13800138000']).toContain(folded)
})

test.each([
  ['+86139', '+86139', true],
  ['0086 139', '+86139', true],
  ['\u202a+86 139 0000\u202c', '+861390000', true],
  ['139/00.00', '1390000', false],
  ['+', '', false],
  ['139+0000', '', false],
  ['bob', '', false],
])('digits of %j are %j', (text, digits, whole) => {
  expect([phoneDigits(text), isWholeNumber(text)]).toEqual([digits, whole])
})
