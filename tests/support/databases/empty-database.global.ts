import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder with an empty embedded database; copying it is faster than creating one. */
    emptyDatabase: string
  }
}

/** Creates one embedded database for all suites. */
export default async function setup(project: TestProject): Promise<() => void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tessera-empty-'))
  const onFatal = (error: unknown) => {
    throw error
  }
  const database = await openDatabase({ dataDir, log: createLog('silent'), onFatal })
  await database.close()
  project.provide('emptyDatabase', dataDir)
  return () => rmSync(dataDir, { recursive: true, force: true })
}
