import { sql } from 'kysely'
import { type Database, type Migration, writeAny } from '#server-kit/db/db.ts'
import type { Log } from '#server-kit/ops/log.ts'

/** Short, because nothing is traded without prices while no node holds the source. */
export const leaseLimits = { lengthMs: 3_000, renewEveryMs: 700 } as const

declare module '#server-kit/db/db.ts' {
  interface Tables {
    /** One row per job that only one node at a time may run, and one per node that runs (presence.ts). */
    lease: { name: string; holder: string; until: number }
  }
}

/** Before, the table had the name of the market, whose price source was the first job with a lease. */
export const leaseMigration: Migration = {
  id: 'lease-1',
  up: (tx) => sql`alter table market_lease rename to lease`.execute(tx),
}

/** The lease in the database. The clock of the database decides, so clocks of nodes may differ. */
export interface LeaseStore {
  /** Takes or renews the lease. @returns false while another node holds it */
  take(holder: string, lengthMs: number): Promise<boolean>
  free(holder: string): Promise<void>
}

/** @param name the job that only one node at a time may run */
export function createLeaseStore({ db }: Pick<Database, 'db'>, name: string): LeaseStore {
  const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
  return {
    async take(holder, lengthMs) {
      const until = sql<number>`${now} + ${lengthMs}::bigint`
      const taken = await writeAny(
        db
          .insertInto('lease')
          .values({ name, holder, until })
          .onConflict((on) =>
            on
              .column('name')
              .doUpdateSet({ holder, until })
              .where((where) => where.or([where('lease.holder', '=', holder), where('lease.until', '<', now)])),
          ),
      )
      return taken === 1
    },
    async free(holder) {
      await writeAny(db.updateTable('lease').set({ until: 0 }).where('name', '=', name).where('holder', '=', holder))
    },
  }
}

interface LeaseOptions {
  store: LeaseStore
  /** The job in words of the log: `runs the price source`. */
  does: string
  /** Unique name of this node. */
  holder: string
  log: Log
  onTaken: () => Promise<void>
  /** Called before another node can take the lease. The job must have stopped when it returns. */
  onLost: () => void
  renewEveryMs?: number
  lengthMs?: number
}

export interface Lease {
  start(): Promise<void>
  held(): boolean
  /** Gives the lease back at once. This node may take it again at the next renewal. */
  resign(reason: string): Promise<void>
  /** Gives the lease back, so that another node can take it at once. */
  stop(): Promise<void>
}

/**
 * The right to run a job that only one node at a time may run, held for three seconds at a time unless `lengthMs` differs. A node that cannot renew
 * the lease stops the job before it ends, by its monotonic clock. The tables of the job must still refuse a second writer, by a unique key or by
 * the state of a row: a process that was suspended may still believe that it holds the lease.
 */
export function createLease(options: LeaseOptions): Lease {
  const renewEveryMs = options.renewEveryMs ?? leaseLimits.renewEveryMs
  const lengthMs = options.lengthMs ?? leaseLimits.lengthMs
  let held = false
  let renewedAt = 0
  let running = false
  let timer: NodeJS.Timeout | undefined
  let watch: NodeJS.Timeout | undefined
  /** Until the job has begun. */
  let taking: Promise<void> | undefined

  function lose(reason: string): void {
    if (!held) return
    held = false
    options.log.warn({ reason }, `lease: this node no longer ${options.does}`)
    options.onLost()
  }

  const expired = () => performance.now() - renewedAt > lengthMs * 0.7

  const free = () =>
    options.store
      .free(options.holder)
      .catch((error: unknown) =>
        options.log.warn({ err: error }, `lease: it could not be given back; no other node ${options.does} until it expires`),
      )

  async function beat(): Promise<void> {
    const asked = performance.now()
    try {
      const mine = await options.store.take(options.holder, lengthMs)
      if (!running) return
      if (mine) {
        renewedAt = asked
        if (!held) taking ??= begin().finally(() => (taking = undefined))
      } else {
        renewedAt = Number.NEGATIVE_INFINITY
        lose('another node holds it')
      }
    } catch (error) {
      options.log.warn({ err: error }, `lease: it could not be renewed and is tried again; another node ${options.does} when it expires`)
    } finally {
      if (running) timer = setTimeout(beat, renewEveryMs)
    }
  }

  /** Begins the job. It may take longer than the lease lasts, which is renewed meanwhile. */
  async function begin(): Promise<void> {
    try {
      await options.onTaken()
    } catch (error) {
      options.log.warn({ err: error }, `lease: the job could not begin and is tried again; no node ${options.does}`)
      return
    }
    held = true
    if (!running) lose('the node stops')
    else if (expired()) lose('it ended before the job began')
    else options.log.info(`lease: this node ${options.does}`)
  }

  return {
    async start() {
      running = true
      watch = setInterval(
        () => {
          if (expired()) lose('it could not be renewed')
        },
        Math.max(50, renewEveryMs / 3),
      )
      watch.unref()
      await beat()
      await taking
    },
    held: () => held,
    async resign(reason) {
      lose(reason)
      await free()
    },
    async stop() {
      running = false
      clearTimeout(timer)
      clearInterval(watch)
      lose('the node stops')
      await taking
      await free()
    },
  }
}
