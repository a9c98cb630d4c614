import { setTimeout as sleep } from 'node:timers/promises'
import type { Currency } from '#api-server/currency/currency.reads.ts'
import type { Happened, LeverContext, Quoted } from '#api-server/lever/context.ts'
import type { Position } from '#api-server/lever/lever.store.ts'
import type { Tell } from '#api-server/lever/tell.ts'
import type { Change, Trade } from '#api-server/lever/trade.ts'
import type { Nights } from '#api-server/lever/triggers/nights.ts'
import { closedNotice, decidedNotices } from '#api-server/lever/triggers/notices.ts'
import { dueAt, type Tick, unitsOf, unseenSince, type Watched, watch } from '#api-server/lever/triggers/trigger.rules.ts'
import { exact } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'

export const workLimits = { atOnce: 8, firedAtOnce: 200, retryMs: 500 } as const

/** A row that a tick has fired; absent for a position that was marked before and waits to be paid. */
export interface Job {
  id: number
  tick: Tick
  row?: Watched | undefined
}

interface WorkOptions {
  context: LeverContext
  trade: Trade
  tell: Tell
  nights: Nights
  /** Given the row as it stands after a job, or undefined when it is gone. */
  done: (job: Job, row: Position | undefined) => void
}

/**
 * Does what ticks have fired, in their order: positions are marked first, all of a tick in few transactions, so that nobody can change them any
 * more, and then paid one by one. Each is looked at again under its lock: what the customer has changed in the meantime counts.
 */
export function createWork({ context, trade, tell, nights, done }: WorkOptions) {
  const { database, store, notices, reads, trading, log } = context
  const queue: Job[] = []
  const pending = new Map<number, Job>()
  const counts = { fired: 0, filled: 0, cancelled: 0, closed: 0, liquidated: 0, late: 0, failures: 0 }
  let running: Promise<void> | undefined
  let stopped = true

  const quotedAt = (tick: Tick): Quoted => ({ tick, mark: exact(tick.price) })
  const isDue = (row: Position, tick: Tick) => {
    const scale = trading.instrument(row.symbol).priceScale
    const watched = watch(row, scale)
    return watched && dueAt(watched, unitsOf(tick.price, scale), tick.id)
  }
  /** A level that changed after the tick had fired the row may count for an earlier tick, such as that of a night which was charged meanwhile. */
  const isOvertaken = (row: Position, job: Job) => {
    if (!job.row || row.rev <= job.row.rev) return false
    const watched = watch(row, trading.instrument(row.symbol).priceScale)
    const since = watched && unseenSince(watched, job.row)
    return since !== undefined && since < job.tick.id
  }
  const owes = (row: Position | undefined, tick: Tick) => row?.state === 'open' && row.next_night !== null && row.next_night <= tick.time
  async function each<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
    const left = list.values()
    const lane = async () => {
      for (const one of left) await work(one)
    }
    await Promise.all(Array.from({ length: Math.min(workLimits.atOnce, list.length) }, lane))
  }

  /** Marks the positions that are due, and fills the orders that are. @returns rows as they stand */
  async function decide(jobs: readonly Job[]): Promise<Map<number, Position | undefined>> {
    const coins = new Map<string, Currency>()
    for (const { tick } of jobs)
      if (!coins.has(tick.symbol)) coins.set(tick.symbol, await context.coins.quoteOf(trading.instrument(tick.symbol).quote))
    const happened: Happened[] = []
    const rows = await database.transaction(async (tx) => {
      happened.length = 0
      const ticks = jobs.map(({ tick }) => tick)
      const [locked, isLogged, wasOpen] = await Promise.all([
        store.lockAll(
          tx,
          jobs.map(({ id }) => id),
        ),
        reads.logged(tx, ticks),
        trading.wasOpenIn(tx, Math.min(...ticks.map(({ time }) => time))),
      ])
      const found = new Map<number, Position | undefined>(locked.map((row) => [row.id, row]))
      const fired: Change[] = []
      for (const job of jobs) {
        const { id, tick } = job
        const row = found.get(id)
        const due = row && isDue(row, tick)
        // Those that owe or were overtaken are looked at again, from the first tick that their levels count for.
        if (!row || !due || owes(row, tick) || isOvertaken(row, job)) continue
        // A halt or other hours of which this node has not heard.
        if (!wasOpen(tick.symbol, tick.time)) continue
        if (!isLogged(tick)) {
          counts.late++
          continue
        }
        const change =
          due === 'fill'
            ? { before: row, after: await trade.fill(tx, row, quotedAt(tick), coins.get(tick.symbol)!) }
            : trade.firing(row, due, quotedAt(tick))
        if (due !== 'fill') fired.push(change)
        found.set(id, change.after)
        happened.push(change)
      }
      await trade.write(tx, fired)
      await notices.notifyAll(tx, decidedNotices(happened, trading))
      return found
    })
    for (const { after } of happened) {
      counts.fired++
      if (after.state === 'open') counts.filled++
      if (after.state === 'cancelled') counts.cancelled++
    }
    tell.happened(...happened)
    return rows
  }

  /** Pays a position that was marked; nothing to do when another node has. */
  async function settle(id: number): Promise<Position | undefined> {
    const closeId = await trade.closeId()
    const asked = await store.one(id)
    if (asked?.state !== 'closing') return asked
    const coin = await context.coins.quoteOf(trading.instrument(asked.symbol).quote)
    const happened = await database.transaction(async (tx): Promise<Happened | undefined> => {
      const before = await store.lock(tx, id)
      if (before?.state !== 'closing') return undefined
      const change = trade.settling(before, coin, closeId)
      await trade.write(tx, [change])
      await notices.notify(tx, change.after.uid, closedNotice(change.after, trading))
      return change
    })
    if (!happened) return store.one(id)
    counts.closed++
    if (happened.after.close_reason === 'liquidated') counts.liquidated++
    tell.happened(happened)
    return happened.after
  }

  async function batch(jobs: readonly Job[]): Promise<void> {
    await reads.durable(Math.max(...jobs.map(({ tick }) => tick.id)))
    const rows = await decide(jobs)
    // A night before the tick is paid first. It changes the liquidation price, which an earlier tick may have reached: all since it are looked at again.
    for (const { id, tick } of jobs) {
      const row = rows.get(id)
      if (row && owes(row, tick)) rows.set(id, await nights.catchUp(row, tick.time))
    }
    await each(jobs, async (job) => {
      const row = rows.get(job.id)
      const last = row?.state === 'closing' ? await settle(job.id) : row
      pending.delete(job.id)
      done(job, last)
    })
  }

  /** Finished rows stay finished: each row records it. */
  function failed(error: unknown, jobs: number): void {
    counts.failures++
    const isBusy = error instanceof ApiProblem && error.code === 'busy'
    log[isBusy ? 'warn' : 'error']({ err: error, jobs }, 'contracts: what a price has fired is not done yet; it is tried again')
  }
  async function run(): Promise<void> {
    while (queue.length && !stopped) {
      const jobs = queue.slice(0, workLimits.firedAtOnce)
      try {
        await batch(jobs)
        queue.splice(0, jobs.length)
      } catch (error) {
        failed(error, jobs.length)
        await sleep(workLimits.retryMs)
        // One that cannot be done must not hold up the others.
        const left: Job[] = []
        for (const job of jobs) {
          if (stopped) break
          try {
            await batch([job])
          } catch (cause) {
            failed(cause, 1)
            left.push(job)
          }
        }
        queue.splice(0, jobs.length)
        queue.push(...left)
      }
    }
  }

  function begin(): void {
    if (stopped || running || queue.length === 0) return
    running = run().finally(() => {
      running = undefined
      // One may have been added after the last look.
      begin()
    })
  }

  return {
    counts,
    has: (id: number) => pending.has(id),
    size: () => pending.size,
    /** Number of the first tick whose work is not done. */
    oldest(): number | undefined {
      return queue.length ? Math.min(...queue.map(({ tick }) => tick.id)) : undefined
    },
    start(): void {
      stopped = false
    },
    /** Adds work; nothing is waited for. */
    add(jobs: readonly Job[]): void {
      const fresh = jobs.filter(({ id }) => !pending.has(id))
      for (const job of fresh) pending.set(job.id, job)
      queue.push(...fresh)
      begin()
    },
    settle,
    /** Leaves undone what is not begun. */
    async stop(): Promise<void> {
      stopped = true
      await running
      queue.length = 0
      pending.clear()
    },
  }
}
export type Work = ReturnType<typeof createWork>
