import { expect, test } from 'vitest'
import { exact, floorTo, isLess, less, product, quotient, quotientUp, smallest, sum } from '#contract/money.ts'

test('amounts are added and taken off exactly, and written without zeros at the end', () => {
  expect([exact('1.50'), exact('-0.10'), exact('100')]).toEqual(['1.5', '-0.1', '100'])
  expect([sum(), sum('0.1', '0.2'), sum('1', '-1.5', '0.5')]).toEqual(['0', '0.3', '0'])
  expect([less('1', '0.9'), less('0', '0.00000001')]).toEqual(['0.1', '-0.00000001'])
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
