import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { clockMoves } from '#tests/support/clock-moves.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type LeverStage, openLeverStage } from '#tests/support/databases/lever-stage.ts'
import { firstOf } from '#tests/support/house/sizes.ts'

const dayMs = 86_400_000
/** The number of nights that its margin of 250 lasts for, at 1 a night. */
const nightsPaid = 250

onEngines('overnight fees', (engine) => {
  let stage: LeverStage
  beforeAll(async () => {
    stage = await openLeverStage(engine)
    await stage.started()
  })
  afterAll(async () => {
    await expectSoundMoney(stage.database)
    await stage.stop()
  })

  // In ten years there are thousands of nights.
  test.each(firstOf(clockMoves, clockMoves.length - 1))(
    'a night is paid once, and not before it is over, on a clock that %s',
    async (_how, moves) => {
      stage.tick('50000')
      const uid = await stage.customer('1000')
      const { id } = await stage.call('lever.orderOpen', uid, { match_id: 'BTCUSDT', side: 'long', lots: '10', multiple: '20' })
      const midnight = Math.ceil(stage.now() / dayMs) * dayMs
      for (const { fromDueMs, isPast } of moves) {
        stage.later(midnight + fromDueMs - stage.now())
        await Promise.all([stage.lever.runner.look(), stage.lever.runner.look()])
        await stage.settled()
        const nights = await stage.database.db
          .selectFrom('lever_overnight')
          .select('night')
          .where('position_id', '=', id)
          .orderBy('night')
          .execute()
        const over = isPast ? Math.floor(Math.max(0, fromDueMs) / dayMs) + 1 : 0
        const paid = Math.min(over, nightsPaid)
        const numbers = nights.map(({ night }) => (night - midnight) / dayMs)
        expect(numbers, `at ${fromDueMs} ms`).toEqual(numbers.map((_, at) => at))
        expect(numbers.length, `at ${fromDueMs} ms`).toBeGreaterThanOrEqual(paid)
        const [row] = (await stage.call('lever.orderList', uid, { status: 'position' })).list
        expect(row, `at ${fromDueMs} ms`).toMatchObject({ overnight: String(paid), margin: String(nightsPaid - paid) })
        expect(await stage.has(uid)).toBe('747.5/0')
      }
      // Closed, so that the next clock moves over no night of it.
      stage.tick('50000')
      await stage.settled()
      const [open] = (await stage.call('lever.orderList', uid, { status: 'position' })).list
      if (open) await stage.call('lever.close', uid, { id: String(id) })
    },
  )
})
