import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server-kit/db/db.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { openMicStage } from '#tests/support/databases/mic-stage.ts'
import { expectSettledAsTheLogSays } from '#tests/support/databases/option-scan.ts'
import { bundled } from '#tests/support/house/bundle.ts'
import { chance, isFull, withSeed } from '#tests/support/house/sizes.ts'
import { expectAcknowledged, killsOn, openPlace, type Place, startNode as start } from '#tests/support/killed/node.ts'

const count = isFull ? 400 : 120
/** A key that a killed node held is free after so long. */
const abandonedMs = 31_000

let child: Awaited<ReturnType<typeof bundled>>
beforeAll(async () => {
  child = await bundled('tests/support/killed/option-child.ts')
})
afterAll(() => child?.remove())

const startNode = (place: Place, how: 'settle' | 'on' | 'end', now: number, uids: readonly number[] = [], again?: readonly string[]) =>
  start(child.file, place, [String(now), uids.join(), how], again)
const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms))

/** Every option is there for a call that was acknowledged, and every such call has one; each was opened once and settled once. */
async function expectKept(database: Database, done: readonly string[]): Promise<void> {
  await expectAcknowledged(database, done)
  const { rows } = await sql<{ id: number; events: number }>`select o.id, count(e.id)::int as events from option_order o
    left join ledger_event e on e.source = 'option:' || o.id group by o.id`.execute(database.db)
  expect(rows.map(({ id }) => id).sort()).toEqual(done.map((line) => Number(line.split(':')[1])).sort())
  expect(rows.filter(({ events }) => events !== 2)).toEqual([])
}

onEngines('options when the process is killed', (engine) => {
  test('each is settled once, with the result that it has without a kill', async () => {
    const rounds = killsOn(engine)
    const place = await engine.place()
    const stage = await openMicStage({ open: () => openPlace(place) })
    const uid = await stage.customer('100000')
    stage.tick('50000')
    const asked = { match_id: 'BTCUSDT', currency_id: '3', number: '10' }
    for (let i = 0; i < count; i++)
      await stage.call('mic.orderOpen', uid, { ...asked, type: i % 3 ? 'up' : 'down', seconds: i % 2 ? '30' : '60' })
    stage.stage.later(29_000)
    stage.tick('50001')
    stage.stage.later(30_000)
    stage.tick('49999')
    stage.stage.later(600_000)
    const now = stage.stage.now()
    await stage.close()
    await stage.database.close()

    const draw = chance()
    await withSeed(draw, async () => {
      for (let round = 0; round < rounds; round++) {
        const node = startNode(place, 'settle', now)
        await node.until(() => node.says('open'))
        await pause(400 * draw.next())
        // It may have settled everything before.
        await node.stop()
      }
      await startNode(place, 'settle', now).end()
    })

    const database = await openPlace(place)
    try {
      const rows = await database.db.selectFrom('option_order').select(['id', 'type', 'seconds', 'status', 'settle_price']).execute()
      expect(rows).toHaveLength(count)
      for (const { id, type, seconds, status, settle_price } of rows) {
        const price = seconds === 30 ? '50001.00' : '49999.00'
        expect([id, settle_price, status]).toEqual([id, price, (seconds === 30) === (type === 'up') ? 'won' : 'lost'])
      }
      await expectSoundMoney(database)
    } finally {
      await database.close()
    }
  })

  test('an option whose stake was taken exists and is settled once, by the right price; each call has one effect', {
    tags: 'full',
  }, async () => {
    const rounds = killsOn(engine)
    const place = await engine.place()
    const stage = await openMicStage({ open: () => openPlace(place) })
    const uids = [await stage.customer('1000000'), await stage.customer('1000000'), await stage.customer('1000')]
    let now = stage.stage.now()
    await stage.close()
    await stage.database.close()

    const draw = chance()
    await withSeed(draw, async () => {
      const done: string[] = []
      const results = new Set<string>()
      let again = 0
      // Kills that found no call under way prove nothing of calls that are made again.
      for (let round = 0; round < rounds || again === 0; round++) {
        const node = startNode(place, 'on', now + 1_000, uids)
        const least = draw.below(40)
        await node.until(() => Number(node.of('settled').at(-1) ?? 0) > least && node.of('done').length > least)
        await pause(50 * draw.next())
        await node.kill()
        const asked = node.unknown()
        const next = startNode(place, 'end', Number(node.of('now').at(-1)) + abandonedMs + draw.below(60_000), uids, asked)
        await next.end()
        expect(next.unknown()).toEqual([])
        now = Number(next.of('now').at(-1))
        done.push(...node.of('done'), ...next.of('done'))
        again += asked.length
        const database = await openPlace(place)
        try {
          for (const result of await expectSettledAsTheLogSays(database)) results.add(result)
          await expectKept(database, done)
          await expectSoundMoney(database)
        } finally {
          await database.close()
        }
      }
      expect([...results]).toEqual(expect.arrayContaining(['won', 'lost']))
      console.log(`${done.length} options are kept; ${again} calls were made again; ${[...results].join(', ')}`)
    })
  })
})
