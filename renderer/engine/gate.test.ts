import { expect, test } from 'vitest'
import { isOwnAddress } from '#renderer/engine/gate.ts'

test.each([
  ['/', true],
  ['/pages/fund/withdraw?currency_id=3&a=%20', true],
  ['//evil.test', false],
  ['https://evil.test', false],
  ['pages/x', false],
  ['/a b', false],
  [`/${'a'.repeat(2_000)}`, false],
  [undefined, false],
  ['', false],
])('%s is our own: %s', (address, own) => expect(isOwnAddress(address)).toBe(own))
