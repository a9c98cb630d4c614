import type { RequestHandler } from 'express'
import type { Database } from '#server-kit/db/db.ts'
import type { DiskState } from '#server-kit/files/disk.ts'
import { databaseHealth } from '#server-kit/health/probes.ts'

/** State of a part of the server. */
export type HealthPart = () => 'up' | 'stale'

/**
 * GET /health, for people and monitoring; /live and /ready are for orchestrators. Answers 503 only when the database is unavailable. A stale feed is reported without 503,
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
  /** Version of the product, and the stamp of its build where it runs from one. */
  version: string
  build?: string | undefined
}): RequestHandler {
  return async (_req, res) => {
    const database = await databaseHealth(parts.database)
    const feed = parts.feed()
    const disk = parts.disk()
    const ledger = parts.ledger()
    const release = parts.release?.()
    const { version, build } = parts
    const ok = database === 'up' && feed === 'up' && disk === 'up' && ledger === 'sound'
    const report = {
      database,
      feed,
      disk,
      ledger,
      version,
      ...(build !== undefined && { build }),
      ...(release !== undefined && { release }),
    }
    res.status(database === 'up' ? 200 : 503).json({ status: ok ? 'ok' : 'degraded', ...report })
  }
}
