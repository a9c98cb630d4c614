import { expect, test } from 'vitest'
import { takeTurn, triesLimits } from '#server-kit/security/tries.ts'

const now = 1_800_000_000_000
const ago = (...seconds: number[]) => seconds.map((s) => now - s * 1_000)

test.each<[name: string, tries: number[], waitMs: number]>([
  ['first', [], 0],
  ['second', ago(0), 0],
  ['third', ago(0, 0), 0],
  ['fourth at once', ago(0, 0, 0), 1_000],
  ['fourth after a second', ago(1, 1, 1), 0],
  ['fifth', ago(10, 9, 8, 1), 1_000],
  ['tenth', ago(100, 99, 98, 97, 96, 95, 94, 93, 60), 0],
  ['tenth, too soon', ago(100, 99, 98, 97, 96, 95, 94, 93, 59), 1_000],
  ['eleventh', ago(899, 800, 700, 600, 500, 400, 300, 200, 100, 90), 1_000],
  ['eleventh when the first is a quarter of an hour old', ago(900, 800, 700, 600, 500, 400, 300, 200, 100, 90), 0],
])('%s', (_name, tries, waitMs) => {
  const turn = takeTurn(tries, now)
  expect(turn.allowed ? 0 : turn.waitMs).toBe(waitMs)
})

test('whoever never rests makes at most ten tries in any quarter of an hour', () => {
  let tries: number[] = []
  const made: number[] = []
  for (let at = now; at < now + 4 * triesLimits.windowMs; at += 250) {
    const turn = takeTurn(tries, at)
    if (!turn.allowed) continue
    tries = turn.tries
    made.push(at)
  }
  for (const from of made) expect(made.filter((at) => at >= from && at < from + triesLimits.windowMs).length).toBeLessThanOrEqual(10)
  expect(made.length).toBeGreaterThan(20)
  expect(tries.length).toBeLessThanOrEqual(10)
})
