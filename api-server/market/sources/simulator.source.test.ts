import { expect, test } from 'vitest'
import { instrumentSeeds, withUnits } from '#api-server/market/instruments.ts'
import { createSimulator } from '#api-server/market/sources/simulator.source.ts'
import type { Tick } from '#api-server/market/sources/source.ts'

test('no tick is of a moment before it was received, so that a moment that is over has its last price', () => {
  let now = Date.parse('2026-11-20T12:00:00Z')
  let beat = () => {}
  const simulator = createSimulator(
    instrumentSeeds.map((seed) => withUnits({ ...seed, historyEnd: null })),
    {
      seed: 1,
      liveSeed: 7,
      every(_ms, run) {
        beat = run
        return () => {}
      },
    },
  )
  const received: { tick: Tick; at: number }[] = []
  simulator.start((ticks) => received.push(...ticks.map((tick) => ({ tick, at: now }))), { now: () => now }, new Map())
  for (let beats = 0; beats < 200; beats++) {
    now += beats % 7 ? 100 : 450
    beat()
  }
  expect(received.length).toBeGreaterThan(200)
  expect(received.filter(({ tick, at }) => tick.time !== at)).toEqual([])
})
