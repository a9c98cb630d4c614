import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import { migrations } from '#api-server/migrations.ts'
import type { Database, DatabaseOptions, Migration } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { layEmptyDatabase } from '#tests/support/databases/empty-database.ts'
import { databasesOf, postgresMissing, startPostgres, type TestPostgres, templateOf } from '#tests/support/databases/postgres.ts'

export interface Engine {
  readonly name: Database['engine']
  /**
   * Place of a new database; opening it twice opens the same one.
   * @param state `migrated` unless the suite has migrations of its own
   */
  place(state?: DatabaseState): Promise<Pick<DatabaseOptions, 'dataDir' | 'databaseUrl'>>
  /** Kills the database server and starts it again, if the suite has one of its own; undefined for the embedded database. */
  restart: (() => Promise<void>) | undefined
  /** A new database with these migrations; closed and removed after the suite. */
  open(migrations?: readonly Migration[]): Promise<Database>
}

/** `migrated`: a copy of the template, which has all migrations of the API server. */
export type DatabaseState = 'empty' | 'migrated'

const quiet = createLog('silent')

/** Fails a test that did not expect the engine to fail. */
const unexpected = (error: unknown) => {
  throw error
}

/** Runs a suite of store tests on the embedded database and on PostgreSQL: for suites about the databases themselves, the ledger and the keys. */
export const onBothEngines = (title: string, suite: (engine: Engine) => void, options: Omit<EngineOptions, 'both'> = {}): void =>
  onEngines(title, suite, { ...options, both: true })

interface EngineOptions {
  both?: boolean
  ownServer?: boolean
}

/**
 * Runs a suite of store tests on PostgreSQL. Without PostgreSQL it prints that, marks that half as skipped and runs the suite on the
 * embedded database.
 * @param both the suite runs on the embedded database too
 * @param ownServer the suite stops its PostgreSQL, so it gets one of its own
 */
export function onEngines(title: string, suite: (engine: Engine) => void, { both = false, ownServer = false }: EngineOptions = {}): void {
  const missing = postgresMissing()
  if (missing) console.error(`\n!!! ${title}: NOT RUN on PostgreSQL: ${missing}\n`)
  const engines = both || missing ? (['pglite', 'postgres'] as const) : (['postgres'] as const)
  for (const name of engines) {
    describe.skipIf(name === 'postgres' && missing !== undefined)(
      `${title} on ${name}${name === 'postgres' && missing ? ` (${missing})` : ''}`,
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
        const place: Engine['place'] = async (state = 'migrated') => {
          const dataDir = mkdtempSync(join(tmpdir(), 'tessera-store-'))
          folders.push(dataDir)
          if (name === 'pglite') {
            if (state === 'empty') layEmptyDatabase(dataDir)
            else cpSync(await migratedFolder(), dataDir, { recursive: true })
            return { dataDir, databaseUrl: undefined }
          }
          // A server of the suite's own has no template.
          return { dataDir, databaseUrl: await databases?.freshUrl(state === 'empty' || ownServer ? undefined : await migratedUrl()) }
        }
        suite({
          name,
          place,
          restart: name === 'postgres' && ownServer ? async () => own?.restart() : undefined,
          async open(list = []) {
            const where = await place(stateFor(list))
            const database = await openDatabase({ ...where, log: quiet, onFatal: unexpected, migrations: list })
            opened.push(database)
            return database
          },
        })
      },
    )
  }
}

/** The state that suits a list of migrations: the template has all of the API server, and no server opens a database that knows more than it. */
export const stateFor = (list: readonly Migration[]): DatabaseState =>
  migrations.every((step) => list.includes(step)) ? 'migrated' : 'empty'

/** Databases of one suite on the PostgreSQL of this run; only where `postgresMissing` says nothing. */
export const sharedDatabases = (): Pick<TestPostgres, 'freshUrl' | 'stop'> => databasesOf(inject('postgres') as string)

let template: Promise<string> | undefined

/** Address of the database to copy for `migrated`. The first worker that asks makes it. */
export const migratedUrl = (): Promise<string> =>
  (template ??= templateOf(inject('postgres') as string, async (databaseUrl) => {
    const database = await openDatabase({ dataDir: '', databaseUrl, log: quiet, onFatal: unexpected, migrations })
    await database.close()
  }))

let folderTemplate: Promise<string> | undefined

/** The same for the embedded database: a folder to copy. */
export const migratedFolder = (): Promise<string> => (folderTemplate ??= makeMigratedFolder())

async function makeMigratedFolder(): Promise<string> {
  const folder = `${inject('emptyDatabase')}-migrated`
  if (existsSync(folder)) return folder
  // Another worker may make one at the same time; the first that is ready stays.
  const own = layEmptyDatabase(mkdtempSync(`${folder}-`))
  const database = await openDatabase({ dataDir: own, log: quiet, onFatal: unexpected, migrations })
  await database.close()
  try {
    renameSync(own, folder)
  } catch {
    rmSync(own, { recursive: true, force: true })
  }
  return folder
}

const addresses = new Map<string, Promise<string>>()

/**
 * Address of the database that replaces the embedded one of a folder: starting an embedded database takes seconds of CPU time, so suites
 * that do not concern it use PostgreSQL. The same folder has the same database. Undefined without PostgreSQL.
 * @param from state of the database, or the address of one to copy
 */
export async function standInFor(dataDir: string, from: DatabaseState | URL = 'migrated'): Promise<string | undefined> {
  const shared = inject('postgres')
  if (shared === undefined) return undefined
  const copied = async () => (from === 'empty' ? undefined : from === 'migrated' ? migratedUrl() : from.href)
  const address = addresses.get(dataDir) ?? copied().then(databasesOf(shared).freshUrl)
  addresses.set(dataDir, address)
  return address
}

/** Opens a new database with these migrations for a suite that does not concern the embedded one: its stand-in, or without PostgreSQL the embedded one. */
export async function openStandIn(dataDir: string, list: readonly Migration[]): Promise<Database> {
  const databaseUrl = await standInFor(dataDir, stateFor(list))
  if (databaseUrl === undefined) layEmptyDatabase(dataDir)
  return openDatabase({ dataDir, databaseUrl, log: quiet, onFatal: unexpected, migrations: list })
}
