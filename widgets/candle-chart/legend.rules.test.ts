import { expect, test } from 'vitest'
import type { Candle } from '#contract/calls/market.calls.ts'
import { changeAt, moveCursor, summaryOf } from '#widgets/candle-chart/legend.rules.ts'

const bar = (time: number, open: string, high: string, low: string, close: string): Candle => ({
  time,
  open,
  high,
  low,
  close,
  volume: '1',
})
const candles = [bar(1, '100', '110', '90', '105'), bar(2, '105', '120', '104', '84'), bar(3, '84', '90', '9.5', '84')]

test.each([
  ['the first against its opening', 0, '0.05'],
  ['the others against the close before', 1, '-0.2'],
  ['unmoved', 2, '0'],
  ['no such candle', 7, '0'],
])('%s', (_, index, change) => {
  expect(changeAt(candles, index)).toBe(change)
})

test('a close of zero does not divide', () => {
  expect(changeAt([bar(1, '0', '1', '0', '1')], 0)).toBe('0')
})

test('sums up the stretch, comparing figures and not text', () => {
  expect(summaryOf(candles)).toEqual({ last: '84', high: '120', low: '9.5', fromMs: 1, toMs: 3 })
  expect(summaryOf([])).toBeUndefined()
})

test.each<[string, number | undefined, number, number | undefined]>([
  ['ArrowLeft', undefined, 10, 9],
  ['ArrowRight', undefined, 10, 9],
  ['ArrowLeft', 9, 10, 8],
  ['ArrowLeft', 0, 10, 0],
  ['ArrowRight', 9, 10, 9],
  ['PageUp', 15, 30, 5],
  ['PageDown', 25, 30, 29],
  ['Home', 5, 10, 0],
  ['End', 5, 10, 9],
  ['Enter', 5, 10, undefined],
  ['toString', 5, 10, undefined],
  ['ArrowLeft', undefined, 0, undefined],
])('%s at %s of %i goes to %s', (key, at, count, to) => {
  expect(moveCursor(key, at, count)).toBe(to)
})
