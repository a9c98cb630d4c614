import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createIdempotency } from '#api-server/idempotency/keys.ts'
import { auditIn } from '#api-server/ledger/audit/audit.ts'
import { createLedger } from '#api-server/ledger/ledger.store.ts'
import { createOtc, type Otc } from '#api-server/otc/otc.ts'
import type { CallRow } from '#contract/call.ts'
import { deskOtcCalls, otcOfferStates } from '#contract/calls/desk.otc.calls.ts'
import { type otcCalls, otcOrderStates } from '#contract/calls/otc.calls.ts'
import { type CallOutput, contract } from '#contract/contract.ts'
import type { Handler, Operator, UserCaller } from '#server-kit/http/http.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { openWalletStage, refused, type WalletStage } from '#tests/support/databases/wallet-stage.ts'
import { sized } from '#tests/support/house/sizes.ts'

type OtcCall = keyof typeof otcCalls
const chief: Operator = { id: 1, name: 'chief', roles: ['administrator'], fresh: true }
const both: Operator = { id: 2, name: 'both', roles: ['administrator', 'reviewer'], fresh: true }
const typed = { coin: 'BTC', side: 'buy', price: '50000.5', amount_min: '0.01', amount_max: '2', whole: '5' }

onEngines('OTC', (engine) => {
  let stage: WalletStage
  let otc: Otc
  let handlers: Record<string, Handler<CallRow>>
  const mails: string[] = []

  beforeAll(async () => {
    stage = await openWalletStage(engine)
    const { database, clock, coins, balances, secrets, proofs, told } = stage
    otc = createOtc({
      ...{ database, clock, coins, balances, ledger: createLedger() },
      once: createIdempotency({ database, clock, secrets, log: createLog('silent') }),
      proofs: {
        lock: proofs.lock,
        tell: async (_tx, uid, { notice, values }) => void mails.push(`${uid} ${notice} ${JSON.stringify(values)}`),
      },
      changed: (uid) => void told.changed.push(uid),
      rowChanged: (uid, topic, changed) =>
        void told.rows.push(`${uid} ${topic} ${changed?.change} ${changed?.row.status} v${changed?.row.version}`),
      queueChanged: () => void told.queue++,
    })
    handlers = otc.handlers as unknown as Record<string, Handler<CallRow>>
  })
  afterAll(async () => {
    await expectSoundMoney(stage.database)
  })
  beforeEach(() => stage.later(60_000))

  async function call<N extends OtcCall>(name: N, uid: number, fields: Record<string, string> = {}, key?: string): Promise<CallOutput<N>> {
    const row: CallRow = contract[name]
    const caller: UserCaller = {
      ...{ lang: 'en', token: 't', agent: '', ip: '127.0.0.1', user: { uid, session: 's' } },
      ...(key !== undefined && { key }),
    }
    return row.output.parse(await handlers[name]!(row.input.parse(fields), caller)) as CallOutput<N>
  }
  const inTx = <A>(work: Parameters<typeof stage.database.transaction<A>>[0]) => stage.database.transaction(work)
  const propose = (over: Record<string, string> = {}, by = chief) =>
    inTx((tx) => otc.reviews.propose(tx, deskOtcCalls['desk.otcOfferSave'].input.parse({ ...typed, ...over }), by))
  const agree = (id: number, by = both) => inTx((tx) => otc.reviews.agree(tx, id, by))
  const close = (id: number) => inTx((tx) => otc.reviews.close(tx, id, chief))
  const approve = (id: number) => inTx((tx) => otc.reviews.approve(tx, id, 'ann', ''))
  const reject = (id: number, reason = 'no proof') => inTx((tx) => otc.reviews.reject(tx, id, 'ann', reason))
  async function offer(over: Record<string, string> = {}): Promise<number> {
    const { id } = await propose(over)
    await agree(id)
    return id
  }
  async function customer(coins: Record<string, string> = { USDT: '100000', BTC: '3' }): Promise<number> {
    const uid = await stage.user()
    for (const [code, amount] of Object.entries(coins)) await stage.credit(uid, code, amount)
    return uid
  }
  const order = (uid: number, offer_id: number, amount: string, key?: string) =>
    call('otc.order', uid, { offer_id: String(offer_id), amount }, key)
  const cancel = (uid: number, id: number, key?: string) => call('otc.cancel', uid, { id: String(id) }, key)
  const has = async (uid: number) => [await stage.has(uid, 'USDT'), await stage.has(uid, 'BTC')].join(' ')
  const left = async (id: number) => (await otc.reviews.offer(id, chief)).left
  const seen = async (uid: number, side = 'buy') => (await call('otc.offers', uid, { side, size: '100' })).list.map(({ id }) => id)

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
    const id = await offer({ side, price: '50000.50000005' })
    const uid = await customer()
    const placed = await order(uid, id, '0.33333333')
    expect(placed).toMatchObject({ offer_id: id, side, price: '50000.50000005', amount: '0.33333333', status: 'reviewing', version: 1 })
    expect(await left(id)).toBe('4.66666667')
    const before = await stage.lastEvent()
    expect(await approve(placed.id)).toMatchObject({ status: 'settled', decided_by: 'ann', usd: '16666.67', total: placed.total })
    const lines = await stage.lines(before)
    expect(lines).toHaveLength(4)
    expect(lines.filter((line) => line.includes('change:')).sort()).toEqual(own)
    expect(await has(uid)).toBe(after)
    await otc.reviews.decided(placed.id)
    await expect
      .poll(() => stage.told.rows.filter((row) => row.startsWith(`${uid} `)))
      .toEqual([`${uid} otc_orders insert reviewing v1`, `${uid} otc_orders update settled v2`])
    expect(mails.filter((mail) => mail.startsWith(`${uid} `))).toEqual([`${uid} otc_settled {"amount":"0.33333333 BTC"}`])
    expect(await left(id)).toBe('4.66666667')
  })

  test.each(['rejected', 'cancelled'] as const)(
    'an order that is %s gives everything back, to the customer and to the offer',
    async (status) => {
      const id = await offer()
      const uid = await customer()
      const { id: placed } = await order(uid, id, '1')
      expect([await has(uid), await left(id)]).toEqual(['49999.5/50000.5 3/0', '4'])
      const ended = status === 'rejected' ? await reject(placed) : await cancel(uid, placed)
      expect(ended).toMatchObject({ status, reason: status === 'rejected' ? 'no proof' : '' })
      expect([await has(uid), await left(id)]).toEqual(['100000/0 3/0', '5'])
      expect((await call('otc.orders', uid)).list).toMatchObject([{ id: placed, status, version: 2 }])
    },
  )

  test.each<[says: string, over: Record<string, string>, amount: string, answer: string]>([
    ['nearly all that there is', {}, '1.9999', 'answered'],
    ['a coin too many', { price: '50001' }, '2', 'insufficient_balance'],
    ['less than the least', {}, '0.009', 'amount_too_small amount'],
    ['more than the most', {}, '2.1', 'amount_too_large amount'],
    ['too many decimals', {}, '0.100000001', 'amount_wrong amount'],
    ['no number', {}, '1e0', 'amount_wrong amount'],
    ['a minus', {}, '-1', 'amount_wrong amount'],
    ['before the first day', { from: '2026-12-24' }, '1', 'offer_closed offer_id'],
    ['after the last day', { until: '2026-11-20' }, '1', 'offer_closed offer_id'],
  ])('an order: %s', async (says, over, amount, answer) => {
    const id = await offer(over)
    const uid = await customer()
    const late = says === 'after the last day' ? 86_400_000 : 0
    stage.later(late)
    const said = await refused(order(uid, id, amount))
    stage.later(-late)
    expect(said.startsWith(answer) ? answer : said).toBe(answer)
    if (answer === 'answered') return
    expect([await has(uid), await left(id), (await call('otc.orders', uid)).total]).toEqual(['100000/0 3/0', '5', 0])
  })

  test('no offer, another customer, a frozen account and a full list are refused', async () => {
    const id = await offer()
    const [uid, other] = [await customer(), await customer()]
    expect(await refused(order(uid, 999_999, '1'))).toBe('offer_closed offer_id')
    const { id: placed } = await order(uid, id, '0.01')
    expect(await refused(cancel(other, placed))).toBe('order_unknown id')
    expect(await refused(cancel(uid, 999_999))).toBe('order_unknown id')
    for (let i = 1; i < 20; i++) await order(uid, id, '0.01')
    expect(await refused(order(uid, id, '0.01'))).toBe('list_full')
    await stage.change(uid, { status: 'frozen' })
    await cancel(uid, placed)
    expect(await refused(order(uid, id, '0.01'))).toBe('account_frozen')
    const { list } = await otc.reviews.orders({ status: 'reviewing', uids: [uid], page: 1, size: 100 })
    expect(list).toHaveLength(19)
    expect(await refused(approve(list[0]!.id))).toBe('account_frozen')
    expect(await reject(list[0]!.id)).toMatchObject({ status: 'rejected' })
    await stage.change(uid, { status: 'active' })
    expect(await approve(list[1]!.id)).toMatchObject({ status: 'settled' })
  })

  test('an order ends once, whoever decides at once, and a repeated key has one effect', async () => {
    const id = await offer()
    const uid = await customer()
    const placed = await order(uid, id, '1', 'k1')
    expect(await order(uid, id, '1', 'k1')).toEqual(placed)
    expect(await refused(order(uid, id, '2', 'k1'))).toBe('key_reused')
    const all = await Promise.all([
      refused(approve(placed.id)),
      refused(reject(placed.id)),
      refused(cancel(uid, placed.id)),
      refused(approve(placed.id)),
    ])
    expect(all.filter((one) => one.startsWith('answered'))).toHaveLength(1)
    expect(all.filter((one) => one.startsWith('state_wrong'))).toHaveLength(3)
    const { id: next } = await order(uid, id, '0.01')
    expect(await cancel(uid, next, 'k2')).toEqual(await cancel(uid, next, 'k2'))
    expect(await refused(cancel(uid, next))).toBe('state_wrong id')
    expect(await refused(approve(next))).toBe('state_wrong')
    expect(await refused(reject(next))).toBe('state_wrong')
  })

  test('orders at once take no more than is left, and none more than there is', async () => {
    const id = await offer({ amount_max: '2', whole: '3' })
    const people = await Promise.all(Array.from({ length: 5 }, () => customer()))
    const all = await Promise.all(people.map((uid) => refused(order(uid, id, '1'))))
    expect(all.filter((one) => one.startsWith('answered'))).toHaveLength(3)
    expect(await left(id)).toBe('0')
    expect(await seen(people[0]!)).not.toContain(id)
    const poor = await customer({ USDT: '100000' })
    const wide = await offer()
    const tried = await Promise.all(Array.from({ length: 4 }, () => refused(order(poor, wide, '0.9'))))
    expect(tried.filter((one) => one.startsWith('answered'))).toHaveLength(2)
    expect(tried.filter((one) => one === 'insufficient_balance')).toHaveLength(2)
  })

  test('an offer counts once a second administrator has agreed, and another one takes its place', async () => {
    const uid = await customer()
    const { id } = await propose()
    expect(await seen(uid)).not.toContain(id)
    expect(await refused(order(uid, id, '1'))).toBe('offer_closed offer_id')
    expect(await refused(agree(id, chief))).toBe('own_decision')
    expect(await otc.reviews.offer(id, chief)).toMatchObject({ own: true, may_agree: false, status: 'proposed' })
    expect(await otc.reviews.offer(id, both)).toMatchObject({ own: false, may_agree: true })
    expect(await agree(id)).toMatchObject({ id, action: 'agree', detail: 'house sells 5 BTC at 50000.5 USDT' })
    expect(await refused(agree(id))).toBe('state_wrong')
    expect(await seen(uid)).toContain(id)
    const { id: placed } = await order(uid, id, '1')
    const { id: next } = await propose({ price: '51000', replaces: String(id) })
    expect(await refused(propose({ price: '52000', replaces: String(id) }))).toBe('state_wrong')
    expect(await refused(propose({ replaces: '999999' }))).toBe('not_found replaces')
    await agree(next)
    expect(await seen(uid)).toContain(next)
    expect(await seen(uid)).not.toContain(id)
    expect(await otc.reviews.offer(id, chief)).toMatchObject({ status: 'closed', closed_by: 'both', waiting: 1, settled: 0 })
    expect(await refused(order(uid, id, '1'))).toBe('offer_closed offer_id')
    expect(await approve(placed)).toMatchObject({ status: 'settled', price: '50000.5', total: '50000.5' })
    await close(next)
    expect(await refused(close(next))).toBe('state_wrong')
    expect(await refused(propose({ replaces: String(next) }))).toBe('state_wrong')
  })

  test('a proposal of another side, and one whose coin is closed, leave the offer that they would replace open', async () => {
    const uid = await customer()
    const id = await offer()
    expect(await refused(propose({ side: 'sell', replaces: String(id) }))).toBe('state_wrong')
    expect(await refused(propose({ coin: 'ETH', replaces: String(id) }))).toBe('state_wrong')
    const { id: next } = await propose({ replaces: String(id) })
    const btc = (status: number) => stage.database.db.updateTable('currency').set({ status }).where('code', '=', 'BTC').execute()
    await btc(0)
    expect(await refused(agree(next))).toBe('currency_closed')
    await btc(1)
    expect(await seen(uid)).toContain(id)
    await agree(next)
    expect(await otc.reviews.offer(id, chief)).toMatchObject({ status: 'closed' })
  })

  test.each([
    [chief, 'withdraw', 'withdrawn'],
    [both, 'refuse', 'refused'],
  ] as const)('a proposal that %o drops is never offered', async (by, action, status) => {
    const { id } = await propose()
    expect(await inTx((tx) => otc.reviews.drop(tx, id, by))).toMatchObject({ action })
    expect(await refused(agree(id))).toBe('state_wrong')
    expect((await otc.reviews.offers({ status, page: 1, size: 100 })).list.map((row) => row.id)).toContain(id)
  })

  test.each([
    [{ coin: 'USDT' }, 'currency_unknown coin'],
    [{ coin: 'btc' }, 'currency_unknown coin'],
    [{ price: '0' }, 'price_wrong price'],
    [{ amount_max: '6' }, 'amount_too_small whole'],
    [{ until: '2026-11-19' }, 'range_reversed until'],
  ])('an offer with %j is refused: %s', async (over, problem) => {
    expect(await refused(propose(over))).toBe(problem)
  })

  test('the database refuses other ways from state to state, changes of what was agreed, and removal', async () => {
    const id = await offer()
    const uid = await customer()
    const { id: placed } = await order(uid, id, '1')
    const changed = (table: string, row: number, set: string) =>
      sql
        .raw(`update ${table} set ${set} where id = ${row}`)
        .execute(stage.database.db)
        .then(
          () => 'done',
          () => 'refused',
        )
    for (const set of ['price = 1', 'amount = 2', 'total = 1', `side = 'sell'`, 'uid = 1'])
      expect(await changed('otc_order', placed, `status = 'cancelled', ${set}`), set).toBe('refused')
    for (const set of ['price = 1', 'whole = 100', 'amount_max = 3', 'taken = 6', 'taken = -1', `status = 'proposed', decided_by = ''`])
      expect(await changed('otc_offer', id, set), set).toBe('refused')
    for (const table of ['otc_offer', 'otc_order'])
      expect(
        await sql
          .raw(`delete from ${table}`)
          .execute(stage.database.db)
          .then(
            () => 'done',
            () => 'refused',
          ),
      ).toBe('refused')
    await cancel(uid, placed)
    for (const to of otcOrderStates)
      expect(await changed('otc_order', placed, `status = '${to}', reason = '', decided_by = ''`), to).toBe('refused')
    await close(id)
    for (const to of otcOfferStates.filter((one) => one !== 'closed'))
      expect(await changed('otc_offer', id, `status = '${to}', closed_by = ''`), to).toBe('refused')
  })

  test('money is sound after any sequence of orders and decisions', async () => {
    const offers = [await offer({ price: '33333.33333333' }), await offer({ side: 'sell', price: '7.77777777', amount_min: '0.00000001' })]
    const uid = await customer()
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
            const said = await refused(order(uid, offers[at]!, (amount / 100_000_000).toFixed(8)))
            if (said.startsWith('answered')) placed.push((JSON.parse(said.slice(9)) as { id: number }).id)
          } else if (id === undefined) continue
          else if (what === 'cancel') await refused(cancel(uid, id))
          else await refused(what === 'approve' ? approve(id) : reject(id))
        }
        await expectSoundMoney(stage.database)
      }),
      { numRuns: sized(6, 60) },
    )
  })

  test('the audit finds an order that moved too much, and an offer of which more is gone than was ordered', async () => {
    const id = await offer()
    const uid = await customer()
    await order(uid, id, '1')
    const breaches = async (statement: string) => {
      const undo = new Error('undo')
      let found: string[] = []
      await inTx(async (tx) => {
        for (const table of ['otc_order', 'otc_offer']) await sql.raw(`alter table ${table} disable trigger ${table}_row`).execute(tx)
        await sql.raw(statement).execute(tx)
        const { checks } = await auditIn(tx)
        found = checks.flatMap((one) => (one.breaches.length ? one.name : []))
        throw undo
      }).catch((error: unknown) => {
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
