import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onEngines } from '#tests/support/databases/engines.ts'
import { bearing, dataOf } from '#tests/support/people/accounts.ts'
import { useDeskMoney, type Who } from '#tests/support/servers/desk-money.ts'

interface Terms {
  version: number
  trading: string
  halted: boolean
  terms: { name: string; value: string }[]
  proposal: { id: number; by: string; own: boolean; may_agree: boolean; changes: { name: string; value: string; before: string }[] } | null
  versions: { version: number; by: string; shown: string }[]
}

onEngines('terms of trading at the back office', (engine) => {
  const { ask, written, api, customer } = useDeskMoney(engine)
  const btc = { product: 'contract', symbol: 'BTCUSDT' }
  const one = async (who: Who = 'chief') => (await ask(who, 'desk.instrument', btc)).json.data as Terms
  const said = async (who: Who, call: Parameters<typeof ask>[1], fields: Record<string, string>) => {
    // With a key, as the console sends it.
    const { status, json } = await ask(who, call, fields, randomUUID())
    return json.name ? `${status} ${json.name} ${json.field ?? ''}`.trim() : `${status}`
  }
  const fee = async () => (await one()).terms.find(({ name }) => name === 'fee_rate')!.value

  test('other terms count once a second administrator has agreed, and the log says so', async () => {
    expect(await said('ann', 'desk.instrumentSave', { ...btc, fee_rate: '0.1' })).toBe('403 forbidden')
    expect(await said('both', 'desk.instrumentSave', { ...btc, fee_rate: '200' })).toBe('400 parameter_error fee_rate')
    expect(await said('both', 'desk.instrumentSave', { ...btc, symbol: 'NOSUCH', fee_rate: '1' })).toBe('404 not_found symbol')
    expect(await said('both', 'desk.instrumentSave', btc)).toBe('409 state_wrong')
    expect(await said('both', 'desk.instrumentSave', { ...btc, fee_rate: '0.1' })).toBe('200')
    expect(await fee()).toBe('0.05')

    const { proposal } = await one()
    expect(proposal).toMatchObject({
      by: 'both',
      own: false,
      may_agree: true,
      changes: [{ name: 'fee_rate', value: '0.1', shown: '0.1 %', before: '0.05 %' }],
    })
    const id = String(proposal!.id)
    expect(await said('chief', 'desk.instrumentSave', { ...btc, fee_rate: '0.2' })).toBe('409 state_wrong')
    expect(await said('both', 'desk.instrumentAgree', { id })).toBe('403 own_decision')
    expect(await said('chief', 'desk.instrumentAgree', { id })).toBe('200')
    expect(await said('chief', 'desk.instrumentAgree', { id })).toBe('409 state_wrong')
    expect(await fee()).toBe('0.1')
    expect(await one()).toMatchObject({
      version: 2,
      proposal: null,
      versions: [{ version: 2, by: 'both, chief', shown: '0.1 %' }, { version: 1 }],
    })
    expect((await written()).slice(-2)).toEqual([
      'both instrument.propose contract:BTCUSDT fee_rate 0.05 % → 0.1 %',
      'chief instrument.agree contract:BTCUSDT fee_rate 0.05 % → 0.1 %',
    ])
  })

  test('a step with a key has one effect, and its answer comes again', async () => {
    const propose = () => ask('both', 'desk.instrumentSave', { ...btc, fee_rate: '0.004' }, 'terms-1')
    const answers = [await propose(), await propose()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { id } = (await one()).proposal!
    expect(await said('both', 'desk.instrumentDrop', { id: String(id) })).toBe('200')
  })

  test.each<[Who, string]>([
    ['both', 'instrument.withdraw'],
    ['chief', 'instrument.refuse'],
  ])('a proposal that %s drops changes nothing', async (who, action) => {
    const before = await fee()
    await ask('both', 'desk.instrumentSave', { ...btc, fee_rate: '0.9' })
    const id = String((await one()).proposal!.id)
    expect(await said(who, 'desk.instrumentDrop', { id })).toBe('200')
    expect(await said('chief', 'desk.instrumentAgree', { id })).toBe('409 state_wrong')
    expect(await fee()).toBe(before)
    expect((await written()).at(-1)).toBe(`${who} ${action} contract:BTCUSDT both`)
  })

  test('a halt counts at once and in every product, and a symbol is resumed once', async () => {
    expect(await said('ann', 'desk.halt', { ...btc, reason: 'news' })).toBe('403 forbidden')
    expect(await said('chief', 'desk.halt', { ...btc, reason: 'news' })).toBe('200')
    expect(await one()).toMatchObject({ halted: true, halt_reason: 'news', halted_by: 'chief', trading: 'halted' })
    const halted = (await ask('ann', 'desk.instruments', { state: 'halted' })).json.data as { list: { key: string }[] }
    expect(halted.list.map(({ key }) => key)).toEqual(['contract BTCUSDT', 'option BTCUSDT', 'spot BTCUSDT'])
    expect((await ask('chief', 'desk.instrument', { product: 'option', symbol: 'BTCUSDT' })).json.data).toMatchObject({ halted: true })
    const key = randomUUID()
    const resume = async () => (await ask('chief', 'desk.resume', btc, key)).status
    expect([await resume(), await resume()]).toEqual([200, 200])
    expect(await said('chief', 'desk.resume', btc)).toBe('409 state_wrong')
    expect(await one()).toMatchObject({ halted: false, trading: 'open' })
  })

  test('trading hours are set by group', async () => {
    const set = (fields: Record<string, string>) =>
      said('chief', 'desk.calendarSave', { group: 'metal', zone: 'UTC', sessions: '1-5 00:00-24:00', holidays: '2026-12-25', ...fields })
    expect(await set({ zone: 'Mars/Olympus' })).toBe('400 parameter_error zone')
    expect(await set({ holidays: 'Christmas' })).toBe('400 parameter_error holidays')
    expect(await set({})).toBe('200')
    const metal = async () =>
      ((await ask('chief', 'desk.calendars', {})).json.data as { list: { group: string }[] }).list.find(({ group }) => group === 'metal')
    expect(await metal()).toMatchObject({
      always: false,
      zone: 'UTC',
      sessions: '1-5 00:00-24:00',
      holidays: '2026-12-25',
      changed_by: 'chief',
    })
    expect(await set({ zone: '' })).toBe('200')
    expect(await metal()).toMatchObject({ always: true, zone: '' })
  })

  test('what the house has at stake: open positions, liquidations and the insurance fund', async () => {
    const { json } = await ask('chief', 'desk.exposure', {})
    expect(json.data).toEqual({ list: [], options: [], held: [], insurance: [] })
    for (const [currency, rate] of Object.entries({ BTC: '50000', USDT: '1' })) await api().post('/test/rate', { currency, rate })
    await api().post('/test/credit', { user: String(customer().uid), currency: 'USDT', amount: '100' })
    const pair = { from_currency_id: '3', to_currency_id: '1' }
    const wallet = async <T>(call: string, fields: Record<string, string>) =>
      dataOf<T>(await api().post(`/api/wallet/${call}`, fields, bearing(customer().token)))
    const { quote_id } = await wallet<{ quote_id: number }>('getExchangeRate', pair)
    const { received } = await wallet<{ received: string }>('exchange', { ...pair, amount: '100', quote_id: String(quote_id) })
    expect((await ask('ann', 'desk.exposure', {})).json.data).toMatchObject({
      held: [
        { currency_code: 'BTC', balance: `-${received}` },
        { currency_code: 'USDT', balance: '100' },
      ],
    })
    expect((await ask('ann', 'desk.liquidations', { page: '1' })).json.data).toEqual({ list: [], total: 0 })
    const csv = (await ask('ann', 'desk.liquidationsCsv', {})).json.data as { rows: number; text: string }
    expect([csv.rows, csv.text.split(',').slice(0, 3)]).toEqual([0, ['time', 'id', 'position_id']])
    expect((await written()).at(-1)).toBe('ann liquidations.export liquidations')
    expect(await said('ann', 'desk.liquidations', { page: '0' })).toBe('400 parameter_error page')
  })
})
