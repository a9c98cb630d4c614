import { sql } from 'kysely'
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

/** Empties the tables of a market. */
export async function clearMarket(database: Database): Promise<void> {
  await sql`truncate tick, candle, tick_day`.execute(database.db)
  await sql`update tick_tip set id = 0, hash = decode(repeat('00', 32), 'hex'), since = null, day = null`.execute(database.db)
  await sql`alter table tick enable trigger tick_final`.execute(database.db)
  await sql`update instrument set history_end = null`.execute(database.db)
  await sql`update lease set until = 0`.execute(database.db)
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
