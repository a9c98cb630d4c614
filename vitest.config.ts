import { defineConfig } from 'vitest/config'
import LongestFirst from '#scripts/longest-first.ts'

/** Three speeds: `unit` (seconds), `tidy` (house rules), `store` (databases, servers) and `e2e` (Chromium on the built product). */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{language,contract,renderer,widgets,server-kit,api-server,config-server,console,flows}/**/*.test.{ts,tsx}',
            'tests/unit/**/*.test.ts',
          ],
          exclude: ['**/*.store.test.ts', '**/*.server.test.ts', 'node_modules/**'],
        },
      },
      { test: { name: 'tidy', include: ['tests/*.test.ts'] } },
      {
        test: {
          name: 'store',
          include: ['{server-kit,api-server,config-server}/**/*.{store,server}.test.ts', 'tests/servers/**/*.test.ts'],
          globalSetup: ['tests/support/empty-database.global.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 5_000 } },
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/support/first-start.global.ts'],
          testTimeout: 90_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 5_000 } },
          // A browser on a busy machine; what passes only at the second try is named in the last lines.
          retry: 1,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
