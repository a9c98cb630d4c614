import { expect, test } from 'vitest'
import { changeRatio, decimalsOf, fromUnits, toUnits, toUnitsCut } from '#api-server/market/units.rules.ts'

test.each([
  ['61234.5', 2, 6_123_450],
  ['61234.50000000', 2, 6_123_450],
  ['0', 2, 0],
  ['0.01', 2, 1],
  ['39000', 0, 39_000],
  ['39000.000', 0, 39_000],
  ['999999999999999', 0, 999_999_999_999_999],
])('%s at scale %i is %i units', (text, scale, units) => {
  expect(toUnits(text, scale)).toBe(units)
})

test.each([
  ['61234.505', 2],
  ['9999999999999999', 0],
  ['99999999999999', 2 + 2],
  ['-1', 2],
  ['+1', 2],
  ['1e3', 2],
  ['0x1F', 2],
  ['1_000', 2],
  ['NaN', 2],
  ['Infinity', 2],
  ['', 2],
  [' 1', 2],
  ['1.', 2],
  ['.5', 2],
  ['01', 2],
  ['١', 2],
  ['1'.repeat(42), 2],
])('%s at scale %i is refused', (text, scale) => {
  expect(toUnits(text, scale)).toBeUndefined()
})

test.each([
  ['1.23456', 3, 1234],
  ['1.2', 3, 1200],
  ['7.9', 0, 7],
  ['x', 3, undefined],
])('%s cut at scale %i is %s', (text, scale, units) => {
  expect(toUnitsCut(text, scale)).toBe(units)
})

test.each([
  [6_123_450, 2, '61234.50'],
  [1, 5, '0.00001'],
  [0, 2, '0.00'],
  [-1, 2, '-0.01'],
  [42, 0, '42'],
])('%i units at scale %i read %s', (units, scale, text) => {
  expect(fromUnits(units, scale)).toBe(text)
})

test.each([
  [110, 100, '0.100000'],
  [90, 100, '-0.100000'],
  [100, 100, '0.000000'],
  [1, 3, '-0.666667'],
  [2_000_001, 2_000_000, '0.000001'],
  [1_999_999, 2_000_000, '-0.000001'],
  [1, 0, '0.000000'],
])('from %i against %i is %s', (now, before, ratio) => {
  expect(changeRatio(now, before)).toBe(ratio)
})

test('decimals of steps', () => {
  expect(['0.01', '5', '0.00001'].map(decimalsOf)).toEqual([2, 0, 5])
})
