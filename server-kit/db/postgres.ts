import pg from 'pg'
import type { Database, DatabaseOptions } from '#server-kit/db/db.ts'
import { guardedKysely, safeInteger, transact, waitLimits } from '#server-kit/db/guarded-driver.ts'
import { migrate } from '#server-kit/db/migrate.ts'
import { PoolDriver } from '#server-kit/db/postgres-driver.ts'
import { checkPostgres, refuseMigration } from '#server-kit/db/postgres-start.ts'

const poolLimits = { connectionsMax: 16, statementMs: 15_000, idleInTransactionMs: 30_000 } as const
const int8 = 20
const date = 1082

type Parser = (text: string) => unknown
const own = new Map<number, Parser>([
  [int8, safeInteger],
  [date, (text) => text],
])
const getTypeParser: typeof pg.types.getTypeParser = (id: number, format?: 'text' | 'binary') =>
  (format !== 'binary' && own.get(id)) || pg.types.getTypeParser(id, format === 'binary' ? 'binary' : 'text')

/**
 * A pool of connections to PostgreSQL. A lost server makes calls fail until it is back; it never ends the process.
 * @throws StartRefused when the server cannot be reached, is too old, or does not let the user in or work
 */
export async function openPostgres(options: DatabaseOptions & { databaseUrl: string }): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: poolLimits.connectionsMax,
    connectionTimeoutMillis: waitLimits.waitMs,
    statement_timeout: poolLimits.statementMs,
    idle_in_transaction_session_timeout: poolLimits.idleInTransactionMs,
    application_name: 'tessera',
    types: { getTypeParser },
  })
  const lost = (error: Error) => options.log.warn({ err: error }, 'database: a connection was lost; the pool opens another')
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  const db = guardedKysely(() => new PoolDriver(pool), options.isWatched)
  const database: Database = {
    db,
    engine: 'postgres',
    transaction: (work) => transact(db, work),
    waiting: () => pool.waitingCount,
    checkpoint: async () => {},
    close: () => db.destroy(),
  }
  try {
    await checkPostgres(pool, options.databaseUrl)
    await migrate(database, options.migrations ?? [], options.log).catch((error: unknown) => refuseMigration(error, options.databaseUrl))
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}
