import { expect, test } from 'vitest'
import { createEngine, type Engine, type EngineDeps } from '#api-server/spot/engine.ts'
import { ApiProblem } from '#contract/problem.ts'
import { createLog } from '#server-kit/ops/log.ts'

/** An engine without orders, whose take-overs end when `answer` is called. @param market asked for the only symbol, where there is one */
function slowEngine(market?: () => Promise<never>) {
  const answers: (() => void)[] = []
  let epoch = 0
  let isAway = false
  let isCrowded = false
  const store = {
    takeOver: () => new Promise((done) => answers.push(() => done({ epoch: ++epoch, orders: [], lastFill: 0 }))),
    async pending() {
      if (isAway) throw new Error('the database is away')
      await new Promise(setImmediate)
      if (isCrowded) engine.wake()
      return []
    },
  }
  const engine: Engine = createEngine({
    store: store as unknown as EngineDeps['store'],
    log: createLog('silent'),
    symbols: () => (market ? ['BTCUSDT'] : []),
    market,
    clock: { now: () => 1_000 },
  } as unknown as EngineDeps)
  const asked = () => expect.poll(() => answers.length).toBeGreaterThan(0)
  return {
    engine,
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
  const { engine, asked, answer } = slowEngine()
  const started = engine.start()
  await asked()
  engine.stop()
  await answer()
  await started
  engine.wake()
  await engine.idle()
  expect(engine.leads()).toBe(false)
})

test('a node that is stopped and started again while it reads its books reads them anew, and matches', async () => {
  const { engine, asked, answer } = slowEngine()
  const first = engine.start()
  await asked()
  engine.stop()
  const second = engine.start()
  await answer()
  await answer()
  await Promise.all([first, second])
  await engine.idle()
  expect([engine.leads(), engine.counts().takeovers]).toEqual([true, 2])
})

test('a sweep says whether what waits could be read', async () => {
  const { engine, answer, away } = slowEngine()
  // A node that does not match has nothing to do.
  await engine.sweep()
  const started = engine.start()
  await answer()
  await started
  await engine.idle()
  away(true)
  await expect(engine.sweep()).rejects.toThrow('away')
  away(false)
  await engine.sweep()
})

test('orders of other nodes, however many, do not keep those of this one waiting', async () => {
  const { engine, answer, crowd } = slowEngine()
  const started = engine.start()
  await answer()
  await started
  crowd(true)
  engine.wake()
  await new Promise((done) => setTimeout(done, 50))
  expect(await engine.around(async () => 'accepted')).toBe('accepted')
  crowd(false)
  await engine.idle()
})

test.each([
  ['has no coins', new ApiProblem('symbol_unknown')],
  ['cannot be read', new Error('the database is away')],
])('a market that %s is asked for once at each look, and does not keep the engine busy', async (_what, error) => {
  let asks = 0
  const { engine, answer } = slowEngine(async () => {
    asks++
    throw error
  })
  const started = engine.start()
  await answer()
  await started
  await engine.idle()
  engine.follow()
  await new Promise((done) => setTimeout(done, 50))
  expect(asks).toBe(1)
  engine.stop()
})
