import { describe, expect, test } from 'vitest'
import { coarsen, joinBars } from '#api-server/market/bars/bars.rules.ts'
import { createHistory, type HistoryParameters } from '#api-server/market/bars/history.rules.ts'
import { bucketEnd, bucketStart, finerOf, fineToCoarse } from '#api-server/market/bars/periods.rules.ts'
import { keyOf } from '#api-server/market/sources/noise.rules.ts'
import type { Period } from '#contract/calls/market.calls.ts'
import { coreMs } from '#tests/support/core-ms.ts'

const day = 86_400_000
const end = Date.parse('2026-11-20T11:41:00Z')
const parameters = (symbol: string, over: Partial<HistoryParameters> = {}): HistoryParameters => ({
  key: keyOf(symbol, 1),
  basePrice: 98_000_00,
  dayVolatility: 0.025,
  dayVolume: 2_400_000_000,
  tickUnits: 1,
  ...over,
})

describe.each([
  ['a fine price', parameters('BTCUSDT')],
  ['a coarse price of few ticks', parameters('TINYUSDT', { basePrice: 40, dayVolatility: 0.2, dayVolume: 3 })],
  ['a step of five', parameters('JP225USDT', { basePrice: 7_800, tickUnits: 5 })],
])('the simulated past of %s', (_name, p) => {
  const history = createHistory(p)

  test.each(fineToCoarse.filter((period) => finerOf[period]))(
    '%s candles equal the sum of finer candles, also where the end cuts them',
    (period) => {
      const finer = finerOf[period]!
      let from = bucketStart(period, end)
      for (let i = 0; i < 4; i++) from = bucketStart(period, from - 1)
      expect(history.bars(period, from, end, end)).toEqual(coarsen(period, history.bars(finer, from, end, end)))
    },
  )

  test('a day equals its 1,440 minutes', () => {
    const from = bucketStart('1d', end) - day
    const minutes = history.bars('1m', from, from + day, end)
    expect(minutes).toHaveLength(1_440)
    expect(history.bars('1d', from, from + 1, end)).toEqual([joinBars(from, minutes)])
  })

  test.each<Period>(['1m', '1h', '1d'])('%s candles are valid and follow each other without a gap or a jump', (period) => {
    const bars = history.bars(period, end - 300 * (period === '1m' ? 60_000 : period === '1h' ? 3_600_000 : day), end, end)
    expect(bars.length).toBeGreaterThanOrEqual(299)
    bars.forEach((bar, i) => {
      expect(bar.high).toBeGreaterThanOrEqual(Math.max(bar.open, bar.close))
      expect(bar.low).toBeLessThanOrEqual(Math.min(bar.open, bar.close))
      expect(bar.low).toBeGreaterThan(0)
      expect(bar.volume).toBeGreaterThanOrEqual(0)
      expect(bar.low % p.tickUnits).toBe(0)
      const next = bars[i + 1]
      if (!next) return
      expect(next.time).toBe(bucketEnd(period, bar.time))
      expect(next.open).toBe(bar.close)
    })
  })

  test('the first live price continues from the last candle', () => {
    expect(history.priceAt(end)).toBe(history.bars('1m', end - 60_000, end, end)[0]!.close)
  })
})

test('a key gives the same past in whatever order it is read; another key gives another past', () => {
  const one = createHistory(parameters('BTCUSDT'))
  const other = createHistory(parameters('BTCUSDT'))
  one.bars('1M', end - 400 * day, end, end)
  const minutes = one.bars('1m', end - 7_200_000, end, end)
  expect(other.bars('1m', end - 7_200_000, end, end)).toEqual(minutes)
  expect(createHistory(parameters('ETHUSDT')).bars('1m', end - 7_200_000, end, end)).not.toEqual(minutes)
})

test('the past ends before its end time', () => {
  const history = createHistory(parameters('BTCUSDT'))
  for (const period of fineToCoarse) expect(history.bars(period, end, end + 90 * day, end)).toEqual([])
})

test('prices stay around their base and days differ', () => {
  const days = createHistory(parameters('BTCUSDT')).bars('1d', end - 1_500 * day, end, end)
  for (const bar of days) expect(bar.close / 9_800_000).toSatisfy((ratio: number) => ratio > 0.35 && ratio < 3)
  expect(new Set(days.map((bar) => bar.close)).size).toBeGreaterThan(1_400)
})

test('computing 24 hours of thirty symbols takes under 1.5 s', () => {
  const compute = () => {
    for (let i = 0; i < 30; i++) createHistory(parameters(`S${i}`)).bars('5m', end - day, end, end)
  }
  expect(coreMs(compute)).toBeLessThan(1_500)
})
