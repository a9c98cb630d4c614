import { expect, test } from 'vitest'
import { createMatcher, type Matcher, type MatcherDeps } from '#api-server/spot/matcher.ts'
import { ApiProblem } from '#contract/problem.ts'
import { createLog } from '#server-kit/ops/log.ts'

/** A matcher without orders, whose take-overs end when `answer` is called. @param market asked for the only symbol, where there is one */
function slowMatcher(market?: () => Promise<never>) {
  const answers: (() => void)[] = []
  let epoch = 0
  let isAway = false
  let isCrowded = false
  const store = {
    takeOver: () => new Promise((done) => answers.push(() => done({ epoch: ++epoch, orders: [], lastFill: 0 }))),
    async pending() {
      if (isAway) throw new Error('the database is away')
      await new Promise(setImmediate)
      if (isCrowded) matcher.wake()
      return []
    },
  }
  const matcher: Matcher = createMatcher({
    store: store as unknown as MatcherDeps['store'],
    log: createLog('silent'),
    symbols: () => (market ? ['BTCUSDT'] : []),
    market,
    clock: { now: () => 1_000 },
  } as unknown as MatcherDeps)
  const asked = () => expect.poll(() => answers.length).toBeGreaterThan(0)
  return {
    matcher,
    asked,
    away: (now: boolean) => {
      isAway = now
    },
    /** More orders come from other nodes whenever some are read. */
    crowd: (now: boolean) => {
      isCrowded = now
    },
    async answer() {
      await asked()
      answers.shift()!()
    },
  }
}

test('a node that is stopped while it reads its books does not match', async () => {
  const { matcher, asked, answer } = slowMatcher()
  const started = matcher.start()
  await asked()
  matcher.stop()
  await answer()
  await started
  matcher.wake()
  await matcher.idle()
  expect(matcher.leads()).toBe(false)
})

test('a node that is stopped and started again while it reads its books reads them anew, and matches', async () => {
  const { matcher, asked, answer } = slowMatcher()
  const first = matcher.start()
  await asked()
  matcher.stop()
  const second = matcher.start()
  await answer()
  await answer()
  await Promise.all([first, second])
  await matcher.idle()
  expect([matcher.leads(), matcher.counts().takeovers]).toEqual([true, 2])
})

test('a sweep says whether what waits could be read', async () => {
  const { matcher, answer, away } = slowMatcher()
  // A node that does not match has nothing to do.
  await matcher.sweep()
  const started = matcher.start()
  await answer()
  await started
  await matcher.idle()
  away(true)
  await expect(matcher.sweep()).rejects.toThrow('away')
  away(false)
  await matcher.sweep()
})

test('orders of other nodes, however many, do not keep those of this one waiting', async () => {
  const { matcher, answer, crowd } = slowMatcher()
  const started = matcher.start()
  await answer()
  await started
  crowd(true)
  matcher.wake()
  await new Promise((done) => setTimeout(done, 50))
  expect(await matcher.around(async () => 'accepted')).toBe('accepted')
  crowd(false)
  await matcher.idle()
})

test.each([
  ['has no coins', new ApiProblem('symbol_unknown')],
  ['cannot be read', new Error('the database is away')],
])('a market that %s is asked for once at each look, and does not keep the matcher busy', async (_what, error) => {
  let asks = 0
  const { matcher, answer } = slowMatcher(async () => {
    asks++
    throw error
  })
  const started = matcher.start()
  await answer()
  await started
  await matcher.idle()
  matcher.follow()
  await new Promise((done) => setTimeout(done, 50))
  expect(asks).toBe(1)
  matcher.stop()
})
