import { expect, test } from 'vitest'
import { mask } from '#api-server/account/address/address.rules.ts'

test.each([
  ['ann@example.com', 'a***@example.com'],
  ['a@example.com', 'a***@example.com'],
  ['+86 13800138000', '+86 138****8000'],
  ['+852 51234567', '+852 5****67'],
])('%s is shown as %s', (address, shown) => {
  expect(mask(address)).toBe(shown)
})
