import { resolve } from 'node:path'
import type { Database, DatabaseOptions } from '#server-kit/db/db.ts'
import { openDataDir } from '#server-kit/files/data-dir.ts'
import { folderFault } from '#server-kit/files/disk.ts'
import { StartRefused } from '#server-kit/ops/start-refused.ts'

/**
 * Opens PostgreSQL when an address is given, otherwise the embedded PGlite in `<dataDir>/pg`. Migrations are done when it resolves.
 * @throws StartRefused when the folder cannot be used: its disk is full or read-only, its path is wrong, or another process holds it
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  try {
    // Also beside PostgreSQL: uploads and the key are there.
    openDataDir(options.dataDir, options.log)
    if (!options.databaseUrl) {
      const { openPglite } = await import('#server-kit/db/pglite.ts')
      return await openPglite(options)
    }
  } catch (error) {
    const fault = error instanceof StartRefused ? undefined : folderFault(error, resolve(options.dataDir))
    throw fault === undefined ? error : new StartRefused(`DATA_DIR: ${fault}`)
  }
  const { openPostgres } = await import('#server-kit/db/postgres.ts')
  return openPostgres({ ...options, databaseUrl: options.databaseUrl })
}
