import type { RequestHandler } from 'express'
import { sql } from 'kysely'
import type { Database } from '#server-kit/db/db.ts'
import type { DiskState } from '#server-kit/files/disk.ts'

/** How a part of the server is. */
export type HealthPart = () => 'up' | 'stale'

const probeMs = 1_000

async function databaseHealth(database: Database): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((answer) => {
    timer = setTimeout(answer, probeMs, 'slow')
  })
  const probe = sql`select 1`.execute(database.db).then(
    () => 'up',
    () => 'down',
  )
  const health = await Promise.race([probe, late])
  clearTimeout(timer)
  return health
}

/**
 * GET /health, for load balancers and people. 503 only without the database: a feed that is stale is no better on another node,
 * so it is told and the node goes on; so are a disk that takes no writes and a ledger that is broken, which can still be read.
 */
export function createHealth(parts: {
  database: Database
  feed: HealthPart
  /** The disk of DATA_DIR: uploads, and the embedded database. */
  disk: () => DiskState
  /** Whether the promises about money hold; while they do not, calls that move money are refused. */
  ledger: () => 'sound' | 'broken' | 'unchecked'
  release?: (() => string | undefined) | undefined
}): RequestHandler {
  return async (_req, res) => {
    const database = await databaseHealth(parts.database)
    const feed = parts.feed()
    const disk = parts.disk()
    const ledger = parts.ledger()
    const release = parts.release?.()
    const ok = database === 'up' && feed === 'up' && disk === 'up' && ledger === 'sound'
    res
      .status(database === 'up' ? 200 : 503)
      .json({ status: ok ? 'ok' : 'degraded', database, feed, disk, ledger, ...(release !== undefined && { release }) })
  }
}
