import type { TestProject } from 'vitest/node'
import { postgresMissing, startPostgres } from '#tests/support/databases/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the PostgreSQL of this run, see `databasesOf`; undefined when it is not available. */
    postgres: string | undefined
  }
}

/** Starts one PostgreSQL for all files that do not stop it. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (postgresMissing()) return undefined
  const server = await startPostgres()
  project.provide('postgres', server.origin)
  return () => server.stop()
}
