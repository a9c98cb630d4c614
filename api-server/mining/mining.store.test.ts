import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditIn } from '#api-server/ledger/audit/audit.ts'
import { dayMs } from '#api-server/mining/mining.rules.ts'
import { mining } from '#api-server/mining/mining.ts'
import { sum } from '#contract/money.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { noticesOf } from '#tests/support/databases/notices.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'
import { sized } from '#tests/support/house/sizes.ts'
import { type MiningStage, openMiningStage } from '#tests/support/mining-stage.ts'

onEngines('locked mining', (engine) => {
  let on: MiningStage
  beforeAll(async () => {
    on = await openMiningStage(engine, 2)
  })
  afterAll(async () => {
    await expectSoundMoney(on.database, { decisions: true })
    await on.end()
  })
  beforeEach(() => on.stage.later(60_000))
  const lockedOf = async (id: number) =>
    Number((await on.database.db.selectFrom('mining_product').select('locked').where('id', '=', id).executeTakeFirstOrThrow()).locked)

  test('the first income is paid after exactly 24 hours, the last one with the principal in one commit', async () => {
    const mid = await on.product()
    const uid = await on.customer()
    const order = await on.deposit(uid, mid)
    expect(order).toMatchObject({ amount: '1000', income: '3.5', estimate: '17.5', remaining_days: 5, status: 'running', renewal: 'none' })
    expect([order.next_payment, order.ends]).toEqual([order.bought + dayMs, order.bought + 5 * dayMs])
    expect([await on.has(uid), await lockedOf(mid)]).toEqual(['9000/0', 1000])
    on.stage.later(dayMs - 1)
    await on.pay()
    expect(await on.has(uid)).toBe('9000/0')
    on.stage.later(1)
    await on.pay()
    expect(await on.has(uid)).toBe('9003.5/0')
    on.stage.later(4 * dayMs - 1)
    await on.pay()
    expect(await on.order(uid, order.id)).toMatchObject({ paid_days: 4, earned: '14', coming: [{ day: 5, at: order.ends, amount: '3.5' }] })
    on.stage.later(1)
    await on.pay()
    expect(await on.has(uid)).toBe('10017.5/0')
    const { incomes, coming, ...ended } = await on.order(uid, order.id)
    expect(ended).toMatchObject({
      status: 'redeemed',
      how: 'matured',
      penalty_paid: '0',
      returned: '1000',
      earned: '17.5',
      closed: order.ends,
    })
    expect([incomes.map(({ day }) => day), coming]).toEqual([[5, 4, 3, 2, 1], []])
    expect(await noticesOf(on.database, uid)).toEqual(['mining_paid 1000'])
    expect(await lockedOf(mid)).toBe(0)
  })

  test('an early redemption keeps 12 of 1000 after 2 of 5 days, and what was paid stays', async () => {
    const uid = await on.customer()
    const { id, bought } = await on.deposit(uid, await on.product())
    // No pass has run: what is due is booked first.
    on.stage.later(2 * dayMs + 3_600_000)
    expect(await on.close(uid, id)).toMatchObject({
      status: 'redeemed',
      how: 'early',
      paid_days: 2,
      earned: '7',
      penalty_paid: '12',
      returned: '988',
      remaining_days: 3,
      next_payment: null,
    })
    expect(await on.has(uid)).toBe('9995/0')
    expect((await on.order(uid, id)).incomes.map(({ day, at }) => [day, at])).toEqual([
      [2, bought + 2 * dayMs],
      [1, bought + dayMs],
    ])
    expect(await refused(on.close(uid, id))).toBe('state_wrong')
    on.stage.later(9 * dayMs)
    await on.pay()
    expect(await on.has(uid)).toBe('9995/0')
  })

  test('at the instant of the maturity nothing is kept, one millisecond before it is', async () => {
    const mid = await on.product()
    const [late, early] = [await on.customer(), await on.customer()]
    const [first, second] = [await on.deposit(late, mid), await on.deposit(early, mid)]
    on.stage.later(5 * dayMs - 1)
    expect(await on.close(early, second.id)).toMatchObject({ how: 'early', paid_days: 4, penalty_paid: '4' })
    on.stage.later(1)
    expect(await on.close(late, first.id)).toMatchObject({ how: 'matured', penalty_paid: '0', earned: '17.5' })
    expect([await on.has(early), await on.has(late)]).toEqual(['10010/0', '10017.5/0'])
  })

  test('a penalty is never more than the principal', async () => {
    const uid = await on.customer()
    const { id } = await on.deposit(uid, await on.product({ penalty: '0.3' }))
    expect(await on.close(uid, id)).toMatchObject({ how: 'early', penalty_paid: '1000', returned: '0' })
    expect(await on.has(uid)).toBe('9000/0')
  })

  test('each missed day is a dated row of its own, on two servers at once, once', async () => {
    const uid = await on.customer()
    const { id, bought } = await on.deposit(uid, await on.product({ locked_days: 40 }))
    const before = await on.stage.lastEvent()
    on.stage.later(31 * dayMs)
    await Promise.all([on.pay(0), on.pay(1)])
    await on.pay()
    const { incomes } = await on.order(uid, id)
    expect(incomes.map(({ day, at }) => [day, at])).toEqual(Array.from({ length: 31 }, (_, at) => [31 - at, bought + (31 - at) * dayMs]))
    expect(await on.stage.lines(before)).toHaveLength(62)
    expect(await on.has(uid)).toBe('9108.5/0')
    // A clock that goes back pays nothing again.
    on.stage.later(-20 * dayMs)
    await on.pay()
    on.stage.later(20 * dayMs)
    expect(await on.has(uid)).toBe('9108.5/0')
  })

  test.each([
    ['principal', '1000', '9017.5/0'],
    ['all', '1017.5', '9000/0'],
  ])('a renewal of %s locks %s again, with a link and a reminder', async (renewal, amount, has) => {
    const mid = await on.product()
    const uid = await on.customer()
    const order = await on.deposit(uid, mid)
    await on.renew(uid, order.id, renewal)
    on.stage.later(4 * dayMs - 1)
    await on.pay()
    expect(await noticesOf(on.database, uid)).toEqual([])
    on.stage.later(1)
    await on.pay()
    expect(await noticesOf(on.database, uid)).toEqual(['mining_renews 1000'])
    on.stage.later(dayMs + 5_000)
    await on.pay()
    const { next_id, ...ended } = await on.order(uid, order.id)
    expect(ended).toMatchObject({ how: 'renewed', earned: '17.5', returned: '1000' })
    // The clock of the new order goes on at the end of the old one.
    expect(await on.order(uid, next_id!)).toMatchObject({ amount, renewal, bought: order.ends, status: 'running' })
    expect([await on.has(uid), await lockedOf(mid)]).toEqual([has, Number(amount)])
    expect(await noticesOf(on.database, uid)).toEqual(expect.arrayContaining([`mining_renewed ${amount}`]))
  })

  test.each<[says: string, renewal: string, change: object, spent: string]>([
    ['a lower rate', 'principal', { daily: '0.0034' }, '0'],
    ['a longer term', 'principal', { locked_days: 6 }, '0'],
    ['a higher penalty', 'principal', { penalty: '0.0041' }, '0'],
    ['a paused sale', 'principal', { sale: 'paused' }, '0'],
    ['too little stock', 'all', { capacity: '1000' }, '0'],
    ['less than the least amount', 'principal', { least: '1001' }, '0'],
  ])('an order is not renewed by %s: it is paid out, and the customer is told', async (_says, renewal, change) => {
    const mid = await on.product()
    const uid = await on.customer()
    const { id } = await on.deposit(uid, mid)
    await on.renew(uid, id, renewal)
    await on.database.db.updateTable('mining_product').set(change).where('id', '=', mid).execute()
    on.stage.later(5 * dayMs)
    await on.pay()
    expect(await on.order(uid, id)).toMatchObject({ how: 'matured', next_id: null })
    expect([await on.has(uid), await lockedOf(mid)]).toEqual(['10017.5/0', 0])
    expect(await noticesOf(on.database, uid)).toContain('mining_not_renewed 1000')
  })

  test('an income that was spent is not locked again, nor the order of a frozen customer: both are paid out', async () => {
    const mid = await on.product()
    const [spender, frozen] = [await on.customer('1000'), await on.customer('1000')]
    const orders = [await on.deposit(spender, mid), await on.deposit(frozen, mid)]
    await on.renew(spender, orders[0]!.id, 'all')
    await on.renew(frozen, orders[1]!.id, 'principal')
    on.stage.later(4 * dayMs)
    await on.pay()
    await on.deposit(spender, mid, '14')
    await on.stage.change(frozen, { status: 'frozen' })
    on.stage.later(dayMs)
    await on.pay()
    expect(await on.has(frozen)).toBe('1017.5/0')
    expect(await on.order(spender, orders[0]!.id)).toMatchObject({ how: 'matured', next_id: null })
  })

  test('the renewal is off, can be chosen until the maturity, and not after it', async () => {
    const uid = await on.customer()
    const { id } = await on.deposit(uid, await on.product())
    on.stage.later(5 * dayMs - 1)
    expect(await on.renew(uid, id, 'all')).toMatchObject({ renewal: 'all' })
    expect(await on.renew(uid, id, 'none')).toMatchObject({ renewal: 'none' })
    on.stage.later(1)
    expect(await refused(on.renew(uid, id, 'all'))).toBe('state_wrong')
    await on.pay()
    expect(await on.order(uid, id)).toMatchObject({ how: 'matured' })
  })

  test('of two who want the last of a product one gets it', async () => {
    for (let round = 0; round < sized(3, 100); round++) {
      const mid = await on.product({ capacity: '1500' })
      const both = await Promise.all([0, 1].map(async (node) => refused(on.deposit(await on.customer(), mid, '1000', { node }))))
      expect(both.filter((one) => one.startsWith('answered'))).toHaveLength(1)
      expect(both.filter((one) => one === 'sold_out amount')).toHaveLength(1)
      expect(await lockedOf(mid)).toBe(1000)
    }
  })

  test('a redemption and the due income meet: each happens once', async () => {
    for (let round = 0; round < sized(3, 100); round++) {
      const uid = await on.customer()
      const { id } = await on.deposit(uid, await on.product())
      on.stage.later(2 * dayMs)
      const [first, second] = await Promise.all([refused(on.close(uid, id)), refused(on.close(uid, id, { node: 1 })), on.pay(1)])
      expect([first, second].filter((one) => one === 'state_wrong')).toHaveLength(1)
      expect(await on.has(uid)).toBe('9995/0')
    }
  })

  test.each<[string, Record<string, string>, object, string]>([
    ['more than the balance', { amount: '10000.01' }, {}, 'insufficient_balance'],
    ['less than an order has', { amount: '9.99' }, {}, 'amount_too_small amount'],
    ['more than an order has', { amount: '50000.01' }, {}, 'amount_too_large amount'],
    ['more than is left', { amount: '501' }, { capacity: '500' }, 'sold_out amount'],
    ['a text that is no amount', { amount: 'ten' }, {}, 'amount_wrong amount'],
    ['a product that is not there', { mid: '999999' }, {}, 'product_unknown mid'],
    ['terms that do not count any more', { terms_version: '2' }, {}, 'terms_changed'],
    ['a paused sale', {}, { sale: 'paused' }, 'sale_closed mid'],
    ['an ended sale', {}, { sale: 'ended' }, 'sale_closed mid'],
  ])('no order: %s', async (_says, fields, over, refusal) => {
    const mid = await on.product(over)
    const uid = await on.customer()
    expect(await refused(on.call('mining.deposit', uid, { mid: String(mid), amount: '100', ...fields }))).toBe(refusal)
    expect([await on.has(uid), await lockedOf(mid), (await on.call('mining.orderList', uid)).total]).toEqual(['10000/0', 0, 0])
  })

  test('a repeated key locks and redeems once', async () => {
    const mid = await on.product()
    const uid = await on.customer()
    const [first, again] = await Promise.all([
      on.deposit(uid, mid, '100', { key: 'k' }),
      on.deposit(uid, mid, '100', { key: 'k', node: 1 }),
    ])
    expect(again).toEqual(first)
    const closed = await Promise.all([0, 1].map((node) => on.close(uid, first.id, { key: 'c', node })))
    expect(closed[1]).toEqual(closed[0])
    expect(await on.has(uid)).toBe('9998/0')
  })

  test('lists and orders belong to their customer, and show the product and the dates of its payments', async () => {
    const mid = await on.product({ kind: 'cloud' })
    const [uid, other] = [await on.customer(), await on.customer()]
    const { id } = await on.deposit(uid, mid)
    for (const act of [() => on.order(other, id), () => on.close(other, id), () => on.renew(other, id, 'all')])
      expect(await refused(act())).toBe('order_unknown id')
    expect((await on.call('mining.orderList', other)).list).toEqual([])
    expect((await on.call('mining.orderList', uid, { status: 'redeemed' })).total).toBe(0)
    expect((await on.call('mining.productList', uid, { kind: 'cloud' })).list).toMatchObject([
      { id: mid, remaining: '999000', state: 'on_sale' },
    ])
    const shown = await on.call('mining.product', uid, { mid: String(mid) })
    expect(shown).toMatchObject({ available: '9000', most_now: '50000', seen: true })
    expect(shown.payments).toHaveLength(5)
    expect(shown.payments[0]!.at).toBe(on.stage.now() + dayMs)
    await on.stage.change(uid, { status: 'frozen' })
    expect(await refused(on.deposit(uid, mid))).toBe('account_frozen')
  })

  test('two administrators agree on a product, orders keep their terms, and what is owed stands by day and coin', async () => {
    const typed = {
      kind: 'lock',
      coin: 'USDT',
      locked_days: '3',
      daily: '0.35',
      penalty: '0.4',
      least: '10',
      most: '500',
      capacity: '1000',
      risk: '3',
    }
    const wrong = await refused(on.office('office.termsSave', { product: 'mining', ...typed, least: '0.000001' }, on.walt))
    expect(wrong).toBe('parameter_error least')
    const { key, proposal } = await on.office('office.termsSave', { product: 'mining', ...typed }, on.walt)
    expect(await refused(on.office('office.proposalAgree', { id: String(proposal!.id) }, on.walt))).toBe('own_decision')
    await on.office('office.proposalAgree', { id: String(proposal!.id) }, on.rita)
    const uid = await on.customer()
    const order = await on.deposit(uid, Number(key), '100')
    const next = await on.office('office.termsSave', { product: 'mining', key, daily: '0.2' }, on.walt)
    await on.office('office.proposalAgree', { id: String(next.proposal!.id) }, on.rita)
    expect(await refused(on.deposit(uid, Number(key), '100'))).toBe('terms_changed')
    expect(await on.order(uid, order.id)).toMatchObject({ daily: '0.0035', income: '0.35', terms_version: 1 })
    const day = new Date(order.ends).toISOString().slice(0, 10)
    const { days, coins } = await on.office('office.miningOwed', {})
    const due = await on.database.db.selectFrom('mining_order').selectAll().where('status', '=', 'running').execute()
    const last = due.filter(({ ends_at }) => new Date(ends_at).toISOString().slice(0, 10) === day)
    expect(days.find((one) => one.key === `${day} USDT`)!.principal).toBe(sum(...last.map(({ amount }) => amount)))
    expect(coins.find((one) => one.currency_code === 'USDT')!.principal).toBe(sum(...due.map(({ amount }) => amount)))
    await on.office('office.termsSale', { product: 'mining', key, step: 'end' }, on.walt)
    on.stage.later(3 * dayMs)
    await on.pay()
    expect(await on.order(uid, order.id)).toMatchObject({ how: 'matured', earned: '1.05' })
  })

  test('the demonstration puts its products on sale once', async () => {
    await Promise.all([on.parts(mining, 0).demo(), on.parts(mining, 1).demo()])
    await on.parts(mining).demo()
    const rows = await on.database.db
      .selectFrom('mining_product')
      .select(['kind', 'locked_days'])
      .where('simulated', '=', true)
      .orderBy('id')
      .execute()
    expect(rows.map(({ kind, locked_days }) => `${kind} ${locked_days}`)).toEqual([
      'lock 5',
      'lock 15',
      'lock 30',
      'defi 7',
      'defi 60',
      'cloud 10',
      'cloud 30',
    ])
  })

  test('the audit finds incomes, a penalty and a stock that are not those of the rules', async () => {
    const mid = await on.product()
    const uid = await on.customer()
    const { id } = await on.deposit(uid, mid)
    on.stage.later(2 * dayMs)
    await on.close(uid, id)
    const undone = new Error('undone')
    const found = async (change: ReturnType<typeof sql>) => {
      let names: string[] = []
      const meddled = on.database.transaction(async (tx) => {
        await sql`alter table mining_order disable trigger mining_order_row`.execute(tx)
        await change.execute(tx)
        names = (await auditIn(tx)).checks.filter(({ breaches }) => breaches.length).map(({ says }) => says)
        throw undone
      })
      await expect(meddled).rejects.toBe(undone)
      return names.join(' | ')
    }
    expect(await found(sql`update mining_order set version = 9 where id = ${id}`)).toBe('')
    expect(await found(sql`update mining_order set penalty_paid = 11 where id = ${id}`)).toMatch(/came back once.*cut at the decimals/)
    expect(await found(sql`update mining_order set income = 4 where id = ${id}`)).toMatch(/day of a mining order.*cut at the decimals/)
    expect(await found(sql`delete from mining_income where order_id = ${id}`)).toContain('each day of a mining order')
    expect(
      await found(sql`update mining_order set how = 'matured', penalty_paid = 0, paid_days = 5, due_at = ends_at where id = ${id}`),
    ).toMatch(/one too many/)
    expect(await found(sql`update mining_product set locked = 5 where id = ${mid}`)).toContain('counts as locked')
    await expect(sql`update mining_order set amount = 5 where id = ${id}`.execute(on.database.db)).rejects.toThrow('mining_order')
  })
})
