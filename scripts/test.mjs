/**
 * Runs the tests: installs what is missing, builds, runs vitest, and ends with one line of totals.
 *
 *   node scripts/test.mjs                      before a commit
 *   node scripts/test.mjs --full               every size and every table; TEST_FULL=10 makes the sizes ten times as large
 *   node scripts/test.mjs --changed [commit]   what the change since the commit (HEAD) may break
 *
 * All other arguments are passed to vitest.
 */
import { spawn, spawnSync } from 'node:child_process'
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
const env = { ...process.env, ...(isFull && { TEST_FULL: process.env.TEST_FULL ?? '1' }) }

const ref = rest[0] ?? 'HEAD'
const changed = isChanged ? changedFiles(root, ref) : []
const beside = isChanged ? testsBeside(changed, testTexts(root)) : []
const needsBrowser = !isChanged || beside.some((path) => path.startsWith('tests/e2e/'))
// The tests of a change are looked for meanwhile.
const building = needsBrowser ? ensureBuilt(root) : undefined
if (isChanged) {
  const tests = [...new Set([...(await testsThatImport(ref)), ...beside, 'tests/tidy.test.ts'])]
  console.log(`${changed.length} changed files since ${ref}: ${tests.length} test files\n  ${tests.join('\n  ')}`)
  extra.push(...tests)
  env.TEST_CHANGED = JSON.stringify(changed)
}

const chromium = needsBrowser ? await findChromium() : undefined
const notRun = []
if (needsBrowser) {
  await building
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

/** Tests that import what differs from a commit, directly or through other files. @returns {Promise<string[]>} paths relative to the root */
function testsThatImport(commit) {
  const list = join(folder, 'list.json')
  const args = [vitest, 'list', '--filesOnly', `--json=${list}`, `--changed=${commit}`, '--project', '!e2e']
  const listing = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  return new Promise((done) =>
    listing.once('exit', (code) => {
      if (code !== 0) process.exit(code || 1)
      done(JSON.parse(readFileSync(list, 'utf8')).map(({ file }) => relative(root, file)))
    }),
  )
}
