import { expect, test } from 'vitest'
import { createTimeTexts } from '#widgets/candle-chart/times.ts'

const ms = Date.UTC(2026, 2, 1, 23, 30)

test.each([
  ['within the day the axis is shifted to the reader', true, 8 * 60, Date.UTC(2026, 2, 2, 7, 30) / 1_000],
  ['also to the west', true, -5 * 60, Date.UTC(2026, 2, 1, 18, 30) / 1_000],
  ['days are days in UTC', false, 8 * 60, ms / 1_000],
])('%s', (_, intraday, zone, axis) => {
  const times = createTimeTexts('en', intraday, zone)
  expect(times.toAxis(ms)).toBe(axis)
  expect(times.toMs(axis)).toBe(ms)
})

test('candles stay in order over a change of clocks', () => {
  const times = createTimeTexts('en', true, 60)
  const hours = Array.from({ length: 48 }, (_, i) => times.toAxis(Date.UTC(2026, 9, 24) + i * 3_600_000))
  expect(hours.every((at, i) => i === 0 || at > hours[i - 1]!)).toBe(true)
})

test('words of the axis', () => {
  const times = createTimeTexts('en', true, 0)
  const at = times.toAxis(ms)
  expect([0, 1, 2, 3].map((type) => times.mark(at, type))).toEqual(['2026', 'Mar', '3/1', '23:30'])
  expect(times.full(at)).toContain('23:30')
})

test('years are those of the rest of the app in Thai too', () => {
  expect(createTimeTexts('th-TH', false, 0).mark(ms / 1_000, 0)).toContain('2026')
})
