import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from '#api-server/migrations.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { noticesOf } from '#tests/support/databases/notices.ts'
import { openSpotNode, type SpotNode, spotCoins } from '#tests/support/databases/spot-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'

onEngines('spot', (engine) => {
  let node: SpotNode
  let people = 500_000
  beforeAll(async () => {
    node = await openSpotNode(await engine.open(migrations))
    await node.spot.start()
  })
  afterAll(() => node.close())
  async function customer(usdt = '0', btc = '0') {
    const uid = await node.user(++people)
    if (usdt !== '0') await node.credit(uid, 'USDT', usdt)
    if (btc !== '0') await node.credit(uid, 'BTC', btc)
    return uid
  }
  const book = () => node.spot.depth('BTCUSDT', 20)
  const empty = { bids: [], asks: [] }

  test('the example of the domain rules, to the last digit', async () => {
    const [a, b, c, taker] = [await customer('0', '0.4'), await customer('0', '0.6'), await customer('0', '0.5'), await customer('60000')]
    const first = await node.order(a, 'sell 0.4 at 49990')
    expect(first).toMatchObject({ status: 'open', frozen: '0.4', frozen_code: 'BTC', list: 'doing', can_cancel: true })
    await node.order(b, 'sell 0.6 at 50000')
    const third = await node.order(c, 'sell 0.5 at 50000')
    expect(book()).toEqual({
      bids: [],
      asks: [
        ['49990', '0.4'],
        ['50000', '1.1'],
      ],
    })
    const bought = await node.order(taker, 'buy 1.2 at 50000')
    expect(bought).toMatchObject({
      status: 'filled',
      filled: '1.2',
      value: '59996',
      fee: '0.0012',
      received: '1.1988',
      average: '49996.67',
    })
    const table: [number, string, string][] = [
      [taker, '4/0', '1.1988/0'],
      [a, '19976.004/0', '0/0'],
      [b, '29970/0', '0/0'],
      [c, '9990/0', '0/0.3'],
    ]
    expect(await Promise.all([taker, a, b, c].map((uid) => noticesOf(node.database, uid)))).toEqual([
      [],
      ['spot_filled_sell 0.4 49990'],
      ['spot_filled_sell 0.6 50000'],
      [],
    ])
    for (const [uid, usdt, btc] of table) expect([await node.has(uid, 'USDT'), await node.has(uid, 'BTC')]).toEqual([usdt, btc])
    expect(book()).toEqual({ bids: [], asks: [['50000', '0.3']] })
    const { list } = await node.call('c2c.fills', taker)
    expect(list.map(({ price, quantity, role, simulated }) => [price, quantity, role, simulated])).toEqual([
      ['50000', '0.2', 'taker', false],
      ['50000', '0.6', 'taker', false],
      ['49990', '0.4', 'taker', false],
    ])
    expect(await node.call('c2c.cancel', c, { id: String(third.id) })).toMatchObject({
      status: 'cancelled',
      reason: 'customer',
      filled: '0.2',
      frozen: '0',
    })
    expect([await node.has(c, 'BTC'), book()]).toEqual(['0.3/0', empty])
    await expectSoundMoney(node.database)
  })

  test('a market order spends its budget, a worst price holds, and the rest comes back', async () => {
    const [seller, buyer] = [await customer('0', '1'), await customer('1000')]
    await node.order(seller, 'sell 0.01 at 50000')
    await node.order(seller, 'sell 0.99 at 51000')
    const bought = await node.order(buyer, 'buy 900 market', { worst_price: '50500' })
    expect(bought).toMatchObject({
      status: 'cancelled',
      reason: 'expired',
      filled: '0.01',
      value: '500',
      budget: '900',
      price: null,
      worst_price: '50500',
    })
    expect(await node.has(buyer, 'USDT')).toBe('500/0')
    expect(await refused(node.order(buyer, 'buy 100 market', { worst_price: '50500' }))).toBe('price_moved')
    expect(await node.order(buyer, 'buy 100 market', { worst_price: '51000' })).toMatchObject({
      status: 'filled',
      filled: '0.00196',
      value: '99.96',
      progress: '1',
    })
    expect([await node.has(buyer, 'USDT'), await node.has(buyer, 'BTC')]).toEqual(['400.04/0', '0.01194804/0'])
    expect(await node.call('c2c.cancelAll', seller)).toEqual({ cancelled: 1 })
    expect(await refused(node.order(seller, 'sell 0.5 market'))).toBe('order_unmatched')
    await expectSoundMoney(node.database)
  })

  test('a market order without a worst price keeps to the tolerance of the terms, and says so', async () => {
    const [maker, taker] = [await customer('1000', '1'), await customer('1000', '1')]
    await node.order(maker, 'sell 0.01 at 50400')
    await node.order(maker, 'sell 0.02 at 50600')
    await node.order(maker, 'buy 0.01 at 49600')
    await node.order(maker, 'buy 0.01 at 40000')
    expect(await node.order(taker, 'buy 900 market')).toMatchObject({
      status: 'cancelled',
      reason: 'expired',
      filled: '0.01',
      price: null,
      worst_price: '50500',
    })
    expect(await node.order(taker, 'sell 0.02 market')).toMatchObject({ status: 'cancelled', filled: '0.01', worst_price: '49500' })
    expect(await refused(node.order(taker, 'sell 0.01 market'))).toBe('price_moved')
    expect(await node.order(taker, 'buy 0.001 at 30000')).toMatchObject({ price: '30000', worst_price: null })

    const { terms } = node.trading.terms('spot', 'BTCUSDT')
    const set = async (tolerance: string) => {
      const row = { product: 'spot', symbol: 'BTCUSDT', terms: { ...terms, tolerance }, changed_by: 'ann', at: 1 } as const
      await node.database.transaction((tx) => node.terms.put(tx, row))
      await node.trading.changed()
      return (await node.call('c2c.detail', taker, { symbol: 'BTCUSDT' })).tolerance
    }
    expect(await set('0.02')).toBe('0.02')
    expect(await node.order(taker, 'buy 500 market')).toMatchObject({ status: 'filled', filled: '0.00988', worst_price: '51000' })
    expect(await set('0.01')).toBe('0.01')
    for (const uid of [maker, taker]) await node.call('c2c.cancelAll', uid)
    expect(book()).toEqual(empty)
    await expectSoundMoney(node.database)
  })

  test('immediate, whole and passive orders, and an order that would meet its owner', async () => {
    const [one, other] = [await customer('1000', '1'), await customer('1000', '1')]
    await node.order(one, 'sell 0.01 at 50000')
    expect(await refused(node.order(other, 'buy 0.02 at 50000', { time_in_force: 'fok', amount: '0.015' }))).toBe('order_not_filled')
    expect(await refused(node.order(other, 'buy 0.01 at 49500', { time_in_force: 'ioc' }))).toBe('order_unmatched')
    expect(await refused(node.order(other, 'buy 0.01 at 50000', { time_in_force: 'post_only' }))).toBe('order_would_match')
    expect(await node.order(other, 'buy 0.001 at 49000', { time_in_force: 'post_only' })).toMatchObject({ status: 'open' })
    expect(await node.order(other, 'buy 0.012 at 50000', { time_in_force: 'ioc' })).toMatchObject({
      status: 'cancelled',
      reason: 'expired',
      filled: '0.01',
    })
    await node.order(one, 'sell 0.01 at 50000')
    expect(await node.order(one, 'buy 0.01 at 50000')).toMatchObject({ status: 'cancelled', reason: 'self_trade', filled: '0' })
    const { list } = await node.call('c2c.orderList', other, { status: 'complete' })
    expect(list.map(({ status, reason }) => [status, reason])).toEqual([
      ['cancelled', 'expired'],
      ['rejected', 'order_would_match'],
      ['rejected', 'order_unmatched'],
      ['rejected', 'order_not_filled'],
    ])
    expect((await node.call('c2c.orderList', other, { status: 'doing', symbol: 'BTCUSDT', type: 'buy' })).total).toBe(1)
    for (const uid of [one, other]) await node.call('c2c.cancelAll', uid, { symbol: 'BTCUSDT' })
    expect(book()).toEqual(empty)
    await expectSoundMoney(node.database)
  })

  test.each<[string, string, Record<string, string>, string]>([
    ['more than there is', 'buy 1 at 50000', {}, 'insufficient_balance'],
    ['off the tick', 'buy 0.01 at 50000.001', {}, 'price_wrong target_price'],
    ['without a price', 'buy 0.01 at', {}, 'price_wrong target_price'],
    ['off the step', 'buy 0.000001 at 50000', {}, 'size_wrong amount'],
    ['too small', 'buy 0.00001 at 50000', {}, 'amount_too_small amount'],
    ['too large', 'buy 2000000 at 50000', {}, 'amount_too_large amount'],
    ['far from the price', 'buy 0.001 at 100000', {}, 'price_out_of_band target_price'],
    ['a coin with itself', 'buy 0.001 at 50000', { legal_id: '1' }, 'symbol_unknown currency_id'],
    ['a coin that there is not', 'buy 0.001 at 50000', { currency_id: '99' }, 'currency_unknown currency_id'],
    ['a market order that rests', 'buy 100 market', { time_in_force: 'gtc' }, 'parameter_error time_in_force'],
    ['a market order with a limit', 'buy 100 market', { target_price: '40000' }, 'parameter_error target_price'],
    ['a limit to buy above the worst price', 'buy 0.001 at 50000', { worst_price: '49999.99' }, 'price_wrong worst_price'],
    ['a limit to sell below the worst price', 'sell 0.001 at 50000', { worst_price: '50000.01' }, 'price_wrong worst_price'],
    ['a budget finer than the coin', 'buy 10.000000001 market', {}, 'amount_wrong amount'],
  ])('no order: %s', async (_says, text, over, answer) => {
    const uid = await customer('1000')
    expect(await refused(node.order(uid, text, over, 'k'))).toBe(answer)
    expect([await node.has(uid, 'USDT'), (await node.call('c2c.orderList', uid)).total]).toEqual(['1000/0', 0])
  })

  test('a key counts once, also for what was refused by the book', async () => {
    const [uid, other] = [await customer('1000', '1'), await customer('0', '1')]
    const made = await node.order(uid, 'buy 0.01 at 49000', {}, 'k1')
    expect(await node.order(uid, 'buy 0.01 at 49000', {}, 'k1')).toEqual(made)
    expect(await refused(node.order(uid, 'buy 0.02 at 49000', {}, 'k1'))).toBe('key_reused')
    expect((await node.call('c2c.orderList', uid)).total).toBe(1)
    expect(await refused(node.call('c2c.cancel', other, { id: String(made.id) }))).toBe('order_unknown id')
    await node.call('c2c.cancel', uid, { id: String(made.id) }, 'k2')
    expect(await node.call('c2c.cancel', uid, { id: String(made.id) }, 'k2')).toMatchObject({ status: 'cancelled' })
    expect(await refused(node.call('c2c.cancel', uid, { id: String(made.id) }, 'k3'))).toBe('state_wrong id')
    expect(node.announced.rows.filter((row) => row.startsWith(String(uid)))).toEqual([
      `${uid} spot_orders insert open`,
      `${uid} spot_orders update cancelled`,
    ])
  })

  test('a repeated key gets its answer when the coin is closed, and a new order is refused', async () => {
    const uid = await customer('1000')
    const made = await node.order(uid, 'buy 0.01 at 49000', {}, 'k1')
    const set = (status: number) => node.database.db.updateTable('currency').set({ status }).where('code', '=', 'BTC').execute()
    await set(0)
    // A node that has not read the coins yet.
    const later = await openSpotNode(node.database)
    try {
      expect(await later.order(uid, 'buy 0.01 at 49000', {}, 'k1')).toEqual(made)
      expect(await refused(later.order(uid, 'buy 0.01 at 49000', {}, 'k2'))).toBe('currency_closed currency_id')
      expect(await refused(later.call('c2c.move', uid, { id: String(made.id), price: '48000' }))).toBe('currency_closed')
    } finally {
      await set(1)
      await later.close()
    }
    expect(await node.call('c2c.cancelAll', uid)).toEqual({ cancelled: 1 })
  })

  test('closed markets and old prices', async () => {
    const uid = await customer('1000')
    node.age(10_001)
    expect(await refused(node.order(uid, 'buy 10 market'))).toBe('price_stale')
    expect(await node.order(uid, 'buy 0.001 at 49000')).toMatchObject({ status: 'open' })
    node.age(0)
    await node.database.transaction((tx) => node.terms.halt(tx, { symbol: 'BTCUSDT', reason: 'test', halted_by: 'x', at: 1 }))
    await node.trading.changed()
    expect(await refused(node.order(uid, 'buy 0.001 at 49000'))).toBe('market_halted')
    expect(await node.call('c2c.detail', uid, { symbol: 'BTCUSDT' })).toMatchObject({ open: false, halted: true, open_orders: 1 })
    expect(await node.call('c2c.cancelAll', uid)).toEqual({ cancelled: 1 })
    await node.database.transaction((tx) => node.terms.resume(tx, 'BTCUSDT', 2))
    await node.trading.changed()
  })

  test('the house offers what the market shows, follows it, and meets customers who wait', async () => {
    const uid = await customer('10000', '1')
    await node.offer('BTCUSDT', {
      bids: [['49990', '0.5']],
      asks: [
        ['50010', '0.1'],
        ['50020', '0.5'],
      ],
    })
    expect(book()).toEqual({
      bids: [['49990', '0.5']],
      asks: [
        ['50010', '0.1'],
        ['50020', '0.5'],
      ],
    })
    const bought = await node.order(uid, 'buy 0.04 at 50010')
    expect(bought).toMatchObject({ status: 'filled', value: '2000.4', fee: '0.00004' })
    expect((await node.call('c2c.fills', uid)).list).toMatchObject([{ simulated: true, price: '50010', quantity: '0.04' }])
    // A taken amount stays taken until the market shows another size.
    await node.offer('BTCUSDT', {
      bids: [['49990', '0.5']],
      asks: [
        ['50010', '0.1'],
        ['50020', '0.5'],
      ],
    })
    expect(book().asks).toEqual([
      ['50010', '0.06'],
      ['50020', '0.5'],
    ])
    await node.order(uid, 'buy 0.1 at 49995')
    expect(book().bids).toEqual([
      ['49995', '0.1'],
      ['49990', '0.5'],
    ])
    await node.offer('BTCUSDT', {
      bids: [['49980', '0.5']],
      asks: [
        ['49992', '0.07'],
        ['50020', '0.5'],
      ],
    })
    const [order] = (await node.call('c2c.orderList', uid)).list
    expect(order).toMatchObject({ status: 'partial', filled: '0.07', average: '49995', frozen: '1499.85' })
    expect(book()).toEqual({
      bids: [
        ['49995', '0.03'],
        ['49980', '0.5'],
      ],
      asks: [['50020', '0.5']],
    })
    await node.call('c2c.cancelAll', uid)
    const held = (await node.balances.platform('convert')).map(({ currency, balance }) => [currency, Number(balance)])
    expect(held).toEqual([
      [spotCoins.BTC, -0.11],
      [spotCoins.USDT, 5500.05],
    ])
    node.age(10_001)
    await node.offer('BTCUSDT', { bids: [['49980', '0.5']], asks: [] })
    expect(book()).toEqual(empty)
    node.age(0)
    await node.offer('BTCUSDT', empty)
    await expectSoundMoney(node.database)
  })

  test('the house offers nothing at the prices of a real market', async () => {
    const real = await openSpotNode(await engine.open(migrations), { simulated: false })
    try {
      await real.spot.start()
      const uid = await real.user(510_001)
      await real.credit(uid, 'USDT', '1000')
      await real.offer('BTCUSDT', { bids: [['49990', '0.5']], asks: [['50010', '0.1']] })
      expect(real.spot.depth('BTCUSDT', 5)).toEqual(empty)
      expect(await refused(real.order(uid, 'buy 100 market'))).toBe('order_unmatched')
      expect((await real.call('c2c.detail', uid, { symbol: 'BTCUSDT' })).simulated).toBe(false)
    } finally {
      await real.close()
    }
  })

  test('what cannot be committed changes nothing in memory, and is done once it can', async () => {
    const [uid, seller] = [await customer('1000'), await customer('0', '1')]
    await node.order(seller, 'sell 0.02 at 50000')
    const before = book()
    await node.database.db.schema.alterTable('spot_fill').renameTo('spot_fill_away').execute()
    const waits = node.order(uid, 'buy 0.01 at 50000', {}, 'k')
    await expect.poll(() => node.spot.counts().failed).toBeGreaterThan(0)
    expect(book()).toEqual(before)
    await node.database.db.schema.alterTable('spot_fill_away').renameTo('spot_fill').execute()
    expect(await waits).toMatchObject({ status: 'filled', filled: '0.01' })
    await node.call('c2c.cancelAll', seller)
    await expectSoundMoney(node.database)
  })

  test('many at once: every order ends as its fills say, and a fresh node reads the same book', async () => {
    const makers = await Promise.all([1, 2, 3, 4].map(() => customer('100000', '10')))
    const text = (n: number) => `${n % 2 ? 'buy' : 'sell'} 0.0${1 + (n % 7)} at ${49_990 + ((n * 7) % 21)}`
    const all = await Promise.all(Array.from({ length: 120 }, (_, n) => node.order(makers[n % 4]!, text(n))))
    expect(all.filter(({ status }) => status === 'new')).toEqual([])
    const shown = book()
    await expectSoundMoney(node.database)
    const started = node.spot.matcher.start()
    // A wake while it reads the books does not make it read them twice.
    node.spot.matcher.wake()
    await started
    await node.spot.matcher.idle()
    expect(book()).toEqual(shown)
    for (const uid of makers) await node.call('c2c.cancelAll', uid)
    expect(book()).toEqual(empty)
    await expectSoundMoney(node.database)
  })
})
