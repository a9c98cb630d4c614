import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { openOtcStage } from '#tests/support/databases/otc-stage.ts'
import { bundled } from '#tests/support/house/bundle.ts'
import { chance, withSeed } from '#tests/support/house/sizes.ts'
import { killsOn, openPlace, startNode } from '#tests/support/killed/node.ts'

let child: Awaited<ReturnType<typeof bundled>>
beforeAll(async () => {
  child = await bundled('tests/support/killed/otc-child.ts')
})
afterAll(() => child?.remove())

/** A line of two words. */
const halves = (line: string) => line.split(' ') as [string, string]

onEngines('OTC when the process is killed', (engine) => {
  const rounds = killsOn(engine)
  test('each order is there once, as it was answered and decided', { tags: 'full' }, async () => {
    const place = await engine.place()
    const on = await openOtcStage({ open: () => openPlace(place) })
    const offers = [await on.offer({ whole: '100000' }), await on.offer({ side: 'sell', whole: '100000' })]
    // Orders that nobody decides pile up, and a customer may have twenty of them: more rounds take more customers.
    const customers: number[] = []
    for (let n = 0; n < 4 + rounds; n++) customers.push(await on.customer({ USDT: '1000000000', BTC: '10000' }))
    await on.stage.database.close()

    const draw = chance()
    await withSeed(draw, async () => {
      const [idOf, statusOf, refused] = [new Map<string, string>(), new Map<string, string>(), new Set<string>()]
      let unknown: string[] = []
      let retried = 0
      /** @param kill after so many answers, and then so many ms; absent: the process ends by itself */
      async function round(kill?: { after: number; ms: number }): Promise<void> {
        const node = startNode(child.file, place, [offers.join(), customers.join(), kill ? 'on' : 'end'], unknown)
        retried += unknown.length
        if (kill) {
          await node.until(() => node.of('done').length >= kill.after)
          await new Promise((wake) => setTimeout(wake, kill.ms))
          await node.kill()
        } else await node.end()
        for (const line of node.of('no')) refused.add(line)
        for (const [order, status] of node.of('was').map(halves)) statusOf.set(order, status)
        for (const [key, order] of node.of('done').map(halves)) {
          expect([undefined, order]).toContain(idOf.get(key))
          idOf.set(key, order)
        }
        unknown = node.unknown().filter((key) => !idOf.has(key) && !refused.has(key))
      }
      for (let at = 0; at < rounds; at++) await round({ after: 1 + draw.below(30), ms: 200 * draw.next() })
      await round()
      expect(unknown).toEqual([])
      expect(retried).toBeGreaterThan(0)

      const database = await openPlace(place)
      try {
        const rows = await database.db.selectFrom('otc_order').select(['id', 'status']).execute()
        expect(new Set(rows.map(({ id }) => String(id)))).toEqual(new Set(idOf.values()))
        expect(rows.filter(({ id, status }) => ![undefined, status].includes(statusOf.get(String(id)) as typeof status))).toEqual([])
        expect(statusOf.size).toBeGreaterThan(rounds)
        await expectSoundMoney(database)
      } finally {
        await database.close()
      }
    })
  })
})
