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
  /** Where a fresh, empty database is; opening it twice opens the same one. */
  place(): Promise<Pick<DatabaseOptions, 'dataDir' | 'databaseUrl'>>
  /** Ends the database server without ceremony and starts it again, where the suite has one of its own; the embedded one has none. */
  restart: (() => Promise<void>) | undefined
  /** A fresh database with these migrations; closed and removed after the suite. */
  open(migrations?: readonly Migration[]): Promise<Database>
}

const quiet = createLog('silent')

/** Fails a test that did not expect the engine to break. */
const unexpected = (error: unknown) => {
  throw error
}

/** Runs one suite of store tests on the embedded database and on PostgreSQL in every run: for suites about the databases themselves. */
export const onBothEngines = (title: string, suite: (engine: Engine) => void, options: Omit<EngineOptions, 'both'> = {}): void =>
  onEngines(title, suite, { ...options, both: true })

interface EngineOptions {
  both?: boolean
  atOnce?: boolean
  ownServer?: boolean
}

/**
 * Runs one suite of store tests on PostgreSQL, and in `npm run test:full` on the embedded database too. Without PostgreSQL it says so,
 * marks that half skipped and runs the other one in every run.
 * @param both `npm test` runs both halves too
 * @param atOnce both halves run side by side, on a PostgreSQL of their own: for suites that mostly wait
 * @param ownServer the suite ends its PostgreSQL, so that it gets one of its own
 */
export function onEngines(
  title: string,
  suite: (engine: Engine) => void,
  { both = false, atOnce = false, ownServer = atOnce }: EngineOptions = {},
): void {
  const missing = postgresMissing()
  const isLeft = (name: Engine['name']) => name === 'pglite' && !both && missing === undefined
  if (missing) console.error(`\n!!! ${title}: NOT RUN on PostgreSQL: ${missing}\n`)
  for (const name of ['pglite', 'postgres'] as const) {
    describe.skipIf(name === 'postgres' && missing !== undefined)(
      `${title} on ${name}${name === 'postgres' && missing ? ` (${missing})` : ''}`,
      { ...(atOnce && { concurrent: true }), ...(isLeft(name) && { tags: ['full'] }) },
      () => {
        let own: TestPostgres | undefined
        let databases: Pick<TestPostgres, 'freshUrl' | 'stop'> | undefined
        const folders: string[] = []
        const opened: Database[] = []
        beforeAll(async () => {
          if (name !== 'postgres') return
          const shared = inject('postgres')
          if (ownServer || shared === undefined) own = await startPostgres()
          databases = own ?? databasesOf(shared as string)
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

const addresses = new Map<string, Promise<string>>()

/**
 * Address of the database that stands in for the embedded one of a folder: starting an embedded one takes seconds of a core, so that suites
 * that are not about it use PostgreSQL in `npm test`. The same folder has the same database. Undefined in `npm run test:full`, and where
 * there is no PostgreSQL.
 * @param copied address of a database that it begins as a copy of; without it, it begins empty
 */
export async function standInFor(dataDir: string, copied?: string): Promise<string | undefined> {
  const shared = inject('postgres')
  if (isFull || shared === undefined) return undefined
  const address = addresses.get(dataDir) ?? databasesOf(shared).freshUrl(copied)
  addresses.set(dataDir, address)
  return address
}
