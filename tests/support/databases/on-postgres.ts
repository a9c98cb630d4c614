import { afterAll, beforeAll, describe } from 'vitest'
import type { Database, Migration } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { migratedUrl, sharedDatabases, stateFor } from '#tests/support/databases/engines.ts'
import { postgresMissing, type TestPostgres } from '#tests/support/databases/postgres.ts'

interface Postgres {
  /** Address of a new database with all migrations of the API server. */
  url(): Promise<string>
  /** A new database with these migrations; closed after the suite. */
  open(migrations: readonly Migration[]): Promise<Database>
}

/** A suite about concurrent connections: the embedded database has only one. */
export function onPostgres(title: string, suite: (postgres: Postgres) => void): void {
  const missing = postgresMissing()
  if (missing) console.error(`\n!!! ${title}: NOT RUN: ${missing}\n`)
  describe.skipIf(missing !== undefined)(`${title}${missing ? ` (${missing})` : ''}`, () => {
    let databases: Pick<TestPostgres, 'freshUrl' | 'stop'>
    const opened: Database[] = []
    beforeAll(() => {
      databases = sharedDatabases()
    })
    afterAll(async () => {
      for (const database of opened) await database.close()
      await databases.stop()
    })
    suite({
      url: async () => databases.freshUrl(await migratedUrl()),
      async open(migrations) {
        const onFatal = (error: unknown) => {
          throw error
        }
        const database = await openDatabase({
          dataDir: '',
          databaseUrl: await databases.freshUrl(stateFor(migrations) === 'migrated' ? await migratedUrl() : undefined),
          log: createLog('silent'),
          onFatal,
          migrations,
        })
        opened.push(database)
        return database
      },
    })
  })
}
