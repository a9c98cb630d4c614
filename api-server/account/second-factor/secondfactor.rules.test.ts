import { expect, test } from 'vitest'
import { readFactor, recoveryCodeFrom } from '#api-server/account/second-factor/secondfactor.rules.ts'

test.each<[typed: string, read: ReturnType<typeof readFactor>]>([
  ['123456', { kind: 'totp', value: '123456' }],
  ['123 456', { kind: 'totp', value: '123456' }],
  ['abcde-fgh23', { kind: 'recovery', value: 'abcdefgh23' }],
  ['ABCDE FGH23', { kind: 'recovery', value: 'abcdefgh23' }],
  ['12345', undefined],
  ['1234567', undefined],
  ['１２３４５６', undefined],
  ['', undefined],
  ["' OR 1=1", undefined],
])('%s', (typed, read) => {
  expect(readFactor(typed)).toEqual(read)
})

test('a recovery code that was made is read back', () => {
  const code = recoveryCodeFrom(new Uint8Array([0, 31, 62, 93, 124, 155, 186, 217, 248, 255]))
  expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/)
  expect(readFactor(code)).toEqual({ kind: 'recovery', value: code.replace('-', '') })
})
