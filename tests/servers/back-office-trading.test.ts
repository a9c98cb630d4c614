import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onEngines } from '#tests/support/databases/engines.ts'
import { bearing, dataOf } from '#tests/support/people/accounts.ts'
import { useBackOfficeMoney, type Who } from '#tests/support/servers/back-office-money.ts'

interface Terms {
  version: number
  trading: string
  halted: boolean
  halted_at: number | null
  terms: { name: string; value: string }[]
  proposal: { id: number; by: string; own: boolean; may_agree: boolean; changes: { name: string; value: string; before: string }[] } | null
  versions: { version: number; by: string; shown: string }[]
}

onEngines('terms of trading at the back office', (engine) => {
  const { ask, file, written, api, customer } = useBackOfficeMoney(engine, { standing: true })
  const btc = { product: 'contract', symbol: 'BTCUSDT' }
  const terms = { product: 'contract', key: 'BTCUSDT' }
  const one = async (who: Who = 'chief') => (await ask(who, 'office.instrument', btc)).json.data as Terms
  const said = async (who: Who, call: Parameters<typeof ask>[1], fields: Record<string, string>) => {
    // With a key, as the console sends it.
    const { status, json } = await ask(who, call, fields, randomUUID())
    return json.name ? `${status} ${json.name} ${json.field ?? ''}`.trim() : `${status}`
  }
  const fee = async () => (await one()).terms.find(({ name }) => name === 'fee_rate')!.value

  test('other terms count once a second administrator has agreed, and the log says so', async () => {
    expect(await said('ann', 'office.termsSave', { ...terms, fee_rate: '0.1' })).toBe('403 forbidden')
    expect(await said('both', 'office.termsSave', { ...terms, fee_rate: '200' })).toBe('400 parameter_error fee_rate')
    expect(await said('both', 'office.termsSave', { ...terms, key: 'NOSUCH', fee_rate: '1' })).toBe('404 not_found key')
    expect(await said('both', 'office.termsSave', terms)).toBe('409 state_wrong')
    expect(await said('both', 'office.termsSave', { ...terms, fee_rate: '0.1' })).toBe('200')
    expect(await fee()).toBe('0.05')

    const { proposal } = await one()
    expect(proposal).toMatchObject({
      by: 'both',
      own: false,
      may_agree: true,
      changes: [{ name: 'fee_rate', value: '0.1', shown: '0.1 %', before: '0.05 %' }],
    })
    const id = String(proposal!.id)
    expect(await said('chief', 'office.termsSave', { ...terms, fee_rate: '0.2' })).toBe('409 state_wrong')
    expect(await said('both', 'office.proposalAgree', { id })).toBe('403 own_decision')
    expect(await said('chief', 'office.proposalAgree', { id })).toBe('200')
    expect(await said('chief', 'office.proposalAgree', { id })).toBe('409 state_wrong')
    expect(await fee()).toBe('0.1')
    // A proposal that was made on older terms than the present ones is refused.
    expect(await said('both', 'office.termsSave', { ...terms, version: '1', fee_rate: '0.3' })).toBe('409 terms_changed')
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
    const propose = () => ask('both', 'office.termsSave', { ...terms, fee_rate: '0.004' }, 'terms-1')
    const answers = [await propose(), await propose()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { id } = (await one()).proposal!
    expect(await said('both', 'office.proposalDrop', { id: String(id) })).toBe('200')
  })

  test.each<[Who, string]>([
    ['both', 'instrument.withdraw'],
    ['chief', 'instrument.refuse'],
  ])('a proposal that %s drops changes nothing', async (who, action) => {
    const before = await fee()
    await ask('both', 'office.termsSave', { ...terms, fee_rate: '0.9' })
    const id = String((await one()).proposal!.id)
    expect(await said(who, 'office.proposalDrop', { id })).toBe('200')
    expect(await said('chief', 'office.proposalAgree', { id })).toBe('409 state_wrong')
    expect(await fee()).toBe(before)
    expect((await written()).at(-1)).toBe(`${who} ${action} contract:BTCUSDT both`)
  })

  test('a halt counts at once and in every product, and a symbol is resumed once', async () => {
    expect(await said('ann', 'office.halt', { ...btc, reason: 'news' })).toBe('403 forbidden')
    expect(await said('chief', 'office.halt', { ...btc, reason: 'news' })).toBe('200')
    expect(await one()).toMatchObject({ halted: true, halt_reason: 'news', halted_by: 'chief', trading: 'halted' })
    const halted = (await ask('ann', 'office.instruments', { state: 'halted' })).json.data as { list: { key: string }[] }
    expect(halted.list.map(({ key }) => key)).toEqual(['contract BTCUSDT', 'option BTCUSDT', 'spot BTCUSDT'])
    expect((await ask('chief', 'office.instrument', { product: 'option', symbol: 'BTCUSDT' })).json.data).toMatchObject({ halted: true })
    const key = randomUUID()
    const { halted_at } = await one()
    // Another halt than the one that goes on.
    expect(await said('chief', 'office.resume', { ...btc, halted_at: String(halted_at! - 1) })).toBe('409 state_wrong')
    const now = { ...btc, halted_at: String(halted_at) }
    const resume = async () => (await ask('chief', 'office.resume', now, key)).status
    expect([await resume(), await resume()]).toEqual([200, 200])
    expect(await said('chief', 'office.resume', now)).toBe('409 state_wrong')
    expect(await one()).toMatchObject({ halted: false, trading: 'open' })
    expect(await written()).toEqual(['chief instrument.halt contract:BTCUSDT news', 'chief instrument.resume contract:BTCUSDT news'])
  })

  interface Hours extends Omit<Terms, 'terms' | 'trading' | 'halted'> {
    always: boolean
    days: string
    next: { date: string; hours: string; own: boolean }[]
  }
  const metal = { group: 'metal', zone: 'UTC', sessions: '1-5 00:00-24:00', holidays: '', days: '' }
  const hours = async (group = 'metal', who: Who = 'chief') => (await ask(who, 'office.calendar', { group })).json.data as Hours
  const propose = (fields: Record<string, string> = {}, who: Who = 'both') => said(who, 'office.calendarSave', { ...metal, ...fields })
  const dateIn = (days: number) => new Date(api().clock.now() + days * 86_400_000).toISOString().slice(0, 10)
  /** A Friday and its Saturday that are far enough ahead, of the clock of the server, which stands still. */
  const weekEnd = () => {
    const toFriday = ((12 - new Date(api().clock.now()).getUTCDay()) % 7) + 14
    return [dateIn(toFriday), dateIn(toFriday + 1)] as const
  }

  test('other hours count once a second administrator has agreed, and the log says what was and what is', async () => {
    const [friday, saturday] = weekEnd()
    expect(await propose({}, 'ann')).toBe('403 forbidden')
    expect(await propose({ zone: 'Mars/Olympus' })).toBe('400 parameter_error zone')
    expect(await propose({ holidays: 'Christmas' })).toBe('400 parameter_error holidays')
    expect(await propose({ holidays: '2020-12-25' })).toBe('400 parameter_error holidays')
    expect(await propose({ days: `${friday} 13:00-09:00` })).toBe('400 parameter_error days')
    expect(await propose({ days: '2020-11-27 09:30-13:00' })).toBe('400 parameter_error days')
    expect(await propose({ sessions: '1-5 00:00-24:00, 5 09:00-10:00' })).toBe('400 parameter_error sessions')
    expect(await propose({ version: '1' })).toBe('409 terms_changed')
    expect(await propose({ zone: '' })).toBe('409 state_wrong')
    expect((await written()).length).toBe(0)
    expect(await hours()).toMatchObject({ version: 0, always: true, proposal: null, next: [], versions: [] })

    const days = `${friday} 09:30-13:00, ${saturday} 10:00-11:00`
    expect(await propose({ days, sessions: '1-5 09:30-16:00' })).toBe('200')
    const waits = await hours()
    expect(waits).toMatchObject({
      version: 0,
      always: true,
      next: [],
      proposal: { by: 'both', own: false, may_agree: true, always: false },
    })
    expect(waits.proposal!.changes.map(({ name, before, value }) => [name, before, value])).toEqual([
      ['zone', '', 'UTC'],
      ['sessions', '', '1-5 09:30-16:00'],
      ['days', '', days],
    ])
    const ahead = (waits.proposal as unknown as Hours).next
    expect(ahead).toHaveLength(10)
    const listed = (await ask('ann', 'office.calendars', {})).json.data as { list: { group: string; proposed: boolean }[] }
    expect(listed.list.filter(({ proposed }) => proposed).map(({ group }) => group)).toEqual(['metal'])

    const id = String(waits.proposal!.id)
    expect(await propose({}, 'chief')).toBe('409 state_wrong')
    expect(await said('both', 'office.proposalAgree', { id })).toBe('403 own_decision')
    expect(await said('ann', 'office.proposalAgree', { id })).toBe('403 forbidden')
    const key = randomUUID()
    const agree = async () => (await ask('chief', 'office.proposalAgree', { id }, key)).status
    expect([await agree(), await agree()]).toEqual([200, 200])
    expect(await said('chief', 'office.proposalAgree', { id })).toBe('409 state_wrong')
    expect(await hours()).toMatchObject({
      version: 1,
      always: false,
      zone: 'UTC',
      sessions: '1-5 09:30-16:00',
      days,
      changed_by: 'both, chief',
      proposal: null,
      versions: [{ version: 1, by: 'both, chief', shown: '' }],
    })
    expect((await hours()).next).toEqual(ahead)
    const change = `zone – → UTC; sessions – → 1-5 09:30-16:00; days – → ${days}`
    expect(await written()).toEqual([`both hours.propose hours:metal ${change}`, `chief hours.agree hours:metal ${change}`])

    expect(await propose({ zone: '' })).toBe('200')
    expect(await said('chief', 'office.proposalAgree', { id: String((await hours()).proposal!.id) })).toBe('200')
    expect(await hours()).toMatchObject({ version: 2, always: true, zone: '', next: [] })
    expect((await hours()).versions.map(({ version, shown }) => [version, shown])).toEqual([
      [2, ''],
      [2, ''],
      [2, ''],
      [1, ''],
    ])
  })

  test.each(['holidays', 'days'] as const)(
    'hours with %s that have passed since the proposal are refused by name, and then dropped',
    async (field) => {
      const { clock } = api()
      const [now, tomorrow] = [clock.now(), dateIn(1)]
      const before = await hours()
      const day = { holidays: tomorrow, days: `${tomorrow} 09:30-13:00` }[field]
      expect(await propose({ [field]: day })).toBe('200')
      const seen = async () => (await hours()).proposal as unknown as { id: number; past: boolean; may_agree: boolean }
      expect(await seen()).toMatchObject({ past: false, may_agree: true })
      const id = String((await seen()).id)
      clock.set(now + 2 * 86_400_000)
      try {
        expect(await seen()).toMatchObject({ past: true, may_agree: false })
        expect(await said('both', 'office.proposalAgree', { id })).toBe('403 own_decision')
        expect(await said('chief', 'office.proposalAgree', { id })).toBe(`400 parameter_error ${field}`)
        expect((await hours()).version).toBe(before.version)
        expect(await said('chief', 'office.proposalDrop', { id })).toBe('200')
        expect((await written()).map((row) => row.split(' ').slice(0, 2).join(' '))).toEqual(['both hours.propose', 'chief hours.refuse'])
      } finally {
        clock.set(now)
      }
    },
  )

  test.each<[Who, string]>([
    ['both', 'hours.withdraw'],
    ['chief', 'hours.refuse'],
  ])('hours that %s drops change nothing', async (who, action) => {
    const before = await hours()
    expect(await propose()).toBe('200')
    const id = String((await hours()).proposal!.id)
    expect(await said(who, 'office.proposalDrop', { id })).toBe('200')
    expect(await said('chief', 'office.proposalAgree', { id })).toBe('409 state_wrong')
    expect(await hours()).toEqual(before)
    expect((await written()).at(-1)).toBe(`${who} ${action} hours:metal both`)
  })

  test('typed hours are looked at before they are proposed, with the reason of what would be refused', async () => {
    const [friday, saturday] = weekEnd()
    const preview = async (fields: Record<string, string>) =>
      (await ask('ann', 'office.calendarPreview', { ...metal, sessions: '1-5 09:30-16:00', ...fields })).json.data as {
        always: boolean
        list: Hours['next']
        wrong: string
        why: string
      }
    const { list, ...said } = await preview({ days: `${friday} 09:30-13:00, ${saturday} 10:00-11:00` })
    expect([said, list.length]).toEqual([{ always: false, wrong: '', why: '' }, 10])
    // Ten trading days reach two weeks ahead.
    const near = await preview({ days: `${list[1]!.date} 09:30-13:00`, holidays: list[2]!.date })
    expect(near.list.slice(0, 3).map(({ date, hours, own }) => [date, hours, own])).toEqual([
      [list[0]!.date, '09:30–16:00', false],
      [list[1]!.date, '09:30–13:00', true],
      [list[3]!.date, '09:30–16:00', false],
    ])
    expect(await preview({ zone: '' })).toEqual({ always: true, list: [], wrong: '', why: '' })
    for (const [fields, wrong, why] of [
      [{ days: `${friday} 03:00-09:00` }, 'days', 'early'],
      [{ days: `${friday} 09:30-13:00`, holidays: friday }, 'days', 'twice'],
      [{ holidays: '2020-12-25' }, 'holidays', 'past'],
      [{ sessions: 'always' }, 'sessions', 'unreadable'],
      [{ sessions: '1 09:00-12:00, 1 11:00-13:00' }, 'sessions', 'overlap'],
    ] as const)
      expect(await preview(fields)).toEqual({ always: false, list: [], wrong, why })
    expect(await written()).toEqual([])
  })

  test('customers trade and read by the hours that were agreed to, from then on', async () => {
    const deal = async () => {
      const found = await api().post('/api/lever/deal', { match_id: 'XAUUSDT' }, bearing(customer().token))
      return dataOf<{ open: boolean; next_change: number | null }>(found)
    }
    expect(await deal()).toMatchObject({ open: true, next_change: null })
    // Closed today: the next opening is one of another day.
    const today = dateIn(0)
    expect(await propose({ sessions: '1-7 00:00-24:00', holidays: today })).toBe('200')
    expect(await deal()).toMatchObject({ open: true, next_change: null })
    expect(await said('chief', 'office.proposalAgree', { id: String((await hours()).proposal!.id) })).toBe('200')
    const opens = Date.parse(today) + 86_400_000
    expect(await deal()).toMatchObject({ open: false, next_change: opens })
    const early = dateIn(1)
    expect(await propose({ sessions: '1-7 00:00-24:00', days: `${today} 00:00-24:00, ${early} 00:00-13:00` })).toBe('200')
    expect(await said('chief', 'office.proposalAgree', { id: String((await hours()).proposal!.id) })).toBe('200')
    expect(await deal()).toMatchObject({ open: true, next_change: opens + 13 * 3_600_000 })
    expect(await propose({ zone: '' })).toBe('200')
    expect(await said('chief', 'office.proposalAgree', { id: String((await hours()).proposal!.id) })).toBe('200')
  })

  test('what the house has at stake: open positions, liquidations and the insurance fund', async () => {
    const { json } = await ask('chief', 'office.exposure', {})
    expect(json.data).toEqual({ list: [], options: [], held: [], insurance: [] })
    for (const [currency, rate] of Object.entries({ BTC: '50000', USDT: '1' })) await api().post('/test/rate', { currency, rate })
    await api().post('/test/credit', { user: String(customer().uid), currency: 'USDT', amount: '100' })
    const pair = { from_currency_id: '3', to_currency_id: '1' }
    const wallet = async <T>(call: string, fields: Record<string, string>) =>
      dataOf<T>(await api().post(`/api/wallet/${call}`, fields, bearing(customer().token)))
    const { quote_id } = await wallet<{ quote_id: number }>('getExchangeRate', pair)
    const { received } = await wallet<{ received: string }>('exchange', { ...pair, amount: '100', quote_id: String(quote_id) })
    expect((await ask('ann', 'office.exposure', {})).json.data).toMatchObject({
      held: [
        { currency_code: 'BTC', balance: `-${received}` },
        { currency_code: 'USDT', balance: '100' },
      ],
    })
    expect((await ask('ann', 'office.liquidations', { page: '1' })).json.data).toEqual({ list: [], total: 0 })
    const { text, headers } = await file('ann', 'office.liquidationsCsv')
    expect(headers.get('content-disposition')).toBe('attachment; filename="liquidations.csv"')
    expect(text).toBe('time,id,position_id,uid,symbol,side,lots,price,margin,insurance,currency_code,reason\r\n')
    expect((await written()).at(-1)).toBe('ann liquidations.export liquidations')
    expect(await said('ann', 'office.liquidations', { page: '0' })).toBe('400 parameter_error page')
  })
})
