import { expect, test } from 'vitest'
import { amountMax, floorTo, isLess, product, quotient, quotientUp, readAmount, smallest } from '#api-server/wallet/amount.rules.ts'
import { badTexts, nameOf } from '#tests/support/bad-inputs.ts'

test.each<[text: string, scale: number, read: string | undefined]>([
  ['1', 8, '1'],
  ['0.00000001', 8, '0.00000001'],
  ['1.10', 8, '1.1'],
  ['0.1234567', 6, undefined],
  ['5.0', 0, '5'],
  ['5.01', 0, undefined],
  ['1.0000000000', 8, '1'],
  ['1.1000000000', 8, '1.1'],
  ['1.10000000000', 8, undefined],
  ['1.0000000010', 8, undefined],
  ['1.000000000000000000000', 8, undefined],
  ['0', 8, undefined],
  ['0.00', 8, undefined],
  [amountMax, 8, amountMax],
  [`${amountMax}.00000001`, 8, undefined],
  ['-1', 8, undefined],
  ['1e3', 8, undefined],
  ['', 8, undefined],
])('reads %j at %i decimals', (text, scale, read) => {
  expect(readAmount(text, scale)).toBe(read)
})

const plain = /^(0|[1-9]\d{0,15})(\.\d{1,8})?$/
test.each(
  badTexts('num-sign', 'num-format', 'num-special', 'num-precision', 'num-range', 'num-unicode', 'num-type').map(
    (line) => [nameOf(line), line.value] as const,
  ),
)('parsed as an amount: %s', (_name, value) => {
  const read = readAmount(value, 8)
  if (!plain.test(value)) expect(read).toBeUndefined()
  else if (read !== undefined) expect(Number(read)).toBe(Number(value))
})

test('products and quotients are exact, and rounded in the stated direction', () => {
  expect(product('0.1', '0.2')).toBe('0.02')
  expect(smallest(['3', '1.5', '2'])).toBe('1.5')
  expect(isLess('1.9', '2')).toBe(true)
  expect([floorTo('1.29', 1), floorTo('1.2', 1)]).toEqual(['1.2', '1.2'])
  expect([quotient('1', '3', 18), quotientUp('1', '3', 18)]).toEqual(['0.333333333333333333', '0.333333333333333334'])
  expect([quotient('1', '4', 2), quotientUp('1', '4', 2)]).toEqual(['0.25', '0.25'])
  expect(() => quotient('1', '0', 2)).toThrow()
})
