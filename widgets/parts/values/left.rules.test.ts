import { expect, test } from 'vitest'
import { timeLeft } from '#widgets/parts/values/left.rules.ts'

test.each([
  [0, { days: 0, clock: '00:00', over: true }],
  [-5_000, { days: 0, clock: '00:00', over: true }],
  [1, { days: 0, clock: '00:01', over: false }],
  [1_000, { days: 0, clock: '00:01', over: false }],
  [59_001, { days: 0, clock: '01:00', over: false }],
  [3_599_000, { days: 0, clock: '59:59', over: false }],
  [3_600_000, { days: 0, clock: '01:00:00', over: false }],
  [86_399_000, { days: 0, clock: '23:59:59', over: false }],
  [86_400_000, { days: 1, clock: '00:00:00', over: false }],
  [3 * 86_400_000 + 61_000, { days: 3, clock: '00:01:01', over: false }],
])('%i ms left', (ms, left) => {
  expect(timeLeft(1_700_000_000_000 + ms, 1_700_000_000_000)).toEqual(left)
})
