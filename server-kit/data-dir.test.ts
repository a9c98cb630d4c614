import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { closeToOthers } from '#server-kit/data-dir.ts'
import { createLog } from '#server-kit/log.ts'

// The superuser, who runs tests too, is never refused.
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const refuse = (path: unknown, name: string, code: string) => {
    if (String(path).endsWith(name)) throw Object.assign(new Error(code), { code })
  }
  return {
    ...fs,
    readdirSync(...args: Parameters<typeof fs.readdirSync>) {
      refuse(args[0], 'unreadable', 'EACCES')
      return fs.readdirSync(...args)
    },
    lstatSync(...args: Parameters<typeof fs.lstatSync>) {
      refuse(args[0], 'unknown', 'EPERM')
      return fs.lstatSync(...args)
    },
  }
})

test('a folder of another user that cannot be looked into is logged, and the rest is closed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-foreign-'))
  const lines: Record<string, unknown>[] = []
  try {
    mkdirSync(join(folder, 'pg', 'unreadable'), { recursive: true, mode: 0o700 })
    for (const name of ['unknown', 'zone']) {
      writeFileSync(join(folder, 'pg', name), '')
      chmodSync(join(folder, 'pg', name), 0o644)
    }
    closeToOthers(folder, () => true, createLog('info', { write: (line) => void lines.push(JSON.parse(line)) }))
  } finally {
    rmSync(folder, { recursive: true })
  }
  expect(lines).toMatchObject([
    { closed: 1 },
    { level: 50, failed: 2, first: expect.stringMatching(/pg.(?:unreadable: EACCES|unknown: EPERM)$/) },
  ])
})
