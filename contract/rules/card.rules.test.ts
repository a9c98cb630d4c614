import { expect, test } from 'vitest'
import { cardField, cardFieldNames } from '#contract/rules/card.rules.ts'
import { badTexts } from '#tests/support/bad-inputs.ts'
import { cases } from '#tests/support/one-rule.ts'

test.each(cases.cards)('$field $text is $stored', ({ field, text, stored }) => {
  expect(cardField(field, text) ?? '').toBe(stored)
})

/** Published test numbers of each network. Any one digit changed is noticed. */
test.each([
  '4111111111111111',
  '5555555555554444',
  '2223003122003222',
  '378282246310005',
  '6011111111111117',
  '3530111333300000',
  '6212345678901232',
  '6222021234567890128',
])('the last digit of card %s is checked', (number) => {
  expect(cardField('bank_account', number)).toBe(number)
  for (const [i, digit] of [...number].entries()) {
    if (i < 4) continue
    const wrong = number.slice(0, i) + ((Number(digit) + 1) % 10) + number.slice(i + 1)
    expect(cardField('bank_account', wrong), wrong).toBeUndefined()
  }
})
test.each(['021000021', '011401533', '091000019', '121000358', '322271627'])('the last digit of routing number %s is checked', (number) => {
  expect(cardField('alipay_account', number)).toBe(number)
  const wrong = number.slice(0, 8) + ((Number(number[8]) + 1) % 10)
  expect(cardField('alipay_account', wrong)).toBeUndefined()
})
test('an empty field is empty, and no field keeps a second line', () => {
  for (const field of cardFieldNames) {
    expect(cardField(field, '  ')).toBe('')
    for (const { value } of badTexts('text-control')) expect(cardField(field, value) ?? '').not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
  }
})
