import { expect, test } from 'vitest'
import { type Period, periods } from '#contract/calls/market.calls.ts'
import { isIntraday, nextStart, periodKinds, periodWords } from '#widgets/candle-chart/period.rules.ts'

test('the periods are those of the contract, in its order', () => {
  expect(periodKinds.map(({ id }) => id)).toEqual([...periods])
})

const at = (text: string) => Date.parse(`${text}Z`)

test.each<[Period, string, string]>([
  ['1m', '2026-03-01T10:59:00', '2026-03-01T11:00:00'],
  ['5m', '2026-03-01T23:55:00', '2026-03-02T00:00:00'],
  ['15m', '2026-03-01T00:00:00', '2026-03-01T00:15:00'],
  ['30m', '2026-03-01T00:30:00', '2026-03-01T01:00:00'],
  ['1h', '2026-12-31T23:00:00', '2027-01-01T00:00:00'],
  ['4h', '2026-03-01T20:00:00', '2026-03-02T00:00:00'],
  ['1d', '2028-02-28T00:00:00', '2028-02-29T00:00:00'],
  ['1w', '2026-03-02T00:00:00', '2026-03-09T00:00:00'],
  ['1M', '2026-01-01T00:00:00', '2026-02-01T00:00:00'],
  ['1M', '2026-02-01T00:00:00', '2026-03-01T00:00:00'],
  ['1M', '2026-12-01T00:00:00', '2027-01-01T00:00:00'],
])('after a candle of %s at %s comes %s', (period, start, next) => {
  expect(nextStart(at(start), period)).toBe(at(next))
})

test.each<[Period, boolean]>([
  ['1m', true],
  ['4h', true],
  ['1d', false],
  ['1w', false],
  ['1M', false],
])('%s is within a day: %s', (period, intraday) => {
  expect(isIntraday(period)).toBe(intraday)
})

test.each<[Period, string, string]>([
  ['15m', 'en', '15 minutes'],
  ['1h', 'en', '1 hour'],
  ['1M', 'ko', '1개월'],
])('%s in %s is %s', (period, tag, words) => {
  expect(periodWords(period, tag)).toBe(words)
})
