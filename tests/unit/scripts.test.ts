import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
// @ts-expect-error plain JavaScript
import { makeOnce, sourcesHash } from '#scripts/build.mjs'
// @ts-expect-error plain JavaScript
import { workOf } from '#scripts/dev.mjs'
// @ts-expect-error plain JavaScript
import { missingPackages } from '#scripts/install.mjs'
// @ts-expect-error plain JavaScript
import { areaFiles, testsBeside } from '#scripts/testing/changed.mjs'
// @ts-expect-error plain JavaScript
import { mapTexts, reachedFrom } from '#scripts/testing/map.mjs'
// @ts-expect-error plain JavaScript
import { summary } from '#scripts/testing/summary.mjs'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tessera-scripts-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))
const write = async (file: string, text: string) => {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), text)
}

describe('the closing line', () => {
  const file = (name: string, status: string, ...tests: [string, string][]) => ({
    name: `/x/${name}`,
    status,
    message: 'Cannot find module\n at …',
    assertionResults: tests.map(([fullName, state]) => ({ fullName, status: state })),
  })
  const rows: [string, ReturnType<typeof file>[], string[], string[]][] = [
    ['all well', [file('a', 'passed', ['one', 'passed'], ['two', 'passed'])], [], ['2 passed, 0 failed']],
    ['one failed', [file('a', 'failed', ['one', 'passed'], ['two', 'failed'])], [], ['failed: a: two', '1 passed, 1 failed']],
    ['a file that cannot be loaded counts', [file('a', 'failed')], [], ['failed: a: Cannot find module', '0 passed, 1 failed']],
    ['a hook that failed counts', [file('a', 'failed', ['one', 'passed'])], [], ['failed: a: Cannot find module', '1 passed, 1 failed']],
    [
      'what was skipped is named',
      [file('a', 'passed', ['pg: no PostgreSQL here', 'skipped'], ['b', 'pending'])],
      [],
      ['skipped: a: 2 tests: pg: no PostgreSQL here', '0 passed, 0 failed'],
    ],
    [
      'what was not run is named',
      [file('a', 'passed', ['one', 'passed'])],
      ['e2e: no Chromium'],
      ['not run: e2e: no Chromium', '1 passed, 0 failed'],
    ],
    ['nothing at all', [], [], ['0 passed, 0 failed']],
  ]
  test.for(rows)('%s', ([, testResults, notRun, lines]) => {
    expect(summary({ testResults }, '/x', notRun).lines).toEqual(lines)
  })
  test('tests of the full run are counted in one line, other skipped ones are named', () => {
    const one = { fullName: 'one', status: 'skipped', tags: ['full'] }
    const testResults = [{ name: '/x/a', status: 'passed', assertionResults: [one, { fullName: 'two', status: 'skipped', tags: [] }] }]
    expect(summary({ testResults }, '/x', [], true, false).lines.slice(0, 2)).toEqual([
      'skipped: a: 1 test: two',
      'left to npm run test:full: 1 test',
    ])
  })
  test('a run that broke is a failure, once', () => {
    const good = file('a', 'passed', ['one', 'passed'])
    const bad = file('a', 'failed', ['one', 'failed'])
    const timed = [1, 2, 3].map((n) => ({ ...good, name: `/x/${n}`, startTime: 500, endTime: 500 + n * 6_000 }))
    expect(summary({ testResults: timed }, '/x').lines).toEqual([
      'slowest files:',
      '   18.0 s  3',
      '   12.0 s  2',
      '    6.0 s  1',
      '3 passed, 0 failed',
    ])
    expect(summary({ testResults: [good] }, '/x', [], false).lines.at(-1)).toBe('1 passed, 1 failed')
    expect(summary({ testResults: [bad] }, '/x', [], false).lines.at(-1)).toBe('0 passed, 1 failed')
  })
})

describe('what is missing', () => {
  const lock = (packages: object) => JSON.stringify({ packages: { '': { name: 'x' }, ...packages } })
  const wanted = {
    'node_modules/a': { version: '1.0.0' },
    'node_modules/@s/b': { version: '2.0.0' },
    'node_modules/d': { version: '3.0.0', dev: true },
    'node_modules/o': { version: '4.0.0', optional: true },
  }
  const rows: [string, object, string[], boolean, string[]][] = [
    ['nothing installed', {}, [], false, ['a', '@s/b']],
    ['nothing installed, for development', {}, [], true, ['a', '@s/b', 'd']],
    ['all there', wanted, ['a', '@s/b', 'd'], true, []],
    ['without development, its packages do not count', wanted, ['a', '@s/b'], false, []],
    ['another version', { ...wanted, 'node_modules/a': { version: '1.0.1' } }, ['a', '@s/b', 'd'], false, ['a']],
    ['the folder is gone', wanted, ['a'], false, ['@s/b']],
  ]
  test.for(rows)('%s', async ([, installed, folders, dev, names]) => {
    await write('package-lock.json', lock(wanted))
    if (folders.length) await write('node_modules/.package-lock.json', lock(installed))
    for (const folder of folders) await write(`node_modules/${folder}/package.json`, '{}')
    expect(missingPackages(root, { dev })).toEqual(names)
  })
})

describe('whether to build again', () => {
  const rows: [string, string, string, boolean][] = [
    ['a changed source', 'renderer/a.ts', 'b', true],
    ['a new source', 'widgets/x/X.tsx', 'x', true],
    ['another lockfile', 'package-lock.json', '{}', true],
    ['a test', 'renderer/a.test.ts', 'x', false],
    ['a document, of which the build carries a copy', 'schemas/app.json', '{}', true],
    ['words, too', 'locales/en/home.json', '{}', true],
    ['a guide', 'docs/guides/a.md', 'x', false],
  ]
  test.for(rows)('%s: %s', async ([, file, text, again]) => {
    await write('renderer/a.ts', 'a')
    const before = sourcesHash(root)
    await write('renderer/a.ts', 'a')
    expect(sourcesHash(root)).toBe(before)
    await write(file, text)
    expect(sourcesHash(root) !== before).toBe(again)
  })
})

describe('a build', () => {
  const part = () => join(root, 'dist/part')
  const stampNow = () => readFile(join(root, 'dist/stamp'), 'utf8').catch(() => undefined)
  const want = (stamp: string, make: () => Promise<void>): Promise<boolean> =>
    makeOnce(root, join(root, 'dist'), { stamp, isWhole: () => existsSync(part()), make })

  test('is made by one of those that want it at the same time, and again for other sources', async () => {
    const made: string[] = []
    const make = (stamp: string) => async () => {
      expect(await stampNow()).toBeUndefined()
      made.push(stamp)
      await writeFile(part(), stamp)
    }
    const asked = await Promise.all([want('a', make('a')), want('a', make('a')), want('a', make('a'))])
    expect(asked.filter(Boolean)).toHaveLength(1)
    expect(await want('a', make('a'))).toBe(false)
    expect(await want('b', make('b'))).toBe(true)
    expect([made, await stampNow()]).toEqual([['a', 'b'], 'b'])
    await rm(part())
    expect(await want('b', make('b'))).toBe(true)
    expect(await readdir(join(root, 'dist'))).toEqual(['part', 'stamp'])
  })

  test('that fails has no stamp and keeps nobody waiting', async () => {
    const fails = async () => {
      throw new Error('a mistake in the sources')
    }
    await expect(want('a', fails)).rejects.toThrow('a mistake in the sources')
    expect(await readdir(join(root, 'dist'))).toEqual([])
  })
})

describe('journeys that a changed server module reaches', () => {
  const texts = mapTexts(process.cwd())
  test.for<[string, { modules: string[]; screens: string[]; tests: string[]; notTests: string[] }]>([
    [
      'api-server/lever/book.ts',
      {
        modules: ['follow', 'lever'],
        screens: ['copytrade.my', 'follow.trader', 'transaction.contract', 'transaction.contract_order', 'transaction.position'],
        tests: ['contract-lines', 'contracts', 'copy-trading', 'stocks'],
        notTests: ['forms', 'options'],
      },
    ],
    [
      'api-server/otc/reviews.ts',
      {
        modules: ['back-office', 'otc'],
        screens: ['transaction.otc', 'transaction.otc_order'],
        tests: ['back-office', 'otc'],
        notTests: ['contracts', 'spot'],
      },
    ],
    [
      'api-server/spot/batch.ts',
      {
        modules: ['spot'],
        screens: ['transaction.currency', 'transaction.currency_order'],
        tests: ['spot'],
        notTests: ['contracts', 'otc', 'account'],
      },
    ],
  ])('%s', ([file, { modules, screens, tests, notTests }]) => {
    const reached = reachedFrom([file], texts)
    expect(reached.modules).toEqual(expect.arrayContaining(modules))
    expect(reached.screens).toEqual(expect.arrayContaining(screens))
    expect(reached.tests).toEqual(expect.arrayContaining(tests.map((name) => `tests/e2e/${name}.test.ts`)))
    for (const name of notTests) expect(reached.tests).not.toContain(`tests/e2e/${name}.test.ts`)
  })
  test('a test of a module and a file of no module reach none', () => {
    expect(reachedFrom(['api-server/lever/lever.store.test.ts', 'renderer/a.ts', 'docs/guides/words.md'], texts)).toEqual({
      modules: [],
      calls: [],
      screens: [],
      tests: [],
    })
  })
  test('an area is a folder, or the last part of its name', () => {
    const lever = areaFiles(process.cwd(), 'lever')
    expect(lever).toContain('api-server/lever/lever.store.test.ts')
    expect(areaFiles(process.cwd(), 'api-server/lever/')).toEqual(lever)
    expect(areaFiles(process.cwd(), 'fund')).toContain('schemas/screens/fund/assets.json')
    expect(areaFiles(process.cwd(), '--project')).toEqual([])
  })
})

describe('browser tests that a change chooses', () => {
  const texts = new Map([
    ['tests/support/browser/aids.ts', ''],
    ['tests/support/browser/forms.ts', "import { tap } from '#tests/support/browser/aids.ts'"],
    ['tests/e2e/forms.test.ts', "import { fill } from '#tests/support/browser/forms.ts'"],
    ['tests/e2e/other.test.ts', "import { look } from '#tests/support/browser/look.ts'"],
    ['tests/servers/aids.test.ts', "import { tap } from '#tests/support/browser/aids.ts'"],
  ])
  test.for<[string, string[]]>([
    ['examples/lending-library/api.ts', ['tests/e2e/example-app.test.ts']],
    ['examples/serve.ts', ['tests/e2e/example-app.test.ts']],
    ['docs/examples/schemas/screens/a.json', ['tests/e2e/examples.test.ts']],
    ['scripts/app-build.ts', ['tests/e2e/']],
    ['tests/support/browser/aids.ts', ['tests/e2e/forms.test.ts']],
    ['tests/support/browser/look.ts', ['tests/e2e/other.test.ts']],
    ['scripts/testing/summary.mjs', []],
  ])('%s', ([file, tests]) => {
    expect(testsBeside([file], texts)).toEqual(tests)
  })
})

describe('what a changed file asks of the server of npm run dev', () => {
  const nothing = { generate: false, restart: false }
  test.for<[string, object]>([
    ['api-server/app.ts', { generate: false, restart: true }],
    ['contract/calls/lever.calls.ts', { generate: true, restart: true }],
    ['widgets/text/Text.tsx', { generate: true, restart: false }],
    ['widgets/text/Text.module.css', { generate: true, restart: false }],
    ['widgets/manifest.json', { generate: false, restart: true }],
    ['contract/routes.json', nothing],
    ['renderer/a.ts', nothing],
    ['contract/call.test.ts', nothing],
    ['widgets/text/text.test.tsx', nothing],
  ])('%s', ([file, work]) => {
    expect(workOf(file)).toEqual(work)
  })
})
