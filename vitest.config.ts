import { defineConfig } from 'vitest/config'
import LongestFirst from '#scripts/longest-first.ts'

/** As many files at once as there are cores: a third would keep them busier, and make every test that looks at the clock less sure. */
const maxWorkers = 2

/**
 * Three speeds: `unit` (seconds), `tidy` (house rules), `store` (databases, servers) and `e2e` (Chromium on the built product). They draw
 * from one queue, longest file first, so that no core waits for the last file of a project.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    maxWorkers,
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{language,contract,renderer,widgets,server-kit,api-server,config-server,console,flows}/**/*.test.{ts,tsx}',
            'tests/unit/**/*.test.ts',
          ],
          exclude: ['**/*.store.test.ts', '**/*.server.test.ts', 'node_modules/**'],
          // Seconds on a quiet machine; what is next to it in the queue may take both cores.
          testTimeout: 30_000,
          hookTimeout: 30_000,
          maxWorkers,
        },
      },
      { test: { name: 'tidy', include: ['tests/*.test.ts'], testTimeout: 60_000, maxWorkers } },
      {
        test: {
          name: 'store',
          include: ['{server-kit,api-server,config-server}/**/*.{store,server}.test.ts', 'tests/servers/**/*.test.ts'],
          globalSetup: ['tests/support/empty-database.global.ts', 'tests/support/postgres.global.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 15_000 } },
          maxWorkers,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/support/first-start.global.ts'],
          testTimeout: 120_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 15_000 } },
          // A browser on a busy machine; what passes only at the second try is named in the last lines.
          retry: 1,
          maxWorkers,
        },
      },
    ],
  },
})
