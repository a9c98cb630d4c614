import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditIn } from '#api-server/ledger/audit/audit.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { both, chief, type OtcStage, openOtcStage } from '#tests/support/databases/otc-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'
import { isFull, sized } from '#tests/support/house/sizes.ts'
import { untilKnown } from '#tests/support/people/money-calls.ts'

onEngines('OTC', (engine) => {
  let on: OtcStage
  beforeAll(async () => {
    on = await openOtcStage(engine)
  })
  afterAll(async () => {
    await expectSoundMoney(on.stage.database)
  })
  beforeEach(() => on.stage.later(60_000))
  const has = async (uid: number) => [await on.stage.has(uid, 'USDT'), await on.stage.has(uid, 'BTC')].join(' ')
  const left = async (id: number) => (await on.otc.offers.offer(id, chief)).left
  const seen = async (uid: number, side = 'buy') => (await on.call('otc.offers', uid, { side, size: '100' })).list.map(({ id }) => id)

  test.each([
    [
      'buy',
      ['otc_settle change:available BTC 0.33333333', 'otc_settle change:frozen USDT -16666.83316669'],
      '83333.16683331/0 3.33333333/0',
    ],
    [
      'sell',
      ['otc_settle change:available USDT 16666.83316668', 'otc_settle change:frozen BTC -0.33333333'],
      '116666.83316668/0 2.66666667/0',
    ],
  ] as const)('an order to %s is settled with both sides in one event', async (side, own, after) => {
    const id = await on.offer({ side, price: '50000.50000005' })
    const uid = await on.customer()
    const placed = await on.order(uid, id, '0.33333333')
    expect(placed).toMatchObject({ offer_id: id, side, price: '50000.50000005', amount: '0.33333333', status: 'reviewing', version: 1 })
    expect(await left(id)).toBe('4.66666667')
    const before = await on.stage.lastEvent()
    expect(await on.approve(placed.id)).toMatchObject({ status: 'settled', decided_by: 'ann', usd: '16666.67', total: placed.total })
    const lines = await on.stage.lines(before)
    expect(lines).toHaveLength(4)
    expect(lines.filter((line) => line.includes('change:')).sort()).toEqual(own)
    expect(await has(uid)).toBe(after)
    await expect
      .poll(() => on.stage.announced.rows.filter((row) => row.startsWith(`${uid} `)))
      .toEqual([`${uid} otc_orders insert reviewing v1`, `${uid} otc_orders update settled v2`])
    expect(on.mails.filter((mail) => mail.startsWith(`${uid} `))).toEqual([`${uid} otc_settled {"amount":"0.33333333","coin":"BTC"}`])
    expect(await left(id)).toBe('4.66666667')
  })

  test.each(['rejected', 'cancelled'] as const)(
    'an order that is %s gives everything back, to the customer and to the offer',
    async (status) => {
      const id = await on.offer()
      const uid = await on.customer()
      const { id: placed } = await on.order(uid, id, '1')
      expect([await has(uid), await left(id)]).toEqual(['49999.5/50000.5 3/0', '4'])
      const ended = status === 'rejected' ? await on.reject(placed) : await on.cancel(uid, placed)
      expect(ended).toMatchObject({ status, reason: status === 'rejected' ? 'no proof' : '' })
      expect([await has(uid), await left(id)]).toEqual(['100000/0 3/0', '5'])
      expect((await on.call('otc.orders', uid)).list).toMatchObject([{ id: placed, status, version: 2 }])
    },
  )

  const ways = {
    settled: (_uid: number, id: number) => on.approve(id),
    rejected: (_uid: number, id: number) => on.reject(id),
    cancelled: (uid: number, id: number) => on.cancel(uid, id),
  }
  type End = keyof typeof ways
  const ends = Object.keys(ways) as End[]
  test.each(ends.flatMap((end) => ends.map((next) => [end, next] as const)))(
    'an order that is %s cannot be %s, and nothing moves',
    async (end, next) => {
      const uid = await on.customer()
      const { id: placed } = await on.order(uid, await on.offer(), '1')
      await ways[end](uid, placed)
      const row = async () => [(await on.call('otc.orders', uid)).list, await has(uid), await on.stage.lastEvent()]
      const before = await row()
      expect(await refused(ways[next](uid, placed))).toMatch(/^state_wrong/)
      expect(await row()).toEqual(before)
    },
  )

  test.each<[says: string, over: Record<string, string>, amount: string, answer: string]>([
    ['nearly all that there is', {}, '1.9999', 'answered'],
    ['a coin too many', { side: 'sell', price: '10000', amount_max: '4' }, '3.1', 'insufficient_balance'],
    ['less than the least', {}, '0.009', 'amount_too_small amount'],
    ['more than the most', {}, '2.1', 'amount_too_large amount'],
    ['too many decimals', {}, '0.100000001', 'amount_wrong amount'],
    ['no number', {}, '1e0', 'amount_wrong amount'],
    ['a minus', {}, '-1', 'amount_wrong amount'],
    ['before the first day', { from: '2026-12-24' }, '1', 'offer_closed offer_id'],
    ['after the last day', { until: '2026-11-20' }, '1', 'offer_closed offer_id'],
  ])('an order: %s', async (says, over, amount, answer) => {
    const id = await on.offer(over)
    const uid = await on.customer()
    const late = says === 'after the last day' ? 86_400_000 : 0
    on.stage.later(late)
    const said = await refused(on.order(uid, id, amount))
    on.stage.later(-late)
    expect(said.startsWith(answer) ? answer : said).toBe(answer)
    if (answer === 'answered') return
    expect([await has(uid), await left(id), (await on.call('otc.orders', uid)).total]).toEqual(['100000/0 3/0', '5', 0])
  })

  test('no offer, another customer, a frozen account and a full list are refused', async () => {
    const id = await on.offer()
    const [uid, other] = [await on.customer(), await on.customer()]
    expect(await refused(on.order(uid, 999_999, '1'))).toBe('offer_closed offer_id')
    const { id: placed } = await on.order(uid, id, '0.01')
    expect(await refused(on.cancel(other, placed))).toBe('order_unknown id')
    expect(await refused(on.cancel(uid, 999_999))).toBe('order_unknown id')
    for (let i = 1; i < 20; i++) await on.order(uid, id, '0.01')
    expect(await refused(on.order(uid, id, '0.01'))).toBe('list_full')
    await on.stage.change(uid, { status: 'frozen' })
    await on.cancel(uid, placed)
    expect(await refused(on.order(uid, id, '0.01'))).toBe('account_frozen')
    const { list } = await on.otc.queues[0].list({ status: 'reviewing', search: String(uid), page: 1, size: 100 }, both)
    expect(list).toHaveLength(19)
    expect(await refused(on.approve(list[0]!.id))).toBe('account_frozen')
    expect(await on.reject(list[0]!.id)).toMatchObject({ status: 'rejected' })
    await on.stage.change(uid, { status: 'active' })
    expect(await on.approve(list[1]!.id)).toMatchObject({ status: 'settled' })
  })

  test('an order ends once, whoever decides at once, and a repeated key has one effect', async () => {
    const id = await on.offer()
    const uid = await on.customer()
    const placed = await on.order(uid, id, '1', 'k1')
    expect(await on.order(uid, id, '1', 'k1')).toEqual(placed)
    expect(await refused(on.order(uid, id, '2', 'k1'))).toBe('key_reused')
    const all = await Promise.all([
      refused(on.approve(placed.id)),
      refused(on.reject(placed.id)),
      refused(on.cancel(uid, placed.id)),
      refused(on.approve(placed.id)),
    ])
    expect(all.filter((one) => one.startsWith('answered'))).toHaveLength(1)
    expect(all.filter((one) => one.startsWith('state_wrong'))).toHaveLength(3)
    const { id: next } = await on.order(uid, id, '0.01')
    expect(await on.cancel(uid, next, 'k2')).toEqual(await on.cancel(uid, next, 'k2'))
    expect(await refused(on.cancel(uid, next))).toBe('state_wrong id')
    expect(await refused(on.approve(next))).toBe('state_wrong')
    expect(await refused(on.reject(next))).toBe('state_wrong')
  })

  test('orders by status, side and the time at which they were made, and the same ones as a file', async () => {
    const [buying, selling] = [await on.offer(), await on.offer({ side: 'sell', price: '50000' })]
    const uid = await on.customer()
    const first = on.stage.now()
    const { id: rejected } = await on.order(uid, buying, '0.01')
    on.stage.later(1_000)
    const { id: settled } = await on.order(uid, selling, '1')
    on.stage.later(1_000)
    const { id: waiting } = await on.order(uid, buying, '0.02')
    await on.approve(settled)
    await on.reject(rejected, '=no, sorry')
    await on.order(await on.customer(), buying, '0.01')
    const last = on.stage.now()

    const ids: Record<number, string> = { [rejected]: 'rejected', [settled]: 'settled', [waiting]: 'waiting' }
    const found = async (fields: Record<string, string>) => {
      const [{ list, total }, file] = [await on.call('otc.orders', uid, fields), await on.call('otc.exportOrders', uid, fields)]
      expect([total, file.rows, file.cut]).toEqual([list.length, list.length, false])
      const [, ...lines] = file.text.split('\r\n').slice(0, -1)
      expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(list.map(({ id }) => id))
      return list.map(({ id }) => ids[id] ?? String(id))
    }
    expect(await found({})).toEqual(['waiting', 'settled', 'rejected'])
    expect(await found({ status: 'reviewing' })).toEqual(['waiting'])
    expect(await found({ status: 'cancelled' })).toEqual([])
    // The link of a notice opens one order, however old it is.
    const only = async (who: number) => (await on.call('otc.orders', who, { id: String(rejected) })).list.map(({ id }) => id)
    expect([await only(uid), await only(await on.customer())]).toEqual([[rejected], []])
    expect(await found({ side: 'buy' })).toEqual(['waiting', 'rejected'])
    expect(await found({ side: 'sell', status: 'rejected' })).toEqual([])
    expect(await found({ from: String(first + 1_000) })).toEqual(['waiting', 'settled'])
    expect(await found({ to: String(first + 1_000) })).toEqual(['rejected'])
    expect(await found({ from: String(first + 1), to: String(last) })).toEqual(['settled'])
    expect(await found({ from: String(last), to: String(last) })).toEqual([])
    const reversed = { from: String(last), to: String(first) }
    for (const call of ['otc.orders', 'otc.exportOrders'] as const)
      expect(await refused(on.call(call, uid, reversed)), call).toBe('range_reversed to')

    const [one, two, three] = [first, first + 1_000, last].map((at) => new Date(at).toISOString())
    const { text, name } = await on.call('otc.exportOrders', uid, {}, undefined, 'fr')
    expect(name).toBe(`tessera-otc-${three!.slice(0, 10)}.csv`)
    expect(text.split('\r\n')).toEqual([
      'Numéro,Heure,Marché,Sens,Prix,Montant,Monnaie du montant,Valeur,État,Motif,Dernière modification',
      `${waiting},${three},BTC/USDT,Achat,50000.5,0.02,BTC,1000.01,En examen,,${three}`,
      `${settled},${two},BTC/USDT,Vente,50000,1,BTC,50000,Réglé,,${three}`,
      `${rejected},${one},BTC/USDT,Achat,50000.5,0.01,BTC,500.005,Refusé,"'=no, sorry",${three}`,
      '',
    ])
  })

  test('a file of more than 5,000 orders is cut, and holds the newest', async () => {
    const uid = await on.customer()
    const { id } = await on.order(uid, await on.offer(), '0.01')
    await on.cancel(uid, id)
    const { db } = on.stage.database
    const copied = sql.raw('uid, offer_id, side, currency_id, quote_id, price, amount, total, status, created_at, changed_at, version')
    const add = (count: number) =>
      sql`insert into otc_order (${copied}) select ${copied} from otc_order, generate_series(1, ${count}::int) where id = ${id}`.execute(db)
    await add(4_999)
    expect(await on.call('otc.exportOrders', uid)).toMatchObject({ rows: 5_000, cut: false })
    await add(1)
    const file = await on.call('otc.exportOrders', uid)
    expect(file).toMatchObject({ rows: 5_000, cut: true })
    expect(file.text).not.toContain(`\r\n${id},`)
    // The ledger has no events of these, which the audit would find.
    await on.inTx(async (tx) => {
      await sql`alter table otc_order disable trigger otc_order_row`.execute(tx)
      await tx.deleteFrom('otc_order').where('uid', '=', uid).where('id', '>', id).execute()
      await sql`alter table otc_order enable trigger otc_order_row`.execute(tx)
    })
  })

  test('orders at once take no more than is left, and none more than there is', async () => {
    const asked = (uid: number, id: number, amount: string, key: string = randomUUID()) =>
      refused(untilKnown(() => on.order(uid, id, amount, key)))
    const [parts, wanted] = isFull ? [100, 200] : [3, 5]
    const id = await on.offer({ amount_max: '2', whole: String(parts) })
    const people: number[] = []
    while (people.length < wanted) people.push(await on.customer())
    const all = await Promise.all(people.map((uid) => asked(uid, id, '1')))
    expect(all.filter((one) => one.startsWith('answered'))).toHaveLength(parts)
    expect(all.filter((one) => one === 'offer_closed offer_id')).toHaveLength(people.length - parts)
    expect(await left(id)).toBe('0')
    for (const [at, uid] of people.entries())
      expect(await on.stage.has(uid, 'USDT')).toBe(all[at]!.startsWith('answered') ? '49999.5/50000.5' : '100000/0')
    expect(await seen(people[0]!)).not.toContain(id)
    const [poor, wide] = [await on.customer({ USDT: '100000' }), await on.offer()]
    const tried = await Promise.all(Array.from({ length: 4 }, () => asked(poor, wide, '0.9')))
    expect(tried.filter((one) => one.startsWith('answered'))).toHaveLength(2)
    expect(tried.filter((one) => one === 'insufficient_balance')).toHaveLength(2)
  })

  test('an offer counts once a second administrator has agreed, and another one takes its place', async () => {
    const uid = await on.customer()
    const { id } = await on.propose()
    expect(await seen(uid)).not.toContain(id)
    expect(await refused(on.order(uid, id, '1'))).toBe('offer_closed offer_id')
    expect(await refused(on.agree(id, chief))).toBe('own_decision')
    expect(await on.otc.offers.offer(id, chief)).toMatchObject({ proposal: { own: true, may_agree: false }, status: 'proposed' })
    expect(await on.otc.offers.offer(id, both)).toMatchObject({ proposal: { own: false, may_agree: true } })
    expect(await on.agree(id)).toMatchObject({ kind: 'offer', subject: String(id), state: 'agreed' })
    expect(await refused(on.agree(id))).toBe('state_wrong')
    expect(await seen(uid)).toContain(id)
    const { id: placed } = await on.order(uid, id, '1')
    const { id: next } = await on.propose({ price: '51000', replaces: String(id) })
    expect(await refused(on.propose({ price: '52000', replaces: String(id) }))).toBe('state_wrong')
    expect(await refused(on.propose({ replaces: '999999' }))).toBe('not_found replaces')
    await on.agree(next)
    expect(await seen(uid)).toContain(next)
    expect(await seen(uid)).not.toContain(id)
    expect(await on.otc.offers.offer(id, chief)).toMatchObject({ status: 'closed', closed_by: 'both', waiting: 1, settled: 0 })
    expect(await refused(on.order(uid, id, '1'))).toBe('offer_closed offer_id')
    expect(await on.approve(placed)).toMatchObject({ status: 'settled', price: '50000.5', total: '50000.5' })
    await on.close(next)
    expect(await refused(on.close(next))).toBe('state_wrong')
    expect(await refused(on.propose({ replaces: String(next) }))).toBe('state_wrong')
  })

  test('a proposal of another side, one whose coin is closed and one whose last day is over leave the offer that they would replace open', async () => {
    const uid = await on.customer()
    const id = await on.offer()
    expect(await refused(on.propose({ side: 'sell', replaces: String(id) }))).toBe('state_wrong')
    expect(await refused(on.propose({ coin: 'ETH', replaces: String(id) }))).toBe('state_wrong')
    const { id: next } = await on.propose({ from: '2026-11-19', until: '2026-11-20', replaces: String(id) })
    expect(await on.otc.offers.offer(next, both)).toMatchObject({ first_day: '2026-11-19', last_day: '2026-11-20' })
    const btc = (status: number) => on.stage.database.db.updateTable('currency').set({ status }).where('code', '=', 'BTC').execute()
    await btc(0)
    expect(await refused(on.agree(next))).toBe('currency_closed')
    await btc(1)
    on.stage.later(86_400_000)
    expect(await refused(on.agree(next))).toBe('range_reversed until')
    on.stage.later(-86_400_000)
    expect(await seen(uid)).toContain(id)
    await on.agree(next)
    expect(await on.otc.offers.offer(id, chief)).toMatchObject({ status: 'closed' })
  })

  test.each([
    [chief, 'withdrawn'],
    [both, 'refused'],
  ] as const)('a proposal that %o drops is never offered', async (by, status) => {
    const { id } = await on.propose()
    expect(await on.inTx((tx) => on.otc.offers.drop(tx, id, by))).toMatchObject({ state: status })
    expect(await refused(on.agree(id))).toBe('state_wrong')
    expect((await on.otc.offers.offers({ status, page: 1, size: 100 })).list.map((row) => row.id)).toContain(id)
  })

  test.each([
    [{ coin: 'USDT' }, 'currency_unknown coin'],
    [{ coin: 'btc' }, 'currency_unknown coin'],
    [{ price: '0' }, 'price_wrong price'],
    [{ amount_max: '6' }, 'amount_too_small whole'],
    [{ until: '2026-11-19' }, 'range_reversed until'],
  ])('an offer with %j is refused: %s', async (over, problem) => {
    expect(await refused(on.propose(over))).toBe(problem)
  })

  test('money is sound after any sequence of orders and decisions', async () => {
    const offers = [
      await on.offer({ price: '33333.33333333' }),
      await on.offer({ side: 'sell', price: '7.77777777', amount_min: '0.00000001' }),
    ]
    const uid = await on.customer()
    const placed: number[] = []
    const act = fc.record({
      act: fc.constantFrom('order', 'cancel', 'approve', 'reject'),
      at: fc.nat(1),
      amount: fc.integer({ min: 1, max: 120_000_000 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 8 }), async (acts) => {
        for (const { act: what, at, amount } of acts) {
          const id = placed.at(-1 - at)
          if (what === 'order') {
            const said = await refused(on.order(uid, offers[at]!, (amount / 100_000_000).toFixed(8)))
            if (said.startsWith('answered')) placed.push((JSON.parse(said.slice(9)) as { id: number }).id)
          } else if (id === undefined) continue
          else if (what === 'cancel') await refused(on.cancel(uid, id))
          else await refused(what === 'approve' ? on.approve(id) : on.reject(id))
        }
        await expectSoundMoney(on.stage.database)
      }),
      { numRuns: sized(6, 60) },
    )
  })

  test('the audit finds an order that moved too much, and an offer of which more is gone than was ordered', async () => {
    const id = await on.offer()
    const uid = await on.customer()
    await on.order(uid, id, '1')
    const breaches = async (statement: string) => {
      const undo = new Error('undo')
      let found: string[] = []
      await on
        .inTx(async (tx) => {
          for (const table of ['otc_order', 'otc_offer']) await sql.raw(`alter table ${table} disable trigger ${table}_row`).execute(tx)
          await sql.raw(statement).execute(tx)
          const { checks } = await auditIn(tx)
          found = checks.flatMap((one) => (one.breaches.length ? one.name : []))
          throw undo
        })
        .catch((error: unknown) => {
          if (error !== undo) throw error
        })
      return found
    }
    expect(await breaches('select 1')).toEqual([])
    expect(await breaches(`update otc_order set total = total + 1 where uid = ${uid}`)).toEqual(['I3', 'I6', 'I8'])
    expect(await breaches(`update otc_order set status = 'settled', decided_by = 'x' where uid = ${uid}`)).toEqual(['I3', 'I6'])
    expect(await breaches(`update otc_offer set taken = taken + 1 where id = ${id}`)).toEqual(['I8'])
    expect(await breaches(`delete from otc_order where uid = ${uid}`)).toEqual(['I3', 'I6', 'I8'])
  })
})
