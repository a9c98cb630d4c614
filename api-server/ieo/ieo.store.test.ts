import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { noticesOf } from '#tests/support/databases/notices.ts'
import { dayMs, refused } from '#tests/support/databases/wallet-stage.ts'
import { eventually } from '#tests/support/eventually.ts'
import { sized } from '#tests/support/house/sizes.ts'
import { type IeoStage, openIeoStage } from '#tests/support/ieo-stage.ts'

onEngines('sales of new tokens', (engine) => {
  let on: IeoStage
  beforeAll(async () => {
    on = await openIeoStage(engine, 2)
  })
  afterAll(async () => {
    await expectSoundMoney(on.database, { decisions: true })
    await on.close()
  })
  beforeEach(() => on.stage.later(60_000))
  const projectOf = (id: number) => on.database.db.selectFrom('ieo_project').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const detail = (id: number, uid: number) => on.call('ieo.detail', uid, { id: String(id) })
  const cancel = (id: number, uid: number, node = 0) => on.callAt(node, 'ieo.cancel', uid, { project_id: String(id) })

  test('the example: three customers get their part, the rest returns at once, and tokens come on their dates', async () => {
    const id = await on.project()
    const uids = [await on.customer(), await on.customer(), await on.customer()]
    const orders = []
    for (const [at, amount] of ['600000', '900000', '500000'].entries()) orders.push(await on.apply(uids[at]!, id, amount))
    expect(orders[0]).toMatchObject({ status: 'applied', amount: '600000', frozen: '30000', rate: '1', passed: null, refunded: null })
    expect(await on.has(uids[0]!)).toBe('70000/30000 0/0')
    expect(await detail(id, uids[0]!)).toMatchObject({ applied: '2000000', customers: 3, fill: '1', state: 'in_progress' })
    await on.allocate(id)
    expect(await Promise.all(uids.map(on.has))).toEqual(['85000/0 0/0', '77500/0 0/0', '87500/0 0/0'])
    const after = await on.call('ieo.orderDetail', uids[0]!, { id: String(orders[0]!.id) })
    expect(after).toMatchObject({
      status: 'locked',
      passed: '300000',
      charged: '15000',
      refunded: '15000',
      released: '0',
      applied: '2000000',
    })
    expect(after.releases.map(({ amount, done }) => [amount, done])).toEqual([
      ['100000', false],
      ['100000', false],
      ['100000', false],
    ])
    expect(await projectOf(id)).toMatchObject({ stage: 'allocated', passed: expect.stringMatching(/^1000000/) })
    expect(await noticesOf(on.database, uids[0]!)).toEqual(['ieo_allocated 300000'])
    // One instant before the first release nothing is credited.
    on.stage.later(after.releases[0]!.at - 1 - on.stage.now())
    await on.unlock()
    expect(await on.has(uids[0]!)).toBe('85000/0 0/0')
    on.stage.later(1)
    await on.unlock()
    expect(await on.has(uids[0]!)).toBe('85000/0 100000/0')
    // The server was away for both others: each is a row of its own, once.
    on.stage.later(100 * dayMs)
    const before = await on.stage.lastEvent()
    await Promise.all(on.ieos.map((one) => one.unlock()))
    await on.unlock()
    await on.unlock()
    expect(await Promise.all(uids.map(on.has))).toEqual(['85000/0 300000/0', '77500/0 450000/0', '87500/0 250000/0'])
    expect(await on.stage.lines(before)).toHaveLength(12)
    expect(await on.call('ieo.orderDetail', uids[0]!, { id: String(orders[0]!.id) })).toMatchObject({ status: 'unlocked', next: null })
    expect((await projectOf(id)).stage).toBe('unlocked')
    on.stage.later(-90 * dayMs)
    await on.unlock()
    on.stage.later(90 * dayMs)
    expect(await on.has(uids[0]!)).toBe('85000/0 300000/0')
    // Two nodes tell of their releases, each in its own time.
    await eventually(() => on.announced.filter((one) => one.startsWith(`${uids[0]} ieo`)).sort()).toEqual([
      `${uids[0]} ieo_orders insert applied v1`,
      `${uids[0]} ieo_orders update locked v2`,
      `${uids[0]} ieo_orders update locked v3`,
      `${uids[0]} ieo_orders update locked v4`,
      `${uids[0]} ieo_orders update unlocked v5`,
    ])
  })

  test('a position is raised, lowered and cancelled; what is frozen follows, and cancelled ones may apply again', async () => {
    const [id, uid] = [await on.project(), await on.customer()]
    const first = await on.apply(uid, id, '1000')
    expect(await on.apply(uid, id, '3000')).toMatchObject({ id: first.id, amount: '3000', frozen: '150', version: 2 })
    expect(await on.has(uid)).toBe('99850/150 0/0')
    expect(await on.apply(uid, id, '2000')).toMatchObject({ frozen: '100', version: 3 })
    expect(await on.apply(uid, id, '2000')).toMatchObject({ frozen: '100', version: 4 })
    expect((await detail(id, uid)).mine).toEqual({ id: first.id, amount: '2000', pay_currency: 'USDT', frozen: '100' })
    expect(await cancel(id, uid)).toMatchObject({ status: 'cancelled', version: 5 })
    expect(await on.has(uid)).toBe('100000/0 0/0')
    expect(await refused(cancel(id, uid))).toBe('order_unknown project_id')
    expect(await detail(id, uid)).toMatchObject({ mine: null, applied: '0', customers: 0 })
    const again = await on.apply(uid, id, '10')
    expect(again.id).not.toBe(first.id)
    expect((await on.call('ieo.orders', uid)).list.map(({ status }) => status)).toEqual(['applied', 'cancelled'])
    expect(await projectOf(id)).toMatchObject({ customers: 1 })
  })

  test('another coin pays at the rate that was shown, a raised part at its own, and the rest returns in the same coin', async () => {
    const id = await on.project({ issue_total: '1000' })
    const uid = await on.customer({ BTC: '1' })
    expect((await detail(id, uid)).coins).toMatchObject([{ rate: '1' }, { pay_currency: 'BTC', available: '1' }])
    const rate = (await detail(id, uid)).coins[1]!.rate!
    // Half a percent under 50,000.
    expect(rate).toBe('49750')
    expect(await on.apply(uid, id, '500', { pay_currency: 'BTC', rate })).toMatchObject({ frozen: '0.00050252', rate: '49750' })
    on.stage.coins.setUsd('BTC', '40000')
    expect(await refused(on.apply(uid, id, '1000', { pay_currency: 'BTC', rate }))).toBe('price_changed')
    expect(await refused(on.apply(uid, id, '1000', { pay_currency: 'BTC', rate: '1' }))).toBe('price_changed')
    expect(await on.apply(uid, id, '1000', { pay_currency: 'BTC', rate: '39800' })).toMatchObject({ frozen: '0.00113067', rate: '39800' })
    expect(await refused(on.apply(uid, id, '900', { pay_currency: 'USDT' }))).toBe('currency_unknown pay_currency')
    on.stage.coins.setUsd('BTC', '50000')
    const other = await on.customer()
    await on.apply(other, id, '1000')
    await on.allocate(id)
    const { list } = await on.call('ieo.orders', uid)
    expect(list).toMatchObject([{ passed: '500', charged: '0.00056534', refunded: '0.00056533', pay_currency: 'BTC' }])
    expect(await on.stage.has(uid, 'BTC')).toBe('0.99943466/0')
  })

  test.each<[says: string, project: object, amount: string, over: object, answer: string]>([
    ['less than the minimum', { issue_least: '100', issue_step: '10' }, '90', {}, 'amount_too_small amount'],
    ['no multiple of the step', { issue_least: '100', issue_step: '10' }, '105', {}, 'amount_wrong amount'],
    ['more than there is', { issue_total: '100' }, '101', {}, 'amount_too_large amount'],
    ['more than the balance', {}, '2000001', {}, 'amount_too_large amount'],
    ['more than the customer can pay', { issue_total: '10000000' }, '2000001', {}, 'insufficient_balance'],
    ['another price than shown', {}, '100', { price: '0.049' }, 'price_changed'],
    ['other terms than shown', {}, '100', { terms_version: '2' }, 'terms_changed'],
    ['a coin that the sale does not take', {}, '100', { pay_currency: 'ETH' }, 'currency_unknown pay_currency'],
    ['the token itself', {}, '100', { pay_currency: 'SOL' }, 'currency_unknown pay_currency'],
    ['a paused sale', { sale: 'paused' }, '100', {}, 'sale_closed project_id'],
    ['an ended sale', { sale: 'ended' }, '100', {}, 'sale_closed project_id'],
  ])('no application: %s', async (_says, project, amount, over, answer) => {
    const [id, uid] = [await on.project(project), await on.customer()]
    const before = await on.stage.lastEvent()
    expect(await refused(on.apply(uid, id, amount, over))).toBe(answer)
    expect(await on.stage.lines(before)).toEqual([])
    expect([await on.has(uid), (await on.call('ieo.orders', uid)).total, (await projectOf(id)).customers]).toEqual(['100000/0 0/0', 0, 0])
  })

  test('a sale begins with its first instant and ends before its last; a paused one gives back and takes nothing', async () => {
    const now = on.stage.now()
    const id = await on.project({ starts_at: now + 1_000, ends_at: now + 5_000 })
    const uid = await on.customer()
    const answers = []
    for (const [at, amount] of [
      [now + 999, '1'],
      [now + 1_000, '1'],
      [now + 4_999, '2'],
      [now + 5_000, '3'],
    ] as const) {
      on.stage.later(at - on.stage.now())
      answers.push((await refused(on.apply(uid, id, amount))).split(' ')[0])
    }
    expect(answers).toEqual(['sale_closed', 'answered', 'answered', 'sale_closed'])
    expect(await refused(cancel(id, uid))).toBe('sale_closed project_id')
    const other = await on.project()
    await on.apply(uid, other, '100')
    await on.database.db.updateTable('ieo_project').set({ sale: 'paused', sale_by: '' }).where('id', '=', other).execute()
    expect(await refused(on.apply(uid, other, '101'))).toBe('sale_closed project_id')
    expect(await on.apply(uid, other, '50')).toMatchObject({ amount: '50' })
    expect(await cancel(other, uid)).toMatchObject({ status: 'cancelled' })
    expect((await on.call('ieo.projects', 0, { state: 'in_progress', size: '100' })).list.some((row) => row.id === other)).toBe(true)
  })

  test('less than a step gets nothing and everything back; a project without tokens to release is closed too', async () => {
    const id = await on.project({ issue_total: '10', issue_step: '10', issue_least: '10', issue_limit: '10', lock_days: 0, releases: 1 })
    const [first, second] = [await on.customer(), await on.customer()]
    await on.apply(first, id, '10')
    await on.apply(second, id, '10')
    await on.allocate(id)
    expect([await on.has(first), await on.has(second)]).toEqual(['100000/0 0/0', '100000/0 0/0'])
    expect((await on.call('ieo.orders', first)).list[0]).toMatchObject({
      status: 'refunded',
      passed: '0',
      charged: '0',
      refunded: '0.5',
      next: null,
    })
    expect(await noticesOf(on.database, first)).toEqual(['ieo_refunded 0.5'])
    on.stage.later(3 * dayMs)
    await on.unlock()
    expect((await projectOf(id)).stage).toBe('unlocked')
  })

  test('a repeated key applies once; a frozen account applies for nothing, takes its money back, and gets its tokens', async () => {
    const [id, uid] = [await on.project({ lock_days: 0, releases: 1 }), await on.customer()]
    const all = await Promise.all([0, 1, 0, 1].map((node) => on.apply(uid, id, '100', { key: `k${id}`, node })))
    expect(new Set(all.map((one) => `${one.id} ${one.version}`)).size).toBe(1)
    expect(await refused(on.apply(uid, id, '200', { key: `k${id}` }))).toBe('key_reused')
    const other = await on.project()
    await on.apply(uid, other, '100')
    await on.stage.change(uid, { status: 'frozen' })
    expect(await refused(on.apply(uid, id, '200'))).toBe('account_frozen')
    expect(await cancel(other, uid)).toMatchObject({ status: 'cancelled' })
    await on.allocate(id)
    on.stage.later(3 * dayMs)
    await on.unlock()
    expect(await on.has(uid)).toBe('99995/0 100/0')
  })

  test('races: changes of one position, and cancelling against raising, leave one position and exact sums', async () => {
    for (let round = 0; round < sized(4, 100); round++) {
      const [id, uid, other] = [await on.project(), await on.customer(), await on.customer()]
      const works = [
        on.apply(uid, id, '100'),
        on.apply(uid, id, '300', { node: 1 }),
        on.apply(other, id, '50', { node: 1 }),
        on.apply(uid, id, '200'),
        cancel(id, uid, 1),
      ]
      await Promise.all(works.map(refused))
      const project = await projectOf(id)
      const { mine } = await detail(id, uid)
      expect(Number(project.applied)).toBe(Number(mine?.amount ?? 0) + 50)
      expect(project.customers).toBe(mine ? 2 : 1)
      const frozen = Number(mine?.amount ?? 0) * 0.05
      expect(await on.has(uid)).toBe(`${100_000 - frozen}/${frozen} 0/0`)
    }
  })

  test('lists are filtered by state and time, and belong to their customer', async () => {
    const now = on.stage.now()
    const soon = await on.project({ starts_at: now + dayMs, ends_at: now + 1.5 * dayMs, lists_at: now + 2 * dayMs })
    const [running, over] = [await on.project(), await on.project({ sale: 'ended' })]
    const ids = async (state: string) => (await on.call('ieo.projects', 0, { state, size: '100' })).list.map((row) => row.id)
    expect([
      (await ids('warm_up')).includes(soon),
      (await ids('in_progress')).includes(running),
      (await ids('ended')).includes(over),
    ]).toEqual([true, true, true])
    expect((await ids('warm_up')).includes(running)).toBe(false)
    const [uid, other] = [await on.customer(), await on.customer()]
    const order = await on.apply(uid, running, '100')
    expect((await on.call('ieo.orders', uid, { from: String(order.created), to: String(order.created + 1) })).total).toBe(1)
    expect((await on.call('ieo.orders', uid, { status: 'locked' })).total).toBe(0)
    expect(await refused(on.call('ieo.orders', uid, { from: '2000000000000', to: '1900000000000' }))).toBe('range_reversed to')
    expect((await on.call('ieo.orders', other)).total).toBe(0)
    expect(await refused(on.call('ieo.orderDetail', other, { id: String(order.id) }))).toBe('order_unknown id')
    expect(await refused(on.call('ieo.detail', uid, { id: '999999' }))).toBe('product_unknown id')
    expect(await refused(on.apply(uid, 999_999, '1'))).toBe('product_unknown project_id')
  })
})
