import type { RequestHandler } from 'express'
import { sql } from 'kysely'
import type { Database } from '#server-kit/db/db.ts'
import type { DiskState } from '#server-kit/files/disk.ts'

/** State of a part of the server. */
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
 * GET /health, for load balancers and people. Answers 503 only when the database is unavailable. A stale feed is reported without 503,
 * because another node would not be better; so are a disk that refuses writes and a broken ledger, because reads still work.
 */
export function createHealth(parts: {
  database: Database
  feed: HealthPart
  /** State of the disk of DATA_DIR, which holds uploads and the embedded database. */
  disk: () => DiskState
  /** Result of the ledger's audit. While it is not `sound`, calls that move money are refused. */
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
