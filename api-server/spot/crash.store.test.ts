import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from '#api-server/migrations.ts'
import type { Database } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { type Engine, onEngines } from '#tests/support/databases/engines.ts'
import { openSpotNode, spotTraders } from '#tests/support/databases/spot-stage.ts'
import { bundled } from '#tests/support/house/bundle.ts'
import { chance, sized, withSeed } from '#tests/support/house/sizes.ts'

const rounds = sized(3, 40)
/** So long an order may wait when the node that matches is killed. */
const takeOverMsMax = 5_000

let child: Awaited<ReturnType<typeof bundled>>
beforeAll(async () => {
  child = await bundled('tests/support/killed/spot-child.ts')
})
afterAll(() => child?.remove())

type Place = Awaited<ReturnType<Engine['place']>>

function startNode({ dataDir, databaseUrl }: Place, how: 'on' | 'end', retry: readonly string[]) {
  const process_ = spawn(process.execPath, [child.file, dataDir, ...(databaseUrl ? [databaseUrl] : [])], { stdio: 'pipe' })
  const lines: { text: string; at: number }[] = []
  let errors = ''
  createInterface(process_.stdout).on('line', (text) => lines.push({ text, at: performance.now() }))
  process_.stderr.on('data', (part) => {
    errors += part
  })
  const ended = new Promise<void>((done) => process_.once('close', () => done()))
  process_.stdin.end(`${[how, ...retry].join(' ')}\n`)
  const of = (word: string) =>
    lines.filter(({ text }) => text.startsWith(word)).map(({ text, at }) => ({ key: text.split(' ')[1]!, text, at }))
  return {
    of,
    ended,
    errors: () => errors,
    kill: () => process_.kill('SIGKILL'),
    /** Keys of which nobody knows what became of them. */
    unknown() {
      const known = new Set([...of('done'), ...of('no')].map(({ key }) => key))
      return [...of('try').map(({ key }) => key), ...retry].filter((key) => !known.has(key))
    },
  }
}

async function openStore(place: Place): Promise<Database> {
  return openDatabase({ ...place, log: createLog('silent'), onFatal: () => {}, migrations })
}
async function traders(place: Place): Promise<void> {
  const database = await openStore(place)
  const node = await openSpotNode(database)
  for (const uid of spotTraders) {
    await node.user(uid)
    await node.credit(uid, 'USDT', '100000')
    await node.credit(uid, 'BTC', '10')
  }
  await node.close()
  await database.close()
}
/** Every acknowledged order is there, each key has made one, nothing waits, and the money is sound. */
async function expectKept(place: Place, done: ReadonlySet<string>): Promise<void> {
  const database = await openStore(place)
  try {
    const { rows } = await sql<{ key: string; orders: number }>`select key, count(*)::int as orders from ledger_event
      where kind = 'spot_order' group by key`.execute(database.db)
    const made = new Map(rows.map(({ key, orders }) => [key, orders]))
    expect([...done].filter((key) => made.get(key) !== 1)).toEqual([])
    expect(rows.filter(({ orders }) => orders !== 1)).toEqual([])
    const waits = await sql`select id from spot_order where status = 'new' or cancelling`.execute(database.db)
    expect(waits.rows).toEqual([])
    const fills = await sql<{ count: number }>`select count(*)::int as count from spot_fill`.execute(database.db)
    expect(fills.rows[0]!.count).toBeGreaterThan(0)
    await expectSoundMoney(database)
  } finally {
    await database.close()
  }
}

onEngines('spot trading when the process is killed', (engine) => {
  test('what was acknowledged is there, and each key has made one order or none', { timeout: 900_000 }, async () => {
    const draw = chance()
    const place = await engine.place()
    await traders(place)
    const done = new Set<string>()
    let unknown: string[] = []
    await withSeed(draw, async () => {
      for (let at = 0; at < rounds; at++) {
        const node = startNode(place, 'on', unknown)
        // The last round has orders enough that some of them fill.
        const least = at < rounds - 1 ? 10 * draw.next() : 60
        await expect.poll(() => node.errors() || node.of('done').length > least, { timeout: 60_000 }).toBe(true)
        await new Promise((wake) => setTimeout(wake, 500 * draw.next() ** 2))
        node.kill()
        await node.ended
        expect(node.errors()).toBe('')
        for (const { key } of node.of('done')) done.add(key)
        unknown = node.unknown()
      }
      const last = startNode(place, 'end', unknown)
      await last.ended
      expect(last.errors()).toBe('')
      for (const { key } of last.of('done')) done.add(key)
      expect(last.unknown()).toEqual([])
      await expectKept(place, done)
    })
  })

  test.skipIf(engine.name === 'pglite')(
    'of two nodes one matches, and the other goes on when it is killed',
    { timeout: 900_000 },
    async () => {
      const place = await engine.place()
      await traders(place)
      const done = new Set<string>()
      const unknown: string[] = []
      let other = startNode(place, 'on', [])
      await expect.poll(() => other.of('lead').length, { timeout: 60_000 }).toBe(1)
      const waits: number[] = []
      for (let at = 0; at < rounds; at++) {
        const leader = other
        other = startNode(place, 'on', [])
        await expect.poll(() => other.errors() || other.of('done').length > 3, { timeout: 60_000 }).toBe(true)
        expect(other.of('lead')).toEqual([])
        leader.kill()
        const killedAt = performance.now()
        await expect.poll(() => other.of('lead').length, { timeout: 60_000 }).toBe(1)
        waits.push(other.of('lead')[0]!.at - killedAt)
        await leader.ended
        for (const { key } of leader.of('done')) done.add(key)
        unknown.push(...leader.unknown())
      }
      other.kill()
      await other.ended
      for (const { key } of other.of('done')) done.add(key)
      const last = startNode(place, 'end', [...unknown, ...other.unknown()])
      await last.ended
      expect(last.errors()).toBe('')
      for (const { key } of last.of('done')) done.add(key)
      await expectKept(place, done)
      console.log(`another node matches ${waits.map((ms) => Math.round(ms)).join(', ')} ms after the one before was killed`)
      expect(Math.max(...waits)).toBeLessThan(takeOverMsMax)
    },
  )
})
