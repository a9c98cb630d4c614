import { setTimeout as sleep } from 'node:timers/promises'
import type { Tick, Watched } from '#api-server/lever/triggers/trigger.rules.ts'
import { createTriggers } from '#api-server/lever/triggers/triggers.ts'
import type { Log } from '#server-kit/ops/log.ts'

const missedLimits = { ticksAtOnce: 1_000, retryMs: 250 } as const

interface MissedOptions {
  /** Rows of the log after a tick, in its order. */
  ticksAfter: (id: number, most: number) => Promise<readonly Tick[]>
  /** A price in the units of its instrument; undefined for a tick that acts on nothing. */
  unitsAt: (tick: Tick) => number | undefined
  /** The number of the last tick of a symbol that is no longer in memory. */
  dropped: (symbol: string) => number
  fired: (row: Watched, tick: Tick) => void
  /** Nothing in the log up to `tick` has fired the row, and later ticks are in memory. */
  reached: (row: Watched, tick: number) => void
  log: Log
}

/**
 * Rows that have missed more ticks than memory keeps, such as an order that is filled while a node reads an hour of the log. Reads the log for all
 * of them together, from the oldest tick that one has missed.
 */
export function createMissed({ ticksAfter, unitsAt, dropped, fired, reached, log }: MissedOptions) {
  /** By number, with the tick after which it has missed all. */
  const rows = new Map<number, { row: Watched; since: number }>()
  /** Grows when the rows are dropped, so that what is under way ends. */
  let turn = 0
  let running = false

  const oldest = () => (rows.size ? Math.min(...[...rows.values()].map(({ since }) => since)) : undefined)

  async function scan(mine: number): Promise<void> {
    const batch = createTriggers()
    const left = new Set([...rows.values()].map(({ row }) => row))
    const symbols = new Set([...left].map(({ symbol }) => symbol))
    for (const row of left) batch.put(row)
    let at = oldest()!
    while (left.size) {
      const ticks = await ticksAfter(at, missedLimits.ticksAtOnce)
      if (mine !== turn) return
      for (const tick of ticks) {
        at = tick.id
        const units = symbols.has(tick.symbol) ? unitsAt(tick) : undefined
        if (units === undefined) continue
        for (const { row } of batch.take(tick.symbol, units, tick.id)) {
          left.delete(row)
          rows.delete(row.id)
          fired(row, tick)
        }
      }
      for (const row of left) {
        if (dropped(row.symbol) > at) continue
        batch.remove(row.id)
        left.delete(row)
        rows.delete(row.id)
        reached(row, at)
      }
      // The last ticks may not be written yet.
      if (left.size && !ticks.length) await sleep(missedLimits.retryMs)
    }
  }

  async function run(): Promise<void> {
    while (rows.size) {
      const mine = turn
      try {
        await scan(mine)
      } catch (error) {
        log.warn({ err: error, rows: rows.size }, 'contracts: the log could not be read for rows that have missed ticks; it is tried again')
        await sleep(missedLimits.retryMs)
      }
    }
  }

  function begin(): void {
    if (running || rows.size === 0) return
    running = true
    void run().finally(() => {
      running = false
      // One may have been added after the last look.
      begin()
    })
  }

  return {
    has: (id: number) => rows.has(id),
    size: () => rows.size,
    /** The tick up to which no row has missed one; undefined while no row has. */
    oldest,
    /** @param since the row has missed the ticks after this one */
    add(row: Watched, since: number): void {
      rows.set(row.id, { row, since })
      begin()
    },
    clear(): void {
      turn++
      rows.clear()
    },
  }
}
