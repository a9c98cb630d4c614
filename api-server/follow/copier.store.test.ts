import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type FollowStage, openFollowStage } from '#tests/support/databases/follow-stage.ts'
import { inputs } from '#tests/support/right-inputs.ts'

onEngines('copies brought in line', (engine) => {
  let stage: FollowStage
  beforeAll(async () => {
    stage = await openFollowStage(engine, engine.name === 'pglite' ? 1 : 2)
    await stage.started()
  })
  afterAll(async () => {
    try {
      await expectSoundMoney(stage.database)
    } finally {
      await stage.stop()
    }
  })
  const opens = (uid: number, lots: string) =>
    stage.call('lever.orderOpen', uid, { match_id: 'BTCUSDT', side: 'long', lots, multiple: '20' })
  const closes = (uid: number, id: number, lots?: string) => stage.call('lever.close', uid, { id: String(id), ...(lots && { lots }) })
  /** A trader and somebody who copies half a lot of each position. */
  async function pair(over: Record<string, string>) {
    stage.tick('50000')
    const trader = await stage.trader()
    const uid = await stage.customer('10000')
    const follow = { ...inputs['follow.follow'], trader_user_id: String(trader), type: 'lots', number: '0.5', ...over }
    await stage.follow('follow.follow', uid, follow)
    return { trader, uid }
  }
  const lotsOf = async (uid: number) => (await stage.follow('follow.copies', uid)).list.map(({ lots }) => lots)

  test('what is too little to close is carried, so that many small parts close as much as one', async () => {
    const { trader, uid } = await pair({})
    const { id } = await opens(trader, '10')
    await stage.copied()
    const held: string[] = []
    for (let part = 0; part < 10; part++) {
      stage.tick('50000')
      await closes(trader, id, '0.1')
      await stage.copied()
      held.push(...(await lotsOf(uid)))
    }
    // A twentieth of 0.1 lots is half of the smallest part.
    expect(held).toEqual(['0.5', '0.49', '0.49', '0.48', '0.48', '0.47', '0.47', '0.46', '0.46', '0.45'])
    await closes(trader, id)
    await stage.copied()
    expect(await lotsOf(uid)).toEqual([])
  })

  test('a customer gets notices of copies that open and close with the trader', async () => {
    const { trader, uid } = await pair({})
    const { id } = await opens(trader, '10')
    await stage.copied()
    stage.tick('51000')
    await closes(trader, id, '4')
    await stage.copied()
    stage.tick('52000')
    await closes(trader, id)
    await stage.copied()
    const names = { name: `T${trader}`, market: 'BTC/USDT' }
    // Of 0.5 lots 0.2 closed at 51,000 and 0.3 at 52,000; fees are 0.125, 0.051 and 0.078.
    const notices = [
      ['copy_opened', { ...names, price: '50000' }],
      ['copy_closed_part', { ...names, price: '51000', result: '1.899', coin: 'USDT' }],
      ['copy_closed_whole', { ...names, price: '52000', result: '7.746', coin: 'USDT' }],
    ]
    expect(stage.mails.filter((one) => one.startsWith(`${uid} `))).toEqual(
      notices.map(([kind, figures]) => `${uid} ${kind} ${JSON.stringify(figures)}`),
    )
  })

  test.skipIf(engine.name === 'pglite')(
    'nodes that open and close copies of one customer at once do not wait for each other in a circle',
    async () => {
      const deadlocks = async () => {
        const { rows } = await sql<{
          n: number
        }>`select deadlocks::int as n from pg_stat_database where datname = current_database()`.execute(stage.database.db)
        return rows[0]!.n
      }
      const { trader, uid } = await pair({ stop_loss: '1000' })
      let last = await opens(trader, '1')
      await stage.copied()
      for (let round = 0; round < 10; round++) {
        stage.tick('50000')
        const [next] = await Promise.all([opens(trader, '1'), closes(trader, last.id)])
        await Promise.all(stage.follows.map((one) => one.pass()))
        last = next
      }
      await stage.copied()
      expect(await lotsOf(uid)).toEqual(['0.5'])
      expect(await deadlocks()).toBe(0)
    },
  )
})
