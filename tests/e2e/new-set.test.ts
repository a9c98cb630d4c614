import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openProject } from '#config-server/cli/project.ts'
import { runFlows } from '#flows/runner.ts'
import { testStates } from '#flows/states.ts'
import { useBrowser } from '#tests/support/browser/browser.ts'
import { useApp } from '#tests/support/servers/app.ts'
import { projectRoot } from '#tests/support/servers/product.ts'

/** Pages whose server does not exist yet, from the command to the picture. */

const app = useApp()
const chromium = useBrowser()

test('a set with planned calls is typed, checked and shown as it was written, and its flow passes', { tags: 'full' }, async () => {
  const root = mkdtempSync(join(tmpdir(), 'tessera-new-set-'))
  try {
    for (const part of readdirSync(projectRoot))
      if (!/^(?:node_modules|dist|data|\.git)$/.test(part)) cpSync(join(projectRoot, part), join(root, part), { recursive: true })
    symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'))
    const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    const cfg = (...words: string[]) => run('--import', 'tsx', join(root, 'config-server/cli.ts'), ...words)
    const made = cfg('new-set', 'test-only-plan')
    expect(made.stdout).toContain('written: contract/planned/test-only-plan.calls.ts')
    expect(made.status, made.stdout).toBe(0)
    expect(cfg('new-set', 'test-only-plan')).toMatchObject({ status: 1, stdout: expect.stringContaining('test-only-plan is taken') })
    // Its name in seven languages, and nothing else, is left to translate; its three calls are planned.
    const linted = cfg('lint')
    expect(linted.stdout).toContain(' 7 errors, 3 warnings')
    expect(linted.stdout.match(/"test_only_plan\.\w+" is still English/g)).toEqual(Array(7).fill('"test_only_plan.title" is still English'))
    expect(cfg('planned').stdout).toMatch(/3 planned calls$/m)
    expect(cfg('format').stdout).toMatch(/^0 files/)
    expect(run('node_modules/typescript/bin/tsc', '--noEmit').stdout).toBe('')

    const set = await openProject({ root, options: new Map() })
    const stage = { set, origin: app.origin, browser: chromium.browser }
    const results = await runFlows({ ...stage, names: ['test_only_plan'], patienceMs: 60_000 })
    expect(results.map(({ ok, step, message }) => (ok ? 'ok' : `${step}: ${message}`))).toEqual(['ok'])
    const { findings, looked } = await testStates({ ...stage, screens: ['test_only_plan.list', 'test_only_plan.detail'] })
    expect(findings).toEqual([])
    expect(looked).toBeGreaterThan(10)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
