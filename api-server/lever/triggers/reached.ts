import type { LeverContext } from '#api-server/lever/context.ts'
import type { Position } from '#api-server/lever/lever.store.ts'
import { firstDue, type JudgedTick, type Tick, watch } from '#api-server/lever/triggers/trigger.rules.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'

/**
 * Finds levels that prices have reached though the node that acts on prices has not handled them yet. A customer who has seen the next
 * prices may neither undo it nor get ahead of it.
 */
export function createReached({ store, reads, trading }: Pick<LeverContext, 'store' | 'reads' | 'trading'>) {
  /** The first of some ticks that fires a row, and what it does. */
  function firedBy(row: Position, ticks: readonly JudgedTick[]): ReturnType<typeof firstDue> {
    const { priceScale } = trading.instrument(row.symbol)
    const watched = watch(row, priceScale)
    return watched && firstDue(watched, ticks, priceScale)
  }
  /** By the halts and hours that are committed: this node may not have heard of them yet. */
  async function judged(tx: Tx, ticks: readonly Tick[]): Promise<JudgedTick[]> {
    if (!ticks.length) return []
    const wasOpen = await trading.wasOpenIn(tx, Math.min(...ticks.map(({ time }) => time)))
    return ticks.map((tick) => ({ ...tick, isOpen: wasOpen(tick.symbol, tick.time) }))
  }
  return {
    firedBy,
    judged,
    /** Ticks of a symbol that may have fired something which is not done yet, the last price among them. Asked for under the lock of the rows. */
    async ticks(tx: Tx, symbol: string): Promise<JudgedTick[]> {
      const ticks = await store.undecided(symbol, Number.MAX_SAFE_INTEGER, tx)
      const last = reads.lastPrice(symbol)
      // The last price may not be in the log yet.
      return judged(tx, last ? [...ticks, { id: last.tickId, symbol, price: last.price, time: last.time }] : ticks)
    },
    /** @throws ApiProblem('state_wrong') for a row that one of the ticks has fired */
    mustStand(row: Position, ticks: readonly JudgedTick[]): void {
      if (firedBy(row, ticks)) throw new ApiProblem('state_wrong')
    },
  }
}
export type Reached = ReturnType<typeof createReached>
