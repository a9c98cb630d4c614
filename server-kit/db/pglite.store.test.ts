import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { bundled } from '#tests/support/house/bundle.ts'
import { sized } from '#tests/support/house/sizes.ts'
import '#tests/support/killed/store-child.tables.ts'

let program: Awaited<ReturnType<typeof bundled>>
let dataDir: string
/** A complete, empty database that tests copy. */
let complete: string
const children: ChildProcess[] = []
const opened: Database[] = []

beforeAll(async () => {
  program = await bundled('tests/support/killed/store-child.ts')
  complete = dataDir = mkdtempSync(join(tmpdir(), 'tessera-complete-'))
  await start('close').ended
})
afterAll(() => {
  rmSync(complete, { recursive: true, force: true })
  program?.remove()
})
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tessera-crash-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const database of opened.splice(0)) await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

interface Child {
  process: ChildProcess
  lines: string[]
  errors: () => string
  said(line: string): Promise<void>
  ended: Promise<{ code: number | null }>
}

function start(task: string): Child {
  const child = spawn(process.execPath, [program.file, dataDir, task], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const lines: string[] = []
  let rest = ''
  let errors = ''
  const waiting: { line: string; done: () => void }[] = []
  child.stdout.on('data', (data: Buffer) => {
    const parts = (rest + data.toString()).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    for (const one of waiting) if (lines.includes(one.line)) one.done()
  })
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString()
  })
  const ended = new Promise<{ code: number | null }>((done) => child.once('close', (code) => done({ code })))
  return {
    process: child,
    lines,
    errors: () => errors,
    said: (line) =>
      new Promise((done, fail) => {
        if (lines.includes(line)) done()
        else waiting.push({ line, done })
        ended.then(() => fail(new Error(`ended before it said ${line}: ${errors}`)))
      }),
    ended,
  }
}

async function kill(child: Child): Promise<void> {
  child.process.kill('SIGKILL')
  await child.ended
}

const open = async () => {
  const fatal = (error: unknown) => {
    throw error
  }
  const crash = { id: 'crash-1', up: async () => {} }
  const database = await openDatabase({ dataDir, log: createLog('silent'), onFatal: fatal, migrations: [crash] })
  opened.push(database)
  return database
}
const filesIn = (folder: string): number => (existsSync(folder) ? readdirSync(folder, { recursive: true }).length : 0)
const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms))
const acknowledged = (child: Child) => child.lines.filter((line) => line.startsWith('ack ')).map((line) => Number(line.slice(4)))

test('killed under load again and again: nothing acknowledged is lost, nothing is half there', async () => {
  cpSync(complete, dataDir, { recursive: true })
  const acked: number[] = []
  for (let round = 0; round < sized(3, 20); round++) {
    const child = start('write')
    await child.said('open')
    const enough = 20 + Math.random() * 60
    while (acknowledged(child).length < enough) await pause(1)
    await kill(child)
    acked.push(...acknowledged(child))
  }
  const database = await open()
  const entries = new Set((await database.db.selectFrom('crash_entry').select('id').execute()).map((row) => row.id))
  const halves = new Set((await database.db.selectFrom('crash_half').select('id').execute()).map((row) => row.id))
  expect(acked.length).toBeGreaterThan(50)
  expect(acked.filter((id) => !entries.has(id))).toEqual([])
  expect([...entries].filter((id) => !halves.has(id))).toEqual([])
  expect([...halves].filter((id) => !entries.has(id))).toEqual([])
})

test.each([300, 60, 900, 1, 20, 150, 500, 700])(
  'killed during the first start with %i files there: the next start is whole',
  { tags: 'full' },
  async (files) => {
    const child = start('hold')
    const endsAt = Date.now() + 30_000
    while (filesIn(join(dataDir, 'pg')) < files && Date.now() < endsAt && child.process.exitCode === null) await pause(2)
    await kill(child)
    const again = start('write')
    await again.said('ack 1')
    await kill(again)
    expect(JSON.parse(readFileSync(join(dataDir, 'tessera-marker.json'), 'utf8'))).toMatchObject({ state: 'ready' })
  },
)

test('a complete database that lost a part is refused and nothing is made in its place', async () => {
  cpSync(complete, dataDir, { recursive: true })
  const aside = mkdtempSync(join(tmpdir(), 'tessera-aside-'))
  for (const missing of ['PG_VERSION', 'global/pg_control', 'postgresql.conf', '.']) {
    const part = join(dataDir, 'pg', missing)
    renameSync(part, join(aside, 'part'))
    const before = readdirSync(dataDir, { recursive: true }).sort()
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(open(), missing).rejects.toThrow(/damaged|gone/)
      expect(readdirSync(dataDir, { recursive: true }).sort(), missing).toEqual(before)
    }
    renameSync(join(aside, 'part'), part)
  }
  rmSync(aside, { recursive: true })
})

test('another database, and an older copy of this one, are refused; removing the marker accepts them', { tags: 'full' }, async () => {
  cpSync(complete, dataDir, { recursive: true })
  const copy = mkdtempSync(join(tmpdir(), 'tessera-copy-'))
  cpSync(join(dataDir, 'pg'), copy, { recursive: true })
  const writer = start('write')
  await writer.said('ack 100')
  writer.process.kill('SIGKILL')
  await writer.ended
  await start('close').ended
  rmSync(join(dataDir, 'pg'), { recursive: true })
  cpSync(copy, join(dataDir, 'pg'), { recursive: true })
  await expect(open()).rejects.toThrow(/older copy.*remove tessera-marker.json/s)

  const marker = join(dataDir, 'tessera-marker.json')
  const text = JSON.parse(readFileSync(marker, 'utf8')) as object
  writeFileSync(marker, JSON.stringify({ ...text, cluster: '1' }))
  await expect(open()).rejects.toThrow(/another database/)
  writeFileSync(marker, '{"format":')
  await expect(open()).rejects.toThrow(/cannot be read/)
  rmSync(marker)
  const database = await open()
  expect(await database.db.selectFrom('crash_entry').select('id').execute()).toEqual([])
  rmSync(copy, { recursive: true })
})

test('a second process leaves and names the first; after a kill the folder is free again', async () => {
  cpSync(complete, dataDir, { recursive: true })
  const first = start('hold')
  await first.said('open')
  const second = start('hold')
  expect((await second.ended).code).toBe(1)
  expect(second.errors()).toContain(`process ${first.process.pid}`)
  expect(second.lines).toEqual([])
  await kill(first)
  const third = start('close')
  await third.said('closed')
  await third.ended
  expect(existsSync(join(dataDir, 'tessera.lock'))).toBe(false)
})

test('a lock is replaced when its process is gone or its number belongs to another process by now, and only then', {
  tags: 'full',
}, async () => {
  cpSync(complete, dataDir, { recursive: true })
  const lock = join(dataDir, 'tessera.lock')
  const holders: [name: string, holder: object | undefined, free: boolean][] = [
    ['living, this host', { pid: process.ppid, startTicks: 0, host: hostname() }, false],
    ['pid reused', { pid: process.ppid, startTicks: 1, host: hostname() }, true],
    ['no such process', { pid: 2 ** 22 + 1, startTicks: 5, host: hostname() }, true],
    ['another host, just now', { pid: 2 ** 22 + 1, startTicks: 5, host: 'elsewhere' }, false],
    ['nobody', undefined, true],
  ]
  // Builds before this one had a file in its place.
  for (const [name, holder, free] of holders)
    for (const way of ['folder', 'file']) {
      if (way === 'folder') mkdirSync(lock)
      if (holder || way === 'file') writeFileSync(way === 'folder' ? join(lock, 'one') : lock, JSON.stringify(holder ?? ''))
      if (free) await (await open()).close().then(() => opened.pop())
      else await expect(open(), `${name}, ${way}`).rejects.toThrow(/in use by process/)
      rmSync(lock, { recursive: true, force: true })
    }
  expect(readdirSync(dataDir).sort()).toEqual(['pg', 'tessera-marker.json'])
})

test('an overflow inside the engine ends the process with 70; nothing of its transaction is stored', { tags: 'full' }, async () => {
  cpSync(complete, dataDir, { recursive: true })
  for (let time = 0; time < 2; time++) {
    const child = start('overflow')
    expect((await child.ended).code).toBe(70)
    expect(child.lines).toEqual(['open', 'fatal'])
  }
  const database = await open()
  expect(await database.db.selectFrom('crash_half').select('id').execute()).toEqual([])
})

test('the log is cut: a long write load leaves a bounded log', { tags: 'full' }, async () => {
  const database = await open()
  await sql`create table ballast (id int primary key, text text)`.execute(database.db)
  const random = randomBytes(50_000).toString('hex')
  for (let id = 0; id < 2_500; id++)
    await sql`insert into ballast values (${id}, ${random.slice(id) + random.slice(0, id)})`.execute(database.db)
  const logFiles = readdirSync(join(dataDir, 'pg', 'pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name))
  expect(logFiles.length * 16).toBeLessThanOrEqual(128 + 16)
})

test('more statements than are kept prepared: each transaction begins, does its work and ends', async () => {
  cpSync(complete, dataDir, { recursive: true })
  const { transaction } = await open()
  for (let n = 0; n < 600; n++) {
    const text = `select ${n}::int as n`
    const { rows } = await transaction((tx) => sql<{ n: number }>`${sql.raw(text)}`.execute(tx))
    expect(rows).toEqual([{ n }])
  }
})
