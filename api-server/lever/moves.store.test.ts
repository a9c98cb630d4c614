import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { expectFiredAsTheLogSays } from '#tests/support/databases/lever-scan.ts'
import { holdRow, type LeverStage, openLeverStage, waitingFor } from '#tests/support/databases/lever-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'

const limit = { match_id: 'BTCUSDT', side: 'long', type: 'limit', lots: '10', multiple: '20', price: '49000' }

onEngines('waiting orders that are moved', (engine) => {
  let stage: LeverStage
  beforeEach(async () => {
    stage = await openLeverStage(engine, { nodes: engine.name === 'pglite' ? 1 : 2 })
    stage.tick('50000')
  })
  afterEach(async () => {
    try {
      await stage.settled()
      await expectFiredAsTheLogSays(stage.database)
      await expectSoundMoney(stage.database)
    } finally {
      await stage.stop()
    }
  })

  /** An order of a customer with 1,000. */
  async function placed(over: Record<string, string> = {}, amount = '1000') {
    const uid = await stage.customer(amount)
    return { uid, id: String((await stage.call('lever.orderOpen', uid, { ...limit, ...over })).id) }
  }
  const move = (uid: number, id: string, price: string, key?: string) => stage.call('lever.orderMove', uid, { id, price }, key)
  /** Nothing is posted until it is freed. */
  async function holdLedger() {
    let wake = () => {}
    const freed = new Promise<void>((done) => {
      wake = done
    })
    let held: Promise<void> = Promise.resolve()
    await new Promise<void>((locked, failed) => {
      held = stage.database.transaction(async (tx) => {
        await sql`lock table ledger_event in share mode`.execute(tx)
        locked()
        await freed
      })
      held.catch(failed)
    })
    return {
      async free() {
        wake()
        await held
      },
    }
  }
  const order = (uid: number, id: string) => stage.call('lever.order', uid, { id })

  test('it holds what it costs at the new price, once for its key, and is filled there', async () => {
    await stage.started()
    const { uid, id } = await placed()
    expect(await stage.has(uid)).toBe('752.55/247.45')
    const moved = await move(uid, id, '48000', 'm1')
    expect(moved).toMatchObject({ id: Number(id), status: 'entrust', price: '48000', held: '242.4', rev: 2 })
    expect(await move(uid, id, '48000', 'm1')).toEqual(moved)
    expect(await refused(move(uid, id, '48001', 'm1'))).toBe('key_reused')
    expect(await stage.has(uid)).toBe('757.6/242.4')
    // At its own price it stays as it is.
    expect(await move(uid, id, '48000.00')).toMatchObject({ rev: 2 })
    expect(await move(uid, id, '49500')).toMatchObject({ price: '49500', held: '249.975', rev: 3 })
    expect(await stage.has(uid)).toBe('750.025/249.975')
    await move(uid, id, '48500')
    stage.tick('48500.01')
    await stage.settled()
    expect(await order(uid, id)).toMatchObject({ status: 'entrust' })
    stage.tick('48500')
    await stage.settled()
    expect(await order(uid, id)).toMatchObject({ status: 'open', price: '48500', open_price: '48500', margin: '242.5', fee: '2.425' })
    expect(await refused(move(uid, id, '48000'))).toBe('state_wrong')
    expect(stage.announced.filter((one) => one.endsWith('entrust')).map((one) => one.split(' ')[1])).toEqual([
      'insert',
      ...Array(3).fill('update'),
    ])
  })

  test('twenty at once with one key move it once', async () => {
    const { uid, id } = await placed()
    const moved = await Promise.all(Array.from({ length: 20 }, () => move(uid, id, '48000', 'same')))
    expect(new Set(moved.map(({ rev }) => rev))).toEqual(new Set([2]))
    expect(await stage.has(uid)).toBe('757.6/242.4')
  })

  test.each<[string, Record<string, string>, string, object]>([
    ['long', {}, '50100', { open_price: '50000', margin: '250', fee: '2.5' }],
    ['short', { side: 'short', price: '51000' }, '49900', { open_price: '50000', margin: '250', fee: '2.5' }],
  ])('one that is moved beyond the market is filled at once, as when it is placed there: %s', async (_says, over, price, filled) => {
    const { uid, id } = await placed(over)
    expect(await move(uid, id, price, 'm')).toMatchObject({ status: 'open', held: '0', ...filled })
    expect(await move(uid, id, price, 'm')).toMatchObject({ status: 'open' })
    expect(await stage.has(uid)).toBe('747.5/0')
  })

  test.each<[string, Record<string, string>, string, string]>([
    ['a price between the steps', {}, '48000.001', 'price_wrong price'],
    ['no number', {}, '1e4', 'price_wrong price'],
    ['nothing', {}, '0', 'price_wrong price'],
    ['more than there is', { lots: '39' }, '49999', 'insufficient_balance'],
    ['more than there is, at once', { lots: '39', price: '48000' }, '50100', 'insufficient_balance'],
    ['below its stop loss', { stop_loss_price: '48500' }, '48500', 'stop_price_wrong stop_loss_price'],
    ['above its take profit', { target_profit_price: '49500' }, '49600', 'stop_price_wrong target_profit_price'],
  ])('no move: %s', async (_says, over, price, answer) => {
    const { uid, id } = await placed(over, '970')
    const [before, has] = [await order(uid, id), await stage.has(uid)]
    expect(await refused(move(uid, id, price, 'm'))).toBe(answer)
    expect(await order(uid, id)).toEqual(before)
    expect(await stage.has(uid)).toBe(has)
  })

  test('only the customer moves it, while it waits at a limit and the account is not frozen', async () => {
    const { uid, id } = await placed()
    expect(await refused(move(await stage.customer(), id, '48000'))).toBe('order_unknown id')
    stage.statuses.set(uid, 'frozen')
    expect(await refused(move(uid, id, '48000'))).toBe('account_frozen')
    stage.statuses.delete(uid)
    const { id: position } = await stage.call('lever.orderOpen', uid, { ...limit, type: 'market', price: '' })
    expect(await refused(move(uid, String(position), '48000'))).toBe('state_wrong')
    await stage.call('lever.cancel', uid, { id })
    expect(await refused(move(uid, id, '48000'))).toBe('state_wrong')
    stage.tick('200', 'AAPLUSDT', Date.parse('2026-12-01T14:00:00Z') - stage.now())
    const queued = { match_id: 'AAPLUSDT', side: 'long', lots: '1', multiple: '5', outside_hours: 'queue' }
    const { id: opening } = await stage.call('lever.orderOpen', uid, queued)
    expect(await refused(move(uid, String(opening), '190'))).toBe('state_wrong')
  })

  test('ticks before the move count for the old price, and for it alone, though nobody acts on them yet', async () => {
    const [reached, passed] = [await placed(), await placed({ price: '47000' })]
    stage.tick('48990')
    stage.tick('50000')
    expect(await refused(move(reached.uid, reached.id, '47000'))).toBe('state_wrong')
    expect(await move(passed.uid, passed.id, '49500')).toMatchObject({ status: 'entrust' })
    await stage.started()
    await stage.settled()
    expect(await order(reached.uid, reached.id)).toMatchObject({ status: 'open', open_price: '48990' })
    expect(await order(passed.uid, passed.id)).toMatchObject({ status: 'entrust', price: '49500' })
    stage.tick('49500')
    await stage.settled()
    expect(await order(passed.uid, passed.id)).toMatchObject({ status: 'open', open_price: '49500' })
  })

  test.skipIf(engine.name === 'pglite')('a node that has not heard of the move never fills it at the old price', async () => {
    await stage.levers[0]!.start()
    await expect.poll(() => stage.levers[0]!.runner.isLive()).toBe(true)
    const { uid, id } = await placed()
    await expect.poll(() => stage.levers[0]!.counts().watched).toBe(1)
    await stage.callAt(1, 'lever.orderMove', uid, { id, price: '48000' })
    // It has the old price in memory, and looks at the row again.
    stage.tick('48990')
    await stage.settled()
    expect(await order(uid, id)).toMatchObject({ status: 'entrust', price: '48000' })
    stage.tick('47990')
    await stage.settled()
    expect(await order(uid, id)).toMatchObject({ status: 'open', open_price: '47990' })
  })

  test.skipIf(engine.name === 'pglite')('a tick while the move waits for the row fills the order at the old price', async () => {
    await stage.levers[0]!.start()
    await expect.poll(() => stage.levers[0]!.runner.isLive()).toBe(true)
    const { uid, id } = await placed()
    const held = await holdRow(stage.database, Number(id))
    // The other node is the first to get the row.
    const asked = refused(stage.callAt(1, 'lever.orderMove', uid, { id, price: '48000' }))
    await waitingFor(stage.database, 1)
    stage.tick('48990')
    stage.tick('50000')
    await waitingFor(stage.database, 2)
    await held.free()
    expect(await asked).toBe('state_wrong')
    await expect.poll(() => order(uid, id)).toMatchObject({ status: 'open', price: '49000', open_price: '48990' })
  })

  test.skipIf(engine.name === 'pglite')('a tick between the decision and the commit never fills it at the old price', async () => {
    await stage.levers[0]!.start()
    await expect.poll(() => stage.levers[0]!.runner.isLive()).toBe(true)
    const { uid, id } = await placed()
    const held = await holdLedger()
    const asked = stage.callAt(1, 'lever.orderMove', uid, { id, price: '48000' })
    await waitingFor(stage.database, 1)
    stage.tick('48990')
    await waitingFor(stage.database, 2)
    await held.free()
    expect(await asked).toMatchObject({ status: 'entrust', price: '48000' })
    await stage.settled()
    expect(await order(uid, id)).toMatchObject({ status: 'entrust', price: '48000' })
    stage.tick('48000')
    await stage.settled()
    expect(await order(uid, id)).toMatchObject({ status: 'open', open_price: '48000' })
  })
})
