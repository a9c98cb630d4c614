import { expect, test } from 'vitest'
import { addPrice, type Bar, barOf, coarsen, fillFlat, joinBars } from '#api-server/market/bars/bars.rules.ts'

const minute = 60_000
const bar = (time: number, open: number, high: number, low: number, close: number, volume = 1): Bar => ({
  time,
  open,
  high,
  low,
  close,
  volume,
})

test('a bar follows its prices', () => {
  const one = barOf(0, 10, 2)
  addPrice(one, 14, 1)
  addPrice(one, 8, 3)
  addPrice(one, 9, 0)
  expect(one).toEqual(bar(0, 10, 14, 8, 9, 6))
})

test('consecutive bars merge into one; an empty list gives undefined', () => {
  expect(joinBars(0, [bar(0, 10, 12, 9, 11), bar(minute, 11, 15, 11, 13), bar(2 * minute, 13, 13, 7, 8)])).toEqual(bar(0, 10, 15, 7, 8, 3))
  expect(joinBars(0, [])).toBeUndefined()
})

test('merging does not change its input', () => {
  const part = bar(0, 10, 12, 9, 11)
  joinBars(0, [part, bar(minute, 11, 15, 11, 13)])
  expect(part).toEqual(bar(0, 10, 12, 9, 11))
})

test('coarser bars exist only for buckets with finer bars', () => {
  const fine = [bar(0, 1, 2, 1, 2), bar(4 * minute, 2, 3, 2, 3), bar(10 * minute, 3, 3, 1, 1)]
  expect(coarsen('5m', fine)).toEqual([bar(0, 1, 3, 1, 3, 2), bar(10 * minute, 3, 3, 1, 1)])
})

const flat = (time: number, price: number) => bar(time, price, price, price, price, 0)
test.each<[string, Bar[], number, number, Bar[]]>([
  [
    'a hole',
    [bar(0, 1, 2, 1, 2), bar(3 * minute, 5, 5, 5, 5)],
    4 * minute,
    10,
    [bar(0, 1, 2, 1, 2), flat(minute, 2), flat(2 * minute, 2), bar(3 * minute, 5, 5, 5, 5)],
  ],
  ['the end', [bar(0, 1, 2, 1, 2)], 2 * minute + 1, 10, [bar(0, 1, 2, 1, 2), flat(minute, 2), flat(2 * minute, 2)]],
  ['only the newest', [bar(0, 1, 2, 1, 2)], 1_000_000 * minute, 2, [flat(999_998 * minute, 2), flat(999_999 * minute, 2)]],
  ['no earlier bar', [], 5 * minute, 10, []],
  ['no gap before the end', [bar(0, 1, 2, 1, 2), bar(minute, 2, 2, 2, 2)], minute, 10, [bar(0, 1, 2, 1, 2)]],
])('filling: %s', (_name, bars, until, max, expected) => {
  expect(fillFlat('1m', bars, until, max)).toEqual(expected)
})
