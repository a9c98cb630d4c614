import { expect, test } from 'vitest'
import type { Candle } from '#contract/calls/market.calls.ts'
import { studiesOf } from '#widgets/candle-chart/studies/indicators.ts'

const candles = (closes: readonly number[]): Candle[] =>
  closes.map((close, i) => ({
    time: i * 60_000,
    open: String(close),
    high: String(close),
    low: String(close),
    close: String(close),
    volume: '1',
  }))
const valuesOf = (name: string, closes: readonly number[], id: Parameters<typeof studiesOf>[1][number]) =>
  studiesOf(candles(closes), [id]).find((one) => one.name === name)!.values

test('a moving average is the mean of the last closes, and begins when there are enough', () => {
  const values = valuesOf('MA(7)', [1, 2, 3, 4, 5, 6, 7, 8], 'MA')
  expect(values.slice(0, 6)).toEqual([undefined, undefined, undefined, undefined, undefined, undefined])
  expect(values.slice(6)).toEqual([4, 5])
})

test('a flat market: bands close up, MACD is 0', () => {
  const flat = Array.from({ length: 60 }, () => 50)
  const bands = studiesOf(candles(flat), ['BOLL']).map(({ values }) => values.at(-1))
  expect(bands).toEqual([50, 50, 50])
  const macd = studiesOf(candles(flat), ['MACD']).map(({ values }) => values.at(-1))
  expect(macd).toEqual([0, 0, 0])
})

test('Bollinger bands lie two population deviations from the mean', () => {
  const closes = Array.from({ length: 20 }, (_, i) => i + 1)
  const [upper, middle, lower] = studiesOf(candles(closes), ['BOLL']).map(({ values }) => values.at(-1)!)
  const deviation = Math.sqrt(closes.reduce((sum, close) => sum + (close - 10.5) ** 2, 0) / 20)
  expect(middle).toBeCloseTo(10.5, 10)
  expect(upper! - middle!).toBeCloseTo(2 * deviation, 10)
  expect(middle! - lower!).toBeCloseTo(2 * deviation, 10)
})

test('RSI: 100 when every close is higher, between 0 and 100 otherwise', () => {
  expect(
    valuesOf(
      'RSI(14)',
      Array.from({ length: 30 }, (_, i) => i + 1),
      'RSI',
    ).at(-1),
  ).toBe(100)
  const mixed = valuesOf(
    'RSI(14)',
    Array.from({ length: 60 }, (_, i) => 100 + Math.sin(i) * 5),
    'RSI',
  ).at(-1)!
  expect(mixed).toBeGreaterThan(20)
  expect(mixed).toBeLessThan(80)
})

test('every line has one value for each candle, and no candles give no values', () => {
  const all = ['MA', 'EMA', 'BOLL', 'MACD', 'RSI'] as const
  for (const { values } of studiesOf(candles(Array.from({ length: 120 }, (_, i) => 100 + (i % 7))), all)) {
    expect(values).toHaveLength(120)
    expect(values.at(-1)).toEqual(expect.any(Number))
  }
  for (const { values } of studiesOf([], all)) expect(values).toEqual([])
})
