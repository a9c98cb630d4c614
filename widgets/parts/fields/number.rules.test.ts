import { describe, expect, test } from 'vitest'
import { admit, decimalsOf, finished, groupsByDot, most, stepped } from '#widgets/parts/fields/number.rules.ts'

describe('typing', () => {
  test.each<[before: string, after: string, decimals: number, becomes: string]>([
    ['', '1', 2, '1'],
    ['1', '1.', 2, '1.'],
    ['1', '1,', 2, '1.'],
    ['', '.', 2, '.'],
    ['1.2', '1.2.', 2, '1.2'],
    ['1.2', '1,.2', 2, '1.2'],
    ['1.23', '1.234', 2, '1.23'],
    ['1', '1.', 0, '1'],
    ['1', '1e', 2, '1'],
    ['1', '-1', 2, '1'],
    ['1', '+1', 2, '1'],
    ['1', '1 0', 2, '1'],
    ['', '１２', 2, '12'],
    ['1', '1．５', 2, '1.5'],
    ['1', '1，', 2, '1.'],
    ['1', '1²', 2, '1'],
    ['', '๑๒', 2, ''],
    ['5', '٥5', 2, '5'],
    ['1', '', 2, ''],
    ['12345678901234567890', '123456789012345678901', 2, '12345678901234567890'],
    ['1e5', '1e', 2, ''],
    ['0', '00', 2, '00'],
  ])('%j then %j with %d decimals stands as %j', (before, after, decimals, becomes) => {
    expect(admit(before, after, decimals)).toBe(becomes)
  })
})

describe('pasting never makes another amount of it', () => {
  test.each<[before: string, pasted: string, becomes: string]>([
    ['', ' 1.5\n', '1.5'],
    ['', '0,5', '0.5'],
    ['', '1,234', ''],
    ['7', '1,234', '7'],
    ['7', '１，２３４', '7'],
    ['', '1,234.50', ''],
    ['', '1.234,50', ''],
    ['', '1 000', ''],
    ['', '$5', ''],
    ['', '0x10', ''],
    ['', '1.123456789', ''],
  ])('over %j, %j stands as %j', (before, pasted, becomes) => {
    expect(admit(before, pasted, 8, true)).toBe(becomes)
  })

  test.each([
    ['12.345', '7'],
    ['1.234.567', '7'],
    ['0.125', '0.125'],
    ['1234.125', '1234.125'],
    ['12.34', '12.34'],
  ])('over "7", %j stands as %j where a dot groups digits', (pasted, becomes) => {
    expect(admit('7', pasted, 8, true, true)).toBe(becomes)
  })
  test.each([
    ['en', false],
    ['es', true],
    ['fr', false],
    ['th', false],
  ])('in %s a dot groups digits: %s', (tag, groups) => expect(groupsByDot(tag)).toBe(groups))
})

test.each([
  ['.5', '0.5'],
  ['5.', '5'],
  ['007', '7'],
  ['0', '0'],
  ['00.10', '0.10'],
  ['.', ''],
  ['', ''],
])('%j is finished as %j', (text, becomes) => {
  expect(finished(text)).toBe(becomes)
})

test.each([
  ['0.01', 2],
  ['5', 0],
  [undefined, 20],
] as const)('a step of %j allows %d decimals', (step, decimals) => {
  expect(decimalsOf(step)).toBe(decimals)
})

describe('steps are exact and stay between the bounds', () => {
  test.each<[text: string, direction: 1 | -1, grid: { step: string; min?: string; max?: string }, becomes: string | undefined]>([
    ['0.1', 1, { step: '0.1' }, '0.2'],
    ['0.2', 1, { step: '0.1' }, '0.3'],
    ['', 1, { step: '0.01' }, '0.01'],
    ['0.015', 1, { step: '0.01' }, '0.02'],
    ['0.015', -1, { step: '0.01' }, '0.01'],
    ['0.01', -1, { step: '0.01' }, '0'],
    ['0', -1, { step: '0.01' }, undefined],
    ['', 1, { step: '1', min: '10' }, '10'],
    ['10', -1, { step: '1', min: '10' }, undefined],
    ['3', -1, { step: '1', min: '10' }, undefined],
    ['9.9', 1, { step: '1', max: '10.5' }, '10'],
    ['10', 1, { step: '1', max: '10.5' }, undefined],
    ['99999999999999999999', -1, { step: '0.00000000000000000001' }, '99999999999999999998.99999999999999999999'],
    ['abc', 1, { step: '1' }, undefined],
    ['1', 1, { step: '0' }, undefined],
    ['1', 1, { step: 'x' }, undefined],
  ])('%j by %d on %j becomes %j', (text, direction, grid, becomes) => {
    expect(stepped(text, direction, grid)).toBe(becomes)
  })
})

test.each([
  ['10.57', '0.1', '10.5'],
  ['10.57', undefined, '10.57'],
  ['0.05', '0.1', '0'],
  ['nothing', '0.1', undefined],
])('the most of %j by %j is %j', (max, step, becomes) => {
  expect(most(max, step)).toBe(becomes)
})
