import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startProduct } from '#tests/support/product.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Data of a product that was started once, with test hooks, and ended. */
    firstStart: string
  }
}

/** Starts the product once for all files, so that each of them begins with the data of a first start instead of making them. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-first-'))
  const product = await startProduct({ TEST_HOOKS: '1', DATA_DIR: join(folder, 'data') })
  await product.stop()
  cpSync(join(folder, 'data'), join(folder, 'kept'), { recursive: true })
  rmSync(join(folder, 'data'), { recursive: true, force: true })
  project.provide('firstStart', join(folder, 'kept'))
  return () => rmSync(folder, { recursive: true, force: true })
}
