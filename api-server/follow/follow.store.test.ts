import { afterAll, beforeAll, expect, test } from 'vitest'
import { followLimits } from '#api-server/follow/follow.rules.ts'
import { createFollowStore } from '#api-server/follow/follow.store.ts'
import { programTimes } from '#api-server/follow/programs.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type FollowStage, openFollowStage } from '#tests/support/databases/follow-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'
import { inputs } from '#tests/support/right-inputs.ts'

const hourMs = 3_600_000

onEngines('copy trading', (engine) => {
  let stage: FollowStage
  beforeAll(async () => {
    stage = await openFollowStage(engine, 2)
    await stage.started()
  })
  afterAll(() => stage.stop())

  const opens = (uid: number, lots: string, over: Record<string, string> = {}) =>
    stage.call('lever.orderOpen', uid, { match_id: 'BTCUSDT', side: 'long', lots, multiple: '20', ...over })
  const closes = (uid: number, id: number, lots?: string) => stage.call('lever.close', uid, { id: String(id), ...(lots && { lots }) })
  const follows = (uid: number, trader: number, over: Record<string, string> = {}, key?: string) =>
    stage.follow('follow.follow', uid, { ...inputs['follow.follow'], trader_user_id: String(trader), number: '0.5', ...over }, key)
  const copies = async (uid: number, status = 'open') => (await stage.follow('follow.copies', uid, { status })).list
  const mine = (uid: number) => stage.follow('follow.mine', uid)
  /** A trader and somebody who follows, at 50,000. */
  async function pair(over: Record<string, string> = {}, amount = '10000') {
    stage.tick('50000')
    const trader = await stage.trader()
    const uid = await stage.customer(amount)
    await follows(uid, trader, over)
    return { trader, uid }
  }

  test('a position is copied, closed by the same part, and closed for good', async () => {
    const { trader, uid } = await pair()
    const { id } = await opens(trader, '10')
    await stage.copied()
    const [copy] = await copies(uid)
    expect(copy).toMatchObject({
      lots: '5',
      multiple: 20,
      side: 'long',
      open_price: '50000',
      margin: '125',
      trader_user_id: trader,
      copied: true,
    })
    stage.tick('51000')
    await closes(trader, id, '3')
    await stage.copied()
    expect(await copies(uid)).toMatchObject([{ id: copy!.id, lots: '3.5', close_reason: null }])
    stage.tick('52000')
    await closes(trader, id)
    await stage.copied()
    expect(await copies(uid)).toEqual([])
    expect(await copies(uid, 'closed')).toMatchObject([{ id: copy!.id, close_reason: 'copied', close_price: '52000', profit: '85' }])
    // 1.5 lots at 51,000 and 3.5 at 52,000, less fees of 1.25, 0.3825 and 0.91.
    expect(await stage.has(uid)).toBe('10082.4575/0')
    expect(await mine(uid)).toMatchObject({ active: 1, open: 0, closed: 1, winning: 1, result: '82.4575' })
  })

  test.each<[says: string, over: Record<string, string>, lots: string, copied: string | undefined]>([
    ['by a multiple, two decimals toward zero', { number: '0.33' }, '3.17', '1.04'],
    ['by a multiple above one', { number: '2' }, '0.5', '1'],
    ['by a multiple, below one lot', { number: '0.1' }, '9.99', undefined],
    ['by lots', { type: 'lots', number: '0.25' }, '10', '0.25'],
    ['by lots, whatever the trader opens', { type: 'lots', number: '3' }, '0.01', '3'],
  ])('%s', async (_says, over, lots, copied) => {
    const { trader, uid } = await pair(over)
    await opens(trader, lots)
    await stage.copied()
    expect((await copies(uid)).map((row) => row.lots)).toEqual(copied === undefined ? [] : [copied])
    expect((await mine(uid)).skipped.map((row) => row.reason)).toEqual(copied === undefined ? ['below_one'] : [])
  })

  test('an order that waits is copied when it is filled, and not before', async () => {
    const { trader, uid } = await pair()
    await opens(trader, '4', { type: 'limit', price: '49000' })
    await stage.copied()
    expect(await copies(uid)).toEqual([])
    stage.tick('48900')
    await stage.copied()
    expect(await copies(uid)).toMatchObject([{ lots: '2', open_price: '48900' }])
  })

  test('who cannot pay is skipped and told once an hour; the trader and others go on', async () => {
    const { trader, uid: poor } = await pair({}, '100')
    const rich = await stage.customer('10000')
    await follows(rich, trader)
    const { status } = await opens(trader, '10')
    await opens(trader, '20')
    await stage.copied()
    expect(status).toBe('open')
    expect(await copies(poor)).toEqual([])
    expect(await stage.has(poor)).toBe('100/0')
    expect((await copies(rich)).map((row) => row.lots)).toEqual(['10', '5'])
    expect((await mine(poor)).skipped.map(({ reason, name }) => [reason, name])).toEqual([
      ['balance', 'BTC/USDT'],
      ['balance', 'BTC/USDT'],
    ])
    expect(stage.mails.filter((mail) => mail.startsWith(`${poor} copy_skipped`))).toHaveLength(1)
    expect((await mine(poor)).list).toMatchObject([{ skipped: 2, open: 0, result: '0' }])
  })

  test('a position is copied once, however often and by however many nodes it is looked at', async () => {
    const { trader, uid } = await pair()
    await opens(trader, '10')
    await Promise.all(Array.from({ length: 6 }, (_, i) => stage.follows[i % 2]!.pass()))
    await stage.copied()
    expect(await copies(uid)).toHaveLength(1)
    expect(await stage.has(uid)).toBe('9873.75/0')
  })

  test('what was opened before, and what is opened after the end, is not copied; open copies stay copied', async () => {
    stage.tick('50000')
    const trader = await stage.trader()
    await opens(trader, '10')
    stage.tick('50000')
    const uid = await stage.customer('10000')
    await follows(uid, trader)
    const { id } = await opens(trader, '6')
    await stage.copied()
    expect((await copies(uid)).map((row) => row.lots)).toEqual(['3'])
    stage.tick('50000')
    expect(await stage.follow('follow.cancel', uid, { trader_user_id: String(trader) })).toMatchObject({ state: 'cancelled', open: 1 })
    expect(await refused(stage.follow('follow.cancel', uid, { trader_user_id: String(trader) }))).toBe('trader_unknown trader_user_id')
    await opens(trader, '8')
    await stage.copied()
    expect((await copies(uid)).map((row) => row.lots)).toEqual(['3'])
    await closes(trader, id)
    await stage.copied()
    expect(await copies(uid)).toEqual([])
    expect(await copies(uid, 'closed')).toMatchObject([{ close_reason: 'copied' }])
  })

  test('a copy that is held alone is left alone', async () => {
    const { trader, uid } = await pair()
    const { id } = await opens(trader, '10')
    await stage.copied()
    const [copy] = await copies(uid)
    const asked = { transaction_id: String(copy!.id) }
    expect(await refused(stage.follow('follow.selfHolding', trader, asked))).toBe('order_unknown transaction_id')
    expect(await stage.follow('follow.selfHolding', uid, asked, 'k')).toEqual({ id: copy!.id, status: 'open', copied: false })
    expect(await stage.follow('follow.selfHolding', uid, asked, 'k')).toEqual({ id: copy!.id, status: 'open', copied: false })
    expect(await refused(stage.follow('follow.selfHolding', uid, asked))).toBe('state_wrong')
    await closes(trader, id)
    await stage.copied()
    expect(await copies(uid)).toMatchObject([{ id: copy!.id, lots: '5', copied: false }])
    expect((await mine(uid)).open).toBe(0)
    await closes(uid, copy!.id)
    await stage.copied()
    expect(await copies(uid, 'closed')).toMatchObject([{ close_reason: 'user', copied: false }])
  })

  test('a copy that the customer has closed is not touched again', async () => {
    const { trader, uid } = await pair()
    const { id } = await opens(trader, '10')
    await stage.copied()
    await closes(uid, (await copies(uid))[0]!.id)
    const had = await stage.has(uid)
    await closes(trader, id)
    await stage.copied()
    expect(await stage.has(uid)).toBe(had)
    expect(await copies(uid, 'closed')).toMatchObject([{ close_reason: 'user' }])
  })

  test('losses that reach the stop end the following, and open copies stay', async () => {
    const { trader, uid } = await pair({ stop_loss: '50' })
    const [first, second] = [await opens(trader, '10'), await opens(trader, '4')]
    await stage.copied()
    stage.tick('49200')
    await closes(trader, first.id)
    await stage.copied()
    // 5 lots lost 40 and 2.48 of fees, the other two 16 so far.
    const [following] = (await mine(uid)).list
    expect(following).toMatchObject({ state: 'lost', open: 1, closed: 1, winning: 0, stop_loss: '50' })
    expect(stage.mails.filter((mail) => mail.startsWith(`${uid} copy_stopped`))).toHaveLength(1)
    await opens(trader, '10')
    await stage.copied()
    expect(await copies(uid)).toHaveLength(1)
    await closes(trader, second.id)
    await stage.copied()
    expect(await copies(uid)).toEqual([])
  })

  test('the stop counts at the prices of each look, and for the copies that are copied only', async () => {
    stage.tick('50000')
    const trader = await stage.trader()
    const [uid, alone, free] = [await stage.customer('10000'), await stage.customer('10000'), await stage.customer('10000')]
    for (const one of [uid, alone]) await follows(one, trader, { stop_loss: '50' })
    await follows(free, trader)
    await opens(trader, '10')
    await stage.copied()
    await stage.follow('follow.selfHolding', alone, { transaction_id: String((await copies(alone))[0]!.id) })
    const states = async () => Promise.all([uid, alone, free].map(async (one) => (await mine(one)).list[0]!.state))
    stage.tick('49500')
    await stage.copied()
    expect(await states()).toEqual(['active', 'active', 'active'])
    // 5 lots have lost 60 at this price, and 20 at the next one.
    stage.tick('48800')
    await Promise.all(stage.follows.map((node) => node.pass()))
    await stage.copied()
    stage.tick('49600')
    await opens(trader, '10')
    await stage.copied()
    expect(await states()).toEqual(['lost', 'active', 'active'])
    expect((await mine(uid)).list).toMatchObject([{ open: 1, closed: 0, skipped: 0 }])
    expect(stage.mails.filter((mail) => mail.includes(' copy_stopped ') && mail.startsWith(`${uid} `))).toHaveLength(1)
    expect(await copies(free)).toHaveLength(2)
  })

  test('what a node did not hear of is found by the next look, and what is old is not copied any more', async () => {
    const { trader, uid } = await pair()
    stage.setAdmits(false)
    await opens(trader, '10')
    await stage.copied()
    expect(await copies(uid)).toEqual([])
    expect((await mine(uid)).skipped).toEqual([])
    stage.setAdmits(true)
    await stage.copied()
    expect(await copies(uid)).toHaveLength(1)
    stage.setAdmits(false)
    await opens(trader, '10')
    await stage.copied()
    stage.setAdmits(true)
    stage.tick('50000', 'BTCUSDT', followLimits.lateMs + 1)
    await stage.copied()
    expect(await copies(uid)).toHaveLength(1)
    expect((await mine(uid)).skipped.map((row) => row.reason)).toEqual(['late'])
  })

  test('a frozen account copies nothing', async () => {
    const { trader, uid } = await pair()
    stage.frozen.add(uid)
    await opens(trader, '10')
    await stage.copied()
    expect(await copies(uid)).toEqual([])
    expect((await mine(uid)).skipped.map((row) => row.reason)).toEqual(['frozen'])
    expect(await refused(stage.follow('follow.apply', uid, { nickname: 'Ann', introduction: 'x' }))).toBe('account_frozen')
  })

  test('nobody copies themselves, a trader copies nobody, and nobody twice', async () => {
    const { trader, uid } = await pair()
    const other = await stage.trader()
    expect(await refused(follows(trader, trader))).toBe('trader_self trader_user_id')
    expect(await refused(follows(trader, other))).toBe('trader_follows')
    expect(await refused(follows(uid, trader))).toBe('trader_followed trader_user_id')
    expect(await refused(follows(uid, 1))).toBe('trader_unknown trader_user_id')
    expect(await refused(stage.follow('follow.apply', uid, { nickname: 'Ann', introduction: 'x' }))).toBe('trader_follows')
    const applicant = await stage.customer('0')
    await stage.follow('follow.apply', applicant, { nickname: 'Applicant', introduction: ' x ' })
    expect(await refused(follows(applicant, trader))).toBe('trader_follows')
    expect(await refused(stage.follow('follow.apply', applicant, { nickname: 'Other', introduction: 'x' }))).toBe('trader_already')
    const named = await stage.customer('0')
    expect(await refused(stage.follow('follow.apply', named, { nickname: 'applicant', introduction: 'x' }))).toBe(
      'trader_name_taken nickname',
    )
    expect(await refused(stage.follow('follow.apply', named, { nickname: '<b>', introduction: 'x' }))).toBe('nickname_wrong nickname')
    expect(await refused(stage.follow('follow.apply', named, { nickname: 'Ann', introduction: ' ' }))).toBe(
      'parameter_missing introduction',
    )
  })

  test.each<[Record<string, string>, string]>([
    [{ number: '0' }, 'size_wrong number'],
    [{ number: '0.001' }, 'size_wrong number'],
    [{ number: '-1' }, 'size_wrong number'],
    [{ stop_loss: '0' }, 'amount_wrong stop_loss'],
    [{ stop_loss: 'all' }, 'amount_wrong stop_loss'],
  ])('no following with %j', async (over, answer) => {
    stage.tick('50000')
    const [trader, uid] = [await stage.trader(), await stage.customer('0')]
    expect(await refused(follows(uid, trader, over))).toBe(answer)
    expect((await mine(uid)).list).toEqual([])
  })

  test('a following begins once for its key, and can begin again after its end', async () => {
    stage.tick('50000')
    const [trader, uid] = [await stage.trader(), await stage.customer('0')]
    const begun = await follows(uid, trader, {}, 'k')
    expect(begun).toMatchObject({ trader_user_id: trader, follow_user_id: uid, type: 'multiple' })
    const of = stage.database.db.selectFrom('follow').select('agreed').where('id', '=', begun.id)
    expect(await of.executeTakeFirst()).toEqual({ agreed: stage.now() })
    expect(await follows(uid, trader, {}, 'k')).toEqual(begun)
    expect(await refused(follows(uid, trader, { number: '2' }, 'k'))).toBe('key_reused')
    await stage.follow('follow.cancel', uid, { trader_user_id: String(trader) })
    expect(await follows(uid, trader, { type: 'lots', number: '2', stop_loss: '' })).toMatchObject({
      type: 'lots',
      number: '2',
      stop_loss: null,
    })
    expect((await mine(uid)).list.map(({ state }) => state)).toEqual(['active', 'cancelled'])
  })

  test('figures of a trader are those of the hour', async () => {
    const { trader } = await pair()
    const detail = () => stage.follow('follow.traderDetail', 0, { trader_user_id: String(trader) })
    expect(await detail()).toMatchObject({ followers: 0, closed: 0, accuracy: null, profit: '0', curve: [] })
    const [won, lost, third] = [await opens(trader, '10'), await opens(trader, '10'), await opens(trader, '10')]
    stage.tick('51000')
    await closes(trader, won.id)
    stage.tick('49000')
    await closes(trader, lost.id)
    stage.tick('52000')
    await closes(trader, third.id)
    await opens(trader, '1')
    await stage.follows[0]!.statistics()
    expect(await detail()).toMatchObject({ closed: 0 })
    stage.tick('52000', 'BTCUSDT', hourMs)
    await stage.follows[0]!.statistics()
    const now = await detail()
    expect(now).toMatchObject({ followers: 1, closed: 3, winning: 2, losing: 1, accuracy: '0.6666', profit: '184.9', open: 1 })
    expect(now).toMatchObject({ best: '194.9', worst: '-104.95', refreshed: stage.now(), curve: [{ value: '184.9' }] })
    const { list, total } = await stage.follow('follow.historyTrade', 0, { trader_user_id: String(trader) })
    expect([total, list.map((row) => row.result)]).toEqual([3, ['194.9', '-104.95', '94.95']])
    expect(await refused(stage.follow('follow.historyTrade', 0, { trader_user_id: '1' }))).toBe('trader_unknown trader_user_id')
  })

  test('positions that a trader once copied are in neither the figures nor the list', async () => {
    const { trader, uid } = await pair()
    const { id } = await opens(trader, '10')
    await stage.copied()
    const [copy] = await copies(uid)
    stage.tick('51000')
    await closes(trader, id)
    await stage.copied()
    const own = await opens(uid, '2')
    await closes(uid, own.id)
    const row = { uid, nickname: `Once ${uid}`, introduction: 'I copied before' }
    await stage.database.transaction(async (tx) => {
      await createFollowStore(stage.database).accept(tx, row, stage.now())
      await createFollowStore(stage.database).refresh(uid, { at: stage.now(), open_profit: '0' }, tx)
    })
    const { list, total } = await stage.follow('follow.historyTrade', 0, { trader_user_id: String(uid) })
    expect([total, list.map((position) => position.id)]).toEqual([1, [own.id]])
    expect(list).not.toContainEqual(expect.objectContaining({ id: copy!.id }))
    expect(await stage.follow('follow.traderDetail', 0, { trader_user_id: String(uid) })).toMatchObject({ closed: total })
  })

  test('traders are sorted and chosen by their figures', async () => {
    const ids = [await stage.trader(), await stage.trader(), await stage.trader()]
    const set = async (uid: number, of: { profit: string; closed: number; winning: number; followers: number }) =>
      database().updateTable('trader').set(of).where('uid', '=', uid).execute()
    const database = () => stage.database.db
    await set(ids[0]!, { profit: '900000', closed: 10, winning: 6, followers: 1_001 })
    await set(ids[1]!, { profit: '800000', closed: 4, winning: 4, followers: 1_003 })
    await set(ids[2]!, { profit: '-5', closed: 100, winning: 99, followers: 1_002 })
    const found = async (fields: Record<string, string>) =>
      (await stage.follow('follow.index', 0, { size: '100', ...fields })).list
        .map((row) => ids.indexOf(row.trader_user_id))
        .filter((at) => at >= 0)
    expect(await found({})).toEqual([0, 1, 2])
    expect(await found({ sort: 'accuracy' })).toEqual([1, 2, 0])
    expect(await found({ sort: 'followers' })).toEqual([1, 2, 0])
    expect(await found({ gaining: '1' })).toEqual([0, 1])
    expect(await found({ accuracy: '60', closed: '5' })).toEqual([0, 2])
    expect(await found({ accuracy: '61' })).toEqual([1, 2])
    expect(await found({ search: '%' })).toEqual([])
    expect(await refused(stage.follow('follow.index', 0, { page: '100000' }))).toBe('range_too_wide page')
  })

  test('programs open after a move, close after a quarter hour, and are copied; another node does nothing twice', async () => {
    const [node, other] = stage.follows
    const looks = () => node!.programs()
    stage.tick('50000')
    await looks()
    await other!.programs()
    const trend = stage.database.db.selectFrom('trader').select('uid').where('nickname', '=', 'Trend (demo)')
    const { uid: trader } = await trend.executeTakeFirstOrThrow()
    const uid = await stage.customer('10000')
    await follows(uid, trader)
    stage.tick('50100', 'BTCUSDT', 60_000)
    await looks()
    await other!.programs()
    await stage.copied()
    expect(await copies(uid)).toMatchObject([{ side: 'long', lots: '2.5', multiple: 20, open_price: '50100' }])
    stage.tick('50050', 'BTCUSDT', programTimes.heldMs)
    await looks()
    await stage.copied()
    expect(await copies(uid)).toEqual([])
    stage.tick('50000', 'BTCUSDT', 60_000)
    await looks()
    await stage.copied()
    expect(await copies(uid)).toMatchObject([{ side: 'short', lots: '2.5', open_price: '50000' }])
    const of = stage.database.db.selectFrom('lever_position').select(['side', 'state', 'close_reason']).where('uid', '=', trader)
    expect(await of.orderBy('id').execute()).toEqual([
      { side: 'long', state: 'closed', close_reason: 'user' },
      { side: 'short', state: 'open', close_reason: null },
    ])
    await expectSoundMoney(stage.database)
  })

  test('all money is accounted for', async () => {
    await stage.copied()
    await expectSoundMoney(stage.database)
  })
})
