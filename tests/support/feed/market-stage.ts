import { type Market, type MarketOptions, openMarket } from '#api-server/market/market.ts'
import type { Database } from '#server-kit/db/db.ts'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'

export interface MarketStage {
  market: Market
  /** Moves the clock and runs the simulator after each step. */
  run(steps: number, stepMs: number): void
  now(): number
}

/** A market on a clock that only the test moves; the simulator's future is fixed. */
export async function openMarketStage(database: Database, startAt: number, over: Partial<MarketOptions> = {}): Promise<MarketStage> {
  const log = createLog('silent')
  let now = startAt
  const beats = new Set<() => void>()
  const market = await openMarket({
    database,
    clock: { now: () => now },
    bus: createLocalBus(log),
    log,
    source: 'simulator',
    liveSeed: 7,
    flushEveryMs: 5,
    every(_ms, beat) {
      beats.add(beat)
      return () => beats.delete(beat)
    },
    ...over,
  })
  return {
    market,
    now: () => now,
    run(steps, stepMs) {
      for (let i = 0; i < steps; i++) {
        now += stepMs
        for (const beat of beats) beat()
      }
    },
  }
}
