import { quoteCode } from '#api-server/currency/currency.reads.ts'
import type { FollowContext } from '#api-server/follow/context.ts'
import { followLimits, isLost, lotsToClose, skipReasonOf, traderLotsAfter } from '#api-server/follow/follow.rules.ts'
import type { Copy, DueCopy, Follow } from '#api-server/follow/follow.store.ts'
import { closedNotice, openedNotice } from '#api-server/follow/notices.ts'
import { openProfitOf } from '#api-server/follow/statistics.ts'
import type { Done } from '#api-server/lever/copies.ts'
import type { SkipReason } from '#contract/calls/follow.calls.ts'
import { followCopyLots } from '#contract/functions/follow.copyLots.function.ts'
import { sum } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'
import { dueRows } from '#server-kit/due/due-rows.ts'

const copierLimits = {
  atOnce: 8,
  /** Everything is looked at this often, beside the notifications: another node may have ended before it copied. */
  passEveryMs: 5_000,
  /** Skipped positions are mailed once in so long for each following; the customer's list has all of them. */
  mailEveryMs: 3_600_000,
} as const

/**
 * Brings copies in line with the positions of traders. Due copies are read from the tables, so that nothing is lost when a node ends; a
 * hint names the place to look at first. Each copy is one transaction that no other node can do again, and traders wait for none of it.
 */
export function createCopier(context: FollowContext) {
  const { database, store, copies, proofs, notices, reads, clock, log, admit, rowChanged } = context
  const counts = { opened: 0, skipped: 0, closed: 0, stopped: 0, failures: 0 }
  const hints = new Set<number>()
  let running: Promise<void> | undefined
  let stopped = false

  /** Of these followings, those whose copies have lost what the customer allows, at the prices of now. */
  async function lostOf<T extends Pick<Follow, 'id' | 'stop_loss'>>(follows: readonly T[], tx?: Tx): Promise<T[]> {
    const results = new Map(follows.map(({ id }): [number, string[]] => [id, []]))
    for (const { follow_id, open, result, ...row } of await store.held([...results.keys()], tx))
      results.get(follow_id)!.push(open ? sum(result, openProfitOf(reads, row)) : result)
    return follows.filter(({ id, stop_loss }) => isLost(stop_loss, results.get(id)!))
  }
  /** Ends a following that has lost as much as its customer allows. @returns whether it has ended */
  async function stopAtLoss(tx: Tx, follow: Follow): Promise<boolean> {
    if (follow.stop_loss === null || follow.state !== 'active' || !(await lostOf([follow], tx)).length) return false
    await store.end(tx, follow, 'lost', clock.now())
    const figures = { name: await store.nicknameOf(tx, follow.id), amount: follow.stop_loss, coin: quoteCode }
    await notices.notify(tx, follow.uid, { kind: 'copy_stopped', figures })
    return true
  }

  const namesOf = async (tx: Tx, follow: number, symbol: string) => ({
    name: await store.nicknameOf(tx, follow),
    market: copies.nameOf(symbol),
  })
  async function skip(tx: Tx, follow: Follow, due: DueCopy, reason: SkipReason): Promise<boolean> {
    const now = clock.now()
    const announce = await store.skippedSince(tx, follow.id, now - copierLimits.mailEveryMs)
    const row = { follow_id: follow.id, trader_position: due.trader_position, uid: due.uid, position_id: null, at: now }
    if ((await store.add(tx, { ...row, state: 'skipped', reason, trader_lots: '0' })) === undefined) return false
    if (!announce) {
      await notices.notify(tx, due.uid, { kind: 'copy_skipped', word: reason, figures: await namesOf(tx, follow.id, due.symbol) })
    }
    return true
  }

  type Outcome = { opened: Done } | 'skipped' | 'stopped' | undefined
  async function open(due: DueCopy): Promise<Outcome> {
    const opening = await copies.prepareOpening(due)
    return database.transaction(async (tx): Promise<Outcome> => {
      admit()
      const follow = await store.follow(tx, due.follow_id)
      if (follow?.state !== 'active') return undefined
      const left = await copies.lotsLeft(tx, due.trader_position)
      const lots = left === '0' ? '0' : followCopyLots.run({ ...follow, lots: left })
      const { status } = await proofs.standing(due.uid, tx)
      const reason = left === '0' ? 'late' : status === 'frozen' ? 'frozen' : lots === '0' ? 'below_one' : undefined
      if (reason) return (await skip(tx, follow, due, reason)) ? 'skipped' : undefined
      if (await stopAtLoss(tx, follow)) return 'stopped'
      const copy = { follow_id: follow.id, trader_position: due.trader_position, uid: due.uid, position_id: opening.id }
      const added = await store.add(tx, { ...copy, state: 'open', reason: null, trader_lots: left, at: clock.now() })
      if (added === undefined) return undefined
      const opened = await copies.open(tx, opening, lots)
      await notices.notify(tx, due.uid, openedNotice(opened, await namesOf(tx, follow.id, due.symbol)))
      return { opened }
    })
  }
  /** A refusal undoes what was begun, so that it is written by itself. */
  async function skipAlone(due: DueCopy, reason: SkipReason): Promise<Outcome> {
    return database.transaction(async (tx): Promise<Outcome> => {
      const follow = await store.follow(tx, due.follow_id)
      return follow?.state === 'active' && (await skip(tx, follow, due, reason)) ? 'skipped' : undefined
    })
  }
  async function copy(due: DueCopy): Promise<void> {
    const isLate = clock.now() - due.opened > followLimits.lateMs
    const outcome = isLate
      ? await skipAlone(due, 'late')
      : await open(due).catch((error: unknown) => {
          const reason = error instanceof ApiProblem ? skipReasonOf(error.code) : undefined
          if (!reason) throw error
          return skipAlone(due, reason)
        })
    if (!outcome) return
    if (outcome === 'skipped') counts.skipped++
    else if (outcome === 'stopped') counts.stopped++
    else {
      counts.opened++
      copies.announce(outcome.opened)
    }
    rowChanged(due.uid, 'follows')
  }

  /**
   * Ends a following that has reached its stop, in a transaction of its own. Locks are taken in the order account, following, balance, and the
   * transaction of a closing holds a balance already. When the node ends between the two, the stop is found before the next position is copied.
   */
  async function stopAlone({ id, uid }: Pick<Follow, 'id' | 'uid'>): Promise<void> {
    const isStopped = await database.transaction(async (tx) => {
      // As in the calls of the customer.
      await proofs.lock(tx, uid, true)
      const follow = await store.follow(tx, id)
      return follow !== undefined && (await stopAtLoss(tx, follow))
    })
    if (!isStopped) return
    counts.stopped++
    rowChanged(uid, 'follows')
  }
  async function align(id: number): Promise<void> {
    const found = await store.copy(id)
    if (found?.state !== 'open' || found.position_id === null) return
    const position = found.position_id
    let isOver = false
    const isDone = await database.transaction(async (tx) => {
      isOver = false
      const row = await store.copy(id, tx)
      if (row?.state !== 'open') return true
      if ((await copies.stateOf(tx, position)) !== 'closed') return false
      await store.setCopy(tx, id, { state: 'closed' })
      isOver = true
      return true
    })
    if (!isDone) {
      const closing = await copies.prepareClosing(position)
      const done = await database.transaction(async (tx) => {
        admit()
        const row = await store.copy(id, tx)
        if (row?.state !== 'open') return undefined
        const left = await copies.lotsLeft(tx, row.trader_position)
        const closed = await copies.close(tx, closing, (held) => lotsToClose(held, { before: row.trader_lots, left }))
        if (!closed?.before) return undefined
        if (closed.after.state === 'closed') await store.setCopy(tx, id, { state: 'closed' })
        else
          await store.setCopy(tx, id, {
            trader_lots: traderLotsAfter(row.trader_lots, { held: closed.before.lots, left: closed.after.lots }),
          })
        await notices.notify(tx, row.uid, closedNotice(closed, await namesOf(tx, row.follow_id, closed.after.symbol)))
        return closed
      })
      if (done) {
        counts.closed++
        copies.announce(done)
        isOver = done.after.state === 'closed'
      }
    }
    rowChanged(found.uid, 'follows')
    // The loss of a copy may end the following.
    if (isOver) await stopAlone({ id: found.follow_id, uid: found.uid })
  }

  const common = {
    everyMs: copierLimits.passEveryMs,
    atOnce: copierLimits.atOnce,
    lateMs: Number.POSITIVE_INFINITY,
    // A market that is closed, money that may not move now.
    isLater: (error: unknown) => error instanceof ApiProblem,
  }
  /** Followings that open copies have brought to their stop. The rows are locked, and judged again, only then. First, so that nothing is copied after the stop. */
  const lost = dueRows<Pick<Follow, 'id' | 'uid'>>(context, {
    ...common,
    name: 'copies_lost',
    source: {
      async find({ most, except, after, among }) {
        for (let last = after?.id ?? 0; among === undefined; ) {
          const found = await store.withStop(last, most)
          const ended = (found.length ? await lostOf(found) : []).filter(({ id }) => !except.includes(String(id)))
          if (ended.length || found.length < most) return ended
          last = found.at(-1)!.id
        }
        return []
      },
      keyOf: ({ id }) => String(id),
    },
    each: stopAlone,
  })
  const due = dueRows<DueCopy>(context, {
    ...common,
    name: 'copies_due',
    first: lost,
    source: { find: store.due, keyOf: (row) => `${row.follow_id} ${row.trader_position}`, dueOf: ({ opened }) => opened },
    each: copy,
  })
  const behind = dueRows<Pick<Copy, 'id'>>(context, {
    ...common,
    name: 'copies',
    first: due,
    source: { find: store.behind, keyOf: ({ id }) => String(id) },
    each: ({ id }) => align(id),
  })

  async function run(): Promise<void> {
    while (hints.size && !stopped) {
      const positions = [...hints]
      hints.clear()
      await behind.pass(positions)
    }
  }

  function begin(): void {
    if (running || stopped || hints.size === 0) return
    running = run()
      .catch((error: unknown) => {
        counts.failures++
        log.error({ err: error }, 'copies could not be brought in line; the next pass does')
      })
      .finally(() => {
        running = undefined
        // One may have come after the last look.
        begin()
      })
  }

  return {
    counts: () => ({
      ...counts,
      hints: hints.size,
      failures: counts.failures + [lost, due, behind].reduce((sum, job) => sum + job.counts().failures, 0),
    }),
    /** Something has happened to a position, on this node. Never waits, never throws. */
    hint(position: number): void {
      hints.add(position)
      begin()
    },
    /** Looks at everything. */
    pass: (): Promise<unknown> => behind.pass(),
    start: behind.start,
    /** Waits for what hints have begun. */
    async settled(): Promise<void> {
      while (running) await running
    },
    async stop(): Promise<void> {
      stopped = true
      await Promise.all([behind.stop(), running])
    },
  }
}
