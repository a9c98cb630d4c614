import { expect, test } from 'vitest'
import { newAllowance, takeOne } from '#api-server/feed/allowance.rules.ts'

const taken = (times: number[]) => {
  const one = newAllowance(10, 0)
  return times.filter((now) => takeOne(one, 5, 10, now)).length
}

test.each<[string, number[], number]>([
  ['a burst', Array(12).fill(0), 10],
  ["more than a second's burst at once", Array.from({ length: 1_000 }, (_, i) => i), 14],
  ['five a second, for long', Array.from({ length: 100 }, (_, i) => i * 200), 100],
  ['after a pause the full burst is available again, and no more', [...Array(10).fill(0), ...Array(20).fill(60_000)], 20],
  ['a clock that goes back adds nothing', [...Array(10).fill(1_000), 0, 0], 10],
])('%s', (_name, times, expected) => {
  expect(taken(times)).toBe(expected)
})
