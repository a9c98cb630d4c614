import { sql } from 'kysely'
import { type Database, type Migration, type Tx, write } from '#server-kit/db/db.ts'
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

/** The last build that has the replaced steps, as docs/guides/upgrade.md names it. */
const lastBuildReplaced = 'b78e0c11'

/**
 * The steps of each server that stand for steps which the database has.
 * @throws StartRefused when it has some only of those that they stand for
 */
function replacing(list: readonly Migration[], applied: readonly string[]): Migration[] {
  return ['api', 'config'].flatMap((group) => {
    const baselines = list.filter(({ id, replaces }) => replaces?.length && groupOf(id) === group)
    const had = baselines.flatMap(({ replaces = [] }) => replaces.map((id) => applied.includes(id)))
    if (!had.includes(true)) return []
    if (!had.includes(false)) return baselines
    throw new StartRefused(
      `the database is of an earlier build: open it once with the build of commit ${lastBuildReplaced} first, as docs/guides/upgrade.md describes`,
    )
  })
}

/** Notes the steps as run and forgets those that they stand for, all at once. */
async function takeOver(database: Database, steps: readonly Migration[], log: Pick<Log, 'info'>, now: () => number): Promise<void> {
  const replaced = steps.flatMap(({ replaces = [] }) => replaces)
  await database.transaction(async (tx) => {
    await lockForMigration(database, tx)
    // Another node may have been faster.
    const forgotten = await tx.deleteFrom('migration').where('id', 'in', replaced).returning('id').execute()
    if (!forgotten.length) return
    const rows = steps.map(({ id }) => ({ id, applied_at: now() }))
    await write(rows.length, tx.insertInto('migration').values(rows))
  })
  log.info({ migrations: steps.map(({ id }) => id) }, 'database: migrations of an earlier build were replaced')
}

/**
 * Brings the schema to the end of the list: one query when there is nothing to do, otherwise each missing step in a transaction of its own,
 * and a line of the log for each.
 * @returns ids of the steps that were run
 * @throws Error when two steps share an id, or one has the id of a replaced step; StartRefused when the database knows a step that the list does
 * not (an older build on a newer database), or has some of the replaced steps only (a build on a database that is older than it can read)
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
  const replaced = list.flatMap((step) => step.replaces ?? [])
  const again = ids.find((id) => replaced.includes(id))
  if (again !== undefined) throw new Error(`a migration has the id of a replaced one: ${again}`)
  let applied: readonly string[] | undefined = await appliedIds(database)
  if (applied === undefined) {
    await database.transaction(async (tx) => {
      await lockForMigration(database, tx)
      await sql`create table if not exists migration (id text primary key, applied_at bigint not null)`.execute(tx)
    })
    applied = []
  }
  const groups = new Set(ids.length ? ids.map(groupOf) : ['api'])
  const unknown = applied.filter((id) => groups.has(groupOf(id)) && !ids.includes(id) && !replaced.includes(id))
  if (unknown.length) throw new StartRefused(`the database is newer than this build: it has the migrations ${unknown.join(', ')}`)
  const taken = replacing(list, applied)
  if (taken.length) {
    await takeOver(database, taken, log, now)
    applied = [...applied, ...taken.map(({ id }) => id)]
  }
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
