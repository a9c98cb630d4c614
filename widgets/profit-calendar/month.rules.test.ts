import { describe, expect, test } from 'vitest'
import { afterKey, dateOf, firstWeekday, monthAfter, monthOf, shadesOf, weeksOf } from '#widgets/profit-calendar/month.rules.ts'

test.each([
  [Date.UTC(2026, 10, 30, 23, 59), '2026-11'],
  [Date.UTC(2026, 11, 1), '2026-12'],
])('%i is in %s', (time, month) => expect(monthOf(time)).toBe(month))

test.each([
  ['2026-11', 1, '2026-12'],
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['2026-03', 0, '2026-03'],
])('%s and %i months is %s', (month, months, other) => expect(monthAfter(month, months)).toBe(other))

test.each([
  ['en', 7],
  ['fr', 1],
  ['ja', 7],
])('a week in %s begins on day %i where the browser knows it', (tag, day) => {
  const known = new Intl.Locale(tag) as { weekInfo?: unknown; getWeekInfo?: unknown }
  expect(firstWeekday(tag)).toBe(known.weekInfo || known.getWeekInfo ? day : 1)
})

describe('weeks', () => {
  const short = (month: string, firstDay: number) => {
    const weeks = weeksOf(month, firstDay)
    expect(weeks.every((days) => days.length === 7)).toBe(true)
    const days = weeks.flat().filter((day) => day !== undefined)
    expect(days).toEqual(days.map((_, i) => i + 1))
    return [weeks[0]?.indexOf(1), weeks.length, days.length]
  }
  test.each([
    // 1 November 2026 is a Sunday.
    ['2026-11', 7, [0, 5, 30]],
    ['2026-11', 1, [6, 6, 30]],
    ['2026-11', 6, [1, 5, 30]],
    ['2026-02', 7, [0, 4, 28]],
    ['2028-02', 1, [1, 5, 29]],
    ['2026-12', 1, [1, 5, 31]],
  ])('%s from day %i', (month, firstDay, facts) => expect(short(month, firstDay)).toEqual(facts))
})

test('a date has two digits for its day', () => expect([dateOf('2026-11', 3), dateOf('2026-11', 24)]).toEqual(['2026-11-03', '2026-11-24']))

describe('keys', () => {
  const weeks = weeksOf('2026-11', 1)
  test.each([
    ['ArrowLeft', 5, { day: 4 }],
    ['ArrowLeft', 1, undefined],
    ['ArrowRight', 30, undefined],
    ['ArrowRight', 8, { day: 9 }],
    ['ArrowUp', 8, { day: 1 }],
    ['ArrowUp', 7, undefined],
    ['ArrowDown', 23, { day: 30 }],
    ['ArrowDown', 24, undefined],
    ['Home', 12, { day: 9 }],
    ['End', 12, { day: 15 }],
    ['Home', 1, undefined],
    ['End', 30, undefined],
    ['PageUp', 12, { months: -1 }],
    ['PageDown', 12, { months: 1 }],
    ['a', 12, undefined],
  ])('%s on %i', (key, day, to) => expect(afterKey(key, day, weeks)).toEqual(to))
})

test('the greatest gain or loss has the full colour', () => {
  const day = (date: string, result: string) => ({ date, result, fee: '0', closes: 1 })
  const { shades, gains, losses } = shadesOf([
    day('2026-11-01', '50'),
    day('2026-11-02', '-200'),
    day('2026-11-03', '0'),
    day('2026-11-04', '1'),
  ])
  expect([...shades.values()]).toEqual([
    { tone: 'up', share: 0.25 },
    { tone: 'down', share: 1 },
    { tone: 'flat', share: 0 },
    { tone: 'up', share: 0.005 },
  ])
  expect([gains, losses]).toEqual([2, 1])
  expect(shadesOf([])).toEqual({ shades: new Map(), gains: 0, losses: 0 })
  expect(shadesOf([day('2026-11-01', '0')]).shades.get('2026-11-01')).toEqual({ tone: 'flat', share: 0 })
})
