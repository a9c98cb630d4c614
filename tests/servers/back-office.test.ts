import { describe, expect, test } from 'vitest'
import { onEngines } from '#tests/support/databases/engines.ts'
import { useBackOfficeMoney } from '#tests/support/servers/back-office-money.ts'

onEngines('the back office', (engine) => {
  const { ask, said, written, waiting, lines, balance, customer } = useBackOfficeMoney(engine)

  describe('recharges', () => {
    test('an approval credits once, under the same key or another', async () => {
      const row = await waiting('recharge', '250')
      const fields = { id: String(row.id), note: 'voucher fits' }
      expect(said(await ask('ann', 'office.rechargeApprove', fields, 'k1'))).toBe('200 credited')
      expect(said(await ask('ann', 'office.rechargeApprove', fields, 'k1'))).toBe('200 credited')
      expect(said(await ask('ann', 'office.rechargeApprove', { ...fields, note: 'other' }, 'k1'))).toBe('409 key_reused')
      expect(said(await ask('bob', 'office.rechargeApprove', fields, 'k1'))).toBe('409 state_wrong')
      expect(said(await ask('ann', 'office.rechargeReject', { id: fields.id, reason: 'no' }))).toBe('409 state_wrong')
      expect(await lines(row)).toEqual(['recharge available 250', 'recharge external_in -250'])
      expect(await balance()).toEqual({ available: '250' })
      expect(await written()).toEqual([`ann recharge.approve recharge:${row.id} voucher fits`])
    })

    test('a rejection credits nothing and stores its reason', async () => {
      const row = await waiting('recharge', '250')
      const answer = await ask('ann', 'office.rechargeReject', { id: String(row.id), reason: 'unreadable' })
      expect(answer.json.data).toMatchObject({ status: 'rejected', reason: 'unreadable', decided_by: 'ann', uid: customer().uid })
      expect(said(await ask('bob', 'office.rechargeApprove', { id: String(row.id) }))).toBe('409 state_wrong')
      expect(await lines(row)).toEqual([])
      expect(await balance()).toEqual({})
      expect(await written()).toEqual([`ann recharge.reject recharge:${row.id} unreadable`])
    })

    test('of two concurrent operators one decides', async () => {
      for (let round = 0; round < 5; round++) {
        const { id } = await waiting('recharge', '10')
        const row = { id: String(id) }
        const answers = await Promise.all([
          ask('ann', 'office.rechargeApprove', row),
          round % 2 ? ask('bob', 'office.rechargeApprove', row) : ask('bob', 'office.rechargeReject', { ...row, reason: 'no' }),
        ])
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
        expect((await lines({ type: 'recharge', id })).length).toBe(
          said(answers[0]!).endsWith('credited') || said(answers[1]!).endsWith('credited') ? 2 : 0,
        )
      }
      expect(await written()).toHaveLength(5)
    })

    test.each<[what: string, usd: string | null]>([
      ['much', '10000'],
      ['what nobody knows', null],
    ])('two operators must approve a worth of %s', async (_what, usd) => {
      const row = await waiting('recharge', '20000', usd)
      const fields = { id: String(row.id) }
      const first = await ask('ann', 'office.rechargeApprove', fields)
      expect(first.json.data).toMatchObject({ status: 'reviewing', four_eyes: true, approved_by: 'ann', may_decide: false })
      expect(said(await ask('ann', 'office.rechargeApprove', fields))).toBe('403 own_decision')
      expect(await lines(row)).toEqual([])
      const seen = await ask('bob', 'office.recharge', fields)
      expect(seen.json.data).toMatchObject({ four_eyes: true, approved_by: 'ann', may_decide: true, address: 'T-whole' })
      expect(said(await ask('bob', 'office.rechargeApprove', fields))).toBe('200 credited')
      expect(await lines(row)).toEqual(['recharge available 20000', 'recharge external_in -20000'])
      expect(await written()).toEqual([`ann recharge.approve_first recharge:${row.id}`, `bob recharge.approve recharge:${row.id}`])
    })

    test('two concurrent approvals count as two from two operators, and as one from one', async () => {
      const [by, both] = [await waiting('recharge', '20000'), await waiting('recharge', '30000')]
      const alone = await Promise.all([
        ask('ann', 'office.rechargeApprove', { id: String(by.id) }),
        ask('ann', 'office.rechargeApprove', { id: String(by.id) }),
      ])
      expect(alone.map(said).sort()).toEqual(['200 reviewing', '403 own_decision'])
      const two = await Promise.all((['ann', 'bob'] as const).map((who) => ask(who, 'office.rechargeApprove', { id: String(both.id) })))
      expect(two.map(said).sort()).toEqual(['200 credited', '200 reviewing'])
      expect([(await lines(by)).length, (await lines(both)).length]).toEqual([0, 2])
      expect(await balance()).toEqual({ available: '30000' })
    })

    test('the first of two operators may still reject', async () => {
      const row = await waiting('recharge', '20000')
      await ask('ann', 'office.rechargeApprove', { id: String(row.id) })
      expect(said(await ask('ann', 'office.rechargeReject', { id: String(row.id), reason: 'on second thoughts' }))).toBe('200 rejected')
      expect(await lines(row)).toEqual([])
    })
  })

  describe('withdrawals', () => {
    test('a rejection releases the whole amount', async () => {
      const row = await waiting('withdraw', '100')
      expect(await balance()).toEqual({ available: '0', frozen: '100' })
      expect(said(await ask('ann', 'office.withdrawReject', { id: String(row.id), reason: 'wrong network' }))).toBe('200 rejected')
      expect(await lines(row)).toEqual(['withdraw_reject available 100', 'withdraw_reject frozen -100'])
      expect(await balance()).toEqual({ available: '100', frozen: '0' })
      expect(await written()).toEqual([`ann withdraw.reject withdraw:${row.id} wrong network`])
    })

    test('approved, sent and done, in this order only', async () => {
      const row = await waiting('withdraw', '100')
      const id = String(row.id)
      expect(said(await ask('ann', 'office.withdrawDone', { id }))).toBe('409 state_wrong')
      expect(said(await ask('ann', 'office.withdrawSent', { id, reference: 'x' }))).toBe('409 state_wrong')
      expect(said(await ask('ann', 'office.withdrawApprove', { id }))).toBe('200 approved')
      expect((await ask('bob', 'office.counts')).json.data).toMatchObject({ to_send: 1 })
      expect(said(await ask('bob', 'office.withdrawDone', { id }))).toBe('409 state_wrong')
      expect(said(await ask('bob', 'office.withdrawSent', { id, reference: '0xabc' }))).toBe('200 sent')
      expect(said(await ask('bob', 'office.withdrawReject', { id, reason: 'late' }))).toBe('409 state_wrong')
      expect(await lines(row)).toEqual([])
      expect(said(await ask('ann', 'office.withdrawDone', { id }))).toBe('200 done')
      expect(said(await ask('ann', 'office.withdrawDone', { id }))).toBe('409 state_wrong')
      expect(await lines(row)).toEqual(['withdraw_done external_out 99', 'withdraw_done fee 1', 'withdraw_done frozen -100'])
      expect(await balance()).toEqual({ available: '0', frozen: '0' })
      const whole = (await ask('ann', 'office.withdrawal', { id })).json.data
      expect(whole).toMatchObject({ reference: '0xabc', to: [{ field: 'address', value: 'T-whole' }], limit_btc: '500' })
      expect((whole as { history: { status: string; by: string }[] }).history.map(({ status, by }) => `${by} ${status}`)).toEqual([
        ...['customer reviewing', 'ann approved', 'bob sent', 'ann done'],
      ])
      expect(await written()).toEqual([
        ...[`ann withdraw.approve withdraw:${id}`, `bob withdraw.sent withdraw:${id} 0xabc`, `ann withdraw.done withdraw:${id}`],
      ])
    })

    test('a withdrawal of a frozen account cannot be approved until it is released; it can be rejected, and deposits are credited', async () => {
      const [row, other, due] = [await waiting('withdraw', '100'), await waiting('withdraw', '50'), await waiting('recharge', '5')]
      const freeze = (frozen: string) =>
        ask('bob', 'office.customerFreeze', { uid: String(customer().uid), frozen, reason: 'stolen phone' })
      await freeze('1')
      expect(said(await ask('ann', 'office.withdrawApprove', { id: String(row.id) }))).toBe('403 account_frozen')
      expect(said(await ask('ann', 'office.withdrawReject', { id: String(other.id), reason: 'stolen' }))).toBe('200 rejected')
      expect(said(await ask('ann', 'office.rechargeApprove', { id: String(due.id) }))).toBe('200 credited')
      expect(await balance()).toEqual({ available: '55', frozen: '100' })
      await freeze('0')
      expect(said(await ask('ann', 'office.withdrawApprove', { id: String(row.id) }))).toBe('200 approved')
    })

    test('an approved withdrawal of an account frozen since cannot be sent until it is released; a sent one can arrive', async () => {
      const [row, other, gone] = [await waiting('withdraw', '100'), await waiting('withdraw', '50'), await waiting('withdraw', '20')]
      const freeze = (frozen: string) =>
        ask('bob', 'office.customerFreeze', { uid: String(customer().uid), frozen, reason: 'stolen phone' })
      for (const { id } of [row, other, gone]) await ask('ann', 'office.withdrawApprove', { id: String(id) })
      await ask('ann', 'office.withdrawSent', { id: String(gone.id), reference: '0xabc' })
      await freeze('1')
      expect((await ask('ann', 'office.withdrawal', { id: String(row.id) })).json.data).toMatchObject({ status: 'approved', frozen: true })
      const { list } = (await ask('ann', 'office.withdrawals', { search: String(customer().uid) })).json.data as {
        list: { frozen: boolean }[]
      }
      expect(list.map(({ frozen }) => frozen)).toEqual([true, true, true])
      expect(said(await ask('ann', 'office.withdrawSent', { id: String(row.id), reference: '0xdef' }, 'send'))).toBe('403 account_frozen')
      expect(said(await ask('ann', 'office.withdrawReject', { id: String(other.id), reason: 'stolen' }))).toBe('200 rejected')
      expect(said(await ask('ann', 'office.withdrawDone', { id: String(gone.id) }))).toBe('200 done')
      expect(await balance()).toEqual({ available: '50', frozen: '100' })
      await freeze('0')
      expect(said(await ask('ann', 'office.withdrawSent', { id: String(row.id), reference: '0xdef' }, 'send'))).toBe('200 sent')
      expect((await ask('ann', 'office.withdrawal', { id: String(row.id) })).json.data).toMatchObject({ reference: '0xdef', frozen: false })
    })

    test('a deposit is not a withdrawal', async () => {
      const row = await waiting('recharge', '5')
      expect(said(await ask('ann', 'office.withdrawApprove', { id: String(row.id) }))).toBe('404 not_found')
      expect(said(await ask('ann', 'office.withdrawal', { id: String(row.id) }))).toBe('404 not_found')
      expect(await written()).toEqual([])
    })

    test('a queue is sorted by customer, longest waiting first', async () => {
      const ids = [(await waiting('withdraw', '7')).id, (await waiting('withdraw', '8')).id, (await waiting('withdraw', '9')).id]
      await ask('ann', 'office.withdrawReject', { id: String(ids[1]), reason: 'no' })
      const listed = async (fields: Record<string, string>) => {
        const { list, total } = (await ask('ann', 'office.withdrawals', { search: String(customer().uid), ...fields })).json.data as {
          list: { id: number }[]
          total: number
        }
        return [total, ...list.map(({ id }) => id)]
      }
      expect(await listed({})).toEqual([2, ids[0], ids[2]])
      expect(await listed({ status: 'all' })).toEqual([3, ids[2], ids[1], ids[0]])
      expect(await listed({ status: 'rejected' })).toEqual([1, ids[1]])
      expect(await listed({ size: '1', page: '2' })).toEqual([2, ids[2]])
      expect(await listed({ search: 'nobody-of-this-name' })).toEqual([0])
    })
  })
})
