import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type FollowStage, openFollowStage } from '#tests/support/databases/follow-stage.ts'
import { reviewer } from '#tests/support/databases/office-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'
import { sized } from '#tests/support/house/sizes.ts'
import { inputs } from '#tests/support/right-inputs.ts'

const hourMs = 3_600_000

onEngines('the end of a trader', (engine) => {
  let stage: FollowStage
  beforeAll(async () => {
    stage = await openFollowStage(engine, 2)
    await stage.started()
  })
  afterAll(() => stage.stop())

  const opens = (uid: number, lots: string) =>
    stage.call('lever.orderOpen', uid, { match_id: 'BTCUSDT', side: 'long', lots, multiple: '20' })
  const closes = (uid: number, id: number) => stage.call('lever.close', uid, { id: String(id) })
  const follows = (uid: number, trader: number, node = 0) =>
    stage.followAt(node, 'follow.follow', uid, { ...inputs['follow.follow'], trader_user_id: String(trader), number: '0.5' })
  const mine = (uid: number) => stage.follow('follow.mine', uid)
  const application = async (uid: number): Promise<number> =>
    (await stage.database.db.selectFrom('trader_application').select('id').where('uid', '=', uid).executeTakeFirstOrThrow()).id
  const ends = async (trader: number, reason = 'By own wish', node = 0) => {
    const id = await application(trader)
    return stage.database.transaction((tx) =>
      stage.follows[node]!.queues[0].decide(tx, reviewer('bob'), 'office.traderEnd', { id, reason }),
    )
  }
  const noticesOf = (uid: number, notice: string) => stage.mails.filter((mail) => mail.startsWith(`${uid} ${notice} `))
  const detail = (trader: number) => stage.follow('follow.traderDetail', 0, { trader_user_id: String(trader) })
  const listed = async (trader: number) =>
    (await stage.follow('follow.index', 0, { search: `T${trader}` })).list.map((row) => row.trader_user_id)

  test('all followings end as if cancelled, open copies stay copied, and nothing new is copied', async () => {
    stage.tick('50000')
    const trader = await stage.trader()
    const [one, other, gone] = [await stage.customer('10000'), await stage.customer('10000'), await stage.customer('10000')]
    for (const uid of [one, other, gone]) await follows(uid, trader)
    await stage.follow('follow.cancel', gone, { trader_user_id: String(trader) })
    const { id } = await opens(trader, '10')
    await stage.copied()
    expect(await listed(trader)).toEqual([trader])
    const [queue] = stage.follows[0]!.queues
    expect(await queue.one(await application(trader), reviewer('bob'))).toMatchObject({ status: 'passed', followers: 2 })

    const row = await ends(trader, ' Copied others elsewhere ')
    const last = { status: 'ended', reason: 'Copied others elsewhere', decided_by: 'bob', changed: stage.now() }
    expect(row).toMatchObject(last)
    expect(await queue.one(await application(trader), reviewer('bob'))).toMatchObject({ ...last, followers: 0 })
    for (const uid of [one, other]) {
      expect((await mine(uid)).list).toMatchObject([{ state: 'cancelled', ended: stage.now(), open: 1, nickname: `T${trader}` }])
      expect(noticesOf(uid, 'copy_ended')).toEqual([`${uid} copy_ended {"name":"T${trader}"}`])
    }
    expect(noticesOf(gone, 'copy_ended')).toEqual([])
    expect(noticesOf(trader, 'trader_ended')).toEqual([`${trader} trader_ended {"name":"T${trader}","reason":"Copied others elsewhere"}`])

    await opens(trader, '8')
    await stage.copied()
    expect((await stage.follow('follow.copies', one, {})).list).toMatchObject([{ lots: '5', nickname: `T${trader}`, copied: true }])
    await closes(trader, id)
    await stage.copied()
    expect((await stage.follow('follow.copies', one, {})).list).toEqual([])
    expect((await stage.follow('follow.copies', one, { status: 'closed' })).list).toMatchObject([
      { close_reason: 'copied', nickname: `T${trader}` },
    ])
  })

  test('others see what was until the end, and nothing after it', async () => {
    stage.tick('50000')
    const trader = await stage.trader()
    const uid = await stage.customer('10000')
    await follows(uid, trader)
    const [first, second] = [await opens(trader, '10'), await opens(trader, '4')]
    stage.tick('51000')
    await closes(trader, first.id)
    await ends(trader)
    const ended = stage.now()
    const at = await detail(trader)
    expect(at).toMatchObject({ ended, refreshed: ended, followers: 0, closed: 1, profit: '94.95', open: 1 })
    stage.tick('52000', 'BTCUSDT', hourMs)
    await opens(trader, '2')
    await closes(trader, second.id)
    await stage.follows[0]!.statistics()
    expect(await detail(trader)).toEqual({ ...at, open: 0 })
    const { list, total } = await stage.follow('follow.historyTrade', 0, { trader_user_id: String(trader) })
    expect([total, list.map((row) => row.id)]).toEqual([1, [first.id]])
    expect(await listed(trader)).toEqual([])
    expect(await stage.follow('follow.application', trader)).toMatchObject({
      status: 'ended',
      reason: 'By own wish',
      reviewed: ended,
      nickname: `T${trader}`,
      trader: { trader_user_id: trader, profit: '94.95' },
    })
  })

  test('nobody follows a trader who has ended, who is no trader again, but may copy others', async () => {
    stage.tick('50000')
    const [trader, other] = [await stage.trader(), await stage.trader()]
    const uid = await stage.customer('10000')
    await ends(trader)
    expect(await refused(follows(uid, trader))).toBe('trader_ended trader_user_id')
    expect(await refused(follows(trader, trader))).toBe('trader_ended trader_user_id')
    expect(await refused(stage.follow('follow.apply', trader, { nickname: 'Again', introduction: 'x' }))).toBe('trader_ended')
    expect(await refused(stage.follow('follow.apply', uid, { nickname: `t${trader}`, introduction: 'x' }))).toBe(
      'trader_name_taken nickname',
    )
    await follows(trader, other)
    await opens(other, '10')
    await stage.copied()
    expect((await mine(trader)).list).toMatchObject([{ trader_user_id: other, state: 'active', open: 1 }])
    await stage.follow('follow.cancel', trader, { trader_user_id: String(other) })
  })

  test('only an accepted trader ends, once, and with a reason', async () => {
    const trader = await stage.trader()
    expect(await refused(ends(trader, ' '))).toBe('reason_missing reason')
    const [queue] = stage.follows[0]!.queues
    const tries = await Promise.allSettled([ends(trader), ends(trader, 'Fraud', 1)])
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await refused(ends(trader))).toBe('state_wrong')
    expect(noticesOf(trader, 'trader_ended')).toHaveLength(1)
    expect(
      await refused(
        stage.database.transaction((tx) => queue.decide(tx, reviewer('bob'), 'office.traderEnd', { id: 1_999_999_999, reason: 'x' })),
      ),
    ).toBe('not_found id')
    const applicant = await stage.customer('0')
    await stage.follow('follow.apply', applicant, { nickname: `A${applicant}`, introduction: 'x' })
    expect(await refused(ends(applicant))).toMatch(/^not_found id$|^state_wrong$/)
  })

  test('the list knows who has ended', async () => {
    const [ended, passed] = [await stage.trader(), await stage.trader()]
    await ends(ended)
    const found = async (status: 'all' | 'passed' | 'ended' | 'failed', uid: number) => {
      const { list, total } = await stage.follows[0]!.queues[0].list({ page: 1, size: 20, status, search: String(uid) }, reviewer('bob'))
      expect(total).toBe(list.length)
      return list.map((row) => row.status)
    }
    expect([await found('ended', ended), await found('passed', ended), await found('all', ended)]).toEqual([['ended'], [], ['ended']])
    expect([await found('ended', passed), await found('passed', passed), await found('failed', passed)]).toEqual([[], ['passed'], []])
  })

  test('who begins to follow at that moment is refused, or the following ends too; a copy of that moment stays in line', async () => {
    for (let round = 0; round < sized(4, 25); round++) {
      stage.tick('50000')
      const trader = await stage.trader()
      const customers = await Promise.all(Array.from({ length: 6 }, () => stage.customer('10000')))
      const before = customers.slice(0, 2)
      for (const uid of before) await follows(uid, trader)
      const { id } = await opens(trader, '10')
      const [, ...begun] = await Promise.all([
        ends(trader, 'Fraud', round % 2),
        // A customer who follows already asks again, under the locks of the end.
        ...customers.map((uid, at) => refused(follows(uid, trader, at % 2))),
        ...stage.follows.map((node) => node.pass()),
      ])
      const answers = begun.slice(0, customers.length)
      for (const [at, uid] of customers.entries()) {
        const { list } = await mine(uid)
        const began = before.includes(uid) || String(answers[at]).startsWith('answered')
        expect(list.map(({ state }) => state)).toEqual(began ? ['cancelled'] : [])
        expect(noticesOf(uid, 'copy_ended')).toHaveLength(began ? 1 : 0)
        if (before.includes(uid)) expect(['trader_ended trader_user_id', 'trader_followed trader_user_id']).toContain(answers[at])
        else if (!began) expect(answers[at]).toBe('trader_ended trader_user_id')
      }
      await stage.copied()
      await closes(trader, id)
      await stage.copied()
      for (const uid of customers) expect((await stage.follow('follow.copies', uid, {})).list).toEqual([])
    }
  })

  test('the database takes no end back, and knows no end without a name and a reason', async () => {
    const [ended, passed] = [await stage.trader(), await stage.trader()]
    await ends(ended)
    const { db } = stage.database
    for (const change of ['ended = null', `end_reason = 'x'`, 'followers = 5', `nickname = 'New'`])
      await expect(sql.raw(`update trader set ${change} where uid = ${ended}`).execute(db), change).rejects.toThrow(/does not change/)
    await expect(db.deleteFrom('trader').where('uid', '=', ended).execute()).rejects.toThrow(/does not change/)
    for (const change of ['ended = 1', `ended = 1, ended_by = 'bob'`, `end_reason = 'x'`, `ended_by = 'bob'`])
      await expect(sql.raw(`update trader set ${change} where uid = ${passed}`).execute(db), change).rejects.toThrow(/check/)
  })

  test('all money is accounted for', async () => {
    await stage.copied()
    await expectSoundMoney(stage.database)
  })
})
