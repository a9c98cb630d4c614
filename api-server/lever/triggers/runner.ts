import { randomUUID } from 'node:crypto'
import type { Registry } from 'prom-client'
import type { LeverContext } from '#api-server/lever/context.ts'
import type { Position } from '#api-server/lever/lever.store.ts'
import { changedMessage, changedTopic, type Tell } from '#api-server/lever/tell.ts'
import { createMissed } from '#api-server/lever/triggers/missed.ts'
import type { Nights } from '#api-server/lever/triggers/nights.ts'
import { type JudgedTick, type Tick, unitsOf, unseenSince, type Watched, watch } from '#api-server/lever/triggers/trigger.rules.ts'
import { createTriggers } from '#api-server/lever/triggers/triggers.ts'
import type { Job, Work } from '#api-server/lever/triggers/work.ts'
import { every, type RepeatedJob } from '#server-kit/ops/every.ts'
import { createLease, createLeaseStore, type Lease } from '#server-kit/ops/lease.ts'

export const runnerLimits = {
  leaseMs: 3_000,
  renewEveryMs: 700,
  lookEveryMs: 1_000,
  rowsAtOnce: 5_000,
  ticksAtOnce: 1_000,
  /** Ticks of a symbol that are kept in memory for rows that come later; earlier ones are read from the log. */
  recentMax: 1_000,
  /**
   * How far the note in the database stays behind, also behind the halts and hours that this node has read. No transaction that began before it is
   * still under way, so that a node that takes over finds each row whose levels count for a tick before the note, and no halt or hours of before it
   * are still to be heard of.
   */
  progressBehindMs: 60_000,
  loadRetryMs: 1_000,
} as const

export interface RunnerOptions {
  context: LeverContext
  nights: Nights
  tell: Tell
  work: Work
  /** Told of each tick of the market, at once and in order. */
  listen: (ticked: (tick: Tick) => void) => () => void
  registry?: Registry | undefined
}
/** A tick as it is compared. */
interface Seen extends JudgedTick {
  units: number
}
export type TriggerRunner = ReturnType<typeof createTriggerRunner>

/**
 * Lets prices act on orders and positions. All of them are in memory by the prices that they wait for; the database says what is true. On one node
 * at a time: it reads the rows, looks at all ticks of the log since the last note of a node before it, and goes on with those that come.
 */
export function createTriggerRunner({ context, nights, tell, work, listen, registry }: RunnerOptions) {
  const { database, store, reads, trading, clock, bus, log } = context
  const triggers = createTriggers()
  const recent = new Map<string, Seen[]>()
  /** Of each symbol, the last tick that is no longer in `recent`. */
  const dropped = new Map<string, number>()
  /** Of each symbol, the last of these that was judged to be of a closed market. */
  const droppedClosed = new Map<string, Tick>()
  /** Grows when this node begins or ceases to act: what an earlier time has asked for is dropped. */
  let term = 0
  let state: 'idle' | 'loading' | 'live' = 'idle'
  let waiting: Tick[] = []
  /** Changes of rows that a job is at. */
  const later = new Map<number, Position>()
  let decidedTo = 0
  /** Every night before this tick is charged. One that is charged later counts for the ticks after it. */
  let chargedTo = 0
  let notes: { at: number; tick: number }[] = []
  let noted = 0
  let transactions = 0
  let lease: Lease | undefined
  let job: RepeatedJob | undefined
  let offs: (() => void)[] = []
  const counts = { ticks: 0, missed: 0, takeovers: 0 }

  const scaleOf = (symbol: string) => trading.instrument(symbol).priceScale
  const isOpen = ({ symbol, time }: Pick<Tick, 'symbol' | 'time'>) => trading.wasOpen(symbol, time)

  function decide({ id, symbol, price, time }: Tick): void {
    counts.ticks++
    decidedTo = Math.max(decidedTo, id)
    const list = recent.get(symbol) ?? []
    if (!list.length) recent.set(symbol, list)
    const tick: Seen = { id, symbol, price, time, units: unitsOf(price, scaleOf(symbol)), isOpen: isOpen({ symbol, time }) }
    list.push(tick)
    if (list.length > 2 * runnerLimits.recentMax) {
      const old = list.splice(0, list.length - runnerLimits.recentMax)
      dropped.set(symbol, old.at(-1)!.id)
      const closed = old.findLast((one) => !one.isOpen)
      if (closed) droppedClosed.set(symbol, closed)
    }
    if (tick.isOpen) act(tick)
  }
  function act(tick: Seen): void {
    const fired = triggers.take(tick.symbol, tick.units, tick.id)
    if (fired.length) work.add(fired.map(({ row }): Job => ({ id: row.id, tick, row })))
  }
  /** Ticks after the note are judged by the halts and hours that counted at their time, also where this node hears of them later. */
  function judgeAgain(): void {
    if (state === 'idle') return
    if ([...droppedClosed.values()].some((tick) => tick.id > noted && isOpen(tick))) {
      begin()
      return
    }
    const opened: Seen[] = []
    for (const tick of [...recent.values()].flat()) {
      if (tick.id <= noted) continue
      const was = tick.isOpen
      tick.isOpen = isOpen(tick)
      if (tick.isOpen && !was) opened.push(tick)
    }
    for (const tick of opened.sort((a, b) => a.id - b.id)) act(tick)
  }

  function ticked(tick: Tick): void {
    if (state === 'idle') return
    if (state === 'loading') waiting.push(tick)
    else if (tick.id > decidedTo) decide(tick)
    else {
      // The source has lost the log to another node: ticks that were seen here are not in it, and others have their numbers.
      log.warn({ tick: tick.id, decidedTo }, 'contracts: ticks are not those of the log; all are read again')
      begin()
    }
  }

  const missed = createMissed({
    ticksAfter: reads.ticksAfter,
    unitsAt: (tick) => (isOpen(tick) ? unitsOf(tick.price, scaleOf(tick.symbol)) : undefined),
    dropped: (symbol) => dropped.get(symbol) ?? 0,
    fired: (row, tick) => work.add([{ id: row.id, tick, row }]),
    reached(row, tick) {
      const newer = later.get(row.id)
      later.delete(row.id)
      if (newer) take(newer)
      else watchFrom(row, tick)
    },
    log,
  })

  /** Ticks that came while a row was not watched as it is now are looked at again. */
  function watchFrom(row: Watched, unseenFrom: number | undefined): void {
    const since = unseenFrom === undefined ? undefined : Math.max(unseenFrom, noted)
    if (since !== undefined && since < (dropped.get(row.symbol) ?? 0)) {
      triggers.remove(row.id)
      missed.add(row, since)
      return
    }
    triggers.put(row)
    if (since === undefined || since >= decidedTo) return
    const isFired = (tick: Seen) =>
      // Only this row: the others have been through it.
      tick.id > since && tick.isOpen && triggers.takeOne(row.id, tick.units, tick.id)
    const tick = recent.get(row.symbol)?.find(isFired)
    if (!tick) return
    counts.missed++
    work.add([{ id: row.id, tick, row }])
  }
  function take(row: Position | undefined, fired?: Job): void {
    if (!row || state === 'idle') return
    if (work.has(row.id) || missed.has(row.id)) {
      if (row.rev > (later.get(row.id)?.rev ?? 0)) later.set(row.id, row)
      return
    }
    const known = fired?.row ?? triggers.get(row.id)
    if (!fired && known && known.rev >= row.rev) return
    const watched = watch(row, scaleOf(row.symbol))
    if (row.state === 'closing') work.add([{ id: row.id, tick: tickOf(row) }])
    if (!watched) {
      triggers.remove(row.id)
      return
    }
    const since = unseenSince(watched, known)
    // A row that was taken out for a tick has missed those after it.
    watchFrom(watched, fired ? Math.min(since ?? fired.tick.id, fired.tick.id) : since)
  }
  /** The tick that a marked position is paid at. */
  const tickOf = ({ symbol, close_tick, close_price }: Position): Tick => ({ id: close_tick!, symbol, price: close_price!, time: 0 })

  /** Reads everything, looks at the ticks since the last note, and goes on with those that come. */
  async function load(mine: number): Promise<void> {
    await work.stop()
    if (mine !== term) return
    triggers.clear()
    recent.clear()
    dropped.clear()
    droppedClosed.clear()
    missed.clear()
    later.clear()
    waiting = []
    notes = []
    decidedTo = 0
    chargedTo = 0
    state = 'loading'
    const symbols = new Set(trading.symbols('contract'))
    transactions = database.engine === 'postgres' ? await store.adopt() : 0
    const known = Math.max(0, ...[...symbols].map((symbol) => reads.lastPrice(symbol)?.tickId ?? 0))
    await reads.durable(known)
    const note = await store.progress()
    let oldest = known
    const marked: Position[] = []
    for (let after = 0; ; ) {
      const rows = await store.active(after, runnerLimits.rowsAtOnce)
      if (mine !== term) return
      for (const row of rows) {
        const watched = watch(row, scaleOf(row.symbol))
        if (!watched) marked.push(row)
        else if ((triggers.get(row.id)?.rev ?? 0) < row.rev) triggers.put(watched)
        oldest = Math.min(oldest, row.since)
      }
      if (rows.length < runnerLimits.rowsAtOnce) break
      after = rows.at(-1)!.id
    }
    work.start()
    for (const row of marked) work.add([{ id: row.id, tick: tickOf(row) }])
    let at = Math.min(note ?? oldest, known)
    noted = note ?? 0
    while (at < known) {
      const ticks = await reads.ticksAfter(at, runnerLimits.ticksAtOnce)
      if (mine !== term || !ticks.length) break
      for (const tick of ticks) if (tick.id <= known && symbols.has(tick.symbol)) decide(tick)
      at = ticks.at(-1)!.id
    }
    if (mine !== term) return
    decidedTo = known
    state = 'live'
    const came = waiting
    waiting = []
    for (const tick of came) if (tick.id > decidedTo) decide(tick)
    counts.takeovers++
    log.info({ watched: triggers.size(), from: at }, 'contracts: this node acts on prices')
  }

  function begin(): void {
    const mine = ++term
    const again = (error: unknown) => {
      if (mine !== term) return
      state = 'idle'
      log.error({ err: error }, 'contracts: orders and positions could not be read; trying again')
      setTimeout(() => mine === term && load(mine).catch(again), runnerLimits.loadRetryMs).unref()
    }
    load(mine).catch(again)
  }
  function cease(): void {
    term++
    state = 'idle'
    triggers.clear()
    missed.clear()
    waiting = []
    void work.stop()
  }

  /** Rows that other nodes have changed, and the note for the node that comes after. */
  async function look(): Promise<void> {
    if (state !== 'live') return
    const [mine, tick, now] = [term, decidedTo, clock.now()]
    if ((await nights.owed(now)) === 0 && mine === term) chargedTo = tick
    const charged = chargedTo
    if (database.engine === 'postgres') {
      const { rows, next } = await store.changed(transactions)
      if (mine !== term) return
      for (const row of rows) take(row)
      transactions = next
    }
    if (mine !== term) return
    notes.push({ at: performance.now(), tick })
    const readAt = Math.min(performance.now(), trading.readAt())
    const old = notes.findLastIndex(({ at }) => readAt - at >= runnerLimits.progressBehindMs)
    if (old < 0) return
    const never = Number.POSITIVE_INFINITY
    const reached = Math.min(notes[old]!.tick, charged, (work.oldest() ?? never) - 1, missed.oldest() ?? never)
    notes = notes.slice(old)
    if (reached > noted) await store.setProgress(reached)
    noted = Math.max(noted, reached)
  }

  return {
    counts: () => ({
      acting: state === 'live' ? 1 : 0,
      watched: triggers.size(),
      pending: work.size() + missed.size(),
      ...counts,
      ...work.counts,
      ...nights.counts,
    }),
    isLive: () => state === 'live',
    /** A row as it stands after a job of the work. */
    done(fired: Job, row: Position | undefined): void {
      const newer = later.get(fired.id)
      later.delete(fired.id)
      take(newer && newer.rev > (row?.rev ?? 0) ? newer : row, fired)
    },
    /** Does now what is done from time to time. */
    async look(): Promise<void> {
      await job?.run()
      await nights.job.pass()
    },
    async start(): Promise<void> {
      offs = [
        listen(ticked),
        tell.feed((row) => take(row)),
        trading.listen(judgeAgain),
        bus.subscribe(changedTopic, changedMessage, ({ ids }) => {
          if (state !== 'live' || !bus.shared) return
          for (const id of ids) {
            store.one(id).then(
              (row) => take(row),
              () => {},
            )
          }
        }),
      ]
      job = every(runnerLimits.lookEveryMs, { name: 'contracts', work: look, log, registry })
      nights.job.start(registry)
      if (database.engine !== 'postgres') return begin()
      lease = createLease({
        store: createLeaseStore(database, 'contracts'),
        does: 'acts on prices for contracts',
        holder: randomUUID(),
        log,
        lengthMs: runnerLimits.leaseMs,
        renewEveryMs: runnerLimits.renewEveryMs,
        onLost: cease,
        onTaken: async () => begin(),
      })
      await lease.start()
    },
    async stop(): Promise<void> {
      for (const off of offs) off()
      await Promise.all([job?.stop(), nights.job.stop()])
      cease()
      await work.stop()
      await lease?.stop()
    },
  }
}
