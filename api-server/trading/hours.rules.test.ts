import { expect, it } from 'vitest'
import { inForceAt, isHaltedAt, isOpenAt, isPast, nextChange, nextDays } from '#api-server/trading/hours.rules.ts'
import type { TradingCalendar } from '#contract/trading.ts'

const weekdays = [1, 2, 3, 4, 5].map((day) => ({ day, from: '09:30', to: '16:00' }))
const newYork: TradingCalendar = { zone: 'America/New_York', sessions: weekdays, holidays: ['2026-11-26'], days: [] }
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

/** An early close, a second session on it, extra sessions on a Sunday, and on the two days of a change of the clocks. */
const own: TradingCalendar = {
  ...newYork,
  days: [
    { date: '2026-11-01', sessions: [{ from: '01:15', to: '01:45' }] },
    {
      date: '2026-11-27',
      sessions: [
        { from: '09:30', to: '13:00' },
        { from: '14:00', to: '14:30' },
      ],
    },
    { date: '2026-11-29', sessions: [{ from: '10:00', to: '12:00' }] },
    { date: '2027-03-14', sessions: [{ from: '01:30', to: '03:30' }] },
  ],
}
it.each([
  ['before the early close', '2026-11-27T17:59:59Z', true, { opens: false, at: '2026-11-27T18:00:00Z' }],
  ['at the early close, where another session follows', '2026-11-27T18:00:00Z', false, { opens: true, at: '2026-11-27T19:00:00Z' }],
  ['in that session', '2026-11-27T19:10:00Z', true, { opens: false, at: '2026-11-27T19:30:00Z' }],
  ['after it, in the usual hours of that weekday', '2026-11-27T20:00:00Z', false, { opens: true, at: '2026-11-29T15:00:00Z' }],
  ['in the extra session', '2026-11-29T15:30:00Z', true, { opens: false, at: '2026-11-29T17:00:00Z' }],
  ['a week later, in the usual hours', '2026-12-04T20:00:00Z', true, { opens: false, at: '2026-12-04T21:00:00Z' }],
  ['before a session in the hour that the clocks repeat', '2026-10-31T00:00:00Z', false, { opens: true, at: '2026-11-01T05:15:00Z' }],
  ['in its first time', '2026-11-01T05:30:00Z', true, { opens: false, at: '2026-11-01T05:45:00Z' }],
  ['between both', '2026-11-01T05:50:00Z', false, { opens: true, at: '2026-11-01T06:15:00Z' }],
  ['over the hour that the clocks skip', '2027-03-14T06:30:00Z', true, { opens: false, at: '2027-03-14T07:30:00Z' }],
])('hours of a day of its own: %s', (_what, time, open, next) => {
  expect(isOpenAt(own, at(time))).toBe(open)
  expect(nextChange(own, at(time))).toEqual({ opens: next.opens, at: at(next.at) })
})

it('a calendar of days alone opens on them', () => {
  const once = { ...own, sessions: [] }
  expect(nextChange(once, at('2026-11-27T20:00:00Z'))).toEqual({ opens: true, at: at('2026-11-29T15:00:00Z') })
})

it('lists the next trading days as they will be', () => {
  const days = nextDays(own, at('2026-11-25T22:00:00Z'), 4)
  expect(days).toEqual([
    {
      date: '2026-11-27',
      day: 5,
      own: true,
      opens: at('2026-11-27T14:30:00Z'),
      closes: at('2026-11-27T19:30:00Z'),
      sessions: own.days[1]!.sessions,
    },
    {
      date: '2026-11-29',
      day: 7,
      own: true,
      opens: at('2026-11-29T15:00:00Z'),
      closes: at('2026-11-29T17:00:00Z'),
      sessions: own.days[2]!.sessions,
    },
    ...[
      { date: '2026-11-30', day: 1 },
      { date: '2026-12-01', day: 2 },
    ].map(({ date, day }) => ({
      date,
      day,
      own: false,
      opens: at(`${date}T14:30:00Z`),
      closes: at(`${date}T21:00:00Z`),
      sessions: [{ from: '09:30', to: '16:00' }],
    })),
  ])
})

it.each([
  ['while the last session runs', '2026-11-27T19:10:00Z', '2026-11-27'],
  ['once it is over', '2026-11-27T19:30:00Z', '2026-11-29'],
  ['over the change of the clocks', '2026-10-30T21:00:00Z', '2026-11-01'],
])('the first of the next trading days: %s', (_what, time, date) => {
  expect(nextDays(own, at(time), 1).map((day) => day.date)).toEqual([date])
})

it('a session within the hour that the clocks skip is none', () => {
  const skipped = { ...own, days: [{ date: '2027-03-14', sessions: [{ from: '02:10', to: '02:50' }] }] }
  const friday = at('2027-03-12T22:00:00Z')
  expect(nextDays(skipped, friday, 1)).toMatchObject([{ date: '2027-03-15', opens: at('2027-03-15T13:30:00Z') }])
  expect(nextChange(skipped, friday)).toEqual({ opens: true, at: at('2027-03-15T13:30:00Z') })
})

it('lists no days where there is nothing to list', () => {
  expect(nextDays(undefined, 0, 10)).toEqual([])
  expect(nextDays({ ...newYork, sessions: [] }, 0, 10)).toEqual([])
})

it.each([
  ['a day before', '2026-11-26', '24:00', true],
  ['a time before', '2026-11-27', '13:00', true],
  ['that very minute', '2026-11-27', '14:00', true],
  ['a time to come', '2026-11-27', '14:01', false],
  ['the next day, which is today in UTC', '2026-11-28', '00:00', false],
])('knows what the clocks of a zone have passed: %s', (_what, date, time, past) => {
  expect(isPast('America/New_York', date, time, at('2026-11-27T19:00:00Z'))).toBe(past)
})

it('is always open without a calendar, and never with an empty one', () => {
  expect(isOpenAt(undefined, 0)).toBe(true)
  expect(nextChange(undefined, 0)).toBeUndefined()
  const never = { zone: 'UTC', sessions: [], holidays: [], days: [] }
  expect(isOpenAt(never, 0)).toBe(false)
  expect(nextChange(never, 0)).toBeUndefined()
})

it('has sessions that touch as one', () => {
  const round: TradingCalendar = {
    zone: 'UTC',
    sessions: [1, 2].map((day) => ({ day, from: '00:00', to: '24:00' })),
    holidays: [],
    days: [],
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
