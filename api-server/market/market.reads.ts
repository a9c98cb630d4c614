import { setTimeout as sleep } from 'node:timers/promises'
import type { Board } from '#api-server/market/board.ts'
import type { ChainedTick } from '#api-server/market/chain.rules.ts'
import { followChain, genesisHash } from '#api-server/market/chain.rules.ts'
import type { MarketInstrument } from '#api-server/market/instruments.ts'
import type { MarketStore } from '#api-server/market/market.store.ts'
import type { TickLog } from '#api-server/market/tick-log.ts'
import { fromUnits } from '#api-server/market/units.rules.ts'
import type { Clock } from '#server-kit/ops/clock.ts'

export type { MarketInstrument }

/** A price with the number of its tick, under which anyone can look it up in the log. */
export interface PriceRead {
  tickId: number
  price: string
  /** ms UTC. */
  time: number
}

export type MarketReads = ReturnType<typeof createMarketReads>

export interface ReadsOptions {
  board: Board
  store: Pick<MarketStore, 'tickAtOrBefore' | 'tickById' | 'ticksAfter'>
  clock: Clock
  /** This node's log while it runs the source, otherwise undefined. */
  writer: () => TickLog | undefined
  /** Brings this node up to the log's end. */
  catchUp: () => Promise<void>
}

/** A following node waits so long for what the leading one may still have in hand: three of its flushes. */
const followerGraceMs = 750
const verifyBatch = 1_000

/** What other modules may know of the market. */
export function createMarketReads({ board, store, clock, writer, catchUp }: ReadsOptions) {
  return {
    instrument: (symbol: string): MarketInstrument | undefined => board.instrument(symbol),

    /** The last tick; undefined before the first. It may be unwritten for some 250 ms: await `durable` before a commit that names it. */
    lastPrice(symbol: string): PriceRead | undefined {
      const last = board.last(symbol)
      const instrument = board.instrument(symbol)
      return last?.id && instrument ? { tickId: last.id, price: fromUnits(last.price, instrument.priceScale), time: last.time } : undefined
    },

    /** Age of the last price in ms; undefined before the first. A price from the future, after the clock was set back, is as old as it is ahead. */
    quoteAge(symbol: string): number | undefined {
      const last = board.last(symbol)
      return last && Math.abs(clock.now() - last.time)
    },

    /** Resolves once the tick is in the log. @throws after 5 s without the database */
    durable: async (tickId: number): Promise<void> => writer()?.durable(tickId),

    /**
     * The last recorded tick with time ≤ `time`, as settlements use it. Ask for times that have passed: then the answer never changes.
     * @throws Error when the log could not be written up to now
     */
    async tickAtOrBefore(symbol: string, time: number): Promise<ChainedTick | undefined> {
      const log = writer()
      if (log) await log.flushed()
      else if (clock.now() - time < followerGraceMs) await sleep(followerGraceMs)
      await catchUp()
      return store.tickAtOrBefore(symbol, time)
    },

    /** Rows of the log after an id, of all symbols, in its order. */
    ticksAfter: (id: number, most: number): Promise<ChainedTick[]> => store.ticksAfter(id, most),

    tick: (id: number): Promise<ChainedTick | undefined> => store.tickById(id),

    /**
     * Checks the chain of hashes from tick `from` to tick `to`, both included.
     * @returns undefined when whole, otherwise the first number that does not fit
     */
    async verifyChain(from: number, to: number): Promise<{ brokenAt: number } | undefined> {
      const before = from > 1 ? await store.tickById(from - 1) : undefined
      if (from > 1 && !before) return { brokenAt: from - 1 }
      let tip = { id: before?.id ?? 0, hash: before?.hash ?? genesisHash }
      while (tip.id < to) {
        const rows = (await store.ticksAfter(tip.id, verifyBatch)).filter((row) => row.id <= to)
        if (!rows.length) return { brokenAt: tip.id + 1 }
        const step = followChain(tip, rows)
        if ('brokenAt' in step) return step
        tip = step.tip
      }
      return undefined
    },
  }
}
