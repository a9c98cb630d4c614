import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createBackups } from '#server-kit/files/backups.ts'
import { createSettableClock } from '#server-kit/ops/clock.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { bundled } from '#tests/support/house/bundle.ts'
import { chance, sized, withSeed } from '#tests/support/house/sizes.ts'
import '#tests/support/killed/store-child.tables.ts'

const log = createLog('silent')
const rounds = sized(3, 30)
let child: Awaited<ReturnType<typeof bundled>>
let base: string
const processes: ChildProcess[] = []

beforeAll(async () => {
  child = await bundled('tests/support/killed/store-child.ts')
  base = mkdtempSync(join(tmpdir(), 'tessera-backup-'))
  await run('data', 'close')
})
afterAll(() => {
  for (const one of processes) one.kill('SIGKILL')
  rmSync(base, { recursive: true, force: true })
  child?.remove()
})

/** @param onLine receives each line, and the way to kill it */
async function run(name: string, task: string, onLine?: (line: string, kill: () => void) => void): Promise<string[]> {
  const one = spawn(process.execPath, [child.file, join(base, name), task], { stdio: ['ignore', 'pipe', 'inherit'] })
  processes.push(one)
  const lines: string[] = []
  createInterface(one.stdout).on('line', (line) => {
    lines.push(line)
    onLine?.(line, () => one.kill('SIGKILL'))
  })
  await new Promise((done) => one.once('close', done))
  return lines
}

/** Opens what is in a folder and looks at it: as many entries as numbers, each with its half. */
async function entriesIn(dataDir: string): Promise<number> {
  const onFatal = (error: unknown) => {
    throw error
  }
  const migrations = [{ id: 'crash-1', up: () => Promise.reject(new Error('the copy has no tables')) }]
  const database = await openDatabase({ dataDir, log, onFatal, migrations })
  try {
    const { rows } = await sql<{ entries: number; last: number; halves: number }>`
      select count(*)::int as entries, coalesce(max(e.id), 0)::int as last, (select count(*)::int from crash_half h join crash_entry using (id)) as halves
      from crash_entry e`.execute(database.db)
    const [row] = rows
    expect(row).toEqual({ entries: row!.last, last: row!.last, halves: row!.last })
    return row!.last
  } finally {
    await database.close()
  }
}
const ackIn = (lines: readonly string[]) => Number(lines.findLast((line) => line.startsWith('ack '))?.slice(4) ?? 0)

test('a copy that is made under load opens with everything that was acknowledged before it, and nothing half', {
  tags: 'full',
}, async () => {
  const copied: { atLeast: number; atMost: number }[] = []
  let ack = 0
  let began = 0
  const lines = await run('data', 'copy', (line, kill) => {
    if (line.startsWith('ack ')) ack = Number(line.slice(4))
    if (line === 'copying') began = ack
    if (line === 'copied' && copied.push({ atLeast: began, atMost: ack }) === 2) kill()
  })
  expect(lines).not.toContain('failed')
  expect(copied).toHaveLength(2)
  const copies = join(base, 'data-copies')
  const names = readdirSync(copies)
    .filter((name) => !name.endsWith('.unfinished'))
    .sort()
  for (const [at, name] of names.slice(0, 2).entries()) {
    cpSync(join(copies, name), join(base, name), { recursive: true })
    const found = await entriesIn(join(base, name))
    expect(found).toBeGreaterThanOrEqual(copied[at]!.atLeast)
    // One more may have been stored than was reported when the copy ended.
    expect(found).toBeLessThanOrEqual(copied[at]!.atMost + 1)
  }
  expect(copied[1]!.atLeast).toBeGreaterThan(copied[0]!.atLeast)
})

test('killed while it copies: the database has everything, every copy under its name is whole, the rest is swept', {
  tags: 'full',
}, async () => {
  const draw = chance()
  const copies = join(base, 'data-copies')
  await withSeed(draw, async () => {
    for (let round = 0; round < rounds; round++) {
      const dieAfterMs = draw.below(400)
      const lines = await run('data', 'copy', (line, kill) => line === 'copying' && void setTimeout(kill, dieAfterMs))
      const entries = await entriesIn(join(base, 'data'))
      expect(entries).toBeGreaterThanOrEqual(ackIn(lines))
    }
    const whole = readdirSync(copies).filter((name) => !name.endsWith('.unfinished'))
    const newest = whole.sort().at(-1)!
    cpSync(join(copies, newest), join(base, 'newest'), { recursive: true })
    expect(await entriesIn(join(base, 'newest'))).toBeGreaterThan(0)
    await run('data', 'copy', (line, kill) => line === 'copied' && kill())
    expect(readdirSync(copies).filter((name) => name.endsWith('.unfinished')).length).toBeLessThanOrEqual(1)
  })
})

test('copies are made when the newest grows old, one at a time, and given up at the end', { tags: 'full' }, async () => {
  const clock = createSettableClock()
  const dir = join(base, 'timed')
  const database = await openDatabase({ dataDir: join(base, 'timed-data'), log, onFatal: () => {}, migrations: [] })
  try {
    const backups = createBackups({ database, dir, everyMs: 600_000, clock, log })
    expect(backups.metrics()).toMatchObject({ age_seconds: -1, copies: 0, failures: 0 })
    const [one, same] = await Promise.all([backups.run(), backups.run()])
    expect(same).toBe(one)
    expect(readdirSync(dir)).toHaveLength(1)
    clock.set(clock.now() + 599_000)
    backups.start()
    await backups.stop()
    expect(readdirSync(dir)).toHaveLength(1)
    expect(backups.metrics()).toMatchObject({ copies: 1, failures: 0 })
    clock.set(clock.now() + 2_000)
    const later = createBackups({ database, dir, everyMs: 600_000, clock, log })
    later.start()
    // The size is reported when all of it is done; the copy stands under its name a moment earlier.
    await expect.poll(() => later.metrics().bytes).toBeGreaterThan(0)
    expect(later.metrics().copies).toBe(2)
    clock.set(clock.now() + 5_000)
    const givenUp = later.run()
    await later.stop()
    expect(await givenUp).toBeUndefined()
    expect(readdirSync(dir)).toHaveLength(2)
    expect(later.metrics()).toMatchObject({ copies: 2, failures: 0 })
    expect(later.metrics().age_seconds).toBeGreaterThanOrEqual(5)
    // A copy that was given up does not stop the database from cutting its log.
    await database.checkpoint()
    expect(backups.metrics().failures).toBe(0)
  } finally {
    await database.close()
  }
})
