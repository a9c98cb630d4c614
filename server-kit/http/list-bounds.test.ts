import { expect, test } from 'vitest'
import { checkMost, checkTimeRange, countMax, offsetOf } from '#server-kit/http/list-bounds.ts'

test.each([{}, { from: 5 }, { to: 5 }, { from: 5, to: 5 }, { from: 0, to: 1 }])('%j is a range', (range) => {
  expect(() => checkTimeRange(range)).not.toThrow()
})
test.each([
  { from: 6, to: 5 },
  { from: 1, to: 0 },
])('%j is none', (range) => {
  expect(() => checkTimeRange(range)).toThrow(expect.objectContaining({ code: 'range_reversed', field: 'to' }))
})

test('pages begin behind one another, up to the last row that is counted', () => {
  expect(offsetOf({ page: 1, size: 10 })).toEqual({ offset: 0, size: 10 })
  expect(offsetOf({ page: 3, size: 50 })).toEqual({ offset: 100, size: 50 })
  const last = countMax / 100
  expect(offsetOf({ page: last, size: 100 })).toEqual({ offset: countMax - 100, size: 100 })
  expect(() => offsetOf({ page: last + 1, size: 100 })).toThrow(expect.objectContaining({ code: 'range_too_wide', field: 'page' }))
})

test('a table that answers give whole has no more rows than the contract names', () => {
  const rows = (count: number) => Array.from({ length: count })
  expect(() => checkMost(rows(500), 500, 'currency')).not.toThrow()
  expect(() => checkMost(rows(501), 500, 'currency')).toThrow('the table "currency" has 501 rows; answers list 500 at most')
})
