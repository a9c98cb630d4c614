import { expect, test } from 'vitest'
import {
  calendarChanges,
  calendarText,
  pastIn,
  readCalendar,
  type TypedCalendar,
  type WrongCalendar,
} from '#api-server/trading/calendar.rules.ts'
import type { TradingCalendar } from '#contract/trading.ts'

const typed: TypedCalendar = {
  zone: 'America/New_York',
  sessions: '1-5 09:30-16:00',
  holidays: '2026-12-25, 2027-01-01',
  days: '2026-11-27 09:30-13:00, 2026-11-28 10:00-11:00, 2026-11-28 12:00-13:00',
}
function calendarOf(over: Partial<TypedCalendar> = {}): TradingCalendar | undefined {
  const read = readCalendar({ ...typed, ...over })
  if ('wrong' in read) throw new Error(JSON.stringify(read))
  return read.calendar
}

test('hours are read and written', () => {
  const calendar = calendarOf()
  expect(calendar).toMatchObject({
    holidays: ['2026-12-25', '2027-01-01'],
    days: [
      { date: '2026-11-27', sessions: [{ from: '09:30', to: '13:00' }] },
      {
        date: '2026-11-28',
        sessions: [
          { from: '10:00', to: '11:00' },
          { from: '12:00', to: '13:00' },
        ],
      },
    ],
  })
  expect(calendarText(calendar)).toEqual(typed)
  expect(calendarOf({ zone: ' ' })).toBeUndefined()
  expect(calendarText(undefined)).toEqual({ zone: '', sessions: '', holidays: '', days: '' })
})

test('what is typed in any order and on lines of its own is stored in order', () => {
  const days = '2026-11-28 12:00-13:00\n2026-11-28 10:00-11:00\n 2026-11-27  09:30-13:00 \n'
  expect(calendarText(calendarOf({ days, holidays: '2027-01-01 2026-12-25' }))).toEqual(typed)
})

test.each<[string, Partial<TypedCalendar>, WrongCalendar['wrong'], WrongCalendar['why']]>([
  ['no zone', { zone: 'Mars/Olympus' }, 'zone', 'unreadable'],
  ['no session', { sessions: '' }, 'sessions', 'unreadable'],
  ['an eighth day', { sessions: '1-8 09:00-10:00' }, 'sessions', 'unreadable'],
  ['days backwards', { sessions: '5-1 09:00-10:00' }, 'sessions', 'unreadable'],
  ['a session backwards', { sessions: '1 10:00-09:00' }, 'sessions', 'unreadable'],
  ['hours alone', { sessions: '1 9-10' }, 'sessions', 'unreadable'],
  ['something after a session', { sessions: '1 09:00-10:00 x' }, 'sessions', 'unreadable'],
  ['sessions of a weekday that overlap', { sessions: '1-5 09:30-16:00, 3 15:59-17:00' }, 'sessions', 'overlap'],
  ['a session twice', { sessions: '1-5 09:30-16:00, 5 09:30-16:00' }, 'sessions', 'overlap'],
  ['a thirteenth month', { holidays: '2026-13-01' }, 'holidays', 'unreadable'],
  ['a holiday by its name', { holidays: 'Christmas' }, 'holidays', 'unreadable'],
  ['a holiday twice', { holidays: '2026-12-25, 2026-12-25' }, 'holidays', 'twice'],
  ['a day that does not exist', { days: '2026-11-31 09:30-13:00' }, 'days', 'unreadable'],
  ['a day without hours', { days: '2026-11-27' }, 'days', 'unreadable'],
  ['a weekday in place of a date', { days: '5 09:30-13:00' }, 'days', 'unreadable'],
  ['an early close before the opening of the day itself', { days: '2026-11-27 13:00-09:30' }, 'days', 'unreadable'],
  ['an early close before the usual opening', { days: '2026-11-27 03:00-09:00' }, 'days', 'early'],
  ['an early close at the usual opening', { days: '2026-11-27 03:00-09:30' }, 'days', 'early'],
  ['sessions of a day that overlap', { days: '2026-11-27 09:30-13:00, 2026-11-27 12:59-14:00' }, 'days', 'overlap'],
  ['an early close on a holiday', { days: '2026-12-25 09:30-13:00' }, 'days', 'twice'],
])('%s is refused at its field', (_what, over, wrong, why) => {
  expect(readCalendar({ ...typed, ...over })).toEqual({ wrong, why })
})

test.each<[string, Partial<TypedCalendar>]>([
  ['sessions that touch', { sessions: '1-5 09:30-12:00, 1-5 12:00-16:00' }],
  ['a day that opens before the usual hours, and closes in them', { days: '2026-11-27 08:00-09:31' }],
  ['an extra session on a day without any, at any time', { days: '2026-11-28 03:00-04:00' }],
  ['a session until midnight', { days: '2026-11-27 09:30-24:00' }],
])('%s can be proposed', (_what, over) => {
  expect(calendarOf(over)).toBeDefined()
})

// New York is five hours behind in November: 2026-11-27, 13:30 there.
const now = Date.parse('2026-11-27T18:30:00Z')
const before = calendarOf({ holidays: '2026-11-26', days: '2026-11-24 09:30-13:00' })
test.each<[string, Partial<TypedCalendar>, object | undefined]>([
  ['a holiday that was', { holidays: '2026-11-25, 2026-11-26', days: '' }, { wrong: 'holidays', why: 'past' }],
  ['a holiday today', { holidays: '2026-11-26, 2026-11-27', days: '' }, undefined],
  ['an early close that was', { holidays: '', days: '2026-11-25 09:30-13:00' }, { wrong: 'days', why: 'past' }],
  ['an early close today, at an hour that is over', { holidays: '', days: '2026-11-27 09:30-13:30' }, { wrong: 'days', why: 'past' }],
  ['an early close today, in a minute', { holidays: '', days: '2026-11-27 09:30-13:31' }, undefined],
  ['other hours of a day that was', { holidays: '', days: '2026-11-24 09:30-12:00' }, { wrong: 'days', why: 'past' }],
  ['what was there already', { holidays: '2026-11-26', days: '2026-11-24 09:30-13:00' }, undefined],
  ['leaving out what was', { holidays: '', days: '' }, undefined],
  ['hours at all times', { zone: '' }, undefined],
])('the past stays as it was: %s', (_what, over, wrong) => {
  expect(pastIn(before, calendarOf(over), now)).toEqual(wrong)
})

test('today is that of the zone, not that of UTC', () => {
  const late = Date.parse('2026-11-28T03:00:00Z')
  expect(pastIn(undefined, calendarOf({ holidays: '2026-11-27', days: '' }), late)).toBeUndefined()
  expect(pastIn(undefined, calendarOf({ holidays: '2026-11-27', days: '', zone: 'UTC' }), late)).toEqual({ wrong: 'holidays', why: 'past' })
})

test('a change says of dates what goes and what comes', () => {
  const after = calendarOf({ sessions: '1-5 09:30-17:00', holidays: '2026-12-25, 2027-01-04', days: '2026-11-27 09:30-14:00' })
  expect(calendarChanges(calendarOf(), after).map(({ name, before, shown }) => [name, before, shown])).toEqual([
    ['sessions', '1-5 09:30-16:00', '1-5 09:30-17:00'],
    ['holidays', '2027-01-01', '2027-01-04'],
    ['days', '2026-11-27 09:30-13:00, 2026-11-28 10:00-11:00, 2026-11-28 12:00-13:00', '2026-11-27 09:30-14:00'],
  ])
  expect(calendarChanges(after, after)).toEqual([])
  expect(calendarChanges(undefined, after).map(({ name, before }) => [name, before])).toEqual([
    ['zone', ''],
    ['sessions', ''],
    ['holidays', ''],
    ['days', ''],
  ])
})
