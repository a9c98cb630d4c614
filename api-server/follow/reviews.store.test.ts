import { afterAll, beforeAll, expect, test } from 'vitest'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type FollowStage, openFollowStage } from '#tests/support/databases/follow-stage.ts'
import { reviewer } from '#tests/support/databases/office-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'

onEngines('applications of traders', (engine) => {
  let stage: FollowStage
  beforeAll(async () => {
    stage = await openFollowStage(engine, 1)
    await stage.started()
  })
  afterAll(() => stage.stop())

  test('an application is decided once, and the customer is told', async () => {
    const uid = await stage.trader()
    expect(await stage.follow('follow.application', uid)).toMatchObject({ status: 'passed', trader: { trader_user_id: uid } })
    expect(stage.mails).toContain(`${uid} trader_passed {"name":"${(await stage.follow('follow.application', uid)).nickname}"}`)
    const { id } = await stage.database.db.selectFrom('trader_application').select('id').where('uid', '=', uid).executeTakeFirstOrThrow()
    const [queue] = stage.follows[0]!.queues
    expect(
      await refused(stage.database.transaction((tx) => queue.decide(tx, reviewer('ann'), 'office.traderReject', { id, reason: 'no' }))),
    ).toBe('state_wrong')
    expect(await queue.one(id, reviewer('ann'))).toMatchObject({ uid, status: 'passed', decided_by: 'ann', closed: 0, earlier: 0 })
    await expect(stage.database.db.updateTable('trader_application').set({ note: 'x' }).where('id', '=', id).execute()).rejects.toThrow(
      'does not go from passed to passed',
    )
  })
})
