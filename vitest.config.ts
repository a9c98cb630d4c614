import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** 0 in `npm test`; see `sizesOf` of tests/support/house/sizes.ts. */
const times = Number(process.env.TEST_FULL ?? 0)
const isFull = times > 0
/** The longest time of a timer. */
const timerMsMax = 2 ** 31 - 1
/** Files at once. More than the two cores of the smallest supported machine, so that tests keep their share beside other work. */
const maxWorkers = 4
/**
 * A test that takes longer hangs. Longer than any test takes beside other work, so that a slow machine never fails a test. Tests of the
 * full run look at all widgets, pages or languages.
 */
const hungMs = isFull ? Math.min(3_600_000 * times, timerMsMax) : 300_000
/** The same for one expectation, so that its message is shown before the test's limit ends it. */
const pollMs = 120_000
/** Folders whose tests stand beside the code. */
const folders = '{language,contract,app,renderer,widgets,server-kit,api-server,config-server,console,flows,bench,examples}'
/** Files that run for longer than any other: the first waits for two passes of the audit, the second is the longest of the full run. */
const longest = ['tests/servers/default-start.test.ts', 'api-server/ledger/simulation.store.test.ts']

/** The longest files are the first of their project, so that none of them has to be waited for at the end; the others follow by their size. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const long = longest.flatMap((path) => sorted.filter(({ moduleId }) => moduleId.endsWith(path)))
    const rest = sorted.filter((file) => !long.includes(file))
    return long.reduceRight((list, file) => {
      const first = list.findIndex(({ project }) => project.name === file.project.name)
      return list.toSpliced(first < 0 ? list.length : first, 0, file)
    }, rest)
  }
}

/** The options that all tests without servers share. */
const alone = { isolate: false, testTimeout: hungMs, hookTimeout: hungMs, expect: { poll: { timeout: 30_000 } } }

/**
 * Five projects, told apart by what they need: `unit` (nothing), `view` (a document, from happy-dom), `tidy` (nothing; the house rules),
 * `store` (databases, servers) and `e2e` (Chromium and the built product). A worker is used for the next file only while environment and
 * project stay the same. Tests tagged `full` run in `npm run test:full` only.
 */
export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: LongestFirst },
    tags: [{ name: 'full', description: 'Runs in npm run test:full only' }],
    ...(!isFull && { tagsFilter: ['!full'] }),
    projects: [
      {
        extends: true,
        test: {
          ...alone,
          name: 'unit',
          include: [`${folders}/**/*.test.ts`, 'tests/unit/**/*.test.ts'],
          exclude: ['**/*.store.test.ts', '**/*.server.test.ts', 'node_modules/**'],
        },
      },
      { extends: true, test: { ...alone, name: 'view', environment: 'happy-dom', include: [`${folders}/**/*.test.tsx`] } },
      { extends: true, test: { name: 'tidy', include: ['tests/*.test.ts'], testTimeout: hungMs } },
      {
        extends: true,
        test: {
          name: 'store',
          isolate: false,
          include: ['{server-kit,api-server,config-server}/**/*.{store,server}.test.ts', 'tests/servers/**/*.test.ts'],
          globalSetup: ['tests/support/databases/empty-database.global.ts', 'tests/support/databases/postgres.global.ts'],
          testTimeout: hungMs,
          hookTimeout: hungMs,
          expect: { poll: { timeout: pollMs } },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          isolate: false,
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: [
            'tests/support/databases/empty-database.global.ts',
            'tests/support/databases/postgres.global.ts',
            'tests/support/servers/product.global.ts',
          ],
          testTimeout: hungMs,
          hookTimeout: hungMs,
          expect: { poll: { timeout: pollMs } },
        },
      },
    ],
  },
})
