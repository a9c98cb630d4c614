import { afterEach, beforeEach, expect, test } from 'vitest'
import { leverLimits } from '#api-server/lever/lever.rules.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type LeverStage, openLeverStage } from '#tests/support/databases/lever-stage.ts'
import { noticesOf } from '#tests/support/databases/notices.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'

/** A Tuesday; New York opens at 09:30, and closes at 16:00 in the afternoon before. */
const opens = Date.parse('2026-12-01T14:30:00Z')
const eveningBefore = Date.parse('2026-11-30T19:00:00Z')
const symbol = 'AAPLUSDT'

onEngines('positions that are closed at the opening', (engine) => {
  let stage: LeverStage
  beforeEach(async () => {
    stage = await openLeverStage(engine, { nodes: engine.name === 'pglite' ? 1 : 2, startAt: eveningBefore })
    stage.tick('200', symbol)
    await stage.started()
  })
  afterEach(async () => {
    try {
      await stage.settled()
      await expectSoundMoney(stage.database)
    } finally {
      await stage.stop()
    }
  })

  /** A long position of a customer with 1,000, opened before the market closes. */
  async function held(over: Record<string, string> = {}) {
    const uid = await stage.customer('1000')
    const order = { match_id: symbol, side: 'long', lots: '10', multiple: '5', ...over }
    const { id } = await stage.call('lever.orderOpen', uid, order)
    return { uid, id: String(id) }
  }
  const night = () => stage.tick('199', symbol, Date.parse('2026-11-30T21:30:00Z') - stage.now())
  const morning = (price: string) => stage.tick(price, symbol, opens + 1_000 - stage.now())
  const request = (uid: number, id: string, wanted = '1') => stage.call('lever.closeAtOpening', uid, { id, wanted })
  const position = (uid: number, id: string) => stage.call('lever.order', uid, { id })

  test('the first price after the opening closes them, and none before', async () => {
    const { uid, id } = await held()
    night()
    expect(await refused(stage.call('lever.close', uid, { id }))).toBe('market_closed')
    expect(await request(uid, id)).toMatchObject({ status: 'open', closes_at_opening: true, rev: 2 })
    expect(await request(uid, id)).toMatchObject({ rev: 2 })
    expect(stage.announced).toContain(`positions update ${id} open`)
    stage.tick('150', symbol, opens - stage.now() - 60_000)
    await stage.settled()
    expect(await position(uid, id)).toMatchObject({ status: 'open', closes_at_opening: true })
    morning('205')
    stage.tick('300', symbol)
    await stage.settled()
    expect(await position(uid, id)).toMatchObject({ status: 'closed', close_price: '205', close_reason: 'user', closes_at_opening: false })
    expect(await noticesOf(stage.database, uid)).toEqual(['closed_at_opening 47.577 205'])
    const { list } = await stage.call('lever.history', uid)
    expect(list).toMatchObject([{ position_id: Number(id), price: '205', profit: '50', lots_left: '0', reason: 'user' }])
  })

  test('what is taken back stays open', async () => {
    const { uid, id } = await held()
    night()
    await request(uid, id)
    expect(await request(uid, id, '0')).toMatchObject({ closes_at_opening: false })
    morning('205')
    await stage.settled()
    expect(await position(uid, id)).toMatchObject({ status: 'open' })
  })

  test('a stop loss or the liquidation that the first price has passed is the reason', async () => {
    const [stopped, ruined] = [await held({ stop_loss_price: '190' }), await held()]
    night()
    for (const { uid, id } of [stopped, ruined]) await request(uid, id)
    morning('150')
    await stage.settled()
    expect(await position(stopped.uid, stopped.id)).toMatchObject({ close_reason: 'stop_loss', close_price: '150' })
    expect(await position(ruined.uid, ruined.id)).toMatchObject({ close_reason: 'liquidated', close_price: '150' })
  })

  test('a node that begins after the opening closes them at the price of the opening', async () => {
    const { uid, id } = await held()
    night()
    await request(uid, id)
    for (const lever of stage.levers) await lever.stop()
    morning('205')
    stage.tick('210', symbol)
    await stage.started()
    await stage.settled()
    expect(await position(uid, id)).toMatchObject({ status: 'closed', close_price: '205', close_reason: 'user' })
  })

  test('it is for open positions of a market that is closed and not halted', async () => {
    const { uid, id } = await held()
    expect(await refused(request(uid, id))).toBe('state_wrong')
    night()
    expect(await refused(request(await stage.customer(), id))).toBe('order_unknown id')
    const order = { match_id: symbol, side: 'long', lots: '1', multiple: '5', outside_hours: 'queue' }
    const waiting = await stage.call('lever.orderOpen', uid, order)
    expect(await refused(request(uid, String(waiting.id)))).toBe('state_wrong')
    await stage.halt(symbol, true)
    expect(await refused(request(uid, id))).toBe('market_halted')
    await stage.halt(symbol, false)
    await request(uid, id)
    morning('205')
    await stage.settled()
    expect(await refused(request(uid, id, '0'))).toBe('state_wrong')
  })

  test('a part that is closed after the opening leaves the rest to the next price', async () => {
    const { uid, id } = await held()
    night()
    await request(uid, id)
    stage.later(opens + 1_000 - stage.now())
    // Open by the clock, and no price has come yet: the last one is too old to close at.
    expect(await refused(stage.call('lever.close', uid, { id, lots: '4' }))).toBe('price_stale')
    stage.tick('205', symbol)
    await stage.settled()
    expect(await position(uid, id)).toMatchObject({ status: 'closed', close_price: '205' })
  })

  test.each([
    ['a take profit', { target_profit_price: '205' }, '210'],
    ['a stop loss', { stop_loss_price: '195' }, '190'],
  ])('an order that waits for the opening is cancelled where the price has passed %s by then', async (_what, exits, price) => {
    const uid = await stage.customer('1000')
    night()
    const order = { match_id: symbol, side: 'long', lots: '10', multiple: '5', outside_hours: 'queue', ...exits }
    const { id } = await stage.call('lever.orderOpen', uid, order)
    morning(price)
    stage.tick(price, symbol)
    await stage.settled()
    expect(await position(uid, String(id))).toMatchObject({ status: 'cancelled', cancel_reason: 'price', held: '0', fee: '0' })
    expect(await stage.has(uid)).toBe('1000/0')
  })

  test('waiting orders count against the most positions, because they become some', async () => {
    const before = leverLimits.rowsMax
    Object.assign(leverLimits, { rowsMax: 3 })
    try {
      const uid = await stage.customer('1000')
      const order = { match_id: symbol, side: 'long', lots: '1', multiple: '5' }
      const limit = { ...order, type: 'limit', price: '150' }
      for (const one of [order, limit, limit]) await stage.call('lever.orderOpen', uid, one)
      for (const one of [order, limit]) expect(await refused(stage.call('lever.orderOpen', uid, one))).toBe('too_many_open')
    } finally {
      Object.assign(leverLimits, { rowsMax: before })
    }
  })
})
