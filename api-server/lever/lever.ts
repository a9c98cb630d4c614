import type { Registry } from 'prom-client'
import type { LeverContext } from '#api-server/lever/context.ts'
import { createCopies, type LeverCopies } from '#api-server/lever/copies.ts'
import { createLeverReads, type LeverReads } from '#api-server/lever/lever.reads.ts'
import { createLeverStore } from '#api-server/lever/lever.store.ts'
import { listHandlers } from '#api-server/lever/list.handlers.ts'
import { orderHandlers } from '#api-server/lever/order.handlers.ts'
import { createRows } from '#api-server/lever/rows.ts'
import { createTell, type LeverListener } from '#api-server/lever/tell.ts'
import { createTrade } from '#api-server/lever/trade.ts'
import { createNights } from '#api-server/lever/triggers/nights.ts'
import { createReached } from '#api-server/lever/triggers/reached.ts'
import { createTriggerRunner, type TriggerRunner } from '#api-server/lever/triggers/runner.ts'
import type { Tick } from '#api-server/lever/triggers/trigger.rules.ts'
import { createWork } from '#api-server/lever/triggers/work.ts'
import type { leverCalls } from '#contract/calls/lever.calls.ts'
import type { Handlers } from '#server-kit/http/http.ts'

type LeverDeps = Omit<LeverContext, 'store' | 'changed' | 'rowChanged'> &
  Partial<Pick<LeverContext, 'changed' | 'rowChanged'>> & {
    /** Told of each tick of the market, at once and in order. */
    ticks: (ticked: (tick: Tick) => void) => () => void
    registry?: Registry | undefined
  }

/** Contract trading: the house is the counterparty of leveraged positions. */
export interface Lever {
  readonly handlers: Handlers<typeof leverCalls>
  /** Reads for the back office. */
  readonly reads: LeverReads
  readonly runner: Pick<TriggerRunner, 'isLive' | 'look'>
  /** For those who trade in the name of a customer. */
  readonly copies: LeverCopies
  /** Called for positions that are opened and closed on this node, after the commit. A node that ends in between notifies nobody. */
  listen(listener: LeverListener): () => void
  counts(): Record<string, number>
  start(): Promise<void>
  stop(): Promise<void>
}

export function createLever(deps: LeverDeps): Lever {
  const context: LeverContext = { changed: () => {}, rowChanged: () => {}, ...deps, store: createLeverStore(deps.database) }
  const rows = createRows(context)
  const trade = createTrade(context)
  const tell = createTell(context, rows)
  const reached = createReached(context)
  const nights = createNights(context, trade, tell, reached)
  const work = createWork({ context, trade, tell, nights, done: (job, row) => runner.done(job, row) })
  const runner: TriggerRunner = createTriggerRunner({ context, nights, tell, work, listen: deps.ticks, registry: deps.registry })
  return {
    handlers: { ...orderHandlers({ context, trade, tell, nights, rows, reached }), ...listHandlers(context, rows) },
    copies: createCopies(context, { trade, tell, nights, rows, reached }),
    reads: createLeverReads(context),
    runner,
    listen: tell.listen,
    counts: runner.counts,
    start: runner.start,
    stop: runner.stop,
  }
}
