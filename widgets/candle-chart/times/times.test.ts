import { describe, expect, test } from 'vitest'
import { createTimeTexts } from '#widgets/candle-chart/times/times.ts'

const hour = 3_600
const zone = (hours: number) => () => hours * 60
const secondsOf = (text: string) => Date.parse(text) / 1_000
/** Minutes by which clocks in Berlin are ahead of UTC: summer time ends on 2026-10-25 and begins on 2027-03-28, at 01:00 UTC. */
const berlin = (ms: number) => (ms >= Date.parse('2026-10-25T01:00Z') && ms < Date.parse('2027-03-28T01:00Z') ? 60 : 120)
/** In New York it ends on 2026-11-01 at 06:00 UTC. */
const newYork = (ms: number) => (ms >= Date.parse('2026-11-01T06:00Z') ? -300 : -240)

test.each([
  ['within the day by the time of the reader', true, zone(8), '3/2', '07:30'],
  ['also to the west', true, zone(-5), '3/1', '18:30'],
  ['days are days in UTC', false, zone(8), '3/1', '23:30'],
])('%s', (_, intraday, minutes, day, time) => {
  const times = createTimeTexts('en', intraday, minutes)
  const at = secondsOf('2026-03-01T23:30Z')
  expect([times.mark(at, 2), times.mark(at, 3)]).toEqual([day, time])
})

describe('across a change of clocks', () => {
  test.each([
    ['Berlin, the day before', berlin, '2026-10-24T12:00Z', '2026-10-24 14:00'],
    ['Berlin, the last hour of summer', berlin, '2026-10-25T00:30Z', '2026-10-25 02:30'],
    ['Berlin, the same hour again', berlin, '2026-10-25T01:30Z', '2026-10-25 02:30'],
    ['Berlin, the day after', berlin, '2026-10-26T12:00Z', '2026-10-26 13:00'],
    ['Berlin, before the gap in spring', berlin, '2027-03-28T00:59Z', '2027-03-28 01:59'],
    ['Berlin, after it', berlin, '2027-03-28T01:00Z', '2027-03-28 03:00'],
    ['New York, summer', newYork, '2026-10-31T20:00Z', '2026-10-31 16:00'],
    ['New York, winter', newYork, '2026-11-02T20:00Z', '2026-11-02 15:00'],
  ])('%s, has the label of its moment', (_, minutes, at, label) => {
    expect(createTimeTexts('en', true, minutes).full(secondsOf(at))).toBe(label)
  })

  test('a day begins at its own midnight before and after', () => {
    const times = createTimeTexts('en', true, berlin)
    const from = secondsOf('2026-10-23T00:00Z')
    const hours = Array.from({ length: 96 }, (_, i) => from + i * hour)
    const days = hours.filter((at) => times.weight(at, at - hour) >= 50)
    expect(days.map((at) => [new Date(at * 1_000).toISOString().slice(5, 16), times.mark(at, 2), times.mark(at, 3)])).toEqual([
      ['10-23T22:00', '10/24', '00:00'],
      ['10-24T22:00', '10/25', '00:00'],
      ['10-25T23:00', '10/26', '00:00'],
      ['10-26T23:00', '10/27', '00:00'],
    ])
  })
})

test.each([
  ['a year', '2026-12-31T23:00Z', '2027-01-01T00:00Z', 70],
  ['a month', '2026-10-31T23:00Z', '2026-11-01T00:00Z', 60],
  ['a day', '2026-10-30T23:00Z', '2026-10-31T00:00Z', 50],
  ['half a day', '2026-10-30T11:00Z', '2026-10-30T12:00Z', 33],
  ['six hours', '2026-10-30T05:00Z', '2026-10-30T06:00Z', 32],
  ['three hours', '2026-10-30T02:00Z', '2026-10-30T03:00Z', 31],
  ['an hour', '2026-10-30T01:59Z', '2026-10-30T02:00Z', 30],
  ['half an hour', '2026-10-30T01:29Z', '2026-10-30T01:30Z', 22],
  ['five minutes', '2026-10-30T01:04Z', '2026-10-30T01:05Z', 21],
  ['a minute', '2026-10-30T01:05Z', '2026-10-30T01:06Z', 20],
  ['nothing', '2026-10-30T01:05Z', '2026-10-30T01:05Z', 0],
])('the beginning of %s weighs as the library counts', (_, before, at, weight) => {
  expect(createTimeTexts('en', true, zone(0)).weight(secondsOf(at), secondsOf(before))).toBe(weight)
})

test('words of the axis', () => {
  const times = createTimeTexts('en', true, zone(0))
  const at = secondsOf('2026-03-01T23:30Z')
  expect([0, 1, 2, 3].map((type) => times.mark(at, type))).toEqual(['2026', 'Mar', '3/1', '23:30'])
})

test('years are those of the rest of the app in Thai too', () => {
  expect(createTimeTexts('th-TH', false).mark(secondsOf('2026-03-01T23:30Z'), 0)).toContain('2026')
})
