import type { LedgerReads } from '#api-server/ledger/ledger.reads.ts'
import type { Ledger, LedgerEvent } from '#api-server/ledger/ledger.ts'
import type { Notices } from '#api-server/notices/notice.ts'
import { type Batch, followMarket, type HouseQuote, type LiveOrder, lateReleases, startBatch, takeOrder } from '#api-server/spot/batch.ts'
import { createBook } from '#api-server/spot/core/book.ts'
import { coinsOf, isOpen, leftOf, type SpotMarket, ticksOf } from '#api-server/spot/market.rules.ts'
import { filledNotices } from '#api-server/spot/notices.ts'
import { beginChange, createOpenOrders, type Depth, ifKnown, levelsOf, type Place, quotesOf } from '#api-server/spot/place.ts'
import { spotAccount } from '#api-server/spot/settle.ts'
import type { SpotOrder, SpotStore } from '#api-server/spot/spot.store.ts'
import type { DepthLevel } from '#contract/feed.ts'
import { ApiProblem } from '#contract/problem.ts'
import { type Database, RowCountError, type Tx } from '#server-kit/db/db.ts'
import { isUnavailable } from '#server-kit/http/unavailable.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Log } from '#server-kit/ops/log.ts'

export interface MatcherDeps {
  database: Database
  store: SpotStore
  ledger: Ledger
  notices: Notices
  balances: Pick<LedgerReads, 'lockedAll'>
  clock: Clock
  log: Log
  /** @throws ApiProblem('symbol_unknown') */
  market: (symbol: string) => Promise<SpotMarket>
  /** Returns the present offers of the house in a market; empty sides: none. */
  houseDepth: (symbol: string) => Depth
  /** Markets in which the house offers. */
  symbols: () => string[]
  /** Called after each commit, with the orders as they are now and their states before. */
  onCommitted: (orders: readonly SpotOrder[], before: ReadonlyMap<number, SpotOrder['status']>) => void
  /** Another node has begun to match. */
  onFenced: () => void
}

/** Matches the orders of all markets, on the one node that may. Memory follows what was committed. */
export interface Matcher {
  /** Reads the books from the database and begins. */
  start(): Promise<void>
  /** Ends at once; what is being committed is committed or undone. */
  stop(): void
  /** Work may be waiting in the database. */
  wake(): void
  /** Does what waits in the database. @throws what kept it from being read */
  sweep(): Promise<void>
  /**
   * Runs a transaction that accepts orders, while nothing else is matched. The matches that `match` made in it are kept once `work` has
   * committed. When it could not be committed, it is run again without matching, so that orders are accepted and wait.
   */
  around<T>(work: () => Promise<T>): Promise<T>
  /**
   * Whether orders may be matched and cancelled in this transaction: this node matches, and none of these markets and customers waits before
   * them. Within `around`, before anything of it is written.
   */
  mayMatch(tx: Tx, symbols: readonly string[], uids?: readonly number[]): Promise<boolean>
  /** How many orders each of these customers has in the books, where `mayMatch` has said yes; those without one are absent. */
  openCounts(uids: readonly number[]): Map<number, number>
  /**
   * Matches orders that are new in this transaction, and begins to write them with all that they change.
   * @returns the orders after it; `written` resolves to those that were stored before
   */
  match(tx: Tx, orders: readonly SpotOrder[], events: readonly LedgerEvent[]): { orders: SpotOrder[]; written: Promise<SpotOrder[]> }
  /** Takes orders out of the books, and begins to write it. @returns the orders after it */
  cancel(tx: Tx, ids: readonly number[]): Promise<SpotOrder[]>
  /** The house follows the price from now on. */
  follow(): void
  leads(): boolean
  /** Best first, as of the last commit; undefined while this node does not match. */
  depth(symbol: string, levels: number): { bids: DepthLevel[]; asks: DepthLevel[] } | undefined
  /** Resolves once nothing is under way. */
  idle(): Promise<void>
  counts(): Record<string, number>
}

export const matcherLimits = { batchMost: 500, depthLevels: 50, retryMs: 200, parkedMs: 1_000 } as const

export function createMatcher(deps: MatcherDeps): Matcher {
  const { database, store, ledger, notices, balances, clock, log } = deps
  const places = new Map<string, Place>()
  const live = createOpenOrders()
  /** Orders that could not be matched on their own, so that others need not wait for them, and when they are tried again. */
  const parked = new Map<number, number>()
  const counts = { batches: 0, orders: 0, fills: 0, failed: 0, takeovers: 0, parked: 0 }
  let epoch: number | undefined
  /** This node may match; while the books are being read it does not yet. */
  let isWanted = false
  let lastFill = 0
  let lastRank = 0
  let lastQuote = 0
  let isWoken = false
  let isFollowing = false
  /** Ends with the last turn that was asked for. */
  let lastTurn: Promise<unknown> = Promise.resolve()
  let isQueued = false

  async function placeFor(symbol: string): Promise<Place> {
    const known = places.get(symbol)
    if (known) return known
    const place: Place = { market: await deps.market(symbol), book: createBook(), house: new Map(), shown: undefined, changing: false }
    places.set(symbol, place)
    return place
  }

  async function load(): Promise<void> {
    epoch = undefined
    places.clear()
    live.clear()
    const taken = await store.takeOver()
    for (const order of taken.orders) {
      const { book, market } = await placeFor(order.symbol)
      const limit = ticksOf(market, order.price!)!
      const left = leftOf(market, order.quantity!, order.filled)
      book.rest({ id: order.id, owner: order.uid, isBuy: order.side === 'buy', limit, left })
      live.put(order)
      lastRank = Math.max(lastRank, order.rank ?? 0)
    }
    lastFill = taken.lastFill
    // The lease was lost meanwhile: another node matches.
    if (!isWanted) return
    epoch = taken.epoch
    counts.takeovers++
  }

  const marketOf = (symbol: string) => places.get(symbol)!.market
  const liveOf = (id: number): LiveOrder => {
    const order = live.get(id)
    if (!order) throw new Error(`order ${id} stands in a book and is not known`)
    return order
  }

  /** Changes the books in memory. @returns what is to be committed, and the offers of the house after it */
  function plan(rows: readonly SpotOrder[], followed: readonly Place[]) {
    const batch = startBatch(clock.now(), lastFill + 1, lastRank + 1)
    const houses = new Map<Place, Map<string, HouseQuote>>()
    for (const place of followed) {
      beginChange(place, matcherLimits.depthLevels)
      const { market, book, house } = place
      const wanted = quotesOf(market, deps.houseDepth(market.symbol))
      const now = followMarket(batch, market, book, liveOf, house, wanted, () => --lastQuote)
      houses.set(place, now)
    }
    for (const row of rows) {
      const place = places.get(row.symbol)!
      beginChange(place, matcherLimits.depthLevels)
      const order: LiveOrder = batch.orders.get(row.id) ?? live.get(row.id) ?? row
      if (isOpen(order.status)) takeOrder(batch, place.market, place.book, order, row, liveOf)
    }
    return { batch, houses }
  }

  /** All of it is sent at once, and done in this order. @returns the orders that were stored before, as they are now */
  async function write(tx: Tx, batch: Batch, added: readonly SpotOrder[], events: readonly LedgerEvent[]): Promise<SpotOrder[]> {
    const isNew = new Set(added.map(({ id }) => id))
    const changes = [...batch.orders.values()].filter(({ id }) => !isNew.has(id)).map((order) => ({ ...order, changed_at: batch.at }))
    // Amounts that are released late move no balance but these.
    const held = changes.flatMap(({ uid, symbol }) => coinsOf(marketOf(symbol)).map((currency) => ({ uid, currency })))
    const [, , , changed] = await Promise.all([
      held.length ? balances.lockedAll(tx, held, spotAccount) : undefined,
      ledger.postAll(tx, [...events, ...batch.events]),
      added.length ? store.add(tx, added) : undefined,
      changes.length ? store.change(tx, changes) : [],
      batch.fills.length ? store.addFills(tx, batch.fills) : undefined,
      notices.notifyAll(tx, filledNotices(changes, live.get, marketOf)),
    ])
    await ledger.postAll(tx, lateReleases(changed, places, batch.at))
    return changed
  }

  async function commit(batch: Batch, held: number): Promise<SpotOrder[]> {
    return database.transaction(async (tx) => {
      const current = store.isCurrent(tx, held)
      const written = write(tx, batch, [], [])
      await Promise.allSettled([current, written])
      if (!(await current)) throw fenced
      return await written
    })
  }

  function keep({ batch, houses }: ReturnType<typeof plan>, orders: readonly SpotOrder[]): void {
    for (const place of places.values()) {
      if (!place.changing) continue
      place.book.commit()
      place.changing = false
      place.shown = undefined
    }
    for (const [place, house] of houses) place.house = house
    lastFill = batch.nextFill - 1
    lastRank = batch.nextRank - 1
    const before = new Map(orders.map(({ id }) => [id, live.get(id)?.status ?? ('new' as const)]))
    for (const order of orders) live.put(order)
    counts.batches++
    counts.orders += orders.length
    counts.fills += batch.fills.length
    if (orders.length) deps.onCommitted(orders, before)
  }
  function undo(): void {
    for (const place of places.values()) {
      if (!place.changing) continue
      place.book.rollback()
      place.changing = false
    }
  }

  /** Ends a batch that was not committed: memory is as it was before it. */
  async function giveUp(error: unknown): Promise<void> {
    undo()
    if (error === fenced) {
      epoch = undefined
      isWanted = false
      log.warn('spot: another node matches orders; this one ends')
      deps.onFenced()
    }
    // A row that is not as it was read, or a commit that nobody knows the end of: what is in memory is not what is stored.
    else if (error instanceof RowCountError || (error instanceof ApiProblem && error.code === 'outcome_unknown')) await load()
  }

  /** @returns false when it could not be committed */
  async function step(rows: readonly SpotOrder[], followed: readonly Place[]): Promise<boolean> {
    const held = epoch!
    for (const row of rows) await placeFor(row.symbol)
    if (epoch !== held) return true
    try {
      const planned = plan(rows, followed)
      const orders = planned.batch.orders.size ? await commit(planned.batch, held) : []
      if (epoch === held) keep(planned, orders)
      return true
    } catch (error) {
      counts.failed++
      if (epoch !== held) return true
      await giveUp(error)
      if (error === fenced) return true
      log.warn({ err: error, orders: rows.length }, 'spot: a batch was not committed; it is tried again')
      return false
    }
  }

  /** Matches what waits in the database, a batch at most. The rest, and later orders, get a turn of their own. */
  async function turn(): Promise<void> {
    if (epoch === undefined && isWanted) await load()
    if (epoch === undefined) return
    const [wasWoken, wasFollowing] = [isWoken, isFollowing]
    // First: work that fails must not be due at once again.
    isWoken = false
    isFollowing = false
    const followed = wasFollowing ? (await Promise.all(deps.symbols().map((symbol) => ifKnown(placeFor(symbol))))).flat() : []
    for (const [id, until] of parked) if (performance.now() > until) parked.delete(id)
    const rows = wasWoken ? (await store.pending(matcherLimits.batchMost + parked.size)).filter(({ id }) => !parked.has(id)) : []
    if (rows.length >= matcherLimits.batchMost) wake()
    if ((!rows.length && !followed.length) || (await step(rows, followed))) return
    // One of them may be why: each on its own, read again because the batch may be stored after all. The one that fails twice is left out.
    const tryAlone = async (id: number) => epoch === undefined || (await step([(await store.one(id))!], []))
    for (const { id } of rows) {
      if ((await tryAlone(id)) || (await tryAlone(id))) continue
      if (!(await store.isReachable())) break
      parked.set(id, performance.now() + matcherLimits.parkedMs)
      counts.parked++
      log.error({ order: id }, 'spot: an order cannot be matched; others go first')
    }
    // Orders that come meanwhile are accepted.
    setTimeout(wake, matcherLimits.retryMs).unref()
  }

  /** Only one may change the books: one after the other, in the order in which they ask. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = lastTurn.then(work)
    lastTurn = mine.catch(() => {})
    return mine
  }
  /** Asks for a turn behind what waits already, so that work of other nodes never keeps this one from accepting orders. */
  function run(): void {
    if (isQueued) return
    isQueued = true
    const next = () => {
      isQueued = false
      return turn()
    }
    alone(next).catch((error: unknown) => {
      log.error({ err: error }, 'spot: orders could not be matched; they wait')
      // Nothing wakes the matcher but new work: what waits is tried again.
      setTimeout(wake, matcherLimits.retryMs).unref()
    })
  }
  /** The matches of the transaction within `around`. */
  let joined: { planned: ReturnType<typeof plan>; held: number; orders: SpotOrder[]; changed: Promise<SpotOrder[]> } | undefined
  let mayJoin = false

  function around<T>(work: () => Promise<T>): Promise<T> {
    return alone(async () => {
      if (epoch === undefined) return work()
      mayJoin = true
      try {
        const done = await work()
        if (joined && epoch === joined.held) keep(joined.planned, [...joined.orders, ...(await joined.changed)])
        return done
      } catch (error) {
        undo()
        if (!joined) throw error
        counts.failed++
        if (epoch === joined.held) await giveUp(error)
        if (isUnavailable(error) || (error instanceof ApiProblem && error.code === 'outcome_unknown')) throw error
        log.warn(
          { err: error, orders: joined.orders.length },
          'spot: orders were not matched as they were accepted; they are accepted and wait',
        )
        mayJoin = false
        joined = undefined
        wake()
        return await work()
      } finally {
        mayJoin = false
        joined = undefined
      }
    })
  }

  function join(tx: Tx, rows: readonly SpotOrder[], added: readonly SpotOrder[], events: readonly LedgerEvent[]) {
    const planned = plan(rows, [])
    const orders = added.map((order) => ({ ...order, ...planned.batch.orders.get(order.id), changed_at: planned.batch.at }))
    // Whose orders are met is not known before. Another node that holds their balances may wait for those of this group.
    const changed = Promise.all([store.waitBriefly(tx), write(tx, planned.batch, orders, events)]).then(([, written]) => written)
    joined = { planned, held: epoch!, orders, changed }
    return { orders, written: changed }
  }
  function cancel(tx: Tx, ids: readonly number[]): Promise<SpotOrder[]> {
    const rows = [...new Set(ids)].map((id) => ({ ...live.get(id)!, cancelling: true }))
    return join(tx, rows, [], []).written
  }
  async function mayMatch(tx: Tx, symbols: readonly string[], uids: readonly number[] = []): Promise<boolean> {
    // The transaction may be run again.
    if (joined) undo()
    joined = undefined
    const held = epoch
    if (!mayJoin || held === undefined) return false
    // Orders that wait already, such as those of other nodes, come first.
    const [isCurrent, waits] = await Promise.all([store.isCurrent(tx, held), store.waits(tx, symbols, uids)])
    for (const symbol of symbols) await placeFor(symbol)
    if (!isCurrent || waits) wake()
    return isCurrent && !waits && epoch === held
  }
  function wake(): void {
    isWoken = true
    if (isWanted) run()
  }

  return {
    async start() {
      // Before the books are read, so that `stop` during it is the last word.
      isWanted = true
      await alone(load).catch((error: unknown) => {
        isWanted = false
        throw error
      })
      wake()
    },
    stop() {
      isWanted = false
      epoch = undefined
    },
    wake,
    async sweep() {
      isWoken = true
      if (isWanted) await alone(turn)
    },
    around,
    mayMatch,
    openCounts: live.counts,
    match: (tx, orders, events) => join(tx, orders, orders, events),
    cancel,
    follow() {
      isFollowing = true
      if (isWanted) run()
    },
    leads: () => epoch !== undefined,
    depth(symbol, levels) {
      if (epoch === undefined) return undefined
      const place = places.get(symbol)
      if (!place) return undefined
      if (!place.changing) place.shown ??= levelsOf(place, matcherLimits.depthLevels)
      const { bids, asks } = place.shown!
      return { bids: bids.slice(0, levels), asks: asks.slice(0, levels) }
    },
    async idle() {
      for (let seen: unknown; seen !== lastTurn; ) await (seen = lastTurn)
    },
    counts: () => ({ leading: epoch === undefined ? 0 : 1, open: live.size(), ...counts }),
  }
}

const fenced = new Error('another node matches orders')
