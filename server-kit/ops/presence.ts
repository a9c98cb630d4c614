import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Registry } from 'prom-client'
import { type Database, writeAny } from '#server-kit/db/db.ts'
import { every, type RepeatedJob } from '#server-kit/ops/every.ts'
import type { Log } from '#server-kit/ops/log.ts'

/** How often a node says that it runs, and how long nothing may be heard of it. */
export const presenceLimits = { everyMs: 1_000, goneAfterMs: 4_000 } as const

export interface Presence {
  start(): void
  /** This node ends; the others do not miss it. */
  stop(): Promise<void>
}

/**
 * Lets nodes on one database find that another has gone without a word: it was killed, or stands still. Each keeps a row beside the leases, by the
 * clock of the database.
 * @param options.gone called on one of the nodes that are left
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
    const own = db.insertInto('market_lease').values({ name, holder, until })
    await writeAny(own.onConflict((on) => on.column('name').doUpdateSet({ until })))
    const gone = await writeAny(db.deleteFrom('market_lease').where('name', 'like', 'node:%').where('until', '<', now))
    if (!gone) return
    log.warn({ nodes: gone }, 'other nodes have ended without a word')
    options.gone()
  }

  return {
    start() {
      job = every(presenceLimits.everyMs, { name: 'presence', work, log, registry })
    },
    async stop() {
      await job?.stop()
      await writeAny(db.deleteFrom('market_lease').where('name', '=', name)).catch((error: unknown) =>
        log.warn({ err: error }, 'this node could not sign off; the others take it for killed'),
      )
    },
  }
}
