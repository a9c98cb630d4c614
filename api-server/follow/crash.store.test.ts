import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followLimits } from '#api-server/follow/follow.rules.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { expectCopiedByTheRules } from '#tests/support/databases/follow-scan.ts'
import { followStageOn } from '#tests/support/databases/follow-stage.ts'
import { leverStageOn } from '#tests/support/databases/lever-stage.ts'
import { bundled } from '#tests/support/house/bundle.ts'
import { chance, withSeed } from '#tests/support/house/sizes.ts'
import { expectAcknowledged, killsOn, openPlace, startNode } from '#tests/support/killed/node.ts'
import { inputs } from '#tests/support/right-inputs.ts'

/** A key that a killed node held is free after so long. */
const abandonedMs = 31_000

let child: Awaited<ReturnType<typeof bundled>>
beforeAll(async () => {
  child = await bundled('tests/support/killed/follow-child.ts')
})
afterAll(() => child?.remove())

onEngines('copy trading when the node is killed', (engine) => {
  test('each position is copied once or skipped for a reason, and each copy closes with it', { tags: 'full' }, async () => {
    const rounds = killsOn(engine)
    const place = await engine.place()
    const first = await openPlace(place)
    const stage = followStageOn(await leverStageOn(first))
    stage.tick('50000')
    const traders = [await stage.trader('10000000'), await stage.trader('10000000')]
    const [half, lots, double] = [await stage.customer('10000000'), await stage.customer('10000000'), await stage.customer('10000000')]
    // Margin and fee of two small copies.
    const poor = await stage.customer('60')
    const ways = [
      [half, { type: 'multiple', number: '0.5' }],
      [lots, { type: 'lots', number: '0.37' }],
      [double, { type: 'multiple', number: '2' }],
      [poor, { type: 'multiple', number: '1' }],
    ] as const
    for (const trader of traders)
      for (const [uid, way] of ways)
        await stage.follow('follow.follow', uid, { ...inputs['follow.follow'], trader_user_id: String(trader), ...way })
    let now = stage.now()
    await stage.stop()
    await first.close()

    const draw = chance()
    await withSeed(draw, async () => {
      const done: string[] = []
      let [again, left] = [0, 0]
      const kept = () => done.filter((line) => line.includes(' own ')).length
      // Kills that found no call under way prove nothing of calls that are made again.
      for (let round = 0; round < rounds || again === 0 || kept() === 0; round++) {
        const args = (at: number, how: 'on' | 'end') => [String(at), traders.join(), [half, lots].join(), how]
        const node = startNode(child.file, place, args(now + 1_000, 'on'))
        const least = 20 + draw.below(40)
        await node.until(() => Number(node.of('copied').at(-1) ?? 0) > least && node.of('done').length > least)
        await new Promise((wake) => setTimeout(wake, 50 * draw.next()))
        await node.kill()
        const asked = node.unknown()
        // Some nodes come back too late for what was opened last.
        const goneMs = draw.of([abandonedMs, abandonedMs + 10_000, abandonedMs + followLimits.lateMs])
        let database = await openPlace(place)
        try {
          const { rows } = await sql<{
            count: number
          }>`select count(*)::int as count from follow f join lever_position p on p.uid = f.trader_uid
            where not exists (select from follow_copy c where c.uid = f.uid and c.trader_position = p.id)`.execute(database.db)
          left += rows[0]!.count
        } finally {
          await database.close()
        }
        const next = startNode(child.file, place, args(Number(node.of('now').at(-1)) + goneMs, 'end'), asked)
        await next.end()
        expect(next.unknown()).toEqual([])
        now = Number(next.of('now').at(-1))
        done.push(...node.of('done'), ...next.of('done'))
        again += asked.length
        database = await openPlace(place)
        try {
          await expectCopiedByTheRules(database, { poor: [poor] })
          await expectAcknowledged(
            database,
            done.filter((line) => !line.includes(' own ')),
          )
          await expectSoundMoney(database)
        } finally {
          await database.close()
        }
      }
      console.log(`${done.length} calls are kept; ${again} were made again, and ${left} copies`)
    })
  })
})
