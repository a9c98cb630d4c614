import { expect, test } from 'vitest'
import { amountMax, readAmount } from '#api-server/wallet/amount.rules.ts'
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
