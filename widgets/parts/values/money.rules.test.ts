import { expect, test } from 'vitest'
import { signedParts } from '#widgets/parts/values/money.rules.ts'

test.each([
  ['12.5', '+', '12.5'],
  ['-0.00000001', '−', '0.00000001'],
  ['0', '', '0'],
  ['0.000', '', '0.000'],
  ['-0', '', '0'],
  ['-1234567890123456789.5', '−', '1234567890123456789.5'],
])('%s has the sign %j and the size %s', (amount, sign, size) => {
  expect(signedParts(amount)).toEqual({ sign, size })
})
