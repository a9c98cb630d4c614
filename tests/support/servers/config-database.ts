import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { configMigrations } from '#config-server/migrations.ts'
import type { Database } from '#server-kit/db/db.ts'
import { guardedKysely, transact } from '#server-kit/db/guarded-driver.ts'
import { migrate } from '#server-kit/db/migrate.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { parsers } from '#server-kit/db/pglite.ts'
import { PgliteDriver } from '#server-kit/db/pglite-driver.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { layEmptyDatabase } from '#tests/support/databases/empty-database.ts'
import { standInFor } from '#tests/support/databases/engines.ts'

/** Databases of one test file: opening one takes a second, emptying it is fast. */
interface Place {
  database: Database
  folder: string
  /** The database outlives the server that uses it. */
  name: string | undefined
  used: boolean
}
const places: Place[] = []

afterAll(async () => {
  for (const { database, folder } of places.splice(0)) {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

const onFatal = (error: unknown) => {
  throw error
}

async function openQuietly(folder: string): Promise<Database> {
  const databaseUrl = await standInFor(folder, 'empty')
  if (databaseUrl !== undefined)
    return openDatabase({ dataDir: folder, databaseUrl, log: createLog('silent'), onFatal, migrations: configMigrations })
  const pg = await PGlite.create({ dataDir: join(layEmptyDatabase(folder), 'pg'), parsers })
  const driver = new PgliteDriver(pg, { onFatal })
  const db = guardedKysely(() => driver)
  const database: Database = {
    db,
    engine: 'pglite' as const,
    transaction: (work) => transact(db, work),
    waiting: () => driver.waiting,
    checkpoint: async () => {},
    close: () => db.destroy(),
  }
  await migrate(database, configMigrations, createLog('silent'))
  return database
}

/** Empties the tables, including the append-only log, which only the owner of the tables can empty. */
export async function emptyConfig({ db }: Database): Promise<void> {
  await sql`alter table config_audit disable trigger user`.execute(db)
  await sql`truncate config_live, config_release, config_text, config_draft, config_draft_file, config_approval, config_schedule,
    config_flow_run, config_audit, config_build, config_figures, config_operator, config_operator_session, config_operator_link, config_operator_recovery,
    config_operator_guard`.execute(db)
  await sql`alter table config_audit enable trigger user`.execute(db)
  await sql`insert into config_live (id, version, changed_at) values (1, 0, 0)`.execute(db)
  await sql`select setval('config_draft_id', 1, false), setval('config_schedule_id', 1, false), setval('config_operator_id', 1, false)`.execute(
    db,
  )
}

/** @param name of a database to be reused with its data; without a name it is empty */
export async function takeDatabase(name?: string): Promise<{ database: Database; giveBack(): void }> {
  let place = name === undefined ? undefined : places.find((one) => one.name === name)
  if (!place) {
    place = places.find((one) => !one.used && one.name === undefined)
    if (place) await emptyConfig(place.database)
    else {
      const folder = mkdtempSync(join(tmpdir(), 'tessera-config-'))
      place = { database: await openQuietly(folder), folder, name: undefined, used: true }
      places.push(place)
    }
    place.name = name
  }
  place.used = true
  const taken = place
  return {
    database: taken.database,
    giveBack() {
      taken.used = false
    },
  }
}
