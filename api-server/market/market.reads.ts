import { setTimeout as sleep } from 'node:timers/promises'
import type { Board } from '#api-server/market/board.ts'
import type { MarketInstrument } from '#api-server/market/instruments.ts'
import type { MarketStore, NamedTick } from '#api-server/market/market.store.ts'
import type { TickLog } from '#api-server/market/tick-log.ts'
import { fromUnits } from '#api-server/market/units.rules.ts'
import type { ProvenTick } from '#contract/calls/market.calls.ts'
import type { CallOutput } from '#contract/contract.ts'
import type { ChainedTick } from '#contract/tick-chain.ts'
import type { Clock } from '#server-kit/ops/clock.ts'

export type { MarketInstrument, NamedTick }

/** A price with the id of its tick, by which the tick can be found in the log. */
export interface PriceRead {
  tickId: number
  price: string
  /** ms UTC. */
  time: number
}

export type MarketReads = ReturnType<typeof createMarketReads>

export interface ReadsOptions {
  board: Board
  store: Pick<MarketStore, 'tip' | 'dayEnds' | 'tickAtOrBefore' | 'tickById' | 'ticksAfter' | 'logged'>
  clock: Clock
  /** The log of this node while it runs the source, otherwise undefined. */
  writer: () => TickLog | undefined
  /** Applies the log up to its end. */
  catchUp: () => Promise<void>
}

/** A following node waits this long for ticks that the leading node may still have to write: three flushes. */
const followerGraceMs = 750

const provenOf = ({ id: tick_id, ...rest }: ChainedTick): ProvenTick => ({ tick_id, ...rest })

/** Reads of the market for other modules. */
export function createMarketReads({ board, store, clock, writer, catchUp }: ReadsOptions) {
  return {
    instrument: (symbol: string): MarketInstrument | undefined => board.instrument(symbol),

    /**
     * The last tick; undefined before the first. It may not be written for some 250 ms: await `durable` before a commit that refers to it.
     */
    lastPrice(symbol: string): PriceRead | undefined {
      const last = board.last(symbol)
      const instrument = board.instrument(symbol)
      return last?.id && instrument ? { tickId: last.id, price: fromUnits(last.price, instrument.priceScale), time: last.time } : undefined
    },

    /**
     * Age of the last price in ms; undefined before the first. For a price from the future, after the clock was set back, the distance to
     * now.
     */
    quoteAge(symbol: string): number | undefined {
      const last = board.last(symbol)
      return last && Math.abs(clock.now() - last.time)
    },

    /** Resolves once the tick is in the log. @throws after 5 s without the database */
    durable: async (tickId: number): Promise<void> => writer()?.durable(tickId),

    /**
     * Which ticks are in the log, asked inside of a transaction. A node that ran the source before another one took over may know a price that
     * never came into the log, where its number is then of another tick. Await `durable` before.
     */
    logged: store.logged,

    /**
     * The last recorded tick with time ≤ `time`, for settlements. For a past time the answer never changes.
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
    /**
     * Whether the log has every tick up to `time`, so that what expired then can be settled: a node that runs the source writes its
     * unwritten ticks; another waits for a later tick in the log, because neither its own clock nor a price that it has not written before
     * it lost the source says anything about what the writer still has to write.
     * @returns the number of the last tick in the log, undefined while some may be missing
     */
    async logEndAfter(time: number): Promise<number | undefined> {
      if (clock.now() <= time) return undefined
      const log = writer()
      await (log ? log.flushed() : catchUp())
      const { id } = await store.tip()
      return log || ((await store.tickById(id))?.time ?? 0) > time ? id : undefined
    },

    /** A tick as customers are shown it. @throws Error when the log does not have it */
    async proven(tickId: number): Promise<ProvenTick> {
      const tick = await store.tickById(tickId)
      if (!tick) throw new Error(`tick ${tickId} is not in the log`)
      return provenOf(tick)
    },

    /** Ticks of the log from a number on, as anybody may read them. */
    provenFrom: async (id: number, most: number): Promise<ProvenTick[]> => (await store.ticksAfter(id - 1, most)).map(provenOf),

    /** Where the log ended on the days from a time on, oldest first, and where it ends now. */
    async dayEnds(from: number, most: number): Promise<CallOutput<'market.dayEnds'>> {
      const [days, last] = await Promise.all([store.dayEnds(from, most), store.tip()])
      const list = days.map(({ day, id, hash }) => ({ day, tick_id: id, hash }))
      return { list, last: last.id ? { tick_id: last.id, hash: last.hash } : null }
    },
  }
}
