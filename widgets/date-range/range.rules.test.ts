import { expect, test } from 'vitest'
import { dayBegins, daysOf, rangeOf } from '#widgets/date-range/range.rules.ts'

const at = (year: number, month: number, day: number) => new Date(year, month - 1, day).getTime()

test.each([
  ['2026-01-15', 0, at(2026, 1, 15)],
  ['2026-01-31', 1, at(2026, 2, 1)],
  ['2024-02-29', 0, at(2024, 2, 29)],
  ['2025-02-29', 0, undefined],
  ['2026-13-01', 0, undefined],
  ['', 0, undefined],
  ['15.01.2026', 0, undefined],
])('%j, %i days later, begins at %j', (text, later, ms) => {
  expect(dayBegins(text, later)).toBe(ms)
})

test.each([
  ['2026-01-10', '2026-01-12', at(2026, 1, 10), at(2026, 1, 13)],
  ['2026-01-12', '2026-01-10', at(2026, 1, 10), at(2026, 1, 13)],
  ['2026-01-10', '2026-01-10', at(2026, 1, 10), at(2026, 1, 11)],
  ['', '2026-01-10', null, at(2026, 1, 11)],
  ['2026-01-10', '', at(2026, 1, 10), null],
  ['', '', null, null],
  ['soon', '2026-02-30', null, null],
])('from %j to %j', (first, last, from, to) => {
  expect(rangeOf(first, last)).toEqual({ from, to })
})

test.each([
  [at(2026, 1, 10), at(2026, 1, 13), '2026-01-10', '2026-01-12'],
  [null, at(2026, 1, 1), '', '2025-12-31'],
  [null, null, '', ''],
])('a range from %j to %j shows its days', (from, to, first, last) => {
  expect(daysOf({ from, to })).toEqual({ first, last })
})
