import type { IncomingMessage, ServerResponse } from 'node:http'
import { sql } from 'kysely'
import type { Database } from '#server-kit/db/db.ts'
import type { Security } from '#server-kit/http/security-headers.ts'

const probeMs = 1_000

/** @returns `slow` when the database does not answer within a second */
export async function databaseHealth(database: Database): Promise<'up' | 'down' | 'slow'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'slow'>((answer) => {
    timer = setTimeout(answer, probeMs, 'slow')
  })
  const probe = sql`select 1`.execute(database.db).then(
    () => 'up' as const,
    () => 'down' as const,
  )
  const health = await Promise.race([probe, late])
  clearTimeout(timer)
  return health
}

interface ProbedParts {
  database: Database
  security: Pick<Security, 'apply' | 'data'>
  /** Whether the server is about to stop. */
  isDraining: () => boolean
  /** Result of the ledger's audit, of a server that has a ledger. */
  ledger?: () => 'sound' | 'broken' | 'unchecked'
}

/**
 * Answers GET /live and GET /ready, which orchestrators ask. /live is 200 as long as the process answers at all: a restart would help against
 * nothing else. /ready is 503 while another node should get the requests: the server drains, its database does not answer, or the audit of its
 * ledger has not passed. A server listens only after its migrations.
 * @returns false for other paths, which are not answered
 */
export function createProbes({
  database,
  security,
  isDraining,
  ledger,
}: ProbedParts): (req: IncomingMessage, res: ServerResponse) => boolean {
  const answer = (res: ServerResponse, status: number, body: object) =>
    void res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }).end(JSON.stringify(body))
  async function ready(res: ServerResponse): Promise<void> {
    const found = { draining: isDraining(), database: await databaseHealth(database), ...(ledger && { ledger: ledger() }) }
    const isReady = !found.draining && found.database === 'up' && (found.ledger ?? 'sound') === 'sound'
    answer(res, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not_ready', ...found })
  }
  return (req, res) => {
    const path = (req.url ?? '').split('?', 1)[0]
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    if (!isRead || (path !== '/live' && path !== '/ready')) return false
    security.apply(req, res, security.data)
    if (path === '/live') answer(res, 200, { status: 'alive' })
    else void ready(res)
    return true
  }
}
