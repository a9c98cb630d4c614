import { afterEach, beforeEach, expect, test } from 'vitest'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type LeverStage, openLeverStage } from '#tests/support/databases/lever-stage.ts'
import { noticesOf } from '#tests/support/databases/notices.ts'

onEngines('notices of contracts', (engine) => {
  let stage: LeverStage
  beforeEach(async () => {
    stage = await openLeverStage(engine, { nodes: engine.name === 'pglite' ? 1 : 2 })
    stage.tick('50000')
    await stage.started()
  })
  afterEach(() => stage.stop())

  const open = (uid: number, over: Record<string, string> = {}) =>
    stage.call('lever.orderOpen', uid, { match_id: 'BTCUSDT', side: 'long', lots: '10', multiple: '20', ...over })

  test.each<[string, Record<string, string>, string, string[]]>([
    ['take profit', { target_profit_price: '51000' }, '51000', ['take_profit 94.95 51000']],
    ['stop loss', { stop_loss_price: '49000' }, '49000', ['stop_loss -104.95 49000']],
    ['liquidation', {}, '47738.69', ['liquidated -252.5 47738.69']],
    ['a limit that is reached', { type: 'limit', price: '49000' }, '48900', ['order_filled 48900']],
    ['a limit that is not reached', { type: 'limit', price: '48000' }, '48900', []],
  ])('%s is told once, whichever node acts', async (_says, over, price, notices) => {
    const uid = await stage.customer('1000')
    await open(uid, over)
    stage.tick(price)
    await stage.settled()
    expect(await noticesOf(stage.database, uid)).toEqual(notices)
  })

  test('an order at the opening that cannot be paid tells why', async () => {
    const [poor, strict] = [await stage.customer('400.1'), await stage.customer('1000')]
    stage.tick('200', 'AAPLUSDT', Date.parse('2026-12-01T14:00:00Z') - stage.now())
    const order = { match_id: 'AAPLUSDT', lots: '9.95', multiple: '5', outside_hours: 'queue' }
    await open(poor, order)
    await open(strict, { ...order, worst_price: '200.5' })
    stage.tick('201', 'AAPLUSDT', Date.parse('2026-12-01T14:30:00Z') - stage.now())
    await stage.settled()
    expect(await noticesOf(stage.database, poor)).toEqual(['order_cancelled_balance'])
    expect(await noticesOf(stage.database, strict)).toEqual(['order_cancelled_price'])
  })

  test('customers are not told of what they press themselves', async () => {
    const uid = await stage.customer('2000')
    const { id } = await open(uid)
    await open(uid, { type: 'limit', price: '50100' })
    const waiting = await open(uid, { type: 'limit', price: '49000' })
    await stage.call('lever.cancel', uid, { id: String(waiting.id) })
    await stage.call('lever.close', uid, { id: String(id) })
    await stage.settled()
    expect(await noticesOf(stage.database, uid)).toEqual([])
  })
})
