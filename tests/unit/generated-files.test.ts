import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { projectRoot } from '#tests/support/servers/product.ts'

test('generated files match the sources', async () => {
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/generate.ts', '--check'], { cwd: projectRoot })
  // The error names outdated files.
  await expect(run).resolves.toMatchObject({ stdout: expect.any(String) })
})
