import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { auditIn } from '#api-server/ledger/audit/audit.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type MicStage, openMicStage } from '#tests/support/databases/mic-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'
import { sized } from '#tests/support/house/sizes.ts'

/** The quote that the customer saw. */
const quote = { price: '50000', rate: '0.3' }

onEngines('seconds options', (engine) => {
  let stage: MicStage
  beforeAll(async () => {
    stage = await openMicStage(engine, 2)
  })
  afterAll(async () => {
    await expectSoundMoney(stage.database)
    await stage.close()
  })
  const begin = (amount?: string) => stage.begin(amount)
  const open = (uid: number, over: Record<string, string> = {}, key?: string) => stage.open(uid, { ...quote, ...over }, key)

  test('what options brought on a day: payouts less stakes of the customer, by the time of the settlement', async () => {
    const uid = await begin()
    const other = await stage.customer()
    const settledAt = async (price: string) => {
      stage.stage.later(59_000)
      stage.tick(price)
      stage.stage.later(1_001)
      await stage.settle()
      const { list } = await stage.call('mic.orderList', uid, { status: 'history' })
      stage.tick('50000')
      return Number(list[0]?.settled)
    }
    await open(uid)
    await open(other)
    const won = await settledAt('50010')
    await open(uid, { type: 'down', number: '50' })
    const lost = await settledAt('50010')
    await open(uid)
    const draw = await settledAt('50000')
    await open(uid)
    const at = (from: number, to: number, currency = 3) => stage.mic.reads.days(uid, currency, from, to)
    const sum = (days: Awaited<ReturnType<typeof at>>) => days.map(({ profit, settled }) => [Number(profit), settled])
    expect(sum(await at(won, lost))).toEqual([[30, 1]])
    expect(sum(await at(lost, draw + 1))).toEqual([[-50, 2]])
    expect((await at(won, won + 1)).map(({ day }) => new Date(day).toISOString())).toEqual([
      `${new Date(won).toISOString().slice(0, 10)}T00:00:00.000Z`,
    ])
    expect(await at(draw + 1, draw + 86_400_000)).toEqual([])
    expect(await at(won, draw + 1, 1)).toEqual([])
  })

  test.each([
    [
      'up',
      '50000.01',
      'won',
      '130',
      '1030/0',
      ['option_win micro:available USDT 130', 'option_win micro:frozen USDT -100', 'option_win pnl_option USDT -30'],
    ],
    ['up', '49999.99', 'lost', '0', '900/0', ['option_lose micro:frozen USDT -100', 'option_lose pnl_option USDT 100']],
    ['up', '50000', 'draw', '100', '1000/0', ['option_refund micro:available USDT 100', 'option_refund micro:frozen USDT -100']],
    [
      'down',
      '49999.99',
      'won',
      '130',
      '1030/0',
      ['option_win micro:available USDT 130', 'option_win micro:frozen USDT -100', 'option_win pnl_option USDT -30'],
    ],
    ['down', '50000.01', 'lost', '0', '900/0', ['option_lose micro:frozen USDT -100', 'option_lose pnl_option USDT 100']],
  ] as const)('%s from 50,000 to %s is %s and credits %s', async (type, price, status, payout, has, lines) => {
    const uid = await begin()
    const settledAt = price === '50000' ? '50000.00' : price
    const opened = await open(uid, { type })
    expect(opened).toMatchObject({
      status: 'holding',
      list: 'position',
      number: '100',
      rate: '0.3',
      open_price: '50000.00',
      payout: '0',
      version: 1,
    })
    expect(opened.expires - opened.opened).toBe(60_000)
    expect(await stage.has(uid)).toBe('900/100')
    const before = await stage.stage.lastEvent()
    stage.stage.later(60_000)
    stage.tick(price)
    expect(await stage.settle()).toBe(0)
    stage.stage.later(1)
    stage.tick('12345.67')
    expect(await stage.settle()).toBe(1)
    expect(await stage.has(uid)).toBe(has)
    expect((await stage.stage.lines(before)).sort()).toEqual(lines)
    const detail = await stage.call('mic.getOrderDetail', uid, { id: String(opened.id) })
    expect(detail).toMatchObject({
      status,
      payout,
      list: 'history',
      settle_price: settledAt,
      version: 3,
      open_tick: { tick_id: opened.open_tick_id, price: '50000.00' },
    })
    expect(detail.settle_tick).toMatchObject({ price: settledAt, time: opened.expires, symbol: 'BTCUSDT', source: 'manual' })
    expect(stage.announced.filter((one) => one.startsWith(`${uid} options`))).toEqual(
      ['insert holding v1', 'update settling v2', `insert ${status} v3`].map((one) => `${uid} options ${one}`),
    )
  })

  test.each([
    ['at the expiry', 0, 'won'],
    ['five seconds before it', 5_000, 'won'],
    ['longer before it', 5_001, 'void'],
  ])('the last price came %s: %s ms', async (_says, before, status) => {
    const uid = await begin()
    const { expires, id } = await open(uid)
    stage.stage.later(60_000 - before)
    stage.tick('50001')
    stage.stage.later(before + 3_600_000)
    stage.tick('49000')
    expect(await stage.settle()).toBe(1)
    const detail = await stage.call('mic.getOrderDetail', uid, { id: String(id) })
    expect(detail).toMatchObject({ status, settled: expires, settle_tick: status === 'void' ? null : { price: '50001.00' } })
    expect(Number(detail.booked) - expires).toBe(3_600_000)
    expect(await stage.has(uid)).toBe(status === 'void' ? '1000/0' : '1030/0')
  })

  test.each([
    ['more than there is', { number: '1000.01' }, 'insufficient_balance'],
    ['a coin that pays nothing here', { currency_id: '1' }, 'currency_closed currency_id'],
    ['a coin that there is not', { currency_id: '99' }, 'currency_unknown currency_id'],
    ['a market that there is not', { match_id: 'NOSUCH' }, 'symbol_unknown match_id'],
    ['a market without options', { match_id: 'AAPLUSDT' }, 'symbol_unknown match_id'],
    ['a duration that there is not', { seconds: '59' }, 'duration_unknown seconds'],
    ['less than the least', { number: '9.99' }, 'amount_too_small number'],
    ['more than the most', { number: '10000.01' }, 'amount_too_large number'],
    ['a price that is gone', { price: '50100' }, 'price_moved'],
    ['another payout', { rate: '0.5' }, 'terms_changed'],
  ])('no order: %s', async (_says, over, answer) => {
    const uid = await begin()
    const before = await stage.stage.lastEvent()
    expect(await refused(open(uid, over))).toBe(answer)
    expect(await stage.stage.lines(before)).toEqual([])
    expect((await stage.call('mic.orderList', uid)).total).toBe(0)
  })

  test('an old price, a halted market and a frozen account stop orders; a repeated key gets its answer all the same', async () => {
    const uid = await begin()
    const done = await open(uid, {}, 'k1')
    stage.stage.later(10_001)
    expect(await refused(open(uid, {}, 'k2'))).toBe('price_stale')
    expect(await open(uid, {}, 'k1')).toEqual(done)
    stage.tick('50000')
    await stage.database.transaction((tx) => stage.terms.halt(tx, { symbol: 'BTCUSDT', reason: 'test', halted_by: 'test', at: 0 }))
    await stage.trading.changed()
    expect(await refused(open(uid))).toBe('market_halted')
    expect((await stage.call('mic.getSeconds', uid, { match_id: 'BTCUSDT' })).list).toMatchObject([{ trading: 'halted' }])
    await stage.database.transaction((tx) => stage.terms.resume(tx, 'BTCUSDT', 1))
    await stage.trading.changed()
    await stage.stage.change(uid, { status: 'frozen' })
    expect(await refused(open(uid))).toBe('account_frozen')
    expect(await open(uid, {}, 'k1')).toEqual(done)
    expect(await stage.has(uid)).toBe('900/100')
    expect(stage.announced.filter((one) => one === `${uid} options insert holding v1`)).toHaveLength(1)
  })

  test('an order opens at the moment of its price, and is refused where that does not come into the log; a repeated one is answered', async () => {
    const uid = await begin()
    const at = stage.stage.clock.now()
    const { durable } = stage.market.reads
    const written = vi.spyOn(stage.market.reads, 'durable')
    const logged = vi.spyOn(stage.market.reads, 'logged')
    try {
      written.mockImplementationOnce(async (id) => {
        stage.stage.later(1_500)
        stage.tick('50001')
        return durable(id)
      })
      const done = await open(uid, {}, 'k1')
      expect(done).toMatchObject({ open_price: '50000.00', opened: at, expires: at + 60_000 })
      written.mockRejectedValue(new Error('a tick was not stored in time'))
      expect(await open(uid, {}, 'k1')).toEqual(done)
      expect(await refused(open(uid, {}, 'k2'))).toBe('busy')
      written.mockRestore()
      logged.mockResolvedValue(() => false)
      expect(await refused(open(uid, {}, 'k3'))).toBe('price_stale')
    } finally {
      written.mockRestore()
      logged.mockRestore()
    }
    expect(await stage.has(uid)).toBe('900/100')
    expect((await open(uid, {}, 'k3')).open_price).toBe('50001.00')
  })

  test('a key of the order opens one order, whoever sends it at once, and is no other order', async () => {
    const uid = await begin()
    const all = await Promise.all(Array.from({ length: 6 }, () => open(uid, { oid: 'mine' })))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(await stage.has(uid)).toBe('900/100')
    for (const number of ['99', '1e999999999', 'abc']) expect(await refused(open(uid, { oid: 'mine', number }))).toBe('key_reused oid')
    expect((await open(uid, { oid: 'mine', number: '100.00' })).id).toBe(all[0]!.id)
    const other = await begin()
    expect((await open(other, { oid: 'mine' })).id).not.toBe(all[0]!.id)
  })

  test('orders opened at once spend no more than there is', async () => {
    const uid = await begin('250')
    const all = await Promise.all(Array.from({ length: 8 }, () => refused(open(uid))))
    expect(all.filter((one) => one.startsWith('answered'))).toHaveLength(2)
    expect(all.filter((one) => one === 'insufficient_balance')).toHaveLength(6)
    expect(await stage.has(uid)).toBe('50/200')
  })

  test('the house reads stakes and possible payouts of what is open, by symbol', async () => {
    const uid = await begin()
    expect(await stage.mic.reads.exposure()).toEqual([])
    await open(uid)
    await open(uid, { number: '10.00000001' })
    await open(uid, { type: 'down', number: '50' })
    const running = { symbol: 'BTCUSDT', currency_code: 'USDT', orders: 3, up_stake: '110.00000001', down_stake: '50' }
    expect(await stage.mic.reads.exposure()).toEqual([{ ...running, up_payout: '143.00000001', down_payout: '65' }])
    stage.stage.later(600_000)
    await stage.settle()
    expect(await stage.mic.reads.exposure()).toEqual([])
  })

  test('the audit finds a result, a payout and a stake that are not those of the log', async () => {
    const uid = await begin()
    const won = await open(uid)
    stage.stage.later(59_000)
    stage.tick('50001')
    stage.stage.later(1_001)
    await stage.settle()
    stage.tick('50000')
    const running = await open(uid)
    const undone = new Error('undone')
    const found = async (id: number, set: ReturnType<typeof sql>) => {
      let names: string[] = []
      const meddled = stage.database.transaction(async (tx) => {
        await sql`alter table option_order disable trigger option_order_row`.execute(tx)
        await sql`update option_order set ${set} where id = ${id}`.execute(tx)
        names = (await auditIn(tx)).checks.filter(({ breaches }) => breaches.length).map(({ name, says }) => `${name} ${says}`)
        throw undone
      })
      await expect(meddled).rejects.toBe(undone)
      return names.join(' | ')
    }
    expect(await found(won.id, sql`open_price = 50002`)).toMatch(/settled by the last price.*opened at the price/)
    expect(await found(won.id, sql`status = 'lost', payout = 0`)).toMatch(
      /has moved what its state says.*one too many.*settled by the last price/,
    )
    expect(await found(won.id, sql`payout = 131`)).toMatch(/has moved what its state says.*pays its stake and its rate/)
    expect(await found(won.id, sql`settle_tick_id = open_tick_id`)).toContain('settled by the last price')
    expect(await found(won.id, sql`due_at = due_at - 30000, seconds = 30`)).toContain('settled by the last price')
    expect(await found(running.id, sql`stake = 99`)).toMatch(/what is frozen is what something open holds.*has moved what its state says/)
    expect(await found(running.id, sql`version = 1`)).toBe('')
  })

  test('orders that wait are found by an index', async () => {
    await stage.database.transaction(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      const query = sql<{
        'QUERY PLAN': string
      }>`explain select id from option_order where status = 'holding' and due_at < 1 order by due_at, id limit 10 for update skip locked`
      const plan = (await query.execute(tx)).rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain('option_order_due')
      expect(plan).not.toMatch(/Sort|Seq Scan/)
    })
  })

  test('lists are filtered, pages hold, and the file says the same', async () => {
    const uid = await begin()
    const first = await open(uid)
    stage.stage.later(61_000)
    await stage.settle()
    stage.tick('50000')
    const second = await open(uid, { type: 'down' })
    expect((await stage.call('mic.orderList', uid)).list.map(({ id }) => id)).toEqual([second.id])
    const history = (over: Record<string, string>) => stage.call('mic.orderList', uid, { status: 'history', ...over })
    expect((await history({})).list.map(({ id }) => id)).toEqual([first.id])
    expect((await history({ symbol: 'ETHUSDT' })).total).toBe(0)
    expect((await history({ from: String(first.opened), to: String(first.opened + 1) })).total).toBe(1)
    expect((await history({ from: String(first.opened + 1) })).total).toBe(0)
    expect(await refused(history({ from: '2000000000000', to: '1900000000000' }))).toBe('range_reversed to')
    const file = await stage.call('mic.exportList', uid, {}, { lang: 'en' })
    expect(file.text.split('\r\n').slice(0, 2)).toEqual([
      'Time (UTC),Order,Market,Direction,Seconds,Stake,Payout rate,Entry price,Settlement price,Result,Credited,Profit or loss',
      `${new Date(first.opened).toISOString()},${first.id},BTCUSDT,Up,60,100,0.3,50000.00,,Void,100,0`,
    ])
    expect((await stage.call('mic.payableCurrencies', uid)).list).toEqual([
      { currency_id: 3, currency_code: 'USDT', scale: 8, name: expect.any(String), available: '900', frozen: '100' },
    ])
    expect(await refused(stage.call('mic.getOrderDetail', await begin(), { id: String(first.id) }))).toBe('order_unknown id')
  })

  test('whatever is done in whatever order, balances are those of a plain model', async () => {
    const cents = fc.integer({ min: 1_000, max: 20_000 })
    const step = fc.oneof(
      fc.record({ open: fc.constantFrom('up', 'down'), seconds: fc.constantFrom(30, 60), cents }),
      fc.record({ price: fc.integer({ min: 49_990, max: 50_010 }) }),
      fc.record({ later: fc.constantFrom(500, 4_000, 20_000, 61_000) }),
      fc.record({ settle: fc.constant(true) }),
    )
    const rates: Record<number, bigint> = { 30: 20n, 60: 30n }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const uid = await begin()
        let now = stage.stage.now()
        let ticks = [{ time: now, price: 50_000 }]
        let orders: { up: boolean; seconds: number; stake: bigint; open: number; due: number }[] = []
        // In hundredths of a cent, of which a payout of whole per cents has no fractions.
        let [available, frozen] = [10_000_000n, 0n]
        const settled = () => {
          for (const one of orders.filter(({ due }) => due < now)) {
            const by = ticks.findLast(({ time }) => time <= one.due)
            frozen -= one.stake
            if (!by || one.due - by.time > 5_000 || by.price === one.open) available += one.stake
            else if (by.price > one.open === one.up) available += one.stake + (one.stake * rates[one.seconds]!) / 100n
          }
          orders = orders.filter(({ due }) => due >= now)
        }
        for (const one of steps) {
          if ('price' in one) {
            stage.tick(String(one.price))
            ticks = [...ticks, { time: now, price: one.price }]
          } else if ('later' in one) {
            stage.stage.later(one.later)
            now += one.later
          } else if ('settle' in one) {
            await stage.settle()
            settled()
          } else {
            const asked = { type: one.open, seconds: String(one.seconds), number: String(one.cents / 100) }
            const answer = await refused(stage.open(uid, asked))
            const last = ticks.at(-1)!
            const stake = BigInt(one.cents) * 100n
            if (now - last.time > 10_000) expect(answer).toBe('price_stale')
            else if (stake > available) expect(answer).toBe('insufficient_balance')
            else {
              expect(answer).toContain('"status":"holding"')
              available -= stake
              frozen += stake
              orders.push({ up: one.open === 'up', seconds: one.seconds, stake, open: last.price, due: now + one.seconds * 1_000 })
            }
          }
        }
        stage.stage.later(200_000)
        now += 200_000
        await stage.settle()
        settled()
        expect(await stage.has(uid)).toBe(`${Number(available) / 10_000}/${Number(frozen) / 10_000}`)
      }),
      { numRuns: sized(15, 200) },
    )
  })
})
