import { sql } from 'kysely'
import { type Database, writeAny } from '#server-kit/db/db.ts'
import type { Log } from '#server-kit/ops/log.ts'

export const leaseLimits = { lengthMs: 10_000, renewEveryMs: 3_000, giveUpAfterMs: 7_000 } as const

declare module '#server-kit/db/db.ts' {
  interface Tables {
    /** One row for each thing that one node at a time may do. Made by the migration market-1, hence its name. */
    market_lease: { name: string; holder: string; until: number }
  }
}

/** How a lease is kept in the database. The database's clock decides, so that nodes need not agree on theirs. */
export interface LeaseStore {
  /** Takes or renews it. @returns false while another node holds it */
  take(holder: string, lengthMs: number): Promise<boolean>
  free(holder: string): Promise<void>
}

/** @param name of the row, one for each thing that one node at a time may do */
export function createLeaseStore({ db }: Pick<Database, 'db'>, name: string): LeaseStore {
  const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
  return {
    async take(holder, lengthMs) {
      const until = sql<number>`${now} + ${lengthMs}::bigint`
      const taken = await writeAny(
        db
          .insertInto('market_lease')
          .values({ name, holder, until })
          .onConflict((on) =>
            on
              .column('name')
              .doUpdateSet({ holder, until })
              .where((where) => where.or([where('market_lease.holder', '=', holder), where('market_lease.until', '<', now)])),
          ),
      )
      return taken === 1
    },
    async free(holder) {
      await writeAny(db.updateTable('market_lease').set({ until: 0 }).where('name', '=', name).where('holder', '=', holder))
    },
  }
}

export interface LeaseOptions {
  store: LeaseStore
  /** What its holder does, as the log says it: `runs the price source`. */
  does: string
  /** Name of this node, unique. */
  holder: string
  log: Log
  onTaken: () => Promise<void>
  /** Called before anyone else can hold it; all that the lease allows must have ended when it returns. */
  onLost: () => void
  renewEveryMs?: number
  lengthMs?: number
}

export interface Lease {
  start(): Promise<void>
  held(): boolean
  /** Steps down at once and frees it; takes part again at the next renewal. */
  resign(reason: string): Promise<void>
  /** Gives it back, so that another node may go on at once. */
  stop(): Promise<void>
}

/**
 * The right to do what one node at a time may do, held for ten seconds at a time unless `lengthMs` says otherwise. A node that cannot renew stops
 * well before the time is over, by its monotonic clock. What the holder writes must refuse a second writer all the same, by a unique key or by
 * the state of a row: a process that was stopped for a while may still believe that it holds the lease.
 */
export function createLease(options: LeaseOptions): Lease {
  const renewEveryMs = options.renewEveryMs ?? leaseLimits.renewEveryMs
  const lengthMs = options.lengthMs ?? leaseLimits.lengthMs
  let held = false
  let renewedAt = 0
  let running = false
  let timer: NodeJS.Timeout | undefined
  let watch: NodeJS.Timeout | undefined

  function lose(reason: string): void {
    if (!held) return
    held = false
    options.log.warn({ reason }, `lease: this node no longer ${options.does}`)
    options.onLost()
  }

  const free = () =>
    options.store
      .free(options.holder)
      .catch((error: unknown) =>
        options.log.warn({ err: error }, `lease: it could not be given back; this node ${options.does} until it runs out`),
      )

  async function beat(): Promise<void> {
    const asked = performance.now()
    try {
      const mine = await options.store.take(options.holder, lengthMs)
      if (!running) return
      if (!mine) lose('another node holds it')
      else {
        renewedAt = asked
        if (!held) {
          await options.onTaken()
          held = true
          options.log.info(`lease: this node ${options.does}`)
        }
      }
    } catch (error) {
      options.log.warn({ err: error }, `lease: it could not be renewed; another node ${options.does} once it has run out`)
    } finally {
      if (running) timer = setTimeout(beat, renewEveryMs)
    }
  }

  return {
    async start() {
      running = true
      watch = setInterval(
        () => {
          if (performance.now() - renewedAt > lengthMs * 0.7) lose('it could not be renewed')
        },
        Math.max(50, renewEveryMs / 3),
      )
      watch.unref()
      await beat()
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
      await free()
    },
  }
}
