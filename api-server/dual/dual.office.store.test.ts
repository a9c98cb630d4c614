import Big from 'big.js'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditIn } from '#api-server/ledger/audit/audit.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { dayMs, refused } from '#tests/support/databases/wallet-stage.ts'
import { type DualStage, openDualStage } from '#tests/support/dual-stage.ts'

onEngines('dual investment at the back office', (engine) => {
  let on: DualStage
  beforeAll(async () => {
    on = await openDualStage(engine, 2)
  })
  afterAll(async () => {
    await expectSoundMoney(on.database, { decisions: true })
    await on.close()
  })
  beforeEach(() => on.stage.later(60_000))
  const logged = async (subject: string) => {
    const rows = on.database.db.selectFrom('desk_audit').select(['action', 'operator']).where('subject', '=', subject).orderBy('id')
    return (await rows.execute()).map(({ action, operator }) => `${action} ${operator}`)
  }
  test('what is owed is the sum of both outcomes, exactly, by day and coin, beside the pool', async () => {
    type Owed = { days: object[]; coins: { currency_code: string; pool: string; above: string; below: string; lacks: string }[] }
    const owed = async () => (await on.office('office.dualOwed', {})) as unknown as Owed
    const poolOf = ({ coins }: Owed, code: string) => new Big(coins.find((coin) => coin.currency_code === code)?.pool ?? '0')
    const before = await owed()
    expect(before.days).toEqual([])
    const uid = await on.customer()
    const order = await on.buy(uid, await on.product(), { num: '50' })
    await on.buy(uid, await on.product({ type: 'put' }), { num: '50', type: 'put' })
    const after = await owed()
    const { day } = order
    expect(after.days).toHaveLength(2)
    expect(after.days).toEqual(
      expect.arrayContaining([
        { key: `${day} BTC`, day, currency_code: 'BTC', orders: 2, above: '0', below: '1.00575342' },
        { key: `${day} USDT`, day, currency_code: 'USDT', orders: 2, above: '60345.20547944', below: '0' },
      ]),
    )
    expect(poolOf(after, 'BTC').minus(poolOf(before, 'BTC')).toFixed()).toBe('0.5')
    expect(poolOf(after, 'USDT').minus(poolOf(before, 'USDT')).toFixed()).toBe('30000')
    for (const { pool, above, below, lacks } of after.coins) {
      const rest = new Big(above).plus(below).minus(pool)
      expect(lacks).toBe(rest.gt(0) ? rest.toFixed() : '0')
    }
    await on.mature(order.matures, '60000.01')
    expect((await owed()).days).toEqual([])
  })

  test('a product is proposed by one operator and agreed to by another; then it is bought by its terms', async () => {
    const { id, proposal } = await on.propose()
    const uid = await on.customer()
    expect(await refused(on.buy(uid, id))).toBe('product_unknown id')
    const shown = () => on.office('office.termsOne', { product: 'dual', key: String(id) })
    const listed = async () => (await on.office('office.terms', { product: 'dual' })).list.find(({ key }) => key === String(id))
    expect(await shown()).toMatchObject({ version: 0, state: 'proposed', steps: [], facts: [], proposal: { by: 'walt' } })
    const about = { about: expect.stringMatching(/^BTCUSDT, 60000 USDT, .* 08:00 UTC$/), choice: 'type', chosen: 'call' }
    expect(await listed()).toMatchObject({ ...about, version: 0, state: 'proposed', proposed: true })
    expect(await refused(on.agree(proposal, on.walt))).toBe('own_decision')
    await on.agree(proposal)
    expect(await logged(`dual:${id}`)).toEqual(['terms.propose walt', 'terms.agree rita'])
    expect(await on.buy(uid, id, { num: '2', terms_version: '1' })).toMatchObject({
      number: '0.02',
      linked: '60000',
      yearly: '0.3',
      days: 7,
    })
    expect(await shown()).toMatchObject({
      version: 1,
      state: 'on_sale',
      steps: [{ step: 'pause' }, { step: 'end' }],
      state_by: '',
      facts: [{ name: 'sold', shown: '2 / 100' }],
    })
    expect(await listed()).toMatchObject({ ...about, version: 1, changed_by: 'walt, rita', state: 'on_sale', proposed: false })
    expect(await on.call('dual.detail', uid, { id: String(id) })).toMatchObject({
      total: 100,
      limit: 10,
      remaining: 98,
      risk: 3,
      simulated: false,
    })
    // Other terms need both again; the screen of a customer that shows the ones before is refused.
    const change = { product: 'dual', key: String(id), linked: '61000' }
    const changes = [{ name: 'linked', value: '61000', shown: '61000 USDT', before: '60000 USDT', choice: '' }]
    expect(await on.office('office.termsPreview', change)).toEqual({ changes })
    expect(await refused(on.office('office.termsPreview', { ...change, linked: '61000.001' }))).toBe('parameter_error linked')
    expect(await refused(on.office('office.termsPreview', { ...change, type: 'put' }))).toBe('parameter_error type')
    expect((await shown()).proposal).toBeNull()
    const other = await on.office('office.termsSave', { ...change, version: '1' }, on.rita)
    expect(other.proposal).toMatchObject({ by: 'rita', changes })
    await on.agree(other.proposal!.id, on.walt)
    expect(await refused(on.buy(uid, id, { terms_version: '1' }))).toBe('terms_changed')
    expect(await on.buy(uid, id, { terms_version: '2' })).toMatchObject({ linked: '61000', terms_version: 2 })
    expect((await shown()).versions.map(({ version, by, name, before, shown }) => ({ version, by, name, before, shown }))).toEqual([
      { version: 2, by: 'rita, walt', name: 'linked', before: '60000 USDT', shown: '61000 USDT' },
      { version: 1, by: 'walt, rita', name: '', before: '', shown: '' },
    ])
  })

  test.each<[says: string, over: Record<string, string>, answer: string]>([
    ['no market', { market: 'NOSUCH' }, 'parameter_error market'],
    ['a market whose base is no coin', { market: 'EURUSD' }, 'parameter_error market'],
    ['no direction', { type: 'both' }, 'parameter_error type'],
    ['a price between two steps', { linked: '60000.001' }, 'parameter_error linked'],
    ['no yield', { yearly: '0' }, 'parameter_error yearly'],
    ['a share finer than its coin', { share: '0.000000001' }, 'parameter_error share'],
    ['half a share', { total: '0.5' }, 'parameter_error total'],
    ['a risk of 6', { risk: '6' }, 'parameter_error risk'],
    ['a maturity at noon', { matures_at: '2099-12-31 12:00' }, 'parameter_error matures_at'],
    ['a maturity that is no time', { matures_at: 'soon' }, 'parameter_error matures_at'],
    ['a sale to the maturity', { ends_at: '2099-12-31 08:00', matures_at: '2099-12-31 08:00' }, 'parameter_error ends_at'],
    ['a member that is missing', { share: '' }, 'parameter_error share'],
  ])('no proposal: %s', async (_says, over, answer) => {
    expect(await refused(on.propose(over))).toBe(answer)
  })
  test('a proposal whose sale is over by now is not agreed to; without a recent login nobody proposes', async () => {
    const { id, proposal } = await on.propose()
    on.stage.later(7 * dayMs)
    expect(await refused(on.agree(proposal))).toBe('parameter_error ends_at')
    await on.office('office.proposalDrop', { id: String(proposal) }, on.rita)
    expect(await logged(`dual:${id}`)).toEqual(['terms.propose walt', 'terms.refuse rita'])
    expect(await refused(on.propose({}, { ...on.walt, fresh: false }))).toBe('fresh_login_required')
  })

  test('a paused sale sells nothing until it is resumed, an ended one never again, and each decision is in the log', async () => {
    const id = await on.product()
    const uid = await on.customer()
    const order = await on.buy(uid, id)
    const decide = (step: string, by = on.walt) => refused(on.office('office.termsSale', { product: 'dual', key: String(id), step }, by))
    const standing = async () => {
      const [row] = await on.database.db.selectFrom('dual_product').select(['sale', 'sale_by']).where('id', '=', id).execute()
      return `${row!.sale} ${row!.sale_by}`
    }
    /** Messages to all apps that products are others, since the last look. */
    let looked = on.announced.length
    const news = () => on.announced.slice(looked, (looked = on.announced.length)).filter((one) => one.startsWith('all'))
    expect(await decide('resume')).toBe('state_wrong')
    await decide('pause')
    expect(await standing()).toBe('paused walt')
    expect(await decide('pause')).toBe('state_wrong')
    expect(news()).toEqual(['all dual_products'])
    expect(await refused(on.buy(uid, id))).toBe('sale_closed id')
    expect(await on.call('dual.detail', uid, { id: String(id) })).toMatchObject({ state: 'paused', most: 0 })
    await decide('resume', on.rita)
    expect(await standing()).toBe('open rita')
    expect(await refused(on.buy(uid, id))).toContain('"status":"purchased"')
    await decide('end')
    expect(await standing()).toBe('ended walt')
    for (const step of ['pause', 'resume', 'end']) expect(await decide(step)).toBe('state_wrong')
    expect(news()).toEqual(['all dual_products', 'all dual_products'])
    expect(await refused(on.buy(uid, id))).toBe('sale_closed id')
    const reopened = on.database.db.updateTable('dual_product').set({ sale: 'open' }).where('id', '=', id).execute()
    await expect(reopened).rejects.toThrow('does not go from ended to open')
    for (const key of ['999999', 'BTC'])
      expect(await refused(on.office('office.termsSale', { product: 'dual', key, step: 'pause' }))).toBe('not_found key')
    expect(await logged(`dual:${id}`)).toEqual(['terms.pause walt', 'terms.resume rita', 'terms.end walt'])
    // Its orders are paid back all the same.
    await on.mature(order.matures, '59000')
    expect((await on.call('dual.dualList', uid, { status: 'success' })).total).toBe(2)
    await expectSoundMoney(on.database, { decisions: true })
  })

  test('programs of a demonstration propose and agree to products like operators, once for both nodes, and end them elsewhere', async () => {
    on.tick('60000')
    const simulated = () => on.database.db.selectFrom('dual_product').selectAll().where('simulated', '=', true).orderBy('id').execute()
    await Promise.all(on.duals.map((one) => one.demo()))
    const made = await simulated()
    expect(made.map(({ type, symbol, sale }) => `${symbol} ${type} ${sale}`).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 'BTCUSDT call open'),
      ...Array.from({ length: 5 }, () => 'BTCUSDT put open'),
    ])
    const [proposes, agrees] = ['Dual investment (demo)', 'Dual investment review (demo)']
    for (const { id } of made) expect(await logged(`dual:${id}`)).toEqual([`terms.propose ${proposes}`, `terms.agree ${agrees}`])
    await on.office('office.termsSale', { product: 'dual', key: String(made[0]!.id), step: 'pause' })
    await on.dual.demo()
    expect((await simulated()).length).toBe(10)
    // A server that is no demonstration.
    await on.duals[1]!.start()
    await on.duals[1]!.stop()
    expect((await simulated()).map(({ sale, sale_by }) => `${sale} ${sale_by}`)).toEqual(made.map(() => `ended ${agrees}`))
    expect(await logged(`dual:${made[0]!.id}`)).toEqual([
      ...[`terms.propose ${proposes}`, `terms.agree ${agrees}`, 'terms.pause walt', `terms.end ${agrees}`],
    ])
    await expectSoundMoney(on.database, { decisions: true })
  })

  test('the audit finds a decision about a sale, and a product, without its row in the log', async () => {
    const id = await on.product()
    const undone = new Error('undone')
    const found = async (change: ReturnType<typeof sql>) => {
      let breaches: string[] = []
      const meddled = on.database.transaction(async (tx) => {
        await change.execute(tx)
        breaches = (await auditIn(tx, { decisions: true })).checks.flatMap((check) => check.breaches)
        throw undone
      })
      await expect(meddled).rejects.toBe(undone)
      return breaches
    }
    const paused = await found(sql`update dual_product set sale = 'paused', sale_by = 'eve' where id = ${id}`)
    expect(paused).toEqual([`dual:${id} by eve: decided 1 times, 0 in the log`])
    const proposed = await found(sql`insert into office_proposal (kind, subject, version, after, operator_id, operator, at)
      values ('dual', ${String(id)}, 0, '{}', 1, 'eve', 1)`)
    expect(proposed).toEqual([`dual:${id} by eve: decided 1 times, 0 in the log`])
  })
})
