import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { timeText } from '#contract/rules/term.rules.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { dayMs, refused } from '#tests/support/databases/wallet-stage.ts'
import { sized } from '#tests/support/house/sizes.ts'
import { type IeoStage, openIeoStage } from '#tests/support/ieo-stage.ts'

onEngines('sales of new tokens in the back office', (engine) => {
  let on: IeoStage
  beforeAll(async () => {
    on = await openIeoStage(engine, 2)
  })
  afterAll(async () => {
    await expectSoundMoney(on.database, { decisions: true })
    await on.close()
  })
  beforeEach(() => on.stage.later(60_000))
  const propose = (id: number, digest: string, by = on.walt) => refused(on.office('office.ieoAllocate', { id: String(id), digest }, by))

  test('a project that two operators agree to is on sale; a new token becomes a coin', async () => {
    const { id, proposal } = await on.propose({ token: 'NOVA', token_name: 'Nova', market: 'NOVAUSDT' })
    expect(await refused(on.agree(proposal, on.walt))).toBe('own_decision')
    expect(await refused(on.preview(id))).toBe('not_found id')
    await on.agree(proposal)
    expect(await on.call('ieo.detail', await on.customer(), { id: String(id) })).toMatchObject({
      ...{
        name: 'Nova',
        token: 'NOVA',
        price: '0.05',
        total: '1000000',
        state: 'in_progress',
        simulated: false,
        symbol: null,
        listed: false,
      },
      pay: [{ code: 'USDT' }, { code: 'BTC' }],
      lock_days: 30,
      risk: 4,
    })
    expect((await on.office('office.ieoProjects')).list[0]).toMatchObject({ id, token: 'NOVA' })
    // The sale has begun: its terms stay, and it can be paused, resumed and ended.
    expect(await refused(on.office('office.termsSave', { product: 'ieo', key: String(id), issue_price: '0.06' }))).toBe(
      'parameter_error starts_at',
    )
    const uid = await on.customer()
    await on.apply(uid, id, '100')
    await on.office('office.termsSale', { product: 'ieo', key: String(id), step: 'pause' })
    expect(await refused(on.apply(uid, id, '200'))).toBe('sale_closed project_id')
    await on.office('office.termsSale', { product: 'ieo', key: String(id), step: 'resume' })
    expect(await on.apply(uid, id, '200')).toMatchObject({ amount: '200' })
    await on.office('office.termsSale', { product: 'ieo', key: String(id), step: 'end' })
    expect(await refused(on.apply(uid, id, '300'))).toBe('sale_closed project_id')
    expect(await refused(on.office('office.termsSale', { product: 'ieo', key: String(id), step: 'resume' }))).toBe('state_wrong')
    await on.allocate(id)
    expect(await on.stage.has(uid, 'USDT')).toBe('99990/0')
  })

  test('terms change before the sale begins; who applies by older ones is refused', async () => {
    const now = on.stage.now()
    const soon = { starts_at: timeText(now + 3_600_000), ends_at: timeText(now + dayMs) }
    const { id, proposal } = await on.propose(soon)
    await on.agree(proposal)
    const changed = await on.office('office.termsSave', { product: 'ieo', key: String(id), issue_price: '0.06' })
    await on.agree(changed.proposal!.id)
    on.stage.later(3_700_000)
    const uid = await on.customer()
    expect(await refused(on.apply(uid, id, '100'))).toBe('price_changed')
    expect(await refused(on.apply(uid, id, '100', { price: '0.06', terms_version: '1' }))).toBe('terms_changed')
    expect(await on.apply(uid, id, '100', { price: '0.06', terms_version: '2' })).toMatchObject({ frozen: '6', terms_version: 2 })
  })

  test.each<[over: Record<string, string>, wrong: string]>([
    [{ token: 'usdt' }, 'token'],
    [{ token: 'USDT', pay_coins: 'BTC' }, 'token'],
    [{ issue_total: '1005', issue_step: '10' }, 'issue_total'],
    [{ issue_price: '0.000000001' }, 'issue_price'],
    [{ pay_coins: 'USDT,QQQ' }, 'pay_coins'],
    [{ releases: '31' }, 'releases'],
    [{ risk: '6' }, 'risk'],
  ])('no project with %j', async (over, wrong) => {
    expect(await refused(on.propose(over))).toBe(`parameter_error ${wrong}`)
  })

  test('an allocation is proposed after the end, bound to its hash, and agreed to by another operator, once', async () => {
    const id = await on.project({ issue_total: '1000', issue_limit: '600' })
    const [first, second] = [await on.customer(), await on.customer()]
    await on.apply(first, id, '900')
    const early = await on.preview(id)
    expect(early).toMatchObject({ state: 'in_progress', may_propose: false, passes: '600', remainder: '400', count: 1 })
    expect(await propose(id, early.digest)).toBe('state_wrong')
    await on.apply(second, id, '900')
    on.stage.later(dayMs)
    const shown = await on.preview(id)
    expect(shown).toMatchObject({ state: 'ended', may_propose: true, passes: '1000', remainder: '0' })
    expect(shown.list.map(({ uid, passed, charged, refunded }) => [uid, passed, charged, refunded])).toEqual([
      [first, '500', '25', '20'],
      [second, '500', '25', '20'],
    ])
    expect(shown.digest).not.toBe(early.digest)
    expect(await propose(id, early.digest)).toBe('terms_changed')
    expect(await propose(id, shown.digest, { ...on.walt, fresh: false })).toBe('fresh_login_required')
    expect(await propose(id, shown.digest)).toContain('answered')
    expect(await propose(id, shown.digest)).toBe('state_wrong')
    const { proposal } = await on.preview(id)
    expect(proposal?.changes.map(({ name, value }) => [name, value])).toEqual([
      ['allocated_customers', '2'],
      ['allocated_applied', '1800'],
      ['allocated_passes', '1000'],
      ['allocated_hash', shown.digest],
    ])
    expect(await refused(on.agree(proposal!.id, on.walt))).toBe('own_decision')
    expect([await on.has(first), await on.has(second)]).toEqual(['99955/45 0/0', '99955/45 0/0'])
    await on.agree(proposal!.id)
    expect(await refused(on.agree(proposal!.id))).toBe('state_wrong')
    expect([await on.has(first), await on.has(second)]).toEqual(['99975/0 0/0', '99975/0 0/0'])
    expect(await on.preview(id)).toMatchObject({
      state: 'allocated',
      digest: shown.digest,
      passes: '1000',
      may_propose: false,
      list: shown.list,
    })
    expect(await refused(on.office('office.termsSale', { product: 'ieo', key: String(id), step: 'end' }))).toMatch(/state_wrong|not_found/)
  })

  test('an approval of other figures than the ones that were proposed is refused, and nothing moves', async () => {
    const [id, uid] = [await on.project(), await on.customer()]
    await on.apply(uid, id, '100')
    on.stage.later(dayMs)
    expect(await propose(id, (await on.preview(id)).digest)).toContain('answered')
    // A change that no call can make after the end of the sale.
    await on.database.db.updateTable('ieo_project').set({ terms_version: 2 }).where('id', '=', id).execute()
    const { proposal } = await on.preview(id)
    const before = await on.stage.lastEvent()
    expect(await refused(on.agree(proposal!.id))).toBe('terms_changed')
    expect(await on.stage.lines(before)).toEqual([])
    await on.office('office.proposalDrop', { id: String(proposal!.id) })
    expect((await on.preview(id)).may_propose).toBe(true)
    await on.allocate(id)
  })

  test('what is owed is shown by day and token, covered by the escrow account', async () => {
    const [id, uid] = [await on.project({ issue_total: '300' }), await on.customer()]
    await on.apply(uid, id, '300')
    const sums = async () => (await on.office('office.ieoOwed')).coins.find(({ currency_code }) => currency_code === 'SOL')
    const before = Number((await sums())?.owed ?? 0)
    await on.allocate(id)
    expect(await sums()).toMatchObject({ owed: String(before + 300), lacks: '0' })
    expect((await on.office('office.ieoOwed')).days.length).toBeGreaterThan(0)
    on.stage.later(60 * dayMs)
    await on.unlock()
    await on.unlock()
    await on.unlock()
    expect(await sums()).toBeUndefined()
  })

  test('many customers are allocated in one commit, and nothing of the sale stays frozen', async () => {
    const id = await on.project({ issue_total: '1000', issue_limit: '90', lock_days: 3 })
    const uids = await Promise.all(Array.from({ length: sized(25, 1_200) }, () => on.customer({ USDT: '100' })))
    for (const [at, uid] of uids.entries()) await on.apply(uid, id, String(10 + ((at * 37) % 900)))
    await on.allocate(id)
    const rows = await on.database.db.selectFrom('ieo_order').selectAll().where('project_id', '=', id).execute()
    expect(rows.reduce((all, { passed }) => all + Number(passed), 0)).toBeLessThanOrEqual(1_000)
    expect(rows.filter(({ passed }) => Number(passed) > 90)).toEqual([])
    for (const uid of uids) expect(await on.stage.has(uid, 'USDT')).toMatch(/\/0$/)
  })

  test('over random calendars with jumps of days, each release is credited once and at its time', async () => {
    let state = 7
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((state / 2_147_483_648) * below)
    }
    for (let round = 0; round < sized(3, 40); round++) {
      const lock_days = 1 + random(400)
      const releases = 1 + random(Math.min(24, lock_days))
      const amount = String(1 + random(1_000))
      const [id, uid] = [await on.project({ lock_days, releases }), await on.customer()]
      const order = await on.apply(uid, id, amount)
      await on.allocate(id)
      const { lists } = await on.preview(id)
      const length = lock_days * dayMs
      while (on.stage.now() <= lists + length) {
        on.stage.later(1 + random(Math.ceil(length / 3)))
        // A pass books one release of each order; what was missed is due again at once.
        for (let at = 0; at <= releases; at++) await on.unlock()
        // The slow model: how many of the times are past, and the floor of that part of the amount.
        let past = 0
        for (let number = 1; number <= releases; number++) if (lists + Math.floor((length * number) / releases) <= on.stage.now()) past++
        const due = (BigInt(amount) * 100_000_000n * BigInt(past)) / BigInt(releases)
        const { released, releases: shown } = await on.call('ieo.orderDetail', uid, { id: String(order.id) })
        expect(BigInt(Math.round(Number(released) * 1e8)), `${amount} in ${releases}, ${past} past`).toBe(due)
        expect(shown.filter(({ done }) => done)).toHaveLength(past)
      }
    }
  })
})
