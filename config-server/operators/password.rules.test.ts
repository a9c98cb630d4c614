import { expect, test } from 'vitest'
import { isStrong } from '#config-server/operators/password.rules.ts'
import { coreMs } from '#tests/support/core-ms.ts'

test.each<[password: string, strong: boolean]>([
  ['quiet river 2468 sand', true],
  ['Trg7-nmq2-Wxa9', true],
  ['密码很长很长很长的一句话呀', true],
  ['Trg7-nmq2-W', false],
  ['aaaaaaaaaaaaaaaa', false],
  ['password12345', false],
  ['passwordpassword', false],
  ['ann.miller-2024', false],
  ['tesseraconsole', false],
  ['qwertyuiopqwerty', false],
  ['x'.repeat(1_025), false],
  ['', false],
])('%s', (password, strong) => {
  expect(isStrong(password, 'Ann Miller')).toBe(strong)
})

test('a long hostile text is judged at once', () => {
  isStrong('Trg7-nmq2-Wxa9', 'ann')
  const texts = ['ab'.repeat(512), `${'1'.repeat(1_000)}x`, '-_'.repeat(500)]
  expect(coreMs(() => texts.map((text) => isStrong(text, 'ann')))).toBeLessThan(500)
})
