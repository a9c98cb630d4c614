import { expect, test } from 'vitest'
import { createTimeScale } from '#widgets/candle-chart/times/time-scale.ts'
import { createTimeTexts } from '#widgets/candle-chart/times/times.ts'

test('points are weighed by the clock of the reader, from the first that is new', () => {
  let times = createTimeTexts('en', true, () => 120)
  const scale = createTimeScale(() => times)
  const from = Date.parse('2026-10-23T20:00Z') / 1_000
  const points = Array.from({ length: 4 }, (_, i) => ({ timeWeight: 0, time: {}, originalTime: from + i * 3_600 }))
  const fill = (at: number) => {
    scale.fillWeightsForPoints(points as never, at)
    return points.map(({ timeWeight }) => timeWeight)
  }
  // 22:00, 23:00, 00:00 and 01:00 where clocks are two hours ahead.
  expect(fill(0)).toEqual([30, 30, 50, 30])
  times = createTimeTexts('en', true, () => 0)
  expect(fill(3)).toEqual([30, 30, 50, 30])
  expect(fill(0)).toEqual([30, 31, 30, 30])
})
