import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startProduct } from '#tests/support/product.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder with the data of a product that was started once, with test hooks, and stopped. */
    firstStart: string
    /** Address of the product that all browser tests share: `http://127.0.0.1:40123`. */
    sharedProduct: string
  }
}

/** Starts one product for all browser tests, and keeps the data of a first start for tests that need a product of their own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-e2e-'))
  const kept = join(folder, 'kept')
  const data = join(folder, 'data')
  const first = await startProduct({ TEST_HOOKS: '1', DATA_DIR: kept })
  await first.stop()
  cpSync(kept, data, { recursive: true })
  const shared = await startProduct({ TEST_HOOKS: '1', DATA_DIR: data })
  project.provide('firstStart', kept)
  project.provide('sharedProduct', shared.origin)
  return async () => {
    await shared.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
