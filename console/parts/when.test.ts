import { afterEach, expect, test } from 'vitest'
import { momentOf } from '#console/parts/when.ts'

const zone = process.env.TZ
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

test.each([
  ['Europe/Berlin', '2027-03-28T01:59', '2027-03-28T00:59:00.000Z', false],
  ['Europe/Berlin', '2027-03-28T02:00', '2027-03-28T01:00:00.000Z', true],
  ['Europe/Berlin', '2027-03-28T02:30', '2027-03-28T01:30:00.000Z', true],
  ['Europe/Berlin', '2027-03-28T03:00', '2027-03-28T01:00:00.000Z', false],
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z', false],
  ['America/New_York', '2027-03-14T02:15', '2027-03-14T07:15:00.000Z', true],
  ['Australia/Lord_Howe', '2026-10-04T02:10', '2026-10-03T15:40:00.000Z', true],
  ['Asia/Shanghai', '2027-03-28T02:30', '2027-03-27T18:30:00.000Z', false],
])('in %s, %s is %s; skipped by its clocks: %s', (tz, text, at, skipped) => {
  process.env.TZ = tz
  expect(momentOf(text)).toEqual({ at: Date.parse(at), skipped })
})

test('no time is none', () => {
  expect(momentOf('')).toEqual({ at: Number.NaN, skipped: false })
})
