import { expect, it } from 'vitest'
import { inForceAt, isHaltedAt, isOpenAt, nextChange } from '#api-server/trading/hours.rules.ts'
import type { TradingCalendar } from '#contract/trading.ts'

const weekdays = [1, 2, 3, 4, 5].map((day) => ({ day, from: '09:30', to: '16:00' }))
const newYork: TradingCalendar = { zone: 'America/New_York', sessions: weekdays, holidays: ['2026-11-26'] }
const at = (text: string) => Date.parse(text)

it.each([
  ['before the bell', '2026-11-24T14:29:59Z', false],
  ['at the bell', '2026-11-24T14:30:00Z', true],
  ['in the last minute', '2026-11-24T20:59:59Z', true],
  ['at the close', '2026-11-24T21:00:00Z', false],
  ['on a holiday', '2026-11-26T16:00:00Z', false],
  ['on a Sunday', '2026-11-29T16:00:00Z', false],
  ['in summer, when the clock is an hour ahead', '2026-07-01T13:30:00Z', true],
])('knows whether a session runs: %s', (_what, time, open) => {
  expect(isOpenAt(newYork, at(time))).toBe(open)
})

it.each([
  ['opens later on the day', '2026-11-24T10:00:00Z', true, '2026-11-24T14:30:00Z'],
  ['closes on the day', '2026-11-24T15:00:00Z', false, '2026-11-24T21:00:00Z'],
  ['opens after a holiday', '2026-11-25T21:00:00Z', true, '2026-11-27T14:30:00Z'],
  ['opens after a weekend', '2026-11-27T22:00:00Z', true, '2026-11-30T14:30:00Z'],
  ['opens after the clocks went forward', '2026-03-06T22:00:00Z', true, '2026-03-09T13:30:00Z'],
  ['opens after the clocks went back', '2026-10-30T21:00:00Z', true, '2026-11-02T14:30:00Z'],
])('finds the next change: %s', (_what, time, opens, next) => {
  expect(nextChange(newYork, at(time))).toEqual({ opens, at: at(next) })
})

const nights = [
  { day: 1, from: '00:00', to: '17:00' },
  { day: 7, from: '01:30', to: '02:30' },
  { day: 7, from: '18:00', to: '24:00' },
]
it.each([
  ['opens on the day on which they go forward', '2027-03-14T04:30:00Z', true, '2027-03-14T06:30:00Z'],
  ['closes when they go on, where they skip the end', '2027-03-14T06:30:00Z', false, '2027-03-14T07:00:00Z'],
  ['opens later on that day', '2027-03-14T07:00:00Z', true, '2027-03-14T22:00:00Z'],
  ['goes on over midnight', '2027-03-14T22:00:00Z', false, '2027-03-15T21:00:00Z'],
  ['opens in the hour that they repeat', '2027-11-07T04:00:00Z', true, '2027-11-07T05:30:00Z'],
  ['opens in that hour again', '2027-11-07T06:10:00Z', true, '2027-11-07T06:30:00Z'],
])('finds the next change in a night in which the clocks change: %s', (_what, time, opens, next) => {
  expect(nextChange({ ...newYork, sessions: nights }, at(time))).toEqual({ opens, at: at(next) })
})

it('skips no day on which the clocks go forward', () => {
  const sunday: TradingCalendar = {
    ...newYork,
    sessions: [
      { day: 1, from: '00:00', to: '17:00' },
      { day: 7, from: '18:00', to: '24:00' },
    ],
  }
  expect(nextChange(sunday, at('2027-03-14T04:30:00Z'))).toEqual({ opens: true, at: at('2027-03-14T22:00:00Z') })
})

it('is always open without a calendar, and never with an empty one', () => {
  expect(isOpenAt(undefined, 0)).toBe(true)
  expect(nextChange(undefined, 0)).toBeUndefined()
  const never = { zone: 'UTC', sessions: [], holidays: [] }
  expect(isOpenAt(never, 0)).toBe(false)
  expect(nextChange(never, 0)).toBeUndefined()
})

it('has sessions that touch as one', () => {
  const round: TradingCalendar = {
    zone: 'UTC',
    sessions: [1, 2].map((day) => ({ day, from: '00:00', to: '24:00' })),
    holidays: [],
  }
  expect(nextChange(round, at('2026-11-23T12:00:00Z'))).toEqual({ opens: false, at: at('2026-11-25T00:00:00Z') })
})

it.each([
  ['before the first', 99, undefined],
  ['at the first', 100, 'first'],
  ['between them', 199, 'first'],
  ['at the second', 200, 'second'],
])('the version in force is the newest that had begun: %s', (_what, time, name) => {
  const versions = [
    { at: 100, name: 'first' },
    { at: 200, name: 'second' },
  ]
  expect(inForceAt(versions, time)?.name).toBe(name)
})

it.each([
  ['before it', 99, false],
  ['at its beginning', 100, true],
  ['in its last moment', 199, true],
  ['at its end', 200, false],
  ['in one that has not ended', 300, true],
])('a halt holds from its beginning until its end: %s', (_what, time, halted) => {
  const halts = [
    { at: 100, ended_at: 200 },
    { at: 250, ended_at: null },
  ]
  expect(isHaltedAt(halts, time)).toBe(halted)
})
