import { setImmediate as turn } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import type { Database, Tx } from '#server-kit/db/db.ts'
import { dueLimits } from '#server-kit/due/due.rules.ts'
import type { DueSource } from '#server-kit/due/due-table.ts'
import { createFaultStore, type DueFault } from '#server-kit/due/faults.ts'
import { mayTryAlone } from '#server-kit/http/unavailable.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import { every, type RepeatedJob } from '#server-kit/ops/every.ts'
import type { Log } from '#server-kit/ops/log.ts'

interface DueDeps {
  database: Database
  clock: Clock
  log: Log
}

interface Common<Row> {
  /** Label of the metrics, name in the log, and in the list of rows that were given up. */
  name: string
  source: DueSource<Row>
  /** Time between two looks. */
  everyMs: number
  /** A job that makes rows due for this one, such as from "open" to "settling": its pass comes before each of this. It is not started by itself. */
  first?: DueRows
  /** Rows that are read at once; 500 unless said. */
  pageMost?: number
  /** Wait after the first failure; 5 s unless said. */
  firstRetryMs?: number
  /** A row that waits longer than this raises an alert; 120 s unless said, never where it is Infinity. */
  lateMs?: number
  /** Level at which one failure is logged; `error` unless said. */
  level?: 'warn' | 'error'
  /** A row is given up: written in the transaction that notes it. */
  gaveUp?: (tx: Tx, row: Row) => Promise<unknown>
}

/** Rows that are done together, in one transaction, which is that of the ledger. */
export interface TogetherJob<Row, Found, Done> extends Common<Row> {
  /** So many are done in one transaction at most. */
  together: number
  /**
   * Finds outside of the transaction what a row needs, such as the price of its due time. Made anew for each page, so it may remember what it has
   * found for the rows before. It gives undefined for a row that has to wait longer, which is no failure.
   * Absent: rows need nothing.
   */
  prepare?: () => (row: Row) => Promise<Found | undefined>
  /**
   * Does the rows: posts to the ledger, and moves each to its next state or its next due time. Contains SQL only, as it may run again. Its update
   * compares state and version, so that a row is never done twice. Of a row that is due every day, each run does the one day that was due; a row
   * that has missed several is due again at once, so that each day becomes a row of its own.
   * @param works rows as they were locked, in the order of their keys
   */
  run: (tx: Tx, works: readonly { row: Row; found: Found }[]) => Promise<Done>
  /** Tells apps what was committed. */
  after?: (done: Done) => void
}

/** Rows that are done one by one, each by work with transactions of its own, which compares the state of the row under its lock. */
export interface AloneJob<Row> extends Omit<Common<Row>, 'source'> {
  source: Omit<DueSource<Row>, 'lock'>
  /** So many are worked on at a time. */
  atOnce: number
  /** Gives false for a row that has to wait longer, which is no failure. */
  each: (row: Row) => Promise<unknown>
  /** Errors that only mean that the row has to wait longer, such as a market that is closed. */
  isLater?: (error: unknown) => boolean
}

export interface DueRows {
  readonly name: string
  /**
   * Does what is due now, page after page.
   * @param among given to the source, and to the job that comes first: only rows that belong to these
   * @returns how many rows need no other pass: done here, or by another node
   * @throws when the database is away; what was not done is still due
   */
  pass(among?: readonly number[]): Promise<number>
  /** done: rows; failures: of rows; waiting: rows that the last pass left; delay_ms: between the due time and the end of the last row that was done */
  counts(): { done: number; failures: number; waiting: number; delay_ms: number }
  /** Forgets failures of rows that were done by another way; a pass does it from time to time. */
  clean(): Promise<void>
  /** Adds `tessera_due{job,figure}` to a registry. */
  measure(registry: Registry): void
  /** Does what becomes due, on every node, until it is stopped. @param registry gets `tessera_due{job,figure}` and the metric of all jobs */
  start(registry?: Registry): void
  stop(): Promise<void>
}

/** Jobs whose rows are counted when the metrics of a registry are read. */
const metricsOf = new WeakMap<Registry, Map<string, () => Promise<Record<string, number>>>>()

function measure(registry: Registry, name: string, metrics: () => Promise<Record<string, number>>): void {
  const known = metricsOf.get(registry)
  if (known) return void known.set(name, metrics)
  const jobs = new Map([[name, metrics]])
  metricsOf.set(registry, jobs)
  new Gauge({
    name: 'tessera_due',
    help: 'Rows with a due time: waiting, age of the oldest in seconds, given up; failures on this node',
    labelNames: ['job', 'figure'],
    registers: [registry],
    async collect() {
      // Other metrics are readable while the database is away.
      for (const [job, read] of jobs)
        for (const [figure, value] of Object.entries(await read().catch(() => ({})))) this.set({ job, figure }, value)
    },
  })
}

const isTogether = <Row, Found, Done>(job: TogetherJob<Row, Found, Done> | AloneJob<Row>): job is TogetherJob<Row, Found, Done> =>
  'together' in job

/**
 * Does rows of the database when they are due, on every node and without a lease: a row is locked, or skipped where another transaction is at it, and
 * compared again before it is done. A node that ends leaves nothing behind but rows that another one finds, or the same one after its start. One
 * that fails keeps no other waiting: rows that fail together are tried alone, and one that fails alone is tried again later and later, and given up
 * after six failures, until an operator has it tried again (`createDeadRows`).
 */
export function dueRows<Row extends object, Found = undefined, Done = void>(
  { database, clock, log }: DueDeps,
  job: TogetherJob<Row, Found, Done> | AloneJob<Row>,
): DueRows {
  const { name, source, pageMost = dueLimits.pageMost, firstRetryMs: firstMs = dueLimits.firstRetryMs, lateMs = dueLimits.lateMs } = job
  const store = createFaultStore(database)
  const counts = { done: 0, failures: 0, waiting: 0, delay_ms: 0 }
  let faults = new Map<string, DueFault>()
  const never = Number.NEGATIVE_INFINITY
  let [pausedUntil, readAt, alertedAt, cleanedAt] = [never, never, never, performance.now()]
  let repeated: RepeatedJob | undefined
  let stopped = false

  /** @throws an error that says nothing about the row: the database is away */
  async function failed(row: Row, error: unknown): Promise<void> {
    if (!mayTryAlone(error)) throw error
    const key = source.keyOf(row)
    counts.failures++
    if ('isLater' in job && job.isLater?.(error)) {
      log.warn({ err: error, job: name, row: key }, 'due rows: a row has to wait longer')
      return
    }
    log[job.level ?? 'error']({ err: error, job: name, row: key }, 'due rows: a row failed; it is tried again')
    const before = faults.get(key)?.tries ?? 0
    readAt = never
    const isDead = await database.transaction(async (tx) => {
      const gaveUp = await store.note(tx, name, key, { before, error, now: clock.now(), firstMs })
      if (gaveUp) await job.gaveUp?.(tx, row)
      return gaveUp
    })
    if (isDead) log.error({ job: name, row: key }, 'due rows: a row was given up; an operator has it tried again')
  }
  function succeeded(rows: readonly Row[]): void {
    counts.done += rows.length
    if (rows.length && source.dueOf) counts.delay_ms = Math.max(0, clock.now() - source.dueOf(rows.at(-1)!))
  }
  /** Faults of other nodes are heard of within a second; while there are any, they are read each time. */
  async function readFaults(): Promise<void> {
    if (!faults.size && performance.now() - readAt < dueLimits.faultsEveryMs) return
    readAt = performance.now()
    faults = new Map((await store.of(name)).map((fault) => [fault.key, fault]))
  }
  const faulty = (rows: readonly Row[]) => rows.map(source.keyOf).filter((key) => faults.has(key))

  function together({ source: from, together: most, prepare, run, after }: TogetherJob<Row, Found, Done>) {
    type Work = { row: Row; found: Found }
    async function commit(works: readonly Work[]): Promise<void> {
      const found = new Map(works.map((work) => [from.keyOf(work.row), work.found]))
      const outcome = await database.transaction(async (tx) => {
        const rows = await from.lock(
          tx,
          works.map(({ row }) => row),
        )
        if (!rows.length) return undefined
        const locked = rows.map((row) => ({ row, found: found.get(from.keyOf(row))! }))
        const [done] = await Promise.all([run(tx, locked), store.clear(tx, name, faulty(rows))])
        return { done, rows }
      })
      if (!outcome) return
      succeeded(outcome.rows)
      after?.(outcome.done)
    }
    /** Rows together; where that fails, each alone. @returns how many need no other pass */
    async function settle(works: readonly Work[]): Promise<number> {
      try {
        await commit(works)
        return works.length
      } catch (error) {
        if (works.length > 1 && mayTryAlone(error)) {
          let settled = 0
          for (const work of works) settled += await settle([work])
          return settled
        }
        await failed(works[0]!.row, error)
        return 0
      }
    }
    return async (rows: readonly Row[]): Promise<number> => {
      const find = prepare?.()
      const works: Work[] = []
      for (const row of rows)
        try {
          const found = await find?.(row)
          if (!find || found !== undefined) works.push({ row, found: found as Found })
        } catch (error) {
          await failed(row, error)
        }
      let settled = 0
      for (let at = 0; at < works.length && !stopped; at += most) {
        settled += await settle(works.slice(at, at + most))
        // Calls of customers come in between.
        await turn()
      }
      return settled
    }
  }
  function alone({ each, atOnce }: AloneJob<Row>) {
    return async (rows: readonly Row[]): Promise<number> => {
      const left = rows.values()
      let settled = 0
      const lane = async () => {
        for (const row of left) {
          if (stopped) return
          try {
            if ((await each(row)) === false) continue
            await store.clear(database.db, name, faulty([row]))
            succeeded([row])
            settled++
          } catch (error) {
            await failed(row, error)
          }
        }
      }
      await Promise.all(Array.from({ length: Math.min(atOnce, rows.length) }, lane))
      return settled
    }
  }
  const work = isTogether(job) ? together(job) : alone(job)

  async function clean(): Promise<void> {
    if (!source.pending) return
    cleanedAt = performance.now()
    const keys = [...faults.keys()]
    const pending = new Set(await source.pending(keys))
    await store.clear(
      database.db,
      name,
      keys.filter((key) => !pending.has(key)),
    )
  }
  function alert(oldest: number): void {
    if (clock.now() - oldest <= lateMs || performance.now() - alertedAt < dueLimits.alertEveryMs) return
    alertedAt = performance.now()
    log.error({ job: name, oldest, waiting: counts.waiting }, 'due rows: a row has been due for too long')
  }

  async function pass(among?: readonly number[]): Promise<number> {
    await job.first?.pass(among)
    const now = clock.now()
    await readFaults()
    const except = [...faults.values()].filter((fault) => fault.dead || fault.next_at > now).map(({ key }) => key)
    let [found, settled, after, oldest]: [number, number, Row | undefined, number] = [0, 0, undefined, now]
    for (let isMore = true; isMore && !stopped; ) {
      const rows: Row[] = await source.find({ now, most: pageMost, except, after, among })
      const did = rows.length ? await work(rows) : 0
      if (did < rows.length && source.dueOf) oldest = Math.min(oldest, source.dueOf(rows[0]!))
      found += rows.length
      settled += did
      // A finished row may be due again: the next of several days that were missed.
      isMore = rows.length === pageMost || did > 0
      after = rows.at(-1)
    }
    counts.waiting = found - settled
    if (counts.waiting) alert(oldest)
    if (faults.size && performance.now() - cleanedAt > dueLimits.cleanEveryMs) await clean()
    return settled
  }

  function measured(registry: Registry): void {
    job.first?.measure(registry)
    measure(registry, name, async () => {
      const now = clock.now()
      const [found, noted] = await Promise.all([source.waiting?.(now), store.of(name)])
      const dead = noted.filter((fault) => fault.dead).length
      const metrics = { dead, failed: noted.length - dead, failures: counts.failures }
      if (!found) return metrics
      return { ...metrics, waiting: found.waiting, oldest_seconds: Math.max(0, now - (found.oldest ?? now)) / 1_000 }
    })
  }

  return {
    name,
    pass,
    clean,
    counts: () => ({ ...counts }),
    measure: measured,
    start(registry) {
      if (registry) measured(registry)
      const timed = async () => {
        if (performance.now() < pausedUntil) return
        try {
          await pass()
        } catch (error) {
          pausedUntil = performance.now() + dueLimits.pauseMs
          throw error
        }
      }
      repeated = every(job.everyMs, { name, work: timed, log, registry })
    },
    async stop() {
      stopped = true
      await Promise.all([job.first?.stop(), repeated?.stop()])
    },
  }
}
