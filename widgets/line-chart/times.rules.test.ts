import { expect, test } from 'vitest'
import { hasMinutes, timeTicks } from '#widgets/line-chart/times.rules.ts'

type Parts = [year: number, month: number, day: number, hour?: number, minute?: number]
const at = (...parts: Parts) => new Date(...(parts as [number, number, number])).getTime()

test.each<[string, Parts, Parts, [Parts, string][]]>([
  [
    'three minutes',
    [2026, 4, 12, 10, 1],
    [2026, 4, 12, 10, 3],
    [
      [[2026, 4, 12, 10, 1], 'time'],
      [[2026, 4, 12, 10, 2], 'time'],
      [[2026, 4, 12, 10, 3], 'time'],
    ],
  ],
  [
    'an hour',
    [2026, 4, 12, 10, 10],
    [2026, 4, 12, 11, 10],
    [
      [[2026, 4, 12, 10, 15], 'time'],
      [[2026, 4, 12, 10, 30], 'time'],
      [[2026, 4, 12, 10, 45], 'time'],
      [[2026, 4, 12, 11], 'time'],
    ],
  ],
  [
    'a day, whose midnight says the day',
    [2026, 4, 12, 10],
    [2026, 4, 13, 10],
    [
      [[2026, 4, 12, 12], 'time'],
      [[2026, 4, 12, 18], 'time'],
      [[2026, 4, 13], 'day'],
      [[2026, 4, 13, 6], 'time'],
    ],
  ],
  [
    'a week',
    [2026, 4, 12, 10],
    [2026, 4, 19, 10],
    [
      [[2026, 4, 14], 'day'],
      [[2026, 4, 16], 'day'],
      [[2026, 4, 18], 'day'],
    ],
  ],
  [
    'a month',
    [2026, 4, 1],
    [2026, 4, 31],
    [
      [[2026, 4, 1], 'day'],
      [[2026, 4, 8], 'day'],
      [[2026, 4, 15], 'day'],
      [[2026, 4, 22], 'day'],
      [[2026, 4, 29], 'day'],
    ],
  ],
  [
    'a year, whose January says the year',
    [2025, 6, 3],
    [2026, 6, 3],
    [
      [[2025, 9, 1], 'month'],
      [[2026, 0, 1], 'year'],
      [[2026, 3, 1], 'month'],
      [[2026, 6, 1], 'month'],
    ],
  ],
  [
    'four years',
    [2022, 6, 1],
    [2026, 6, 1],
    [
      [[2023, 0, 1], 'year'],
      [[2024, 0, 1], 'year'],
      [[2025, 0, 1], 'year'],
      [[2026, 0, 1], 'year'],
    ],
  ],
])('%s', (_, from, to, wanted) => {
  const labels = timeTicks(at(...from), at(...to)).map((tick) => `${new Date(tick.at).toString()} ${tick.says}`)
  expect(labels).toEqual(wanted.map(([parts, says]) => `${new Date(at(...parts)).toString()} ${says}`))
})

test('one moment alone, and a very long time', () => {
  expect(timeTicks(at(2026, 4, 12, 10), at(2026, 4, 12, 10))).toHaveLength(1)
  expect(timeTicks(at(1900, 0, 1), at(2026, 0, 1)).length).toBeLessThan(15)
})

test('what lies within three days is told by the minute', () => {
  expect(hasMinutes(at(2026, 4, 1), at(2026, 4, 3))).toBe(true)
  expect(hasMinutes(at(2026, 4, 1), at(2026, 4, 9))).toBe(false)
})

test('across a change of clocks every tick is a moment of its own, at a round time', () => {
  const zone = process.env.TZ
  process.env.TZ = 'Europe/Berlin'
  try {
    const written = (from: string, to: string) =>
      timeTicks(Date.parse(from), Date.parse(to)).map(({ at }) => new Date(at).toISOString().slice(11, 16))
    // 02:00 does not exist on this day: after 01:00 comes 03:00, an hour later.
    expect(written('2027-03-28T00:00Z', '2027-03-28T03:00Z')).toEqual(['00:00', '01:00', '02:00', '03:00'])
    // 02:00 to 03:00 comes twice on this one.
    expect(written('2026-10-25T01:02Z', '2026-10-25T01:05Z')).toEqual(['01:02', '01:03', '01:04', '01:05'])
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
})
