import * as z from 'zod'
import { tellRow } from '#api-server/kit/changed-row.ts'
import type { Happened, LeverContext } from '#api-server/lever/context.ts'
import { listOfState } from '#api-server/lever/lever.rules.ts'
import type { Close, Position } from '#api-server/lever/lever.store.ts'
import type { Rows } from '#api-server/lever/rows.ts'
import type { TopicName } from '#contract/topics.ts'

/** Other nodes hear which rows have changed; a hint, as they read the table too. */
export const changedTopic = 'lever.changed'
export const changedMessage = z.object({ ids: z.array(z.int().positive()).max(1_000) })

export interface LeverListener {
  /** A position was opened, by an order at the market or by one that waited. */
  onFilled?(position: Position): void
  /** A position was closed, or some lots of it. */
  onClosed?(position: Position, close: Close): void
}
export type Tell = ReturnType<typeof createTell>

/** Tells what has happened, once it is committed: the customer's apps, the runner of the node that acts, and who listens on this node. */
export function createTell(context: Pick<LeverContext, 'changed' | 'rowChanged' | 'bus' | 'coins' | 'trading' | 'log'>, rows: Rows) {
  const { changed, bus, log } = context
  const listeners = new Set<LeverListener>()
  const runners = new Set<(row: Position) => void>()

  /** A row goes to the topic of its list; one that has left a list is announced there too. */
  function topicsOf({ before, after }: Happened): TopicName[] {
    const of = (row: Position): TopicName => (row.state === 'entrust' || row.state === 'cancelled' ? 'orders' : 'positions')
    return [...new Set([...(before ? [of(before)] : []), of(after)])]
  }
  async function rowOf(position: Position) {
    const coin = await context.coins.quoteOf(context.trading.instrument(position.symbol).quote)
    return rows.position(position, coin.scale)
  }
  function push(one: Happened): void {
    const { before, after } = one
    const change = !before || listOfState(before.state) !== listOfState(after.state) ? 'insert' : 'update'
    const row = rowOf(after)
    for (const topic of topicsOf(one)) tellRow(context, { uid: after.uid, topic, change }, row)
  }

  return {
    /** Never waits, never throws. */
    happened(...all: readonly Happened[]): void {
      for (const { before, after, close } of all) {
        for (const runner of runners) runner(after)
        for (const listener of listeners) {
          try {
            if (after.state === 'open' && before?.state !== 'open') listener.onFilled?.(after)
            if (close) listener.onClosed?.(after, close)
          } catch (error) {
            log.error({ err: error, position: after.id }, 'a listener of positions failed')
          }
        }
      }
      if (bus.shared) bus.publish(changedTopic, { ids: all.map(({ after }) => after.id) })
      for (const uid of new Set(all.map(({ after }) => after.uid))) changed(uid)
      all.forEach(push)
    },
    /** @returns a function that ends it */
    listen(listener: LeverListener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** The runner of this node. */
    feed(runner: (row: Position) => void): () => void {
      runners.add(runner)
      return () => void runners.delete(runner)
    },
  }
}
