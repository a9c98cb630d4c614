import { afterAll, beforeAll, expect, test } from 'vitest'
import { dual } from '#api-server/dual/dual.ts'
import { financeOf } from '#api-server/finance/finance.ts'
import { mining } from '#api-server/mining/mining.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { openKitStage } from '#tests/support/databases/kit-stage.ts'
import { dayMs } from '#tests/support/databases/wallet-stage.ts'
import { type DualStage, dualOn } from '#tests/support/dual-stage.ts'
import { type MiningStage, miningOn } from '#tests/support/mining-stage.ts'

onEngines('finance tab', (engine) => {
  let on: DualStage
  let mines: MiningStage
  beforeAll(async () => {
    const kit = await openKitStage(engine, [dual, mining, financeOf([dual, mining])])
    on = dualOn(kit)
    mines = miningOn(kit)
    on.stage.coins.setUsd('BTC', '50000')
  })
  afterAll(() => on.close())
  const today = () => Math.floor(on.stage.clock.now() / dayMs) * dayMs

  test('has nothing to show a customer without orders', async () => {
    const uid = await on.customer()
    const shown = await on.call('finance.index', uid)
    expect(shown).toMatchObject({ held_usd: '0', today_usd: '0', income_usd: '0', total: 0, orders: [], payments: [] })
    expect(shown.days).toHaveLength(30)
    expect(shown.days.at(-1)).toEqual({ at: today(), value: '0' })
  })

  test('shows what runs, its payments in one of two coins, and the yield once it is paid', async () => {
    const [call, put] = [await on.product({ type: 'call' }), await on.product({ type: 'put' })]
    const uid = await on.customer()
    const first = await on.buy(uid, call, { num: '50', type: 'call' })
    const second = await on.buy(uid, put, { num: '50', type: 'put' })
    const [btc, usdt] = [
      { currency_id: on.stage.idOf('BTC'), currency_code: 'BTC' },
      { currency_id: on.stage.idOf('USDT'), currency_code: 'USDT' },
    ]
    const runs = await on.call('finance.index', uid)
    expect(runs).toMatchObject({
      // 0.5 BTC at 50,000 and 30,000 USDT.
      held_usd: '55000',
      income_usd: '0',
      total: 2,
      orders: [
        {
          kind: 'dual_call',
          id: first.id,
          link: `pages/invest/mine?id=${first.id}`,
          ...btc,
          amount: '0.5',
          usd: '25000',
          ends: first.matures,
        },
        { kind: 'dual_put', id: second.id, ...usdt, amount: '30000', usd: '30000', income: '0' },
      ],
      payments: [
        {
          id: first.id,
          at: first.matures,
          part: 'either',
          ...btc,
          amount: '0.50287671',
          other_code: 'USDT',
          other_amount: '30172.60273972',
        },
        { id: second.id, part: 'either', ...usdt, amount: '30172.60273972', other_code: 'BTC', other_amount: '0.50287671' },
      ],
    })
    expect(new Set(runs.payments.map(({ key }) => key)).size).toBe(2)

    // Above the linked price both pay USDT: one is converted, and of both the yield is 172.60273972 USDT.
    await on.mature(first.matures, '61000')
    const paid = await on.call('finance.index', uid)
    expect(paid).toMatchObject({ held_usd: '0', total: 0, orders: [], payments: [], today_usd: '345.2', income_usd: '345.2' })
    expect(paid.days.at(-1)).toEqual({ at: today(), value: '345.2' })
    // Another customer has no part of it.
    expect(await on.call('finance.index', await on.customer())).toMatchObject({ income_usd: '0' })
    on.stage.later(dayMs)
    expect(await on.call('finance.index', uid)).toMatchObject({ today_usd: '0', income_usd: '345.2' })
  })

  test('shows the next incomes of locked mining, the last with the principal, and what was paid', async () => {
    const uid = await mines.customer()
    const { id, bought } = await mines.deposit(uid, await mines.product())
    const shown = await on.call('finance.index', uid)
    expect(shown).toMatchObject({
      held_usd: '1000',
      total: 1,
      orders: [{ kind: 'lock', id, link: `pages/lockming/order?id=${id}`, amount: '1000', income: '0', ends: bought + 5 * dayMs }],
    })
    expect(shown.payments.map(({ at, part, amount, other_amount }) => [(at - bought) / dayMs, part, amount, other_amount])).toEqual([
      [1, 'income', '3.5', null],
      [2, 'income', '3.5', null],
      [3, 'income', '3.5', null],
      [4, 'income', '3.5', null],
      [5, 'all', '1003.5', null],
    ])
    on.stage.later(2 * dayMs)
    await mines.pay()
    const later = await on.call('finance.index', uid)
    expect(later).toMatchObject({ income_usd: '7', orders: [{ income: '7' }] })
    expect(later.payments.map(({ part }) => part)).toEqual(['income', 'income', 'all'])
    on.stage.later(3 * dayMs)
    await mines.pay()
    expect(await on.call('finance.index', uid)).toMatchObject({ held_usd: '0', income_usd: '17.5', total: 0, orders: [], payments: [] })
  })

  test('offers locked mining with the income at the most that one order can have', async () => {
    await on.database.db.updateTable('mining_product').set({ sale: 'ended' }).execute()
    const id = await mines.product({ kind: 'cloud', most: '2000', capacity: '1500', locked_days: 40, risk: 1 })
    const { list } = await on.call('finance.offers', 0, { term: 'longer' })
    expect(list).toEqual([
      expect.objectContaining({ kind: 'cloud', id, days: 40, yearly: '1.2775', rate: '0.14', most: '1500', income: '210', ends: null }),
    ])
    await on.database.db.updateTable('mining_product').set({ sale: 'ended' }).execute()
  })

  test('offers products that can be bought, by coin, term and risk', async () => {
    await on.database.db.updateTable('dual_product').set({ sale: 'ended' }).execute()
    const now = on.stage.clock.now()
    const later = Math.floor(now / dayMs) * dayMs + 20 * dayMs + 8 * 3_600_000
    const week = await on.product({ type: 'call', risk: 2, yearly: '0.2', limit_each: 50 })
    const month = await on.product({ type: 'put', risk: 4, yearly: '0.6', ends_at: later - dayMs, matures_at: later, total: 10 })
    await on.product({ sale: 'paused' })
    await on.product({ sold: 1_000 })
    await on.product({ starts_at: now + 1_000 })
    const offers = async (fields: Record<string, string> = {}) => (await on.call('finance.offers', 0, fields)).list.map(({ id }) => id)
    const all = await on.call('finance.offers', 0)
    expect(all.coins).toEqual([
      { code: 'BTC', offers: 1 },
      { code: 'USDT', offers: 1 },
    ])
    expect(all.list).toEqual([
      expect.objectContaining({ kind: 'dual_call', id: week, days: 7, yearly: '0.2', risk: 2, most: '0.5', income: '0.0019178' }),
      // Ten shares are left, fewer than one customer may have: 6,000 × 20 × 0.6 / 365.
      expect.objectContaining({
        kind: 'dual_put',
        id: month,
        days: 20,
        most: '6000',
        income: '197.26027397',
        link: `pages/invest/purchase?id=${month}`,
      }),
    ])
    expect(await offers({ coin: 'USDT' })).toEqual([month])
    expect(await offers({ coin: 'ETH' })).toEqual([])
    expect(await offers({ term: 'week' })).toEqual([week])
    expect(await offers({ term: 'month' })).toEqual([month])
    expect(await offers({ term: 'longer' })).toEqual([])
    expect(await offers({ risk: '3' })).toEqual([week])
    expect(await offers({ risk: '4' })).toEqual([week, month])
  })
})
