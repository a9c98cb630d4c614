import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { canCopyMove, canMove, copyStates } from '#api-server/follow/follow.rules.ts'
import { followStates } from '#contract/calls/follow.calls.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type FollowStage, openFollowStage } from '#tests/support/databases/follow-stage.ts'
import { inputs } from '#tests/support/right-inputs.ts'

onEngines('states of followings and copies', (engine) => {
  let stage: FollowStage
  beforeAll(async () => {
    stage = await openFollowStage(engine, 1)
    await stage.started()
  })
  afterAll(() => stage.stop())

  test('the database refuses every change of state that there is not', async () => {
    stage.tick('50000')
    const [trader, uid] = [await stage.trader(), await stage.customer('10000')]
    await stage.follow('follow.follow', uid, { ...inputs['follow.follow'], trader_user_id: String(trader) })
    const opens = async (who: number) =>
      (await stage.call('lever.orderOpen', who, { match_id: 'BTCUSDT', side: 'long', lots: '10', multiple: '20' })).id
    const [one, other] = [await opens(trader), await opens(uid)]
    const nobody = await stage.customer('0')
    /** Does it to a row that nobody sees, and undoes it. */
    const tried = async (add: string, change: string): Promise<string> => {
      const work = stage.database.transaction(async (tx) => {
        await sql.raw(add).execute(tx)
        await sql.raw(`${change} where uid = ${nobody}`).execute(tx)
        throw new Error('done')
      })
      return work.catch((error: Error) => error.message)
    }
    const follow = (state: string) => `insert into follow (trader_uid, uid, type, number, state, created, ended)
      values (${trader}, ${nobody}, 'lots', 1, '${state}', 1, ${state === 'active' ? 'null' : 1})`
    for (const from of followStates)
      for (const to of followStates)
        expect(await tried(follow(from), `update follow set state = '${to}', ended = 1`)).toBe(
          canMove(from, to) ? 'done' : `a following does not go from ${from} to ${to}`,
        )
    expect(await tried(follow('active'), `update follow set state = 'cancelled', ended = 1, agreed = 1`)).toBe(
      'what was agreed does not change',
    )
    const copy = (state: string) => `insert into follow_copy (follow_id, trader_position, uid, position_id, state, reason, trader_lots, at)
      select max(id), ${one}, ${nobody}, ${state === 'skipped' ? `null, 'skipped', 'size'` : `${other}, '${state}', null`}, 1, 1 from follow`
    for (const from of copyStates)
      for (const to of copyStates)
        expect(await tried(copy(from), `update follow_copy set state = '${to}'`)).toBe(
          canCopyMove(from, to) ? 'done' : `a copy does not go from ${from} to ${to}`,
        )
  })
})
