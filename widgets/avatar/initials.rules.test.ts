import { expect, test } from 'vitest'
import { initials } from '#widgets/avatar/initials.rules.ts'

test.each([
  ['Ann Lee', 'AL'],
  ['ann', 'A'],
  ['Ann Maria van der Lee', 'AL'],
  ['王小明', '王'],
  ['  ', ''],
  ['', ''],
  ['👩‍💻 Dev', '👩‍💻D'],
  ['กิตติ', 'กิ'],
])('%j is %j', (name, letters) => {
  expect(initials(name)).toBe(letters)
})
