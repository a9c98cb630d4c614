/**
 * Runs the tests: installs what is missing, builds, runs vitest, and ends with one line of totals.
 *
 *   node scripts/test.mjs                      before a commit
 *   node scripts/test.mjs --full [area]…       every size and every table; TEST_FULL=10 makes the sizes ten times as large. Of a folder
 *                                              (api-server/lever) or an area (lever): its own tests, and the flows and journeys that reach it
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
import { findChromium } from './chromium.mjs'
import { ensureInstalled } from './install.mjs'
import { areaFiles, changedFiles, testsBeside, testTexts } from './testing/changed.mjs'
import { mapTexts, reachedFrom } from './testing/map.mjs'
import { summary } from './testing/summary.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
process.chdir(root)
const [mode, ...rest] = process.argv.slice(2)
const isChanged = mode === '--changed'
const isFull = mode === '--full'
// In a full run, names of folders and areas; all else is for vitest.
const areas = isFull ? rest.map((name) => ({ name, files: areaFiles(root, name) })).filter(({ files }) => files.length > 0) : []
const isPart = isChanged || areas.length > 0
const extra = isChanged ? [] : isFull ? rest.filter((name) => areas.every((area) => area.name !== name)) : process.argv.slice(2)

ensureInstalled(root, { dev: true })
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const folder = mkdtempSync(join(tmpdir(), 'tessera-test-'))
const report = join(folder, 'report.json')
const env = { ...process.env, ...(isFull && { TEST_FULL: process.env.TEST_FULL ?? '1' }) }

const ref = rest[0] ?? 'HEAD'
const changed = isChanged ? changedFiles(root, ref) : areas.flatMap(({ files }) => files)
const reached = isPart ? reachedFrom(changed, mapTexts(root)) : undefined
const beside = reached ? [...new Set([...testsBeside(changed, testTexts(root)), ...reached.tests])] : []
const needsBrowser = !isPart || beside.some((path) => path.startsWith('tests/e2e/'))
// The tests of a change are looked for meanwhile.
const building = needsBrowser ? ensureBuilt(root) : undefined
if (reached) {
  const own = isChanged ? await testsThatImport(ref) : changed.filter((path) => /\.test\.tsx?$/.test(path))
  const tests = [...new Set([...own, ...beside, 'tests/tidy.test.ts'])]
  const of = isChanged
    ? `${changed.length} changed files since ${ref}`
    : `${changed.length} files of ${areas.map(({ name }) => name).join(', ')}`
  console.log(`${of}: ${tests.length} test files\n  ${tests.join('\n  ')}`)
  extra.push(...tests)
  // The flows and states of a screen that asks a changed module count as changed too.
  const screens = reached.screens.map((name) => `schemas/screens/${name.replaceAll('.', '/')}.json`)
  env.TEST_CHANGED = JSON.stringify([...new Set([...changed, ...screens])])
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
    ...(isFull ? ['--reporter=./scripts/testing/failures.mjs'] : []),
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
