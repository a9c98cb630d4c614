import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditIn } from '#api-server/ledger/audit/audit.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { noticesOf } from '#tests/support/databases/notices.ts'
import { dayMs, refused } from '#tests/support/databases/wallet-stage.ts'
import { type DualStage, openDualStage } from '#tests/support/dual-stage.ts'
import { eventually } from '#tests/support/eventually.ts'
import { sized } from '#tests/support/house/sizes.ts'

onEngines('dual investment', (engine) => {
  let on: DualStage
  beforeAll(async () => {
    on = await openDualStage(engine, 2)
  })
  afterAll(async () => {
    await expectSoundMoney(on.database, { decisions: true })
    await on.close()
  })
  beforeEach(() => on.stage.later(60_000))
  const productOf = (id: number) => on.database.db.selectFrom('dual_product').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  test.each([
    ['call', '59999.99', 'base', '3.00287671/0 100000/0', '0.50287671'],
    ['call', '60000', 'quote', '2.5/0 130172.60273972/0', '30172.60273972'],
    ['call', '60000.01', 'quote', '2.5/0 130172.60273972/0', '30172.60273972'],
    ['put', '60000.01', 'quote', '3/0 100172.60273972/0', '30172.60273972'],
    ['put', '60000', 'base', '3.50287671/0 70000/0', '0.50287671'],
    ['put', '59999.99', 'base', '3.50287671/0 70000/0', '0.50287671'],
  ] as const)('50 shares of a %s settled at %s are paid back in %s, once, with the proof', async (type, settle, outcome, after, paid) => {
    const id = await on.product({ type })
    const uid = await on.customer()
    const order = await on.buy(uid, id, { num: '50', type })
    expect(order).toMatchObject({
      status: 'purchased',
      num: 50,
      days: 7,
      number: type === 'call' ? '0.5' : '30000',
      base_amount: '0.50287671',
      quote_amount: '30172.60273972',
      rate: '0.005753',
      outcome: null,
    })
    expect(await on.has(uid)).toBe(type === 'call' ? '2.5/0 100000/0' : '3/0 70000/0')
    expect((await productOf(id)).sold).toBe(50)
    expect(await on.settle()).toBe(0)
    const before = await on.stage.lastEvent()
    await on.mature(order.matures, settle)
    expect(await on.has(uid)).toBe(after)
    expect(await on.stage.lines(before)).toHaveLength(2)
    const detail = await on.call('dual.getOrderDetail', uid, { id: String(order.id) })
    expect(detail).toMatchObject({
      status: 'success',
      outcome,
      settle_price: detail.settle_tick?.price,
      settled: order.matures,
      version: 3,
    })
    expect(detail.settle_tick).toMatchObject({
      symbol: 'BTCUSDT',
      time: order.matures - 1_000,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect([Number(detail.settle_price), detail[`${outcome}_amount`]]).toEqual([Number(settle), paid])
    expect(await noticesOf(on.database, uid)).toEqual([`dual_paid ${paid}`])
    expect(await on.settle()).toBe(0)
    await eventually(() => on.announced.filter((one) => one.startsWith(`${uid} dual`))).toEqual([
      `${uid} dual_orders insert purchased v1`,
      `${uid} dual_orders update settling v2`,
      `${uid} dual_orders update success v3`,
    ])
  })

  test.each([
    ['call', '3.00287671/0 100000/0'],
    ['put', '3/0 100172.60273972/0'],
  ] as const)('a %s without a price in the last minute pays the deposit back with its yield', async (type, after) => {
    const id = await on.product({ type })
    const uid = await on.customer()
    const order = await on.buy(uid, id, { num: '50', type })
    await on.mature(order.matures, '70000', 60_001)
    expect(await on.call('dual.getOrderDetail', uid, { id: String(order.id) })).toMatchObject({
      status: 'fail',
      settle_price: null,
      settle_tick: null,
      outcome: type === 'call' ? 'base' : 'quote',
    })
    expect(await on.has(uid)).toBe(after)
    expect(await noticesOf(on.database, uid)).toEqual([`dual_returned ${type === 'call' ? '0.50287671' : '30172.60273972'}`])
  })

  test('all holders of a product are settled by one price, on two nodes at once, each once', async () => {
    const id = await on.product()
    const uids = await Promise.all(Array.from({ length: sized(12, 300) }, () => on.customer({ BTC: '1' })))
    const orders = []
    for (const uid of uids) orders.push(await on.buy(uid, id))
    on.tick('59000', orders[0]!.matures)
    on.tick('61000', orders[0]!.matures + 1)
    on.stage.later(orders[0]!.matures + 2_000 - on.stage.now())
    await Promise.all(on.duals.map((one) => one.settle()))
    await on.settle()
    const rows = await on.database.db.selectFrom('dual_order').select(['settle_price', 'outcome']).where('product_id', '=', id).execute()
    expect(rows).toEqual(uids.map(() => ({ settle_price: '59000.00', outcome: 'base' })))
    for (const uid of uids) expect(await on.stage.has(uid, 'BTC')).toBe('1.00005753/0')
  })

  test('of two who want the last share one gets it, and nothing is ever sold that there is not', async () => {
    for (let round = 0; round < sized(5, 100); round++) {
      const id = await on.product({ total: 3, limit_each: 3 })
      const [first, second] = [await on.customer({ BTC: '1' }), await on.customer({ BTC: '1' })]
      await on.buy(first, id, { num: '2' })
      const both = await Promise.all([first, second].map((uid, node) => refused(on.buy(uid, id, {}, { node }))))
      expect(both.filter((one) => one.startsWith('answered'))).toHaveLength(1)
      expect(both.filter((one) => one === 'sold_out id' || one === 'sold_out num')).toHaveLength(1)
      expect((await productOf(id)).sold).toBe(3)
      expect(await on.call('dual.detail', first, { id: String(id) })).toMatchObject({
        remaining: 0,
        progress: '1',
        state: 'sold_out',
        most: 0,
      })
    }
  })

  test('the database keeps the maturity, the end of the sale and the holding days of the rules', async () => {
    const id = await on.product()
    const order = await on.buy(await on.customer(), id)
    const { matures_at } = await productOf(id)
    const refusedBy = (statement: ReturnType<typeof sql>) =>
      on.database
        .transaction((tx) => statement.execute(tx))
        .then(
          () => 'done',
          (error: Error) => /constraint "(\w+)"/.exec(error.message)?.[1] ?? error.message,
        )
    const insert = (matures: number, ends: number) =>
      on.product({ matures_at: matures, ends_at: ends }).catch((error: Error) => /constraint "(\w+)"/.exec(error.message)?.[1])
    expect(await insert(matures_at + 3_600_000, matures_at - dayMs)).toBe('dual_product_maturity')
    expect(await insert(matures_at, matures_at - dayMs + 1)).toBe('dual_product_maturity')
    expect(await refusedBy(sql`update dual_product set ends_at = ends_at + 1 where id = ${id}`)).toBe('dual_product_maturity')
    const copied = sql`insert into dual_order (uid, product_id, terms_version, type, symbol, base_id, quote_id, share, num, amount, linked, yearly, days,
      base_amount, quote_amount, bought_at, due_at, status, version) select uid, product_id, terms_version, type, symbol, base_id, quote_id, share, num, amount,
      linked, yearly, days + 1, base_amount, quote_amount, bought_at, due_at, status, version from dual_order where id = ${order.id}`
    expect(await refusedBy(copied)).toBe('dual_order_days')
  })

  test('a customer buys no more than one may have, in whatever number of orders at once', async () => {
    const id = await on.product({ limit_each: 5 })
    const uid = await on.customer({ BTC: '1' })
    const all = await Promise.all(Array.from({ length: 8 }, (_, at) => refused(on.buy(uid, id, { num: '2' }, { node: at % 2 }))))
    expect(all.filter((one) => one.startsWith('answered'))).toHaveLength(2)
    expect(all.filter((one) => one === 'purchase_limit num')).toHaveLength(6)
    expect(await on.call('dual.detail', uid, { id: String(id) })).toMatchObject({ held: 4, most: 1, remaining: 996 })
    expect(await refused(on.buy(uid, id, { num: '6' }))).toBe('purchase_limit num')
    expect(await on.has(uid)).toBe('0.96/0 0/0')
  })

  const soon = () => ({ starts_at: on.stage.now() + 1 })
  test.each<[says: string, product: object | (() => object), fields: Record<string, string>, answer: string]>([
    ['more than there is', {}, { num: '101' }, 'purchase_limit num'],
    ['more than the product has', { total: 10 }, { num: '11' }, 'sold_out num'],
    ['more than the balance', { share: '1' }, { num: '4' }, 'insufficient_balance'],
    ['another direction', {}, { type: 'put' }, 'parameter_error type'],
    ['a put without its type', { type: 'put' }, { currency_id: '3' }, 'parameter_error type'],
    ['another coin', {}, { currency_id: '3' }, 'currency_closed currency_id'],
    ['other terms than shown', {}, { terms_version: '2' }, 'terms_changed'],
    ['a paused sale', { sale: 'paused' }, {}, 'sale_closed id'],
    ['an ended sale', { sale: 'ended' }, {}, 'sale_closed id'],
    ['before the sale', soon, {}, 'sale_closed id'],
    ['no product', {}, { id: '999999' }, 'product_unknown id'],
  ])('no purchase: %s', async (_says, product, fields, answer) => {
    const id = await on.product(typeof product === 'function' ? product() : product)
    const uid = await on.customer()
    const before = await on.stage.lastEvent()
    expect(await refused(on.buy(uid, id, fields))).toBe(answer)
    expect(await on.stage.lines(before)).toEqual([])
    expect([await on.has(uid), (await productOf(id)).sold, await on.call('dual.detail', uid, { id: String(id) })]).toMatchObject([
      '3/0 100000/0',
      0,
      { held: 0 },
    ])
    expect((await on.call('dual.dualList', uid)).total).toBe(0)
  })

  test.each(['', '0', '-1', '1.5', '1e3', 'two'])('shares are a whole number of at least 1, not %j', async (num) => {
    const id = await on.product()
    await expect(on.buy(await on.customer(), id, { num })).rejects.toThrow('num')
  })

  test('the sale begins with its first instant and ends before its last, by the clock of the server', async () => {
    const now = on.stage.now()
    const times = { starts_at: now + 1_000, ends_at: now + 2_000 }
    const id = await on.product(times)
    const uid = await on.customer()
    const answers = []
    for (const at of [now + 999, now + 1_000, now + 1_999, now + 2_000]) {
      on.stage.later(at - on.stage.now())
      answers.push((await refused(on.buy(uid, id))).split(' ')[0])
    }
    expect(answers).toEqual(['sale_closed', 'answered', 'answered', 'sale_closed'])
    // A clock that is set back opens the sale again; what was bought stays.
    on.stage.later(-1)
    expect(await refused(on.buy(uid, id))).toContain('"status":"purchased"')
    expect((await productOf(id)).sold).toBe(3)
  })

  test('days are UTC dates, and a jump of the clock over the maturity settles by the price of the maturity', async () => {
    const id = await on.product()
    const uid = await on.customer()
    const midnight = Math.ceil(on.stage.now() / dayMs) * dayMs
    on.stage.later(midnight - 1 - on.stage.now())
    const early = await on.buy(uid, id)
    on.stage.later(1)
    const late = await on.buy(uid, id)
    expect([early.days, late.days, late.rate]).toEqual([7, 6, '0.004931'])
    on.tick('59000', early.matures - 10_000)
    on.stage.later(early.matures - on.stage.now())
    await on.settle()
    // Not before the clock is past the maturity.
    expect((await on.call('dual.dualList', uid, { status: 'settling' })).total).toBe(2)
    on.tick('65000', early.matures + 5_000)
    on.stage.later(40 * dayMs)
    await on.settle()
    expect((await on.call('dual.dualList', uid, { status: 'success' })).list).toMatchObject([
      { id: late.id, outcome: 'base', settle_price: '59000.00', settled: early.matures },
      { id: early.id, outcome: 'base', base_amount: '0.01005753' },
    ])
    // A clock that goes back pays nothing again.
    on.stage.later(-45 * dayMs)
    expect(await on.settle()).toBe(0)
    on.stage.later(45 * dayMs)
    expect(await on.settle()).toBe(0)
  })

  test('a repeated key buys once; with other fields it is refused', async () => {
    const id = await on.product()
    const uid = await on.customer()
    const all = await Promise.all([0, 1, 0, 1].map((node) => on.buy(uid, id, { num: '3' }, { key: 'k1', node })))
    expect(new Set(all.map((one) => one.id)).size).toBe(1)
    expect(await refused(on.buy(uid, id, { num: '4' }, { key: 'k1' }))).toBe('key_reused')
    expect([(await productOf(id)).sold, await on.has(uid)]).toEqual([3, '2.97/0 100000/0'])
  })

  test('a frozen account buys nothing, and what it has bought is paid back all the same', async () => {
    const id = await on.product()
    const uid = await on.customer()
    const order = await on.buy(uid, id)
    await on.stage.change(uid, { status: 'frozen' })
    expect(await refused(on.buy(uid, id))).toBe('account_frozen')
    await on.mature(order.matures, '59000')
    expect(await on.has(uid)).toBe('3.00005753/0 100000/0')
  })

  test('an order keeps the terms that it was bought by', async () => {
    const id = await on.product()
    const uid = await on.customer()
    const order = await on.buy(uid, id, { terms_version: '1' })
    const other = { linked: '50000', yearly: '0.1', terms_version: 2 }
    await on.database.db.updateTable('dual_product').set(other).where('id', '=', id).execute()
    expect(await refused(on.buy(uid, id, { terms_version: '1' }))).toBe('terms_changed')
    await on.mature(order.matures, '55000')
    expect(await on.call('dual.getOrderDetail', uid, { id: String(order.id) })).toMatchObject({
      terms_version: 1,
      linked: '60000',
      yearly: '0.3',
      outcome: 'base',
    })
  })

  test('lists are filtered by coin, direction, state and time, and belong to their customer', async () => {
    on.stage.later(400 * dayMs)
    await on.settle()
    const [plain, put, out] = [await on.product(), await on.product({ type: 'put', yearly: '0.4' }), await on.product({ sale: 'ended' })]
    const ids = async (fields = {}) => (await on.call('dual.index', 0, fields)).list.map((row) => row.id)
    expect(await ids()).toEqual([put, plain, out])
    expect(await ids({ type: 'call' })).toEqual([plain, out])
    expect(await ids({ base: 'ETH' })).toEqual([])
    expect(await ids({ base: 'BTC', size: '1', page: '2' })).toEqual([plain])
    expect((await on.call('dual.coins', 0)).list).toEqual([{ base: 'BTC', products: 3 }])
    const [uid, other] = [await on.customer(), await on.customer()]
    const order = await on.buy(uid, plain)
    expect((await on.call('dual.dualList', uid, { from: String(order.bought), to: String(order.bought + 1) })).total).toBe(1)
    expect((await on.call('dual.dualList', uid, { status: 'success' })).total).toBe(0)
    expect(await refused(on.call('dual.dualList', uid, { from: '2000000000000', to: '1900000000000' }))).toBe('range_reversed to')
    expect((await on.call('dual.dualList', other)).total).toBe(0)
    expect(await refused(on.call('dual.getOrderDetail', other, { id: String(order.id) }))).toBe('order_unknown id')
    await on.mature(order.matures, '61000')
    const file = await on.call('dual.exportList', uid)
    expect(file.text.split('\r\n')[1]).toBe(
      `${order.id},${new Date(order.bought).toISOString()},BTC/USDT,"Invest BTC, sell high",1,0.01,BTC,60000,0.3,7,${new Date(order.matures).toISOString()},Paid back,61000.00,603.45205479,USDT`,
    )
  })

  test('the audit finds an amount, a price and a stock that are not those of the rules', async () => {
    const id = await on.product()
    const uid = await on.customer()
    const order = await on.buy(uid, id)
    await on.mature(order.matures, '59000')
    const undone = new Error('undone')
    const found = async (change: ReturnType<typeof sql>) => {
      let names: string[] = []
      const meddled = on.database.transaction(async (tx) => {
        await sql`alter table dual_order disable trigger dual_order_row, drop constraint dual_order_days`.execute(tx)
        await change.execute(tx)
        names = (await auditIn(tx)).checks.filter(({ breaches }) => breaches.length).map(({ name, says }) => `${name} ${says}`)
        throw undone
      })
      await expect(meddled).rejects.toBe(undone)
      return names.join(' | ')
    }
    const setting = (set: ReturnType<typeof sql>) => found(sql`update dual_order set ${set} where id = ${order.id}`)
    expect(await setting(sql`version = 9`)).toBe('')
    expect(await setting(sql`base_amount = base_amount + 1`)).toMatch(/paid back once.*its deposit and its yield/)
    expect(await setting(sql`outcome = 'quote'`)).toMatch(/paid back once.*by the last price/)
    expect(await setting(sql`linked = 59000`)).toMatch(/by the last price.*its deposit and its yield/)
    expect(await setting(sql`status = 'fail', settle_tick_id = null, settle_price = null`)).toMatch(/one too many.*by the last price/)
    expect(await setting(sql`days = 8`)).toContain('its deposit and its yield')
    expect(await setting(sql`num = 2, amount = 0.02`)).toMatch(/paid once.*shares that a product has sold/)
    expect(await found(sql`update dual_product set sold = 0 where id = ${id}`)).toContain('shares that a product has sold')
    expect(await found(sql`update dual_holding set num = 2 where product_id = ${id}`)).toContain('shares that a product has sold')
  })
})
