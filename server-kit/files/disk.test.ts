import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ApiProblem } from '#contract/problem.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { type DiskState, diskError, diskLimits, diskState, folderFault } from '#server-kit/files/disk.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { reason } from '#server-kit/ops/start.ts'

const failed = (code: string, more: { syscall?: string; path?: string } = {}) =>
  Object.assign(new Error(`${code}: failed`), { code, ...more })
const files = (free: number, fails?: string) => ({
  accessSync() {
    if (fails) throw failed(fails)
  },
  statfsSync: () => ({ bavail: free, bsize: 1 }),
})

test.each<[DiskState, number, string?]>([
  ['up', diskLimits.freeBytesMin],
  ['full', diskLimits.freeBytesMin - 1],
  ['full', 0],
  ['read_only', diskLimits.freeBytesMin, 'EROFS'],
  ['read_only', 0, 'EACCES'],
  ['unreachable', diskLimits.freeBytesMin, 'ENOENT'],
  ['unreachable', diskLimits.freeBytesMin, 'EIO'],
])('a disk is %s with %i bytes free and %s', (state, free, fails) => {
  expect(diskState('/data', files(free, fails))).toBe(state)
})

test.each<[sentence: RegExp | undefined, error: unknown]>([
  [/^\/data cannot be used: its disk is full\. .*\(ENOSPC\)\.$/, failed('ENOSPC', { syscall: 'write' })],
  [/^\/data cannot be used: its disk is read-only\. .*\(EROFS\)\.$/, failed('EROFS', { syscall: 'mkdir', path: '/data/tessera.lock.1' })],
  [/^\/data cannot be used: this user may not write there\. .*\(EACCES\)\.$/, failed('EACCES', { syscall: 'open', path: '/data/pg/base' })],
  [/^\/data cannot be used: a part of its path is a file\. .*\(ENOTDIR\)\.$/, failed('ENOTDIR', { syscall: 'mkdir', path: '/data' })],
  [/^\/data cannot be used: it is a file, not a folder\. .*\(EEXIST\)\.$/, failed('EEXIST', { syscall: 'mkdir', path: '/data' })],
  [/^\/data cannot be used: its disk is full\./, new ApiProblem('busy', { cause: diskError('/data', 'full') })],
  [undefined, failed('EACCES', { syscall: 'open', path: '/database/file' })],
  [undefined, failed('ENOENT', { syscall: 'open', path: '/data/pg/base' })],
  [undefined, failed('EACCES', { syscall: 'connect', path: '/data/.s.PGSQL.5432' })],
  [undefined, new ApiProblem('busy')],
  [undefined, new Error('something else')],
])('what is said of the folder: %s', (sentence, error) => {
  const said = folderFault(error, '/data')
  if (sentence) expect(said).toMatch(sentence)
  else expect(said).toBeUndefined()
})

test('a start that is stopped by a disk says so without a stack; a fault keeps its stack', () => {
  const busy = new ApiProblem('busy', { cause: diskError('/data', 'read_only') })
  expect(reason(busy)).toBe('/data cannot be used: its disk is read-only. Mount it with write access, then start again (EROFS).')
  expect(reason(failed('EACCES', { syscall: 'open', path: '/data/secret.key' }))).toMatch(/^\/data\/secret\.key cannot be used: this user /)
  expect(reason(new Error('a fault'))).toContain('disk.test.ts')
})

test('a database is not opened in a folder whose path leads through a file, and the sentence names the folder', async () => {
  const base = mkdtempSync(join(tmpdir(), 'tessera-path-'))
  const file = join(base, 'file')
  writeFileSync(file, '')
  const open = (dataDir: string) => openDatabase({ dataDir, log: createLog('silent'), onFatal: () => undefined })
  const before = process.umask()
  try {
    for (const [dataDir, cause] of [
      [file, 'it is a file, not a folder'],
      [join(file, 'below'), 'a part of its path is a file'],
    ] as const)
      await expect(open(dataDir)).rejects.toMatchObject({
        name: 'StartRefused',
        message: expect.stringContaining(`DATA_DIR: ${dataDir} cannot be used: ${cause}.`),
      })
  } finally {
    process.umask(before)
    rmSync(base, { recursive: true, force: true })
  }
})
