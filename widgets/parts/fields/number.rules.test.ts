import { describe, expect, test } from 'vitest'
import {
  admit,
  decimalsOf,
  finished,
  inserted,
  insertion,
  most,
  numberIn,
  numberSigns,
  stepped,
} from '#widgets/parts/fields/number.rules.ts'

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
    ['', '๑', 2, '1'],
    ['5', '٥5', 2, '55'],
    ['5', '5٫', 2, '5.'],
    ['5', '५5', 2, '55'],
    ['1', '', 2, ''],
    ['12345678901234567890', '123456789012345678901', 2, '12345678901234567890'],
    ['1e5', '1e', 2, ''],
    ['0', '00', 2, '00'],
  ])('%j then %j with %d decimals stands as %j', (before, after, decimals, becomes) => {
    expect(admit(before, after, decimals)).toBe(becomes)
  })
})

/** Content as text with the selection between | and |. */
function selectedIn(marked: string) {
  const [head = '', body, tail = ''] = marked.split('|')
  return { text: head + (body ?? '') + tail, from: head.length, to: head.length + (body ?? '').length }
}

test.each<[before: string, after: string, piece: string, from: number, to: number]>([
  ['||', '1,234', '1,234', 0, 0],
  ['||5', '1,2345', '1,234', 0, 0],
  ['||1', '1,2341', '1,234', 0, 0],
  ['1||', '11,234', '1,234', 1, 1],
  ['|5|', '50,000.00', '50,000.00', 0, 1],
  ['1|2|3', '1973', '97', 1, 2],
  ['12|3|', '12', '', 2, 3],
])('of %s and %j, %j came in', (before, after, piece, from, to) => {
  const selected = selectedIn(before)
  expect(insertion(selected.text, after, selected)).toEqual({ text: selected.text, from, to, piece })
})
test.each([
  ['1', '1,', ','],
  ['1.25', '1.255', '5'],
  ['7', '1,234', '1,234'],
  ['123', '12', ''],
])('of %j and %j without a known selection, %j came in', (before, after, piece) => {
  expect(insertion(before, after).piece).toBe(piece)
  expect(insertion(before, after, { text: 'other', from: 0, to: 1 }).piece).toBe(piece)
})

describe('a piece is taken where it is one number only', () => {
  test.each<[piece: string, en: string | undefined, es: string | undefined, fr: string | undefined]>([
    [' 1.5\n', '1.5', '1.5', '1.5'],
    ['0,5', '0.5', '0.5', '0.5'],
    ['0,125', '0.125', '0.125', '0.125'],
    ['0.125', '0.125', '0.125', '0.125'],
    ['1,234', undefined, '1.234', '1.234'],
    ['１，２３４', undefined, '1.234', '1.234'],
    ['1.234', '1.234', undefined, '1.234'],
    ['12.345', '12.345', undefined, '12.345'],
    ['1234,567', '1234.567', '1234.567', '1234.567'],
    ['1234.567', '1234.567', '1234.567', '1234.567'],
    ['12,34', '12.34', '12.34', '12.34'],
    ['50,000.00', '50000.00', undefined, undefined],
    ['50.000,00', undefined, '50000.00', undefined],
    ['50\u202f000,00', undefined, undefined, '50000.00'],
    ['50 000,00', undefined, undefined, '50000.00'],
    ['1 000', undefined, undefined, '1000'],
    ['1,234,567', '1234567', undefined, undefined],
    ['1.234.567', undefined, '1234567', undefined],
    ['1,234,567.891', '1234567.891', undefined, undefined],
    ['12,34,567', undefined, undefined, undefined],
    ['0,125,000', undefined, undefined, undefined],
    [',5', undefined, '.5', '.5'],
    ['.5', '.5', undefined, '.5'],
    ['5,', undefined, '5.', '5.'],
    ['.', undefined, undefined, undefined],
    ['๑๒.๕', '12.5', '12.5', '12.5'],
    ['١٢٫٥', '12.5', '12.5', '12.5'],
    ['١٬٢٣٤٫٥', '1234.5', '1234.5', '1234.5'],
    ['\u200e1.5', '1.5', '1.5', '1.5'],
    ['$5', undefined, undefined, undefined],
    ['-5', undefined, undefined, undefined],
    ['0x10', undefined, undefined, undefined],
    ['1e5', undefined, undefined, undefined],
    ['1²', undefined, undefined, undefined],
    ['', undefined, undefined, undefined],
  ])('%j is %j in English, %j in Spanish, %j in French', (piece, ...numbers) => {
    expect(['en', 'es', 'fr'].map((tag) => numberIn(piece, numberSigns(tag)))).toEqual(numbers)
  })
  test.each(['zh-Hans-CN', 'zh-Hant-HK', 'th', 'ja', 'ko'])('%s writes as English does', (tag) => {
    expect(numberSigns(tag)).toEqual({ group: ',', point: '.' })
  })
})

test.each<[before: string, piece: string, decimals: number, stands: string | undefined]>([
  ['||5', '1,234', 8, undefined],
  ['||5', '1.2', 8, '1.25'],
  ['1||', '2.5', 8, '12.5'],
  ['1.||', '2.5', 8, undefined],
  ['||', '1.123456789', 8, undefined],
  ['||', '50,000.00', 0, '50000'],
  ['||', '50,000.50', 0, undefined],
  ['||', '1.500', 2, '1.50'],
  ['||5', '1.500', 2, undefined],
  ['|1,5|', '2', 2, '2'],
])('into %s, %j with %d decimals stands as %j', (before, piece, decimals, stands) => {
  expect(inserted({ ...selectedIn(before), piece }, decimals, numberSigns('en'))).toBe(stands)
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
  ['0.01', undefined, 2],
  ['5', undefined, 0],
  ['1', '0.5', 1],
  [undefined, '0.5', 20],
] as const)('a step of %j from %j allows %d decimals', (step, min, decimals) => {
  expect(decimalsOf(step, min)).toBe(decimals)
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
    ['0.5', 1, { step: '1', min: '0.5' }, '1.5'],
    ['2', -1, { step: '1', min: '0.5' }, '1.5'],
    ['12', 1, { step: '5', min: '3', max: '17' }, '13'],
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
  ['10.57', '0.1', undefined, '10.5'],
  ['10.57', undefined, undefined, '10.57'],
  ['10.57', '1', '0.5', '10.5'],
  ['10', '5', '3', '8'],
  ['0.05', '0.1', undefined, '0'],
  ['nothing', '0.1', undefined, undefined],
])('the most of %j by %j from %j is %j', (max, step, min, becomes) => {
  expect(most(max, step, min)).toBe(becomes)
})
