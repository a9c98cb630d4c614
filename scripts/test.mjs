/**
 * Runs the tests: installs what is missing, builds, runs vitest, and ends with one line of totals.
 *
 *   node scripts/test.mjs                      before a commit
 *   node scripts/test.mjs --full               every size and every table
 *   node scripts/test.mjs --changed [commit]   what the change since the commit (HEAD) may break
 *
 * All other arguments are passed to vitest.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { changedFiles, testsBeside, testTexts } from './changed.mjs'
import { findChromium } from './chromium.mjs'
import { ensureInstalled } from './install.mjs'
import { summary } from './summary.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
process.chdir(root)
const [mode, ...rest] = process.argv.slice(2)
const isChanged = mode === '--changed'
const isFull = mode === '--full'
const extra = isChanged ? [] : isFull ? rest : process.argv.slice(2)

ensureInstalled(root, { dev: true })
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const folder = mkdtempSync(join(tmpdir(), 'tessera-test-'))
const report = join(folder, 'report.json')
const env = { ...process.env, ...(isFull && { TEST_FULL: '1' }) }

if (isChanged) {
  const ref = rest[0] ?? 'HEAD'
  const changed = changedFiles(root, ref)
  const list = join(folder, 'list.json')
  const listed = spawnSync(process.execPath, [vitest, 'list', '--filesOnly', `--json=${list}`, `--changed=${ref}`, '--project', '!e2e'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (listed.status !== 0) process.exit(listed.status || 1)
  const related = JSON.parse(readFileSync(list, 'utf8')).map(({ file }) => relative(root, file))
  const tests = [...new Set([...related, ...testsBeside(changed, testTexts(root)), 'tests/tidy.test.ts'])]
  console.log(`${changed.length} changed files since ${ref}: ${tests.length} test files\n  ${tests.join('\n  ')}`)
  extra.push(...tests)
  env.TEST_CHANGED = JSON.stringify(changed)
}

const needsBrowser = !isChanged || extra.some((path) => path.startsWith('tests/e2e/'))
const chromium = needsBrowser ? await findChromium() : undefined
const notRun = []
if (needsBrowser) {
  ensureBuilt(root)
  if (chromium) env.CHROMIUM_PATH = chromium
  else {
    extra.push('--project', '!e2e')
    notRun.push('e2e: no Chromium found and none could be installed')
  }
}
const done = spawnSync(
  process.execPath,
  [
    vitest,
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...(isFull ? ['--reporter=./scripts/failures.mjs'] : []),
    ...extra,
  ],
  {
    stdio: 'inherit',
    env,
  },
)
let counted
try {
  counted = summary(JSON.parse(readFileSync(report, 'utf8')), root, notRun, done.status === 0, isFull)
} catch (error) {
  console.error(`No report of the run: ${error.message}`)
  counted = { lines: ['0 passed, 1 failed'], failed: 1 }
}
rmSync(folder, { recursive: true, force: true })
console.log(counted.lines.join('\n'))
process.exit(done.status === 0 && counted.failed === 0 && notRun.length === 0 ? 0 : 1)
