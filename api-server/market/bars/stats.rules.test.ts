import { expect, test } from 'vitest'
import type { Bar } from '#api-server/market/bars/bars.rules.ts'
import { createDayWindow } from '#api-server/market/bars/stats.rules.ts'

const five = 300_000
const day = 86_400_000
const now = Date.parse('2026-11-20T12:00:00Z')
const bar = (time: number, open: number, high: number, low: number, close: number, volume: number): Bar => ({
  time,
  open,
  high,
  low,
  close,
  volume,
})

test('undefined before the first price', () => {
  expect(createDayWindow([]).at(now)).toBeUndefined()
})

test('a single price is open, high, low and last', () => {
  const window = createDayWindow([])
  window.add(now, 100, 3)
  expect(window.at(now)).toEqual({ open: 100, high: 100, low: 100, volume: 3 })
})

test('prices older than a day leave the window', () => {
  const window = createDayWindow([])
  window.add(now, 500, 7) // The highest price, which leaves the window first.
  window.add(now + five, 100, 1)
  window.add(now + 2 * five, 90, 2)
  window.add(now + day - 1, 120, 4)
  expect(window.at(now + day - 1)).toEqual({ open: 500, high: 500, low: 90, volume: 14 })
  window.add(now + day + 1, 110, 8)
  expect(window.at(now + day + 1)).toEqual({ open: 100, high: 120, low: 90, volume: 15 })
  expect(window.at(now + day + five)).toEqual({ open: 90, high: 120, low: 90, volume: 14 })
})

test('the window starts from the bars of the last day, of which the newest is open', () => {
  const past = Array.from({ length: 400 }, (_, i) => bar(now - (399 - i) * five, 1_000 - i, 1_000 - i, 1_000 - i, 1_000 - i, 1))
  const window = createDayWindow(past)
  expect(window.at(now + 1)).toEqual({ open: 888, high: 888, low: 601, volume: 288 })
  window.add(now + 2, 2_000, 5)
  expect(window.at(now + 2)).toEqual({ open: 888, high: 2_000, low: 601, volume: 293 })
})

test('the given bars are not changed', () => {
  const past = [bar(now, 1, 1, 1, 1, 1)]
  createDayWindow(past).add(now + 1, 9, 9)
  expect(past).toEqual([bar(now, 1, 1, 1, 1, 1)])
})

test('after a day without trades only the last price is left, without volume', () => {
  const window = createDayWindow([])
  window.add(now, 100, 3)
  window.add(now + five, 130, 3)
  expect(window.at(now + 3 * day)).toEqual({ open: 130, high: 130, low: 130, volume: 0 })
})

test('a tick that comes late counts in the bucket of its time, and what bears a later time than now does not count', () => {
  const window = createDayWindow([])
  window.add(now + 10 * day, 900, 9)
  window.add(now, 100, 1)
  window.add(now + five, 110, 1)
  expect(window.at(now + five)).toEqual({ open: 100, high: 110, low: 100, volume: 2 })
  window.add(now + 2 * five, 120, 1)
  expect(window.at(now + 2 * five)).toEqual({ open: 100, high: 120, low: 100, volume: 3 })
  window.add(now + five, 80, 4)
  window.add(now - five, 95, 2)
  window.add(now - 2 * day, 1, 50)
  expect(window.at(now + 2 * five)).toEqual({ open: 95, high: 120, low: 80, volume: 9 })
  expect(window.at(now + 9 * day)).toEqual({ open: 120, high: 120, low: 120, volume: 0 })
})
