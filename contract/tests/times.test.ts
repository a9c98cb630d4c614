import { expect, test } from 'vitest'
import { timeText } from '#contract/fields.ts'
import { msOf } from '#contract/times.ts'
import { createFormats } from '#renderer/core/format.ts'

const { dateTime } = createFormats('en', () => '')

test.each([
  [0, 0],
  [1, 1_000],
  [1_764_374_400, 1_764_374_400_000],
  [9_999_999_999, 9_999_999_999_000],
  [10_000_000_000, 10_000_000_000],
  [99_999_999_999, 99_999_999_999],
  [1_764_374_400_000, 1_764_374_400_000],
])('%i is %i ms, in calls and on screens', (time, ms) => {
  expect([msOf(time), timeText.parse(String(time))]).toEqual([ms, ms])
  const { year, month, day } = Object.fromEntries(
    new Intl.DateTimeFormat('en', { year: 'numeric', month: '2-digit', day: '2-digit' })
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  )
  expect(dateTime(time).slice(0, 10)).toBe(`${year}-${month}-${day}`)
})

test('times before 1970 are read in the same way', () => {
  expect([msOf(-60), msOf(-10_000_000_000)]).toEqual([-60_000, -10_000_000_000])
})
