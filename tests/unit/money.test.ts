import { expect, test } from 'vitest'
import { exact, less, sum } from '#contract/money.ts'

test('amounts are added and taken off exactly, and written without zeros at the end', () => {
  expect([exact('1.50'), exact('-0.10'), exact('100')]).toEqual(['1.5', '-0.1', '100'])
  expect([sum(), sum('0.1', '0.2'), sum('1', '-1.5', '0.5')]).toEqual(['0', '0.3', '0'])
  expect([less('1', '0.9'), less('0', '0.00000001')]).toEqual(['0.1', '-0.00000001'])
})
