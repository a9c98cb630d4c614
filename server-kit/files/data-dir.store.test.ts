import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Database } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createBackups } from '#server-kit/files/backups.ts'
import { systemClock } from '#server-kit/ops/clock.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { openSecrets } from '#server-kit/security/secrets.ts'
import { layEmptyDatabase } from '#tests/support/databases/empty-database.ts'

let base: string
const before = process.umask()
const lines: Record<string, unknown>[] = []
const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'tessera-modes-'))
})
afterAll(() => {
  process.umask(before)
  rmSync(base, { recursive: true, force: true })
})

const pathsIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
/** Folders and files that other users may read, write or enter. */
const open = (folder: string) => [folder, ...pathsIn(folder)].filter((path) => statSync(path).mode & 0o077)
const permissions = () => lines.filter((line) => line.event === 'permissions')

/** Starts on a folder, writes enough for new files of the engine, copies the database. */
async function work(dataDir: string, dir: string, table: string): Promise<void> {
  const onFatal = (error: unknown) => {
    throw error
  }
  const database: Database = await openDatabase({ dataDir, log, onFatal, migrations: [] })
  try {
    openSecrets({ dataDir })
    await sql`create table ${sql.table(table)} as select generate_series(1, 1000) as n`.execute(database.db)
    await database.checkpoint()
    const backups = createBackups({ database, dir, everyMs: 60_000, clock: systemClock, log })
    expect(await backups.run()).toBeDefined()
  } finally {
    await database.close()
  }
}

test('what a first start and the work after it write cannot be opened by other users of the machine', async () => {
  // The folder that all tests begin with comes from a first start.
  expect(open(inject('emptyDatabase'))).toEqual([])
  process.umask(0)
  const dataDir = layEmptyDatabase(join(base, 'first', 'data'))
  const copies = join(base, 'first', 'copies')
  await work(dataDir, copies, 'one')
  expect(pathsIn(dataDir).length).toBeGreaterThan(900)
  expect([...open(dataDir), ...open(copies)]).toEqual([])
  expect(permissions()).toEqual([])
})

test('a start on folders that are open closes what the server wrote, says so, and leaves the rest alone', async () => {
  process.umask(0)
  const dataDir = join(base, 'first', 'data')
  const copies = join(base, 'first', 'copies')
  for (const folder of [dataDir, copies])
    for (const path of [folder, ...pathsIn(folder)]) chmodSync(path, statSync(path).isDirectory() ? 0o777 : 0o666)
  const foreign = [join(dataDir, 'notes.txt'), join(copies, 'notes.txt'), join(base, 'linked')]
  for (const path of foreign) writeFileSync(path, '', { mode: 0o644 })
  mkdirSync(join(dataDir, 'uploads/ab'), { recursive: true })
  symlinkSync(join(base, 'linked'), join(dataDir, 'uploads/ab/link'))
  await work(dataDir, copies, 'two')
  expect([...open(dataDir), ...open(copies)].sort()).toEqual([...foreign.slice(0, 2), join(dataDir, 'uploads/ab/link')].sort())
  expect(statSync(join(base, 'linked')).mode & 0o777).toBe(0o644)
  for (const folder of [dataDir, copies]) expect(permissions().filter((line) => line.folder === folder)).toHaveLength(1)
  expect(permissions()[0]).toMatchObject({ level: 40, msg: expect.stringContaining('open to other users') })
})
