import { expect, test } from 'vitest'
import { bucketBefore, bucketEnd, bucketStart, finerOf, fineToCoarse } from '#api-server/market/bars/periods.rules.ts'
import type { Period } from '#contract/calls/market.calls.ts'

const at = (text: string) => Date.parse(text)

test.each<[Period, string, string, string]>([
  ['1m', '2026-03-29T01:59:59.999Z', '2026-03-29T01:59:00Z', '2026-03-29T02:00:00Z'],
  ['5m', '2026-11-20T11:41:07Z', '2026-11-20T11:40:00Z', '2026-11-20T11:45:00Z'],
  ['15m', '2026-11-20T11:44:59Z', '2026-11-20T11:30:00Z', '2026-11-20T11:45:00Z'],
  ['30m', '2026-11-20T11:29:59Z', '2026-11-20T11:00:00Z', '2026-11-20T11:30:00Z'],
  // The changes to and from daylight saving time in Europe and America have no effect.
  ['1h', '2026-03-29T02:30:00Z', '2026-03-29T02:00:00Z', '2026-03-29T03:00:00Z'],
  ['4h', '2026-03-08T07:00:00Z', '2026-03-08T04:00:00Z', '2026-03-08T08:00:00Z'],
  ['1d', '2026-10-25T23:59:59.999Z', '2026-10-25T00:00:00Z', '2026-10-26T00:00:00Z'],
  ['1d', '2026-10-26T00:00:00Z', '2026-10-26T00:00:00Z', '2026-10-27T00:00:00Z'],
  // A week begins on Monday.
  ['1w', '2026-11-22T23:59:59.999Z', '2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z'],
  ['1w', '2026-11-23T00:00:00Z', '2026-11-23T00:00:00Z', '2026-11-30T00:00:00Z'],
  ['1w', '1970-01-05T00:00:00Z', '1970-01-05T00:00:00Z', '1970-01-12T00:00:00Z'],
  // Calendar months.
  ['1M', '2028-02-29T12:00:00Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
  ['1M', '2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ['1M', '2026-02-28T23:59:59.999Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
])('%s at %s lasts from %s to %s', (period, time, start, end) => {
  expect(bucketStart(period, at(time))).toBe(at(start))
  expect(bucketEnd(period, at(start))).toBe(at(end))
})

test.each<[Period, string, number, string]>([
  ['1M', '2026-03-01T00:00:00Z', 14, '2025-01-01T00:00:00Z'],
  ['1w', '2026-11-23T00:00:00Z', 1, '2026-11-16T00:00:00Z'],
  ['1m', '2026-01-01T00:00:00Z', 1, '2025-12-31T23:59:00Z'],
])('%s before %s, %i times, is %s', (period, start, count, expected) => {
  expect(bucketBefore(period, at(start), count)).toBe(at(expected))
})

test('each bucket starts and ends on a boundary of the finer period', () => {
  for (const period of fineToCoarse) {
    const finer = finerOf[period]
    if (!finer) continue
    for (let day = 0; day < 800; day++) {
      const start = bucketStart(period, at('2026-01-01T05:31:17Z') + day * 40_000_000)
      expect(bucketStart(finer, start)).toBe(start)
      expect(bucketStart(finer, bucketEnd(period, start))).toBe(bucketEnd(period, start))
    }
  }
})
