import fs, { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeToOthers } from '#server-kit/files/data-dir.ts'
import { createLog } from '#server-kit/ops/log.ts'

// The superuser, who runs tests too, is never refused.
const { readdirSync, lstatSync } = fs
const refused = (path: unknown, name: string, code: string) => {
  if (String(path).endsWith(name)) throw Object.assign(new Error(code), { code })
}
beforeAll(() => {
  Object.assign(fs, {
    readdirSync(...args: Parameters<typeof readdirSync>) {
      refused(args[0], 'unreadable', 'EACCES')
      return readdirSync(...args)
    },
    lstatSync(...args: Parameters<typeof lstatSync>) {
      refused(args[0], 'unknown', 'EPERM')
      return lstatSync(...args)
    },
  })
  syncBuiltinESMExports()
})
afterAll(() => {
  Object.assign(fs, { readdirSync, lstatSync })
  syncBuiltinESMExports()
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
