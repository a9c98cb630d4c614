import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'

const disk = mkdtempSync(join(tmpdir(), 'tessera-disk-'))

/** A disk of 220 MB that exists in memory; only root may make one. */
function mounted(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=220m', 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    console.error('\n!!! full disk: NOT RUN, a small disk cannot be mounted here\n')
    return false
  }
}
const hasDisk = mounted()
afterAll(() => {
  if (hasDisk) execFileSync('umount', [disk])
  rmSync(disk, { recursive: true, force: true })
})

test.skipIf(!hasDisk)(
  'on a full disk writes are refused, reads go on, nothing acknowledged is lost, and room brings writes back',
  { tags: 'full' },
  async () => {
    const fatal: unknown[] = []
    const options = { dataDir: disk, log: createLog('silent'), onFatal: (error: unknown) => void fatal.push(error) }
    const database = await openDatabase(options)
    await sql`create table ballast (id int primary key, text text)`.execute(database.db)
    const insert = (id: number) => sql`insert into ballast values (${id}, ${randomBytes(60_000).toString('hex')})`.execute(database.db)
    const count = async (from = database) => (await sql<{ n: number }>`select count(*) as n from ballast`.execute(from.db)).rows[0]?.n
    const pad = join(disk, 'pad')
    for (let id = 0; id < 20; id++) await insert(id)
    writeFileSync(pad, Buffer.alloc(90 * 1_048_576))
    await new Promise((wake) => setTimeout(wake, 250))
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(insert(100)).rejects.toMatchObject({ code: 'busy' })
      expect(await count()).toBe(20)
    }
    rmSync(pad)
    await new Promise((wake) => setTimeout(wake, 250))
    await insert(101)
    await database.close()
    expect(fatal).toEqual([])
    const again = await openDatabase(options)
    expect(await count(again)).toBe(21)
    await again.close()
  },
)
