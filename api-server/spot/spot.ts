import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { CurrencyReads } from '#api-server/currency/currency.reads.ts'
import { tellRow } from '#api-server/kit/changed-row.ts'
import type { Notices } from '#api-server/notices/notice.ts'
import { isOpen } from '#api-server/spot/market.rules.ts'
import { createMarkets } from '#api-server/spot/markets.ts'
import { createMatcher, type Matcher, matcherLimits } from '#api-server/spot/matcher.ts'
import { orderRow } from '#api-server/spot/row.rules.ts'
import { type SpotAnswers, type SpotContext, spotHandlers } from '#api-server/spot/spot.handlers.ts'
import { createSpotStore, type SpotOrder } from '#api-server/spot/spot.store.ts'
import type { c2cCalls } from '#contract/calls/c2c.calls.ts'
import type { DepthLevel } from '#contract/feed.ts'
import type { ChangedRow } from '#contract/topic.ts'
import type { TopicName } from '#contract/topics.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import type { Bus } from '#server-kit/ops/bus.ts'
import type { PlannedJob } from '#server-kit/ops/every.ts'
import { createLease, createLeaseStore, type Lease } from '#server-kit/ops/lease.ts'
import type { Log } from '#server-kit/ops/log.ts'

type Depth = { bids: DepthLevel[]; asks: DepthLevel[] }
type DepthOf = (symbol: string, levels: number) => Depth

interface SpotDeps
  extends Pick<
    SpotContext,
    'ledger' | 'balances' | 'once' | 'proofs' | 'clock' | 'trading' | 'lastPrice' | 'changed' | 'simulated' | 'texts'
  > {
  database: Database
  notices: Notices
  coins: CurrencyReads
  bus: Bus
  log: Log
  /** The book of the price source, which the house offers. */
  marketDepth: DepthOf
  /** A row of one of the customer's lists has changed; called after the commit. */
  rowChanged: (uid: number, topic: TopicName, changed?: ChangedRow) => void
}

export interface Spot {
  readonly handlers: Handlers<typeof c2cCalls>
  readonly answers: SpotAnswers
  /** Returns the shown book of a market: orders of customers and offers of the house. Of other symbols the book of the price source. */
  readonly depth: DepthOf
  readonly matcher: Matcher
  counts(): Record<string, number>
  readonly jobs: readonly PlannedJob[]
  start(): Promise<void>
  stop(): Promise<void>
}

const pendingTopic = 'spot.pending'
const settledTopic = 'spot.settled'
const settledIdsMax = 2 * matcherLimits.batchMost
const settledMessage = z.object({ ids: z.array(z.int().positive()).max(settledIdsMax) })
const depthTopic = 'spot.depth'
const level = z.tuple([z.string().max(41), z.string().max(41)])
const depthMessage = z.object({ symbol: z.string().max(20), bids: z.array(level).max(50), asks: z.array(level).max(50) })

export const spotLimits = {
  followEveryMs: 250,
  /** So long a call waits for its order to be matched; the order goes on without it. */
  waitMs: 5_000,
  /** Where nothing was heard of the node that matches, the database is asked so often. */
  lookEveryMs: 250,
  /** An order that another node has handed over and that nobody announced is found after so long. */
  sweepEveryMs: 1_000,
  /** A book that stays as it is is announced again, for nodes that have come since. */
  tellEveryMs: 3_000,
  /** The book of another node that was last heard of before is not shown. */
  depthAgeMsMax: 10_000,
  leaseMs: 3_000,
  renewEveryMs: 700,
} as const
/** Levels of each side that the house offers. */
const houseLevels = 24

/** Spot trading: every node takes orders, and the one that holds the lease matches them. */
export function createSpot(deps: SpotDeps): Spot {
  const { database, bus, log, trading } = deps
  const store = createSpotStore(database)
  const markets = createMarkets(deps.coins, trading)
  const remote = new Map<string, { depth: Depth; at: number }>()
  /** Calls that wait for an order, and what is to be done when it has changed. */
  const waiting = new Map<number, Set<(order: SpotOrder | undefined) => void>>()
  let timer: NodeJS.Timeout | undefined
  const offs: (() => void)[] = []
  let lease: Lease | undefined

  const tell = (id: number, order: SpotOrder | undefined) => {
    for (const wake of waiting.get(id) ?? []) wake(order)
  }

  function onCommitted(orders: readonly SpotOrder[], before: ReadonlyMap<number, SpotOrder['status']>): void {
    const ids = orders.map(({ id }) => id)
    if (bus.shared)
      for (let at = 0; at < ids.length; at += settledIdsMax) bus.publish(settledTopic, { ids: ids.slice(at, at + settledIdsMax) })
    for (const uid of new Set(orders.map((order) => order.uid))) deps.changed(uid)
    for (const order of orders) {
      const row = markets.one(order.symbol).then((of) => orderRow(of, order))
      tellRow(deps, { uid: order.uid, topic: 'spot_orders', change: before.get(order.id) === 'new' ? 'insert' : 'update' }, row)
    }
  }

  const matcher = createMatcher({
    database,
    store,
    ledger: deps.ledger,
    notices: deps.notices,
    balances: deps.balances,
    clock: deps.clock,
    log,
    market: markets.one,
    symbols: () => trading.symbols('spot'),
    houseDepth(symbol) {
      // Offers of the house are labelled as simulated, so they come from the simulator alone.
      if (!deps.simulated) return { bids: [], asks: [] }
      // The house offers at the price that there is, and at none when the market is closed or nobody knows the price.
      try {
        trading.mustBeOpen(symbol)
        trading.freshPrice(symbol)
      } catch {
        return { bids: [], asks: [] }
      }
      return deps.marketDepth(symbol, houseLevels)
    },
    onCommitted(orders, before) {
      // Calls that wait go on at once; the others hear of it when the next batch is on its way.
      for (const order of orders) tell(order.id, order)
      setImmediate(onCommitted, orders, before)
    },
    onFenced: () => void lease?.resign('another node matches orders'),
  })

  /** Once the order is neither new nor about to be cancelled or moved. */
  async function settledOne(id: number): Promise<SpotOrder> {
    const until = performance.now() + spotLimits.waitMs
    for (;;) {
      const answered = await new Promise<SpotOrder | undefined>((wake) => {
        const set = waiting.get(id) ?? new Set()
        waiting.set(id, set)
        const timer = setTimeout(() => done(undefined), spotLimits.lookEveryMs)
        const done = (order: SpotOrder | undefined) => {
          clearTimeout(timer)
          set.delete(done)
          if (!set.size) waiting.delete(id)
          wake(order)
        }
        set.add(done)
      })
      const order = answered ?? (await store.one(id))!
      if (isSettled(order) || performance.now() > until) return order
    }
  }
  const isSettled = (order: SpotOrder) => order.status !== 'new' && order.moving === null && !(order.cancelling && isOpen(order.status))

  function settled(ids: readonly number[]): Promise<SpotOrder[]> {
    const all = Promise.all(ids.map(settledOne))
    // An order that is matched here needs no message.
    if (matcher.leads()) matcher.wake()
    else bus.publish(pendingTopic, {})
    return all
  }

  function depth(symbol: string, levels: number): Depth {
    const heard = remote.get(symbol)
    const known =
      matcher.depth(symbol, levels) ?? (heard && performance.now() - heard.at < spotLimits.depthAgeMsMax ? heard.depth : undefined)
    // Of several nodes one knows the book: as long as it is not heard of, nobody is known to offer anything.
    if (!known && bus.shared && trading.symbols('spot').includes(symbol)) return { bids: [], asks: [] }
    if (!known) return deps.marketDepth(symbol, levels)
    return { bids: known.bids.slice(0, levels), asks: known.asks.slice(0, levels) }
  }

  const sent = new Map<string, { text: string; at: number }>()
  function follow(): void {
    if (!matcher.leads()) {
      // The others have heard of another leader since.
      sent.clear()
      return
    }
    matcher.follow()
    if (!bus.shared) return
    for (const symbol of trading.symbols('spot')) {
      const book = matcher.depth(symbol, matcherLimits.depthLevels)
      const [text, before, at] = [JSON.stringify(book), sent.get(symbol), performance.now()]
      if (!book || (before?.text === text && at - before.at < spotLimits.tellEveryMs)) continue
      sent.set(symbol, { text, at })
      bus.publish(depthTopic, { symbol, ...book })
    }
  }

  return {
    ...spotHandlers({ ...deps, store, matcher, markets, settled }),
    depth,
    matcher,
    counts: () => ({ waiting: waiting.size, ...matcher.counts() }),
    jobs: [{ name: 'spot_orders', everyMs: spotLimits.sweepEveryMs, work: matcher.sweep }],
    async start() {
      timer = setInterval(follow, spotLimits.followEveryMs).unref()
      if (!bus.shared) {
        await matcher.start()
        return
      }
      offs.push(
        bus.subscribe(pendingTopic, z.object({}), matcher.wake),
        bus.subscribe(settledTopic, settledMessage, ({ ids }) => {
          if (!matcher.leads()) for (const id of ids) tell(id, undefined)
        }),
        bus.subscribe(depthTopic, depthMessage, ({ symbol, ...book }) => void remote.set(symbol, { depth: book, at: performance.now() })),
      )
      lease = createLease({
        store: createLeaseStore(database, 'spot'),
        does: 'matches spot orders',
        holder: randomUUID(),
        log,
        lengthMs: spotLimits.leaseMs,
        renewEveryMs: spotLimits.renewEveryMs,
        onTaken: matcher.start,
        onLost: matcher.stop,
      })
      await lease.start()
    },
    async stop() {
      clearInterval(timer)
      for (const off of offs) off()
      matcher.stop()
      await matcher.idle()
      await lease?.stop()
    },
  }
}
