import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { reviewer } from '#tests/support/databases/office-stage.ts'
import { dayMs, openWalletStage, proofsOf, refused, type Somebody, start, type WalletStage } from '#tests/support/databases/wallet-stage.ts'
import { chance, sized, withSeed } from '#tests/support/house/sizes.ts'

onEngines('withdrawals', (engine) => {
  let stage: WalletStage
  beforeAll(async () => {
    stage = await openWalletStage(engine)
  })
  const fields = (over: Record<string, string> = {}) => ({ currency_id: String(stage.idOf('USDT')), amount: '100', ...proofsOf, ...over })
  async function customer(about: Somebody = {}, amount = '1000', code = 'USDT') {
    const uid = await stage.user(about)
    if (amount !== '0') await stage.credit(uid, code, amount)
    return { uid, address_id: await stage.address(uid) }
  }

  test('requested, approved, sent, done: frozen at first, gone with its fee at the end, one line at a time', async () => {
    const { uid, address_id } = await customer()
    const before = await stage.lastEvent()
    stage.announced.proved.length = 0
    const asked = await stage.call('wallet.withdraw', uid, fields({ address_id, fee: '4' }), 'key-1')
    expect(asked).toMatchObject({
      type: 'withdraw',
      amount: '100',
      fee: '4',
      received: '96',
      status: 'reviewing',
      can_cancel: true,
      chain: 'ERC20',
    })
    expect(asked.to).toMatch(/^0xaaaa…/)
    expect(stage.announced.proved).toEqual(['pay', 'code', 'factor', 'used'])
    expect(await stage.has(uid, 'USDT')).toBe('900/100')
    expect(await stage.call('wallet.withdraw', uid, fields({ address_id, fee: '4' }), 'key-1')).toEqual(asked)
    expect(stage.announced.proved).toHaveLength(4)
    expect(await refused(stage.call('wallet.withdraw', uid, fields({ address_id, amount: '101' }), 'key-1'))).toBe('key_reused')

    const which = { status: asked.status, id: asked.id }
    expect(await refused(stage.decide('withdraw', which.id, { action: 'sent', reference: 'x' }))).toBe('state_wrong')
    expect(await refused(stage.decide('withdraw', which.id, { action: 'done' }))).toBe('state_wrong')
    expect(await refused(stage.decide('recharge', which.id, { action: 'approve', fourEyesUsd: '10000' }))).toBe('not_found id')
    await stage.decide('withdraw', which.id, { action: 'approve', fourEyesUsd: '10000' })
    expect(await refused(stage.call('wallet.cancelWithdraw', uid, { id: String(asked.id) }))).toBe('state_wrong')
    await stage.decide('withdraw', which.id, { action: 'sent', reference: '0xabc' })
    expect(await refused(stage.decide('withdraw', which.id, { action: 'reject', reason: 'late' }))).toBe('state_wrong')
    const done = await stage.decide('withdraw', which.id, { action: 'done' })
    expect(done).toMatchObject({ status: 'done', reference: '0xabc', decided_by: 'olga' })
    expect(await refused(stage.decide('withdraw', which.id, { action: 'done' }))).toBe('state_wrong')
    expect(await stage.has(uid, 'USDT')).toBe('900/0')
    expect(await stage.lines(before)).toEqual([
      ...['withdraw_request change:available USDT -100', 'withdraw_request change:frozen USDT 100'],
      ...['withdraw_done change:frozen USDT -100', 'withdraw_done external_out USDT 96', 'withdraw_done fee USDT 4'],
    ])
    const { history, to } = await stage.queues.withdraw.one(asked.id, reviewer('olga'))
    expect(history.map(({ status, by }) => `${status} ${by}`)).toEqual(['reviewing customer', 'approved olga', 'sent olga', 'done olga'])
    expect(to.map(({ field }) => field)).toEqual(['chain', 'address'])
  })

  test.each([
    ['cancelled by the customer', 'withdraw_cancel', 'cancelled'],
    ['rejected by an operator', 'withdraw_reject', 'rejected'],
    ['rejected after its approval', 'withdraw_reject', 'rejected'],
  ])('%s: the whole amount is available again, once, and counts towards no limit', async (name, kind, status) => {
    const { uid, address_id } = await customer()
    const { id } = await stage.call('wallet.withdraw', uid, fields({ address_id }))
    const before = await stage.lastEvent()
    if (name.includes('after')) await stage.decide('withdraw', id, { action: 'approve', fourEyesUsd: '10000' })
    if (status === 'cancelled') await stage.call('wallet.cancelWithdraw', uid, { id: String(id) }, 'back')
    else await stage.decide('withdraw', id, { action: 'reject', reason: 'unclear' })
    if (status === 'cancelled') await stage.call('wallet.cancelWithdraw', uid, { id: String(id) }, 'back')
    expect(await refused(stage.call('wallet.cancelWithdraw', uid, { id: String(id) }))).toBe('state_wrong')
    expect(await refused(stage.decide('withdraw', id, { action: 'reject', reason: 'again' }))).toBe('state_wrong')
    expect(await stage.has(uid, 'USDT')).toBe('1000/0')
    expect(await stage.lines(before)).toEqual([`${kind} change:available USDT 100`, `${kind} change:frozen USDT -100`])
    expect((await stage.call('wallet.getWithdrawInfo', uid, { currency_id: '3' })).used_btc).toBe('0')
    const { list } = await stage.call('wallet.getRecord', uid, { type: 'withdraw' })
    expect(list[0]).toMatchObject({ id, status, reason: status === 'rejected' ? 'unclear' : '', can_cancel: false })
  })

  const now = start
  test.each<[says: string, about: Somebody, over: Record<string, string>, answer: string]>([
    ['nothing was proved', { level: 0 }, {}, 'verification_required'],
    ['on hold', { holdUntil: now + 60_000 }, {}, 'withdraw_on_hold'],
    ['a frozen account', { status: 'frozen' }, {}, 'account_frozen'],
    ['no address', {}, { address_id: '' }, 'address_unknown address_id'],
    ["another coin's address", {}, { currency_id: '1', amount: '0.01' }, 'address_unknown address_id'],
    ['no card', {}, { channel: 'bank' }, 'card_missing'],
    ['an unknown currency', {}, { currency_id: '99' }, 'currency_unknown currency_id'],
    ['below the minimum', {}, { amount: '19.99999999' }, 'amount_too_small amount'],
    ['another fee', {}, { fee: '3.9' }, 'fee_changed fee'],
    ['no fee at all', {}, { fee: '0' }, 'fee_changed fee'],
    ['more than the balance', {}, { amount: '1000.00000001' }, 'insufficient_balance amount'],
    ['more decimals than the currency has', {}, { amount: '100.000000001' }, 'amount_wrong amount'],
    ['nothing', {}, { amount: '0' }, 'amount_wrong amount'],
    ['a minus', {}, { amount: '-100' }, 'amount_wrong amount'],
    ['an exponent', {}, { amount: '1e2' }, 'amount_wrong amount'],
    ['a wrong pay password', {}, { pay_password: 'guess' }, 'pay_password_wrong'],
    ['a wrong code', {}, { code: '999999' }, 'code_wrong'],
  ])('refused: %s', async (_says, about, over, answer) => {
    stage.later(start - stage.now())
    const { uid, address_id } = await customer(about)
    const before = await stage.lastEvent()
    stage.announced.changed.length = 0
    stage.announced.proved.length = 0
    const { address_id: given = address_id, ...rest } = over
    expect(await refused(stage.call('wallet.withdraw', uid, fields({ ...rest, ...(given && { address_id: given }) }), 'k'))).toBe(answer)
    expect(await stage.lines(before)).toEqual([])
    expect((await stage.call('wallet.getRecord', uid)).total).toBe(0)
    expect(stage.announced.changed).toEqual([])
    expect(stage.announced.proved).not.toContain('used')
    if (!/pay_password|code_/.test(answer)) expect(stage.announced.proved).toEqual([])
    expect(await stage.has(uid, 'USDT')).toBe('1000/0')
  })

  test('an address can be used one day after it was saved, by its owner only', async () => {
    const { uid } = await customer()
    const other = await customer()
    const fresh = await stage.address(uid, 'USDT', 'ERC20', stage.now() + dayMs)
    expect(await refused(stage.call('wallet.withdraw', uid, fields({ address_id: fresh })))).toBe('address_on_hold')
    expect(await refused(stage.call('wallet.withdraw', other.uid, fields({ address_id: fresh })))).toBe('address_unknown address_id')
    stage.later(dayMs - 1)
    expect(await refused(stage.call('wallet.withdraw', uid, fields({ address_id: fresh })))).toBe('address_on_hold')
    stage.later(1)
    expect((await stage.call('wallet.withdraw', uid, fields({ address_id: fresh }))).status).toBe('reviewing')
    expect(await refused(stage.call('wallet.cancelWithdraw', other.uid, { id: '1' }))).toBe('not_found id')
  })

  test('the limit of the level holds for any 24 hours: across midnight, with the clock set back, and when the level changes', async () => {
    stage.later(Date.parse('2026-11-21T23:59:00Z') - stage.now())
    const uid = await stage.user({ level: 1 })
    await stage.credit(uid, 'BTC', '900')
    const address = await stage.address(uid, 'BTC', 'BTC')
    const ask = (amount: string) =>
      refused(stage.call('wallet.withdraw', uid, { ...fields(), currency_id: '1', address_id: address, amount }))
    const info = () => stage.call('wallet.getWithdrawInfo', uid, { currency_id: '1' })
    expect(await ask('200.00000001')).toBe('withdraw_limit amount')
    expect(await ask('150')).toMatch(/^answered/)
    expect(await info()).toMatchObject({ level: 1, limit_btc: '200', used_btc: '150', left_btc: '50', left: '50', max: '50' })
    stage.later(2 * 60_000)
    expect(await ask('50.00000001')).toBe('withdraw_limit amount')
    stage.later(-2 * dayMs)
    expect(await ask('50.00000001')).toBe('withdraw_limit amount')
    expect(await ask('50')).toMatch(/^answered/)
    stage.later(2 * dayMs)
    await stage.change(uid, { level: 2 })
    expect(await ask('350.00000001')).toBe('withdraw_limit amount')
    expect(await ask('300')).toMatch(/^answered/)
    await stage.change(uid, { level: 1 })
    expect(await ask('1')).toBe('withdraw_limit amount')
    expect(await info()).toMatchObject({ left_btc: '0', left: '0', max: '0' })
    stage.later(dayMs - 2 * 60_000 - 1)
    expect((await info()).used_btc).toBe('450')
    stage.later(1)
    expect((await info()).used_btc).toBe('300')
    stage.later(2 * 60_000)
    expect((await info()).used_btc).toBe('0')
  })

  test('of two operators one decides and the other finds the request decided; a large amount needs two different operators', async () => {
    const { uid, address_id } = await customer({}, '40000')
    const small = await stage.call('wallet.withdraw', uid, fields({ address_id }))
    const approval = { action: 'approve', fourEyesUsd: '10000' } as const
    const outcomes = await Promise.all([1, 2, 3].map((id) => refused(stage.decide('withdraw', small.id, approval, { id, name: `o${id}` }))))
    expect(outcomes.filter((one) => one.startsWith('answered'))).toHaveLength(1)
    expect(outcomes.filter((one) => one === 'state_wrong')).toHaveLength(2)

    const large = await stage.call('wallet.withdraw', uid, fields({ address_id, amount: '10000' }))
    const approve = (id: number) => stage.decide('withdraw', large.id, approval, { id, name: `o${id}` })
    const first = await approve(1)
    expect(first).toMatchObject({ status: 'reviewing', approved_by: 'o1', decided_by: '', four_eyes: true, may_decide: false })
    const seenBy = (id: number) => stage.queues.withdraw.one(large.id, reviewer(`o${id}`, id))
    expect(await seenBy(2)).toMatchObject({ four_eyes: true, may_decide: true })
    expect(await refused(approve(1))).toBe('own_decision')
    // The right to change the rule does not replace the second operator.
    const raised = { action: 'approve', fourEyesUsd: '1000000' } as const
    expect(await refused(stage.decide('withdraw', large.id, raised, { id: 1, name: 'o1' }))).toBe('own_decision')
    expect(await seenBy(1)).toMatchObject({ four_eyes: true, may_decide: false })
    expect(await approve(2)).toMatchObject({ status: 'approved', approved_by: 'o1', decided_by: 'o2' })
  })

  test('all at once: the balance is spent once, whichever way', async () => {
    const draw = chance()
    await withSeed(draw, async () => {
      for (let round = 0; round < sized(4, 200); round++) {
        const { uid, address_id } = await customer()
        const withdraw = (i: number) =>
          refused(stage.call('wallet.withdraw', uid, fields({ address_id, amount: '1000' }), `all-${round}-${i}`))
        const transfer = (i: number) => {
          const asked = { currency_id: String(stage.idOf('USDT')), amount: '1000', from: 'change', to: 'lever' }
          return refused(stage.call('wallet.transfer', uid, asked, `move-${round}-${i}`))
        }
        const asks = Array.from({ length: 50 }, (_, i) => () => withdraw(i))
        // In every fourth round, transfers of the same balance compete.
        if (round % 4 === 3) for (let i = 0; i < 10; i++) asks.splice(draw.below(asks.length + 1), 0, () => transfer(i))
        const all = await Promise.all(asks.map((ask) => ask()))
        const won = all.filter((one) => one.startsWith('answered'))
        expect(won).toHaveLength(1)
        expect(all.filter((one) => !one.startsWith('answered') && !one.startsWith('insufficient_balance'))).toEqual([])
        const isMoved = won[0]?.includes('"to":"lever"')
        expect(await stage.has(uid, 'USDT')).toBe(isMoved ? '0/0' : '0/1000')
        expect(await stage.has(uid, 'USDT', 'lever')).toBe(isMoved ? '1000/0' : '0/0')
      }
    })
  })

  test('all at once: the 24-hour limit is never exceeded, across midnight, with the clock set back and a change of level', async () => {
    stage.later(Date.parse('2026-11-24T23:50:00Z') - stage.now())
    const uid = await stage.user({ level: 1 })
    await stage.credit(uid, 'BTC', '1000')
    const address = await stage.address(uid, 'BTC', 'BTC')
    const ask = (amount: string) =>
      refused(stage.call('wallet.withdraw', uid, { ...fields(), currency_id: '1', address_id: address, amount }, randomUUID()))
    const many = (count: number) => Array.from({ length: count }, () => ask('10'))
    const granted = (all: string[]) => {
      expect(all.filter((one) => !one.startsWith('answered') && one !== 'withdraw_limit amount')).toEqual([])
      return all.filter((one) => one.startsWith('answered')).length
    }
    const used = async () => (await stage.call('wallet.getWithdrawInfo', uid, { currency_id: '1' })).used_btc
    expect(granted(await Promise.all(many(40)))).toBe(20)
    expect(await used()).toBe('200')
    const meanwhile = many(20)
    stage.later(20 * 60_000)
    meanwhile.push(...many(10))
    await stage.change(uid, { level: 2 })
    meanwhile.push(...many(20))
    stage.later(-3 * 3_600_000)
    meanwhile.push(...many(20))
    expect(granted(await Promise.all(meanwhile))).toBe(30)
    expect(await used()).toBe('500')
    await stage.change(uid, { level: 1 })
    expect(granted(await Promise.all(many(20)))).toBe(0)
    stage.later(dayMs)
    expect(granted(await Promise.all(many(30)))).toBe(0)
    stage.later(3 * 3_600_000)
    expect(granted(await Promise.all(many(30)))).toBe(20)
  })

  test('a withdrawal at an outdated price is refused', async () => {
    const { uid, address_id } = await customer()
    stage.coins.setUsd('BTC', undefined)
    expect(await refused(stage.call('wallet.withdraw', uid, fields({ address_id })))).toBe('price_stale')
    expect((await stage.call('wallet.getWithdrawInfo', uid, { currency_id: '3' })).max).toBe('0')
    stage.coins.setUsd('BTC', '50000')
  })

  test('after these tests the ledger agrees with the records', () => expectSoundMoney(stage.database).then(() => undefined))
})
