/** The whole suite: installs what is missing, builds, runs every project, and ends with one line that counts. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { ensureInstalled } from './install.mjs'
import { summary } from './summary.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
process.chdir(root)
ensureInstalled(root, { dev: true })
const chromium = await findChromium()
ensureBuilt(root)

const folder = mkdtempSync(join(tmpdir(), 'tessera-test-'))
const report = join(folder, 'report.json')
const extra = process.argv.slice(2)
const notRun = []
if (!chromium) {
  extra.push('--project', '!e2e')
  notRun.push('e2e: no Chromium here and none could be installed')
}
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const done = spawnSync(
  process.execPath,
  [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...extra],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(chromium && { CHROMIUM_PATH: chromium }) },
  },
)
let counted
try {
  counted = summary(JSON.parse(readFileSync(report, 'utf8')), root, notRun, done.status === 0)
} catch (error) {
  console.error(`No report of the run: ${error.message}`)
  counted = { lines: ['0 passed, 1 failed'], failed: 1 }
}
rmSync(folder, { recursive: true, force: true })
console.log(counted.lines.join('\n'))
process.exit(done.status === 0 && counted.failed === 0 && notRun.length === 0 ? 0 : 1)
