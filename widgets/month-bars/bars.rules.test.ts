import { expect, test } from 'vitest'
import { barsOf } from '#widgets/month-bars/bars.rules.ts'

test('the greatest count is the full height, nothing is flat', () => {
  const bars = barsOf([
    { month: '2026-10', count: 1 },
    { month: '2026-11', count: 0 },
    { month: '2026-12', count: 4 },
  ])
  expect(bars.map(({ share }) => share)).toEqual([0.25, 0, 1])
  expect(bars.map(({ at }) => new Date(at ?? 0).toISOString().slice(0, 7))).toEqual(['2026-10', '2026-11', '2026-12'])
})

test.each([
  [[], []],
  [[{ month: '2026-11', count: 0 }], [0]],
])('%j has the heights %j', (months, shares) => {
  expect(barsOf(months).map(({ share }) => share)).toEqual(shares)
})

test.each(['2026-13', '2026-00', '2026', 'soon', ''])('%j is no month and keeps its words', (month) => {
  expect(barsOf([{ month, count: 2 }])).toEqual([{ month, count: 2, share: 1, at: undefined }])
})
