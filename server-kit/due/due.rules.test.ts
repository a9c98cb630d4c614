import { expect, test } from 'vitest'
import { retryAfterMs } from '#server-kit/due/due.rules.ts'

test.each<[tries: number, jitter: number, firstMs: number | undefined, afterMs: number | undefined]>([
  [1, 0, undefined, 5_000],
  [1, 1, undefined, 6_000],
  [2, 0, undefined, 20_000],
  [5, 0, undefined, 1_280_000],
  [6, 0, undefined, undefined],
  [1, 0, 60_000, 60_000],
  [3, 0.5, 60_000, 1_056_000],
  [5, 0, 60_000, 3_600_000],
  [5, 1, 60_000, 4_320_000],
])('after %i failures and a jitter of %s, first %s ms, the next try comes in %s ms', (tries, jitter, firstMs, afterMs) => {
  expect(retryAfterMs(tries, jitter, firstMs)).toBe(afterMs)
})
