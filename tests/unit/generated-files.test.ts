import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { projectRoot } from '#tests/support/servers/product.ts'

test('generated files are those of the sources', { timeout: 120_000 }, async () => {
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/generate.ts', '--check'], { cwd: projectRoot })
  // What is outdated is named in the error.
  await expect(run).resolves.toMatchObject({ stdout: expect.any(String) })
})
