import * as z from 'zod'
import type { Board } from '#api-server/market/board.ts'
import type { MarketStore } from '#api-server/market/market.store.ts'
import type { Tick } from '#api-server/market/sources/source.ts'
import { toUnits, toUnitsCut } from '#api-server/market/units.rules.ts'
import type { LoggedTick } from '#contract/tick-chain.ts'

/** Topic of the message that the leading node sends after each commit. A node that misses a message reads the log. */
export const ticksTopic = 'market.ticks'
export const ticksMessage = z.object({
  list: z
    .array(
      z.object({
        id: z.int().positive(),
        symbol: z.string().max(20),
        price: z.string().max(41),
        size: z.string().max(41),
        time: z.int().nonnegative(),
      }),
    )
    .max(1_000),
})
type TicksMessage = z.infer<typeof ticksMessage>

const pageSize = 1_000
/** A node that is more pages behind than this restarts at the end of the log. */
const catchUpPagesMax = 50

interface FollowerOptions {
  board: Board
  store: Pick<MarketStore, 'ticksAfter'>
  apply: (tick: Tick, id: number) => void
}

interface Follower {
  /** Id of the last applied tick. */
  at(): number
  moveTo(id: number): void
  /** Applies ticks from the bus. Known ticks are skipped; a gap before them is read from the log first. */
  take(list: TicksMessage['list']): Promise<void>
  /** Reads and applies the ticks of the log after `at`. */
  catchUp(): Promise<void>
}

/** Keeps the board of a node in step with the log that the leading node writes. */
export function createFollower({ board, store, apply }: FollowerOptions): Follower {
  let at = 0
  let work = Promise.resolve()

  function takeRow(row: Pick<LoggedTick, 'id' | 'symbol' | 'price' | 'size' | 'time'>): void {
    if (row.id <= at) return
    at = row.id
    const instrument = board.instrument(row.symbol)
    const price = instrument && toUnits(row.price, instrument.priceScale)
    if (!instrument || !price) return
    const before = board.last(row.symbol)?.price ?? price
    apply(
      {
        symbol: row.symbol,
        price,
        size: toUnitsCut(row.size, instrument.sizeScale) ?? 0,
        side: price < before ? 'sell' : 'buy',
        time: row.time,
      },
      row.id,
    )
  }

  async function readLog(): Promise<void> {
    for (let page = 0; page < catchUpPagesMax; page++) {
      const rows = await store.ticksAfter(at, pageSize)
      for (const row of rows) takeRow(row)
      if (rows.length < pageSize) return
    }
  }

  const next = (step: () => Promise<void>): Promise<void> => {
    const done = work.then(step)
    work = done.catch(() => {})
    return done
  }

  return {
    at: () => at,
    moveTo(id) {
      at = id
    },
    take: (list) =>
      next(async () => {
        const first = list.find((row) => row.id > at)
        if (first && first.id !== at + 1) await readLog()
        for (const row of list) if (row.id === at + 1) takeRow(row)
      }),
    catchUp: () => next(readLog),
  }
}
