import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { databasesOf } from '#tests/support/databases/postgres.ts'
import { startProduct } from '#tests/support/servers/product.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder with the data of a product that was started once with test hooks, and stopped. */
    firstStart: string
    /** Address of its database, to be copied; undefined when the embedded database is in the folder. */
    firstStartDatabase: string | undefined
    /** Folder in which workers record the processes of their products, `<pid>.pid` with the number of the worker, to be stopped after it. */
    workerProducts: string
  }
}

const at = (database: string | undefined) => (database === undefined ? undefined : { DATABASE_URL: database })

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has exited already.
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Keeps the data of a first start, which the products of the workers begin with, and stops these products after their workers. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { postgres } = project.getProvidedContext()
  const databases = postgres !== undefined ? databasesOf(postgres) : undefined
  const folder = mkdtempSync(join(tmpdir(), 'tessera-e2e-'))
  const kept = join(folder, 'kept')
  const database = await databases?.freshUrl()
  // Without prices, so that it suits every feed.
  const first = await startProduct({ TEST_HOOKS: '1', FEED: 'manual', DATA_DIR: kept, ...at(database) })
  await first.stop()
  project.provide('firstStart', kept)
  project.provide('firstStartDatabase', database)
  project.provide('workerProducts', folder)
  const endAll = (of: (worker: number) => boolean) => {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name)
      if (!name.endsWith('.pid') || !of(Number(readFileSync(file, 'utf8')))) continue
      end(Number.parseInt(name, 10))
      rmSync(file)
    }
  }
  // Workers end long before the run, and a product that nobody uses follows prices all the same.
  const looks = setInterval(() => endAll((worker) => !lives(worker)), 1_000)
  return async () => {
    clearInterval(looks)
    endAll(() => true)
    rmSync(folder, { recursive: true, force: true })
  }
}
