import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import type { Database, DatabaseOptions, Migration } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { layEmptyDatabase } from '#tests/support/databases/empty-database.ts'
import { databasesOf, postgresMissing, startPostgres, type TestPostgres } from '#tests/support/databases/postgres.ts'
import { isFull } from '#tests/support/house/sizes.ts'

export interface Engine {
  readonly name: Database['engine']
  /** Place of a new, empty database; opening it twice opens the same one. */
  place(): Promise<Pick<DatabaseOptions, 'dataDir' | 'databaseUrl'>>
  /** Kills the database server and starts it again, if the suite has one of its own; undefined for the embedded database. */
  restart: (() => Promise<void>) | undefined
  /** A new database with these migrations; closed and removed after the suite. */
  open(migrations?: readonly Migration[]): Promise<Database>
}

const quiet = createLog('silent')

/** Fails a test that did not expect the engine to fail. */
const unexpected = (error: unknown) => {
  throw error
}

/** Runs a suite of store tests on the embedded database and on PostgreSQL in every run: for suites about the databases themselves. */
export const onBothEngines = (title: string, suite: (engine: Engine) => void, options: Omit<EngineOptions, 'both'> = {}): void =>
  onEngines(title, suite, { ...options, both: true })

interface EngineOptions {
  both?: boolean
  ownServer?: boolean
}

/**
 * Runs a suite of store tests on PostgreSQL, and in `npm run test:full` on the embedded database too. Without PostgreSQL it prints that,
 * marks that half as skipped and runs the other half in every run.
 * @param both `npm test` runs both halves too
 * @param ownServer the suite stops its PostgreSQL, so it gets one of its own
 */
export function onEngines(title: string, suite: (engine: Engine) => void, { both = false, ownServer = false }: EngineOptions = {}): void {
  const missing = postgresMissing()
  const isLeft = (name: Engine['name']) => name === 'pglite' && !both && missing === undefined
  if (missing) console.error(`\n!!! ${title}: NOT RUN on PostgreSQL: ${missing}\n`)
  for (const name of ['pglite', 'postgres'] as const) {
    describe.skipIf(name === 'postgres' && missing !== undefined)(
      `${title} on ${name}${name === 'postgres' && missing ? ` (${missing})` : ''}`,
      { ...(isLeft(name) && { tags: ['full'] }) },
      () => {
        let own: TestPostgres | undefined
        let databases: Pick<TestPostgres, 'freshUrl' | 'stop'> | undefined
        const folders: string[] = []
        const opened: Database[] = []
        beforeAll(async () => {
          if (name !== 'postgres') return
          if (ownServer) own = await startPostgres()
          databases = own ?? sharedDatabases()
        })
        afterAll(async () => {
          for (const database of opened) await database.close()
          await databases?.stop()
          for (const folder of folders) rmSync(folder, { recursive: true, force: true })
        })
        const place: Engine['place'] = async () => {
          const dataDir = mkdtempSync(join(tmpdir(), 'tessera-store-'))
          folders.push(dataDir)
          if (name === 'pglite') layEmptyDatabase(dataDir)
          return { dataDir, databaseUrl: await databases?.freshUrl() }
        }
        suite({
          name,
          place,
          restart: name === 'postgres' && ownServer ? async () => own?.restart() : undefined,
          async open(migrations = []) {
            const where = await place()
            const database = await openDatabase({ ...where, log: quiet, onFatal: unexpected, migrations })
            opened.push(database)
            return database
          },
        })
      },
    )
  }
}

/** Databases of one suite on the PostgreSQL of this run; only where `postgresMissing` says nothing. */
export const sharedDatabases = (): Pick<TestPostgres, 'freshUrl' | 'stop'> => databasesOf(inject('postgres') as string)

const addresses = new Map<string, Promise<string>>()

/**
 * Address of the database that replaces the embedded one of a folder: starting an embedded database takes seconds of CPU time, so suites
 * that do not concern it use PostgreSQL in `npm test`. The same folder has the same database. Undefined in `npm run test:full`, and without
 * PostgreSQL.
 * @param copied address of a database to copy; by default the database is empty
 */
export async function standInFor(dataDir: string, copied?: string): Promise<string | undefined> {
  const shared = inject('postgres')
  if (isFull || shared === undefined) return undefined
  const address = addresses.get(dataDir) ?? databasesOf(shared).freshUrl(copied)
  addresses.set(dataDir, address)
  return address
}
