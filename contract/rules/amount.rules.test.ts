import { expect, test } from 'vitest'
import { plain } from '#contract/money.ts'
import { typedAmount } from '#contract/rules/amount.rules.ts'
import { cases } from '#tests/support/one-rule.ts'

test.each(cases.amounts)('$text is the amount $stored', ({ text, stored }) => {
  const amount = typedAmount(text)
  expect(amount?.gt(0) ? plain(amount) : '').toBe(stored)
})

test.each<[text: string, scale: number, read: string | undefined]>([
  ['1.23456789', 8, '1.23456789'],
  ['1.23456789', 7, undefined],
  ['1.2300000000', 2, '1.23'],
])('%s at %i decimals is %s', (text, scale, read) => {
  expect(typedAmount(text, scale)?.toFixed()).toBe(read)
})
