import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type LeverStage, openLeverStage } from '#tests/support/databases/lever-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'

const opening = { match_id: 'BTCUSDT', lots: '10', multiple: '20' }
const dayMs = 86_400_000

onEngines('contracts', (engine) => {
  let stage: LeverStage
  beforeAll(async () => {
    stage = await openLeverStage(engine)
    await stage.started()
  })
  afterAll(() => stage.stop())

  const open = (uid: number, over: Record<string, string> = {}, key?: string) =>
    stage.call('lever.orderOpen', uid, { ...opening, side: 'long', ...over }, key)
  const list = async (uid: number, status = 'position') => (await stage.call('lever.orderList', uid, { status })).list
  const one = async (uid: number, status = 'position') => (await list(uid, status))[0]
  /** A position at 50,000 of a customer with 1,000. */
  async function positioned(over: Record<string, string> = {}, amount = '1000') {
    stage.tick('50000')
    const uid = await stage.customer(amount)
    return { uid, id: String((await open(uid, over)).id) }
  }

  test('the example of the domain rules, long, to the last digit, once for its key', async () => {
    stage.tick('50000')
    const uid = await stage.customer('1000')
    const position = await open(uid, { price: '50000' }, 'k1')
    expect(position).toMatchObject({
      status: 'open',
      list: 'position',
      open_price: '50000',
      margin: '250',
      fee: '2.5',
      liquidation_price: '47738.69',
      result: '-2.5',
    })
    expect(await open(uid, { price: '50000' }, 'k1')).toEqual(position)
    expect(await refused(open(uid, { price: '50000', lots: '9' }, 'k1'))).toBe('key_reused')
    expect(await stage.has(uid)).toBe('747.5/0')
    stage.tick('51000')
    expect(await stage.call('lever.dealall', uid)).toMatchObject({
      margin: '250',
      unrealised: '100',
      risk_rate: '4.39',
      equity: '1097.5',
      list: [{ unrealised: '100', margin_ratio: '13.7255' }],
    })
    const closed = await stage.call('lever.close', uid, { id: String(position.id) }, 'k2')
    expect(closed).toMatchObject({ fee: '2.55', back: '347.45', profit: '100', result: '94.95', lots_left: '0', reason: 'user' })
    expect(await stage.call('lever.close', uid, { id: String(position.id) }, 'k2')).toEqual(closed)
    expect(await refused(stage.call('lever.close', uid, { id: String(position.id) }, 'k3'))).toBe('state_wrong')
    expect(await stage.has(uid)).toBe('1094.95/0')
    expect(await one(uid, 'history')).toMatchObject({ status: 'closed', result: '94.95', margin: '0', close_price: '51000' })
  })

  test('the example, short, closed by parts', async () => {
    const { uid, id } = await positioned({ side: 'short' })
    expect(await one(uid)).toMatchObject({ liquidation_price: '52238.81' })
    stage.tick('49000')
    const part = { lots: '4', lots_left: '6', margin: '100', profit: '40', fee: '0.98', back: '139.02' }
    expect(await stage.call('lever.close', uid, { id, lots: '4' })).toMatchObject(part)
    expect(await one(uid)).toMatchObject({ lots: '6', margin: '150', liquidation_price: '52238.81', status: 'open', profit: '40' })
    expect(await refused(stage.call('lever.close', uid, { id, lots: '6.01' }))).toBe('size_wrong lots')
    expect(await stage.call('lever.close', uid, { id, lots: '6.00' })).toMatchObject({ back: '208.53', lots_left: '0' })
    expect(await stage.call('lever.order', uid, { id })).toMatchObject({ status: 'closed', lots: '10' })
    expect(await stage.has(uid)).toBe('1095.05/0')
    expect((await stage.call('lever.history', uid)).total).toBe(2)
  })

  test('two nights of the example, each charged once and at its own price; the liquidation price moves', async () => {
    const { uid, id } = await positioned()
    stage.tick('50500')
    const midnight = Math.ceil(stage.now() / dayMs) * dayMs
    stage.tick('50500', 'BTCUSDT', midnight - 1_000 - stage.now())
    stage.later(2_000)
    await stage.lever.runner.look()
    await stage.lever.runner.look()
    expect(await one(uid)).toMatchObject({ margin: '248.99', overnight: '1.01' })
    stage.tick('51000', 'BTCUSDT', dayMs - 10_000)
    stage.later(20_000)
    await stage.lever.runner.look()
    expect(await one(uid)).toMatchObject({ margin: '247.97', overnight: '2.03', liquidation_price: '47759.1' })
    // A clock that is set back charges nothing twice, and one that leaps over three nights skips none.
    stage.later(-dayMs)
    await stage.lever.runner.look()
    stage.later(4 * dayMs)
    await stage.lever.runner.look()
    const nights = await stage.database.db
      .selectFrom('lever_overnight')
      .selectAll()
      .where('position_id', '=', Number(id))
      .orderBy('night')
      .execute()
    expect(nights.map(({ night, fee }) => `${(night - midnight) / dayMs} ${fee}`)).toEqual([
      '0 1.01',
      '1 1.02',
      '2 1.02',
      '3 1.02',
      '4 1.02',
    ])
    stage.tick('51000')
    expect(await stage.call('lever.close', uid, { id })).toMatchObject({ reason: 'user' })
  })

  test('a night that is over is paid before a position is closed', async () => {
    const { uid, id } = await positioned()
    stage.tick('50000', 'BTCUSDT', dayMs)
    expect(await stage.call('lever.close', uid, { id })).toMatchObject({ margin: '249' })
  })

  test('a night without a fee moves no money and is counted once', async () => {
    await stage.setTerms({ overnight_rate: '0' })
    const { uid, id } = await positioned()
    await stage.setTerms({ overnight_rate: '0.0002' })
    stage.tick('50000', 'BTCUSDT', 2 * dayMs)
    expect(await stage.call('lever.close', uid, { id })).toMatchObject({ margin: '250', result: '-5', lots_left: '0' })
    expect((await stage.call('lever.history', uid)).list).toMatchObject([{ overnight: '0' }])
  })

  test('a price that reaches the liquidation price of after the night closes the position, though a later one reached that of before', async () => {
    const { uid } = await positioned()
    stage.tick('47745', 'BTCUSDT', dayMs)
    stage.tick('47730')
    await stage.settled()
    expect((await stage.call('lever.history', uid)).list).toMatchObject([{ reason: 'liquidated', price: '47745', margin: '249' }])
    const { rows } = await stage.balances.statement(uid, { account: 'lever' }, { offset: 0, size: 2 })
    const lines = rows.map(({ kind, part, amount }) => `${kind} ${part} ${Number(amount)}`)
    expect(lines).toEqual(['lever_liquidate margin -249', 'lever_overnight margin -1'])
  })

  test.each<[string, Record<string, string>, string[], string, object]>([
    ['take profit, long', { target_profit_price: '51000' }, ['50999.99', '51000.01', '52000'], 'take_profit', { price: '51000.01' }],
    ['take profit, short', { side: 'short', target_profit_price: '49000' }, ['49000'], 'take_profit', { price: '49000', profit: '100' }],
    ['stop loss, long', { stop_loss_price: '49000' }, ['49000.01', '48990'], 'stop_loss', { price: '48990', profit: '-101' }],
    ['stop loss, short', { side: 'short', stop_loss_price: '51000' }, ['51000'], 'stop_loss', { profit: '-100' }],
    ['liquidation, long', {}, ['47738.7', '47738.69', '60000'], 'liquidated', { price: '47738.69', back: '0', fee: '2.3869345' }],
    ['liquidation, short', { side: 'short' }, ['52238.8', '52238.81'], 'liquidated', { price: '52238.81', back: '0' }],
    ['a stop that a gap has passed', { stop_loss_price: '49000' }, ['47000'], 'stop_loss', { back: '0', insurance: '-50', fee: '0' }],
    ['a stop beyond the liquidation', { stop_loss_price: '47000' }, ['46000'], 'liquidated', { insurance: '-150', margin: '250' }],
  ])('%s', async (_says, over, ticks, reason, close) => {
    const { uid } = await positioned(over)
    for (const [at, price] of ticks.entries()) {
      stage.tick(price)
      if (at === 0 && ticks.length > 1) expect(await list(uid)).toHaveLength(1)
    }
    await stage.settled()
    expect(await list(uid)).toEqual([])
    expect(await one(uid, 'history')).toMatchObject({ close_reason: reason, liquidation_price: null })
    const { list: closes } = await stage.call('lever.history', uid)
    expect(closes).toMatchObject([{ reason, ...close }])
    await expectSoundMoney(stage.database)
  })

  test('an order waits with its money frozen, is filled at the limit or better, and gives back what it did not need', async () => {
    stage.tick('50000')
    const uid = await stage.customer('1000')
    const order = await open(uid, { type: 'limit', price: '49000', target_profit_price: '50000', stop_loss_price: '48000' })
    expect(order).toMatchObject({ status: 'entrust', list: 'entrust', held: '247.45', price: '49000', open_price: null })
    expect(await stage.has(uid)).toBe('752.55/247.45')
    stage.tick('49000.01')
    expect(await list(uid, 'entrust')).toHaveLength(1)
    stage.tick('48900')
    await stage.settled()
    expect(await one(uid)).toMatchObject({ id: order.id, open_price: '48900', margin: '244.5', fee: '2.445', held: '0' })
    expect(await stage.has(uid)).toBe('753.055/0')
    stage.tick('50000')
    await stage.settled()
    expect(await one(uid, 'history')).toMatchObject({ close_reason: 'take_profit', close_price: '50000' })
    expect(stage.announced.filter((one) => one.split(' ')[2] === String(order.id))).toEqual([
      ...[`orders insert ${order.id} entrust`, `orders insert ${order.id} open`, `positions insert ${order.id} open`],
      ...[`positions update ${order.id} closing`, `positions insert ${order.id} closed`],
    ])
  })

  test('a short order above the market takes no more than it has frozen', async () => {
    stage.tick('50000')
    const uid = await stage.customer('255.1')
    await open(uid, { type: 'limit', side: 'short', price: '51000' }).then(
      (row) => expect(row.held).toBe('257.55'),
      (error) => expect(error.code).toBe('insufficient_balance'),
    )
    const order = await open(uid, { type: 'limit', side: 'short', price: '50500' })
    expect(order.held).toBe('255.025')
    stage.tick('50600')
    await stage.settled()
    expect(await one(uid)).toMatchObject({ open_price: '50600', fee: '2.53', margin: '252.495' })
    expect(await stage.has(uid)).toBe('0.075/0')
  })

  test('an order that the market has passed is filled at once, and one is cancelled with all its money', async () => {
    stage.tick('50000')
    const uid = await stage.customer('1000')
    expect(await open(uid, { type: 'limit', price: '50100' })).toMatchObject({ status: 'open', open_price: '50000', type: 'limit' })
    const order = await open(uid, { type: 'limit', price: '45000' })
    const cancelled = await stage.call('lever.cancel', uid, { id: String(order.id) }, 'c')
    expect(cancelled).toMatchObject({ status: 'cancelled', held: '0', cancel_reason: 'user' })
    expect(await stage.call('lever.cancel', uid, { id: String(order.id) }, 'c')).toEqual(cancelled)
    expect(await refused(stage.call('lever.cancel', uid, { id: String(order.id) }))).toBe('state_wrong')
    expect(await stage.has(uid)).toBe('747.5/0')
    stage.tick('44000')
    await stage.settled()
    expect(await list(uid, 'cancelled')).toHaveLength(1)
  })

  test.each<[string, Record<string, string>, string]>([
    ['more than there is', { lots: '50' }, 'insufficient_balance'],
    ['no lots', { lots: '0' }, 'size_wrong lots'],
    ['lots below zero', { lots: '-1' }, 'size_wrong lots'],
    ['lots finer than a hundredth', { lots: '1.001' }, 'size_wrong lots'],
    ['lots that are no number', { lots: 'NaN' }, 'size_wrong lots'],
    ['more lots than an order takes', { lots: '10000.01' }, 'amount_too_large lots'],
    ['a multiple that is not offered', { multiple: '21' }, 'multiple_wrong multiple'],
    ['a symbol that there is not', { match_id: 'NOPE' }, 'symbol_unknown match_id'],
    ['a number that there is not', { match_id: '99' }, 'symbol_unknown match_id'],
    ['another quote coin', { legal_id: '1' }, 'currency_unknown legal_id'],
    ['another base coin', { currency_id: '2' }, 'currency_unknown currency_id'],
    ['a limit without a price', { type: 'limit' }, 'price_wrong price'],
    ['a limit between the steps', { type: 'limit', price: '49000.001' }, 'price_wrong price'],
    ['a price that is no number', { price: '1e5' }, 'price_wrong price'],
    ['a price that has moved', { price: '49949' }, 'price_moved price'],
    ['a price worse than the worst', { worst_price: '49999.99' }, 'price_moved worst_price'],
    ['a limit worse than the worst price', { type: 'limit', price: '49000', worst_price: '48999.99' }, 'price_wrong worst_price'],
    ['a limit that is to wait for the opening', { type: 'limit', price: '49000', outside_hours: 'queue' }, 'parameter_error outside_hours'],
    ['a take profit below the price', { target_profit_price: '50000' }, 'stop_price_wrong target_profit_price'],
    ['a stop loss above the price', { stop_loss_price: '50000' }, 'stop_price_wrong stop_loss_price'],
    ['a stop loss between the steps', { stop_loss_price: '49000.005' }, 'price_wrong stop_loss_price'],
    ['short, a take profit above', { side: 'short', target_profit_price: '50001' }, 'stop_price_wrong target_profit_price'],
  ])('no position: %s', async (_says, over, answer) => {
    stage.tick('50000')
    const uid = await stage.customer('1000')
    expect(await refused(open(uid, over, 'k'))).toBe(answer)
    expect(await stage.has(uid)).toBe('1000/0')
    expect(await list(uid)).toEqual([])
  })

  test('an old price and a halted market refuse orders at the market, and fire nothing', async () => {
    const { uid, id } = await positioned({ target_profit_price: '51000' })
    stage.later(10_001)
    expect(await refused(open(uid))).toBe('price_stale')
    expect(await refused(stage.call('lever.close', uid, { id }))).toBe('price_stale')
    stage.tick('50000')
    await stage.halt('BTCUSDT', true)
    expect(await refused(open(uid, { outside_hours: 'queue' }))).toBe('market_halted')
    stage.tick('51000')
    expect((await stage.call('lever.closeAll', uid)).failed).toMatchObject([{ id: Number(id), problem: 'market_halted' }])
    expect(await stage.call('lever.deal', uid, { match_id: 'BTCUSDT' })).toMatchObject({ open: false, halted: true, halt_reason: 'news' })
    await stage.settled()
    expect(await list(uid)).toHaveLength(1)
    // A price of the moment at which the halt ends would count.
    stage.later(1)
    await stage.halt('BTCUSDT', false)
    stage.tick('50999')
    await stage.settled()
    expect(await list(uid)).toHaveLength(1)
    stage.tick('51000')
    await stage.settled()
    expect(await list(uid)).toEqual([])
  })

  test('stops are set and removed one by one, and checked against the price', async () => {
    const { uid, id } = await positioned({ target_profit_price: '51000', stop_loss_price: '49000' })
    const set = (fields: Record<string, string>, who = uid) => stage.call('lever.setStopPrice', who, { id, ...fields })
    expect(await set({ target_profit_price: '' })).toMatchObject({ target_profit_price: null, stop_loss_price: '49000' })
    expect(await set({ stop_loss_price: '47000' })).toMatchObject({ stop_loss_price: '47000', stop_beyond_liquidation: true })
    expect(await refused(set({ stop_loss_price: '50000' }))).toBe('stop_price_wrong stop_loss_price')
    expect(await refused(set({ target_profit_price: '49999' }))).toBe('stop_price_wrong target_profit_price')
    expect(await refused(set({ target_profit_price: 'x' }))).toBe('price_wrong target_profit_price')
    expect(await refused(set({}))).toBe('parameter_missing stop_loss_price')
    expect(await refused(set({ stop_loss_price: '' }, await stage.customer('0')))).toBe('order_unknown id')
    stage.tick('51000')
    expect(await set({ stop_loss_price: '50500' })).toMatchObject({ stop_loss_price: '50500' })
    stage.tick('50500')
    await stage.settled()
    expect(await one(uid, 'history')).toMatchObject({ close_reason: 'stop_loss', profit: '50' })
    expect(await refused(set({ stop_loss_price: '' }))).toBe('state_wrong')
  })

  test('margin is added and taken back, and the liquidation price follows', async () => {
    const { uid, id } = await positioned()
    const change = (action: string, amount: string, key?: string) => stage.call('lever.margin', uid, { id, action, amount }, key)
    const added = await change('add', '100', 'm')
    expect(added).toMatchObject({ margin: '350', liquidation_price: '46733.67' })
    expect(await change('add', '100', 'm')).toEqual(added)
    expect(await stage.has(uid)).toBe('647.5/0')
    expect(await refused(change('add', '648'))).toBe('insufficient_balance')
    expect(await refused(change('add', '4650.01'))).toBe('amount_too_large amount')
    expect(await refused(change('remove', '100.00000001'))).toBe('amount_too_large amount')
    expect(await refused(change('add', '0'))).toBe('amount_wrong amount')
    stage.tick('49500')
    expect(await refused(change('remove', '50.01'))).toBe('amount_too_large amount')
    expect(await change('remove', '50')).toMatchObject({ margin: '300' })
    stage.tick('47738.69')
    await stage.settled()
    expect(await list(uid)).toHaveLength(1)
  })

  test('a position is reversed whole or not at all', async () => {
    const { uid, id } = await positioned({ target_profit_price: '60000' })
    stage.tick('51000')
    expect(await refused(stage.call('lever.reverse', uid, { id, worst_price: '51001' }))).toBe('price_moved worst_price')
    const { closed, opened } = await stage.call('lever.reverse', uid, { id, price: '51000' }, 'r')
    expect(closed).toMatchObject({ back: '347.45', lots: '10' })
    expect(opened).toMatchObject({ side: 'short', lots: '10', open_price: '51000', margin: '255', target_profit_price: null })
    expect(await stage.call('lever.reverse', uid, { id, price: '51000' }, 'r')).toEqual({ closed, opened })
    expect(await stage.has(uid)).toBe('837.4/0')
    stage.tick('53000')
    const poor = await positioned({}, '252.5')
    stage.tick('49000')
    expect(await refused(stage.call('lever.reverse', poor.uid, { id: poor.id }))).toBe('insufficient_balance')
    expect(await list(poor.uid)).toMatchObject([{ id: Number(poor.id), side: 'long' }])
  })

  test('all, long and short positions are closed, and a closed market keeps its own', async () => {
    stage.tick('50000')
    stage.tick('2500', 'ETHUSDT')
    const uid = await stage.customer('5000')
    for (const side of ['long', 'short', 'long']) await open(uid, { side, lots: '1' })
    await open(uid, { match_id: 'ETHUSDT', lots: '1' })
    const close = (fields: Record<string, string>) => stage.call('lever.closeAll', uid, fields)
    expect((await close({ type: '2' })).closed).toMatchObject([{ side: 'short' }])
    expect((await close({ type: '1', match_id: 'ETHUSDT' })).closed).toMatchObject([{ symbol: 'ETHUSDT' }])
    await open(uid, { match_id: 'ETHUSDT', lots: '1' })
    await stage.halt('ETHUSDT', true)
    const { closed, failed } = await close({})
    expect([closed.length, failed]).toMatchObject([2, [{ symbol: 'ETHUSDT', problem: 'market_halted' }]])
    await stage.halt('ETHUSDT', false)
    const last = () => stage.call('lever.closeAll', uid, { type: '0' }, 'close-all')
    const [first, again] = await Promise.all([last(), last()])
    expect(first.closed).toHaveLength(1)
    expect(again).toEqual(first)
    expect(await last()).toEqual(first)
    expect(await close({})).toEqual({ closed: [], failed: [] })
  })

  test('an order of a closed market waits for the opening, and one that cannot be paid then is cancelled', async () => {
    const opens = Date.parse('2026-12-01T14:30:00Z')
    stage.tick('200', 'AAPLUSDT', Date.parse('2026-12-01T14:00:00Z') - stage.now())
    const [uid, poor, strict] = [await stage.customer('1000'), await stage.customer('400.1'), await stage.customer('1000')]
    const order = { match_id: 'AAPLUSDT', lots: '10', multiple: '5', outside_hours: 'queue' }
    expect(await refused(open(uid, { ...order, outside_hours: 'refuse' }))).toBe('market_closed')
    expect(await open(uid, order)).toMatchObject({ status: 'entrust', type: 'market', held: '401' })
    expect(await refused(open(poor, order))).toBe('insufficient_balance')
    expect(await open(poor, { ...order, lots: '9.95' })).toMatchObject({ held: '398.995' })
    await open(strict, { ...order, worst_price: '200.5' })
    stage.tick('201', 'AAPLUSDT', opens - stage.now() - 60_000)
    await stage.settled()
    expect(await list(uid, 'entrust')).toHaveLength(1)
    stage.tick('201', 'AAPLUSDT', 60_000)
    await stage.settled()
    expect(await one(uid)).toMatchObject({ open_price: '201', margin: '402', fee: '1.005' })
    expect(await stage.has(uid)).toBe('596.995/0')
    expect(await one(poor, 'cancelled')).toMatchObject({ cancel_reason: 'balance', held: '0' })
    expect(await one(strict, 'cancelled')).toMatchObject({ cancel_reason: 'price' })
    expect(await stage.has(poor)).toBe('400.1/0')
  })

  test('fifty orders at once spend a balance once', async () => {
    stage.tick('50000')
    const uid = await stage.customer('252.5')
    const asks = await Promise.all(Array.from({ length: 50 }, (_, at) => refused(open(uid, {}, `at-once-${at}`))))
    expect(asks.filter((one) => one.startsWith('answered'))).toHaveLength(1)
    expect(asks.filter((one) => one === 'insufficient_balance')).toHaveLength(49)
  })

  test('twenty at once with one key open one position, and all get its answer; so does its closing', async () => {
    stage.tick('50000')
    const uid = await stage.customer('1000')
    const twenty = <T>(ask: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, ask))
    const opened = await twenty(() => open(uid, {}, 'one-key'))
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1)
    const closed = await twenty(() => stage.call('lever.close', uid, { id: String(opened[0]!.id) }, 'another-key'))
    expect(new Set(closed.map(({ id }) => id)).size).toBe(1)
    expect(await stage.has(uid)).toBe('995/0')
  })

  test('parts of one position that are closed at once are all closed', async () => {
    stage.tick('50000')
    const uid = await stage.customer('1000')
    const { id } = await open(uid, {})
    const close = (lots: string) => refused(stage.call('lever.close', uid, { id: String(id), lots }))
    const closed = await Promise.all(['1', '2', '3', '1', '2'].map(close))
    expect(closed.filter((one) => one.startsWith('answered'))).toHaveLength(5)
    expect(await list(uid)).toMatchObject([{ id, lots: '1' }])
    const rest = await Promise.all(['1', '1'].map(close))
    expect(rest.filter((one) => one.startsWith('answered'))).toHaveLength(1)
    expect(rest).toContain('state_wrong')
    expect(await stage.has(uid)).toBe('995/0')
  })

  test('all that was moved here agrees with the rows', async () => {
    stage.tick('50000')
    await stage.settled()
    await expectSoundMoney(stage.database)
  })
})
