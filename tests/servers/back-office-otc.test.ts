import { expect, test } from 'vitest'
import { onEngines } from '#tests/support/databases/engines.ts'
import { useBackOfficeMoney } from '#tests/support/servers/back-office-money.ts'

onEngines('OTC at the back office', (engine) => {
  const { ask, said, written, api, customer, balance, operators } = useBackOfficeMoney(engine)
  const typed = { coin: 'BTC', side: 'buy', price: '50000', amount_min: '0.1', amount_max: '1', whole: '5', from: '', until: '' }
  async function post<T>(path: string, fields: Record<string, string>): Promise<T> {
    const answer = await api().post(path, fields, { authorization: `Bearer ${customer().token}` })
    return answer.json<{ data: T }>().data
  }

  test('from a proposal of one administrator to an order that is settled, each step once and written down', async () => {
    expect(said(await ask('ann', 'office.otcOfferSave', typed))).toBe('403 forbidden')
    expect(said(await ask('both', 'office.otcOfferSave', { ...typed, until: 'tomorrow' }))).toBe('400 parameter_error')
    const made = await ask('both', 'office.otcOfferSave', typed)
    expect(said(made)).toBe('200 proposed')
    const { id: offer, proposal } = made.json.data as { id: number; proposal: { id: number } }
    const id = String(offer)
    const waits = String(proposal.id)
    expect(said(await ask('both', 'office.proposalAgree', { id: waits }))).toBe('403 own_decision')
    expect(said(await ask('ann', 'office.proposalAgree', { id: waits }))).toBe('403 forbidden')
    expect((await ask('chief', 'office.proposalAgree', { id: waits }, 'k1')).json.data).toEqual({
      id: proposal.id,
      kind: 'offer',
      subject: id,
      state: 'agreed',
    })
    expect((await ask('chief', 'office.proposalAgree', { id: waits }, 'k1')).status).toBe(200)
    expect(said(await ask('both', 'office.otcOffer', { id }))).toBe('200 open')
    expect(said(await ask('chief', 'office.proposalAgree', { id: waits }))).toBe('409 state_wrong')

    await api().post('/test/credit', { user: String(customer().uid), currency: 'USDT', amount: '30000' })
    const order = await post<{ id: number }>('/api/otc/order', { offer_id: id, amount: '0.5' })
    const rejected = await post<{ id: number }>('/api/otc/order', { offer_id: id, amount: '0.1' })
    expect(await balance()).toEqual({ available: '0', frozen: '30000' })
    const waiting = (await ask('ann', 'office.counts')).json.data as { otc: number }
    expect(waiting.otc).toBe(2)
    const { list } = (await ask('ann', 'office.otcOrders', { search: String(customer().uid) })).json.data as { list: { id: number }[] }
    expect(list.map((row) => row.id)).toEqual([order.id, rejected.id])
    expect(said(await ask('chief', 'office.otcApprove', { id: String(order.id) }))).toBe('403 forbidden')
    expect(said(await ask('ann', 'office.otcApprove', { id: String(order.id), note: 'called' }, 'k2'))).toBe('200 settled')
    expect(said(await ask('ann', 'office.otcApprove', { id: String(order.id), note: 'called' }, 'k2'))).toBe('200 settled')
    expect(said(await ask('bob', 'office.otcReject', { id: String(order.id), reason: 'late' }))).toBe('409 state_wrong')
    expect(said(await ask('bob', 'office.otcReject', { id: String(rejected.id), reason: 'not known' }))).toBe('200 rejected')
    const { json } = await ask('both', 'office.otcOffer', { id })
    expect(json.data).toMatchObject({ left: '4.5', waiting: 0, settled: 1, proposed_by: 'both', decided_by: 'chief' })
    expect(said(await ask('chief', 'office.otcOfferClose', { id }))).toBe('200 closed')
    expect(await written()).toEqual([
      `both offer.propose offer:${id} house sells 5 BTC at 50000 USDT`,
      `chief offer.agree offer:${id} house sells 5 BTC at 50000 USDT`,
      `ann otc.approve otc:${order.id} called`,
      `bob otc.reject otc:${rejected.id} not known`,
      `chief offer.close offer:${id} house sells 5 BTC at 50000 USDT`,
    ])
  })

  test('an outdated confirmation may withdraw and close, but not propose or agree', async () => {
    const stale = await operators().operator('stale', ['administrator'])
    await api().database.db.updateTable('config_operator_session').set({ fresh_until: 1 }).where('operator_id', '=', stale.id).execute()
    expect(said(await ask(stale, 'office.otcOfferSave', typed))).toBe('403 fresh_login_required')
    const { proposal } = (await ask('both', 'office.otcOfferSave', typed)).json.data as { proposal: { id: number } }
    const id = String(proposal.id)
    expect(said(await ask(stale, 'office.proposalAgree', { id }))).toBe('403 fresh_login_required')
    expect((await ask(stale, 'office.proposalDrop', { id })).json.data).toMatchObject({ state: 'refused' })
    expect(said(await ask('chief', 'office.proposalAgree', { id }))).toBe('409 state_wrong')
  })
})
