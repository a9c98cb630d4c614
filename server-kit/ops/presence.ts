import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Registry } from 'prom-client'
import { type Database, writeAny } from '#server-kit/db/db.ts'
import { every, type RepeatedJob } from '#server-kit/ops/every.ts'
import type { Log } from '#server-kit/ops/log.ts'

/** How often a node renews its row, and after how long without that it counts as gone. */
export const presenceLimits = { everyMs: 1_000, goneAfterMs: 4_000 } as const

export interface Presence {
  start(): void
  /** Removes the row of this node, so that it does not count as gone. */
  stop(): Promise<void>
}

/**
 * Detects nodes on the same database that were killed or hang. Each node renews a row beside the leases, by the clock of the database; the one
 * that finds an expired row of another removes it.
 * @param options.gone called on the node that found expired rows
 */
export function createPresence(options: {
  database: Pick<Database, 'db'>
  log: Log
  gone: () => void
  registry?: Registry | undefined
}): Presence {
  const { log, registry } = options
  const { db } = options.database
  const holder = randomUUID()
  const name = `node:${holder}`
  const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
  let job: RepeatedJob | undefined

  async function work(): Promise<void> {
    const until = sql<number>`${now} + ${presenceLimits.goneAfterMs}::bigint`
    const own = db.insertInto('lease').values({ name, holder, until })
    await writeAny(own.onConflict((on) => on.column('name').doUpdateSet({ until })))
    const gone = await writeAny(db.deleteFrom('lease').where('name', 'like', 'node:%').where('name', '<>', name).where('until', '<', now))
    if (!gone) return
    log.warn({ nodes: gone }, 'other nodes were killed or hang: they no longer renew their rows')
    options.gone()
  }

  return {
    start() {
      job = every(presenceLimits.everyMs, { name: 'presence', work, log, registry })
    },
    async stop() {
      await job?.stop()
      await writeAny(db.deleteFrom('lease').where('name', '=', name)).catch((error: unknown) =>
        log.warn({ err: error }, 'the row of this node could not be removed; the others count it as killed'),
      )
    },
  }
}
