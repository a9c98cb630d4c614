import Big from 'big.js'
import { beforeAll, expect, test } from 'vitest'
import { openRechargesMax } from '#api-server/wallet/deposit/funding.rules.ts'
import { quoteLifeMs } from '#api-server/wallet/exchange.rules.ts'
import { addressCases } from '#tests/support/address-cases.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { reviewer, take } from '#tests/support/databases/office-stage.ts'
import { openWalletStage, proofsOf, refused, type WalletStage } from '#tests/support/databases/wallet-stage.ts'

onEngines('wallet', (engine) => {
  let stage: WalletStage
  beforeAll(async () => {
    stage = await openWalletStage(engine)
  })
  async function customer(amount = '1000', code = 'USDT') {
    const uid = await stage.user()
    if (amount !== '0') await stage.credit(uid, code, amount)
    return uid
  }

  test('a transfer moves money once, under either name, and stands in its list and in the statement', async () => {
    const uid = await customer()
    const before = await stage.lastEvent()
    const asked = { currency_id: '3', from: '2', to: 'lever' }
    const moved = await stage.call('wallet.transfer', uid, { ...asked, amount: '100.5' }, 'k1')
    expect(moved).toMatchObject({ amount: '100.5', from: 'change', to: 'lever' })
    expect(await stage.call('wallet.transfer', uid, { ...asked, amount: '100.50' }, 'k1')).toEqual(moved)
    await stage.call('user.Transfer', uid, { currency_id: '3', from: 'lever', to: 'legal', number: '0.5' }, 'k2')
    expect(await stage.lines(before)).toEqual([
      ...['transfer change:available USDT -100.5', 'transfer lever:available USDT 100.5'],
      ...['transfer legal:available USDT 0.5', 'transfer lever:available USDT -0.5'],
    ])
    expect(stage.announced.changed.filter((one) => one === uid).length).toBeGreaterThan(0)
    const { list, total } = await stage.call('wallet.hzhistory', uid, { currency_id: '3' })
    expect([total, list[0]]).toMatchObject([2, { currency_code: 'USDT', from: 'lever', to: 'legal', amount: '0.5' }])
    expect((await stage.call('wallet.hzhistory', uid, { currency_id: '1' })).total).toBe(0)
    const { list: held } = await stage.call('wallet.getTransferList', uid, { currency_id: '3' })
    expect(held).toMatchObject([{ legal: '0.5', change: '899.5', lever: '100', micro: '0' }])
  })

  test.each([
    ['more than the balance', { amount: '1000.00000001' }, 'insufficient_balance'],
    ['to the same account', { to: 'change' }, 'accounts_same to'],
    ['more decimals than the currency has', { amount: '0.000000001' }, 'amount_wrong amount'],
    ['nothing', { amount: '0' }, 'amount_wrong amount'],
    ['an unknown currency', { currency_id: '99' }, 'currency_unknown currency_id'],
    ['from an empty account', { from: 'micro' }, 'insufficient_balance'],
  ])('no transfer: %s', async (_says, over, answer) => {
    const uid = await customer()
    const before = await stage.lastEvent()
    expect(await refused(stage.call('wallet.transfer', uid, { currency_id: '3', amount: '1', from: '2', to: '3', ...over }, 'k'))).toBe(
      answer,
    )
    expect(await stage.lines(before)).toEqual([])
    expect((await stage.call('wallet.hzhistory', uid)).total).toBe(0)
  })

  test('an exchange pays the quoted amount once, and the platform takes the other side', async () => {
    const uid = await customer()
    const before = await stage.lastEvent()
    const quote = await stage.call('wallet.getExchangeRate', uid, { from_currency_id: '3', to_currency_id: '1' })
    expect(quote).toMatchObject({
      rate: '0.00002',
      spread: '0.002',
      tolerance: '0.005',
      net_rate: '0.00001996',
      available: '1000',
      min: '1',
      to_scale: 8,
    })
    expect(quote.expires).toBe(stage.now() + quoteLifeMs)
    const asked = { amount: '100', from_currency_id: '3', to_currency_id: '1', quote_id: quote.quote_id }
    // One unit of USDT buys 0.5 % less BTC at most.
    stage.coins.setUsd('BTC', '50251.25')
    const done = await stage.call('wallet.exchange', uid, asked, 'k1')
    expect(done).toMatchObject({ paid: '100', received: '0.001996', rate: '0.00001996', from_code: 'USDT', to_code: 'BTC' })
    expect(await stage.call('wallet.exchange', uid, asked, 'k1')).toEqual(done)
    expect(await refused(stage.call('wallet.exchange', uid, asked, 'k2'))).toBe('quote_expired')
    stage.coins.setUsd('BTC', '50000')
    expect((await stage.lines(before)).sort()).toEqual([
      ...['exchange change:available BTC 0.001996', 'exchange change:available USDT -100'],
      ...['exchange convert BTC -0.001996', 'exchange convert USDT 100'],
    ])
  })

  test('an expired quote, another pair, another customer and an insufficient balance are refused, and nothing moves', async () => {
    const [uid, other] = [await customer(), await customer()]
    const before = await stage.lastEvent()
    const quote = () => stage.call('wallet.getExchangeRate', uid, { from_currency_id: '3', to_currency_id: '1' })
    const ask = (who: number, quote_id: string, over: Record<string, string> = {}) =>
      refused(stage.call('wallet.exchange', who, { amount: '100', from_currency_id: '3', to_currency_id: '1', quote_id, ...over }))
    const { quote_id } = await quote()
    expect(await ask(other, quote_id)).toBe('quote_unknown')
    expect(await ask(uid, 'nothing')).toBe('quote_unknown')
    expect(await ask(uid, quote_id, { to_currency_id: '2' })).toBe('quote_unknown')
    expect(await ask(uid, quote_id, { to_currency_id: '3' })).toBe('currencies_same to_currency_id')
    expect(await ask(uid, quote_id, { amount: '0.99999999' })).toBe('amount_too_small amount')
    expect(await ask(uid, quote_id, { amount: '1000.00000001' })).toBe('insufficient_balance')
    const dear = { from_currency_id: '1', to_currency_id: '7' }
    const more = await stage.call('wallet.getExchangeRate', uid, dear)
    expect(await ask(uid, more.quote_id, { ...dear, amount: '1000000000000000' })).toBe('insufficient_balance')
    for (const price of ['50251.26', '49751.24', '100000', '25000']) {
      stage.coins.setUsd('BTC', price)
      expect(await ask(uid, quote_id), price).toBe('price_changed')
    }
    stage.coins.setUsd('BTC', undefined)
    expect(await ask(uid, quote_id)).toBe('price_stale')
    stage.coins.setUsd('BTC', '50000')
    stage.later(quoteLifeMs)
    expect(await ask(uid, quote_id)).toBe('quote_expired')
    stage.later(-2 * quoteLifeMs)
    expect(await ask(uid, quote_id)).toBe('quote_expired')
    stage.later(quoteLifeMs)
    expect(await stage.lines(before)).toEqual([])
    stage.coins.setUsd('BTC', undefined)
    expect(await refused(quote())).toBe('price_stale')
    stage.coins.setUsd('BTC', '50000')
    await stage.change(uid, { status: 'frozen' })
    expect(await ask(uid, (await quote()).quote_id)).toBe('account_frozen')
  })

  test('one quote used many times at once is used once; exchanging there and back never gains', async () => {
    const uid = await customer()
    const quote = (from: string, to: string) => stage.call('wallet.getExchangeRate', uid, { from_currency_id: from, to_currency_id: to })
    const { quote_id } = await quote('3', '1')
    const asks = Array.from({ length: 8 }, (_, i) =>
      refused(stage.call('wallet.exchange', uid, { amount: '100', from_currency_id: '3', to_currency_id: '1', quote_id }, `once-${i}`)),
    )
    const all = await Promise.all(asks)
    expect(all.filter((one) => one.startsWith('answered'))).toHaveLength(1)
    expect(all.filter((one) => one === 'quote_expired')).toHaveLength(7)
    for (const other of ['1', '2', '5', '7']) {
      const there = await quote('3', other)
      const paid = { amount: '1', from_currency_id: '3', to_currency_id: other, quote_id: there.quote_id }
      const { received } = await stage.call('wallet.exchange', uid, paid)
      const { net_rate } = await quote(other, '3')
      expect(new Big(received).times(net_rate).lt(1), other).toBe(true)
    }
  })

  test('a deposit is credited once, only after its review, and shown with its vouchers', async () => {
    const uid = await customer('0')
    const before = await stage.lastEvent()
    const asked = { amount: '25', currency_id: '3', chain: 'TRC20', imgs: `/api/upload/${uid}-a, /api/upload/${uid}-b` }
    const sent = await stage.call('wallet.recharge', uid, asked, 'k1')
    expect(sent).toMatchObject({ status: 'reviewing', amount: '25' })
    expect(await stage.call('wallet.recharge', uid, asked, 'k1')).toEqual(sent)
    expect(await stage.lines(before)).toEqual([])
    const { address } = await stage.call('wallet.getInAddress', uid, { currency_id: '3', chain: 'TRC20' })
    expect(address).toMatch(/^DEMO-TRC20-[0-9a-f]{32}$/)
    const whole = await stage.queues.recharge.one(sent.id, reviewer('olga'))
    expect(whole).toMatchObject({ images: 2, usd: '25', address })
    expect(whole.pictures.map(({ src }) => src)).toEqual(['a', 'b'].map((name) => `/console/back-office/picture/${uid}-${name}`))
    const approve = { action: 'approve', fourEyesUsd: '10000' } as const
    const decisions = [approve, { action: 'reject', reason: 'unclear' }, approve, { action: 'reject', reason: 'late' }] as const
    const race = await Promise.all(decisions.map((one, id) => refused(stage.decide('recharge', sent.id, one, { id, name: `o${id}` }))))
    expect(race.filter((one) => one === 'state_wrong')).toHaveLength(3)
    const { list } = await stage.call('wallet.getRecord', uid, { type: 'recharge' })
    expect([list.length, await stage.has(uid, 'USDT')]).toEqual([1, list[0]!.status === 'credited' ? '25/0' : '0/0'])
    const second = await stage.call('wallet.recharge', uid, asked, 'k2')
    const mark = await stage.lastEvent()
    expect(await stage.decide('recharge', second.id, approve)).toMatchObject({ status: 'credited' })
    expect(await refused(stage.decide('recharge', second.id, approve))).toBe('state_wrong')
    expect((await stage.lines(mark)).sort()).toEqual(['recharge change:available USDT 25', 'recharge external_in USDT -25'])
  })

  test('the time of the last change of a record never decreases, even when the clock is set back', async () => {
    const uid = await customer('0')
    const sent = await stage.call('wallet.recharge', uid, { amount: '25', currency_id: '3', chain: 'TRC20', imgs: `/api/upload/${uid}-a` })
    stage.later(-60_000)
    const approved = await stage.decide('recharge', sent.id, { action: 'approve', fourEyesUsd: '10000' })
    stage.later(60_000)
    expect([approved.status, approved.changed]).toEqual(['credited', stage.now()])
  })

  test.each([
    ['without a voucher', { imgs: '' }, 'voucher_missing imgs'],
    ['with four of them', { imgs: '/a,/b,/c,/d' }, 'voucher_missing imgs'],
    ["with another's picture", { imgs: '/api/upload/1-a' }, 'not_found url'],
    ['below the minimum', { amount: '9.99' }, 'amount_too_small amount'],
    ['on a chain of another currency', { chain: 'BTC' }, 'chain_unknown chain'],
    ['by bank', { chain: 'bank' }, 'chain_unknown chain'],
    ['of an unknown currency', { currency_id: '99' }, 'currency_unknown currency_id'],
  ])('no recharge %s', async (_says, over, answer) => {
    const uid = await customer('0')
    const fields = { amount: '25', currency_id: '3', imgs: `/api/upload/${uid}-a`, ...over }
    expect(await refused(stage.call('wallet.recharge', uid, fields, 'k'))).toBe(answer)
    expect((await stage.call('wallet.getRecord', uid)).total).toBe(0)
  })

  test('customers are notified of new, changed and removed rows', async () => {
    const uid = await customer('0')
    const own = () => stage.announced.rows.filter((one) => one.startsWith(`${uid} `)).map((one) => one.slice(String(uid).length + 1))
    const asked = { amount: '25', currency_id: '3', chain: 'TRC20', imgs: `/api/upload/${uid}-a` }
    const { id } = await stage.call('wallet.recharge', uid, asked, 'k1')
    await expect.poll(own).toEqual([`records insert ${id} reviewing`])
    await take(stage.queues.recharge, 'office.rechargeApprove', { id })
    await expect.poll(own).toEqual([`records insert ${id} reviewing`, `records update ${id} credited`])
    // The call returns its first answer; the notification holds the current row.
    await stage.call('wallet.recharge', uid, asked, 'k1')
    await expect.poll(() => own().slice(2)).toEqual([`records insert ${id} credited`])

    const address = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
    const saved = { currency_id: '3', chain: 'TRC20', name: 'cold', address, qrcode: address, ...proofsOf }
    const { id: kept } = await stage.call('wallet.addAddress', uid, saved)
    await stage.call('wallet.delAddress', uid, { address_id: String(kept) })
    expect(own().slice(3)).toEqual([`addresses insert ${kept}`, `addresses remove ${kept}`])
  })

  test('the number of deposits that wait for review is limited', async () => {
    const uid = await customer('0')
    const fields = { amount: '25', currency_id: '3', imgs: `/api/upload/${uid}-a` }
    const all = await Promise.all(
      Array.from({ length: openRechargesMax + 3 }, (_, i) => refused(stage.call('wallet.recharge', uid, fields, `k${i}`))),
    )
    expect(all.filter((one) => one === 'too_many_open')).toHaveLength(3)
    const { list, total } = await stage.call('wallet.getRecord', uid, { size: '100' })
    expect(total).toBe(openRechargesMax)
    // The link of a notice opens one record, however old it is.
    const id = list.at(-1)!.id
    const one = async (who: number) => (await stage.call('wallet.getRecord', who, { id: String(id) })).list.map((row) => row.id)
    expect([await one(uid), await one(await customer('0'))]).toEqual([[id], []])
  })

  test('worth, shares and balances agree', async () => {
    const uid = await customer('1000')
    await stage.credit(uid, 'BTC', '0.02', 'lever')
    const info = await stage.call('wallet.getWalletInfo', uid)
    expect(info).toMatchObject({ total_usd: '2000', total_btc: '0.04', demo: false })
    expect(info.accounts.map(({ kind, usd, share }) => `${kind} ${usd} ${share}`)).toEqual([
      'legal 0 0',
      'change 1000 0.5',
      'lever 1000 0.5',
      'micro 0 0',
    ])
    expect(info.coins.map(({ currency_code }) => currency_code).sort()).toEqual(['BTC', 'USDT'])
    const asset = await stage.call('wallet.getAsset', uid, { account: '3' })
    expect([asset.account, asset.usd, asset.list[0]]).toMatchObject(['lever', '1000', { currency_code: 'BTC', available: '0.02' }])
    expect(await stage.call('wallet.getBalance', uid, { currency_id: '1', account: 'lever' })).toMatchObject({ total: '0.02', usd: '1000' })
    expect(await stage.call('wallet.getCurrencyAsset', uid, { currency_id: '1' })).toMatchObject({
      price_symbol: 'BTCUSDT',
      rate: '50000',
      total: '0.02',
    })
    const coins = (await stage.call('currency.userCurrencyList', uid)).list
    expect(coins).toHaveLength(7)
    const symbols = (await stage.call('wallet.getSymbolList', uid)).list
    expect(symbols.find((one) => one.currency_code === 'USDT')).toMatchObject({
      recharge: true,
      withdraw: true,
      exchange: true,
      available: '1000',
    })
    expect((await stage.call('wallet.getPayable', uid)).list.find((one) => one.currency_code === 'USDT')?.chains).toEqual([
      { chain: 'ERC20', min: '10', tag: false },
      { chain: 'TRC20', min: '1', tag: false },
    ])
  })

  test('the statement: newest first, by account, kind and time, and as a file in the language of the request', async () => {
    const uid = await customer('1000')
    const since = stage.now()
    stage.later(1_000)
    await stage.call('wallet.transfer', uid, { currency_id: '3', amount: '10', from: '2', to: '1' })
    const all = await stage.call('wallet.getWalletLog', uid)
    expect(all.list.map(({ kind, account, amount, balance }) => `${kind} ${account} ${amount} ${balance}`)).toEqual([
      ...['transfer legal 10 10', 'transfer change -10 990', 'credit change 1000 1000'],
    ])
    expect((await stage.call('wallet.getWalletLog', uid, { account: 'legal' })).total).toBe(1)
    expect((await stage.call('wallet.getWalletLog', uid, { kind: 'credit' })).total).toBe(1)
    expect((await stage.call('wallet.getWalletLog', uid, { to: String(since + 1) })).total).toBe(1)
    expect((await stage.call('wallet.getWalletLog', uid, { from: String(since + 1) })).total).toBe(2)
    expect(await refused(stage.call('wallet.getWalletLog', uid, { from: '1793404800', to: '1790812800000' }))).toBe('range_reversed to')
    expect(await refused(stage.call('wallet.getWalletLog', uid, { page: '100000', size: '100' }))).toBe('range_too_wide page')
    const file = await stage.call('wallet.exportLog', uid, { kind: 'transfer' }, undefined, 'fr')
    expect(file).toMatchObject({ rows: 2, cut: false, type: 'text/csv', name: 'tessera-2026-11-20.csv' })
    const lines = file.text.trimEnd().split('\r\n')
    expect(lines[0]).toBe('Date et heure (UTC),Type,Compte,Type de solde,Monnaie,Montant,Solde après,Référence')
    expect(lines[2]).toMatch(/^2026-11-20T.*Z,Transfert,Au comptant,Disponible,USDT,-10,990,transfer:\d+$/)
  })

  test('a closed currency cannot be dealt in, and its balance is still shown', async () => {
    const uid = await customer('1000')
    const asked = { currency_id: '3', amount: '1', from: '2', to: '3' }
    const moved = await stage.call('wallet.transfer', uid, asked, 'before')
    await stage.database.db.updateTable('currency').set({ status: 0 }).where('id', '=', 3).execute()
    stage.later(60_000)
    expect(await stage.call('wallet.transfer', uid, asked, 'before')).toEqual(moved)
    expect(await refused(stage.call('wallet.transfer', uid, asked, 'after'))).toBe('currency_closed currency_id')
    expect(await refused(stage.call('wallet.getExchangeRate', uid, { from_currency_id: '1', to_currency_id: '3' }))).toBe(
      'currency_closed to_currency_id',
    )
    expect(await refused(stage.call('wallet.getInAddress', uid, { currency_id: '3' }))).toBe('currency_closed currency_id')
    expect(await refused(stage.call('wallet.getWithdrawInfo', uid, { currency_id: '3' }))).toBe('currency_closed currency_id')
    expect(await stage.has(uid, 'USDT')).toBe('999/0')
    expect((await stage.call('wallet.getSymbolList', uid)).list.find((one) => one.currency_id === 3)).toMatchObject({
      exchange: false,
      available: '999',
    })
    await stage.database.db.updateTable('currency').set({ status: 1 }).where('id', '=', 3).execute()
    stage.later(60_000)
  })

  test('fees, minima, limits and the spread are changed by two operators, and count from then on', async () => {
    const [ann, bob] = [1, 2].map((id) => ({ id, name: ['ann', 'bob'][id - 1]!, roles: ['administrator'], fresh: true }) as const)
    const of = (product: string) => stage.wallet.terms.find((terms) => terms.product === product)!
    const inTx = stage.database.transaction
    const propose = (product: string, key: string, typed: Record<string, string>) =>
      inTx((tx) => of(product).propose(tx, ann!, { key, typed }))
    const change = async (product: string, key: string, typed: Record<string, string>) => {
      const { id } = await propose(product, key, typed)
      expect(await refused(inTx((tx) => of(product).proposals.agree(tx, ann!, id)))).toBe('own_decision')
      await inTx((tx) => of(product).proposals.agree(tx, bob!, id))
    }
    const uid = await customer()
    const info = () => stage.call('wallet.getWithdrawInfo', uid, { currency_id: '3', chain: 'TRC20' })
    expect(await info()).toMatchObject({ fee: '1', fee_rate: '0', min: '10', limit_btc: '500', chains: ['ERC20', 'TRC20'] })
    await change('route', 'USDT_TRC20', { fee: '0', fee_rate: '0.5', withdraw_min: '12.5', list_place: '1' })
    await change('level', '2', { limit_btc: '400' })
    expect(await info()).toMatchObject({ fee: '0', fee_rate: '0.005', min: '12.5', limit_btc: '400' })
    await change('route', 'USDT_ERC20', { withdraw: 'closed' })
    expect((await info()).chains).toEqual(['TRC20'])
    const rate = () => stage.call('wallet.getExchangeRate', uid, { from_currency_id: '3', to_currency_id: '1' })
    expect(await rate()).toMatchObject({ spread: '0.002', tolerance: '0.005', min: '1' })
    await change('exchange', 'wallet', { spread: '1' })
    await change('coin', 'USDT', { exchange_min: '2' })
    expect(await rate()).toMatchObject({ spread: '0.01', tolerance: '0.005', min: '2' })
    for (const [typed, answer] of [
      [{ fee: '-1' }, 'parameter_error fee'],
      [{ recharge: 'maybe' }, 'parameter_error recharge'],
      [{ currency: 'BTC' }, 'parameter_error currency'],
      [{ fee: '0' }, 'state_wrong'],
    ] as const)
      expect(await refused(propose('route', 'USDT_TRC20', typed))).toBe(answer)
    const back = [
      ...([
        ['exchange', 'wallet', { spread: '0.2' }],
        ['coin', 'USDT', { exchange_min: '1' }],
        ['level', '2', { limit_btc: '500' }],
      ] as const),
      ...([['route', 'USDT_ERC20', { withdraw: 'open' }]] as const),
      ['route', 'USDT_TRC20', { fee: '1', fee_rate: '0', withdraw_min: '10', list_place: '2' }] as const,
    ]
    for (const [product, key, typed] of back) await change(product, key, typed)
    expect(await info()).toMatchObject({ fee: '1', chains: ['ERC20', 'TRC20'] })
  })

  test('demonstration money is given once, with a history and a saved address', async () => {
    const uid = await customer('0')
    await Promise.all([stage.wallet.seedDemo(uid), stage.wallet.seedDemo(uid)])
    await stage.wallet.seedDemo(uid)
    expect(await stage.has(uid, 'USDT')).toBe('25800/0')
    expect(await stage.has(uid, 'USDT', 'lever')).toBe('10500/0')
    const { list } = await stage.call('wallet.getRecord', uid)
    expect(list.map(({ type, status }) => `${type} ${status}`)).toEqual(['withdraw cancelled', 'withdraw done', 'recharge credited'])
    const [saved] = (await stage.call('wallet.getAddressList', uid)).list
    expect(saved!.usable_from).toBeLessThanOrEqual(stage.now())
    const asked = { currency_id: '3', amount: '100', address_id: String(saved!.id), ...proofsOf }
    expect((await stage.call('wallet.withdraw', uid, asked)).status).toBe('reviewing')
  })

  test('after these tests the ledger agrees with the records', () => expectSoundMoney(stage.database).then(() => undefined))

  // Last, because these tests move the clock.
  addressCases(() => stage)
})
