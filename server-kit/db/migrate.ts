import { sql } from 'kysely'
import type { Database, Migration, Tx } from '#server-kit/db/db.ts'
import type { Log } from '#server-kit/ops/log.ts'
import { StartRefused } from '#server-kit/ops/start-refused.ts'

/**
 * The servers may share a database while each brings only its own steps, so steps are told apart by whose they are: what a server brings nothing
 * of is not its business.
 */
const groupOf = (id: string) => (id.startsWith('config-') ? 'config' : 'api')

const undefinedTable = '42P01'
/** Any number, the same in every node: only one node migrates at a time. */
const migrationLockKey = 748_291_035

async function appliedIds(database: Database): Promise<string[] | undefined> {
  try {
    const rows = await database.db.selectFrom('migration').select('id').execute()
    return rows.map((row) => row.id)
  } catch (error) {
    if ((error as { code?: unknown }).code === undefinedTable) return undefined
    throw error
  }
}

async function lockForMigration(database: Database, tx: Tx): Promise<void> {
  if (database.engine === 'postgres') await sql`select pg_advisory_xact_lock(${migrationLockKey}::bigint)`.execute(tx)
}

/**
 * Brings the schema to the end of the list: one query when there is nothing to do, otherwise each missing step in a transaction of its own,
 * and a line of the log for each.
 * @returns ids of the steps that were run
 * @throws Error when two steps share an id, or the database knows a step that the list does not (an older build on a newer database)
 */
export async function migrate(
  database: Database,
  list: readonly Migration[],
  log: Pick<Log, 'info'>,
  now: () => number = Date.now,
): Promise<string[]> {
  const ids = list.map((step) => step.id)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined) throw new Error(`two migrations are called ${twice}`)
  let applied = await appliedIds(database)
  if (applied === undefined) {
    await database.transaction(async (tx) => {
      await lockForMigration(database, tx)
      await sql`create table if not exists migration (id text primary key, applied_at bigint not null)`.execute(tx)
    })
    applied = []
  }
  const groups = new Set(ids.length ? ids.map(groupOf) : ['api'])
  const unknown = applied.filter((id) => groups.has(groupOf(id)) && !ids.includes(id))
  if (unknown.length) throw new StartRefused(`the database is newer than this build: it has the migrations ${unknown.join(', ')}`)
  const ran: string[] = []
  for (const step of list) {
    if (applied.includes(step.id)) continue
    const began = performance.now()
    await database.transaction(async (tx) => {
      await lockForMigration(database, tx)
      const done = await tx.selectFrom('migration').select('id').where('id', '=', step.id).executeTakeFirst()
      if (done) return
      await step.up(tx)
      await tx.insertInto('migration').values({ id: step.id, applied_at: now() }).execute()
      ran.push(step.id)
    })
    if (ran.at(-1) === step.id) log.info({ migration: step.id, ms: Math.round(performance.now() - began) }, 'database: a migration was run')
  }
  return ran
}
