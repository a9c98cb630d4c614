import { expect, test } from 'vitest'
import { quoteKeptMs } from '#api-server/wallet/moves.store.ts'
import { sweepRows } from '#api-server/wallet/wallet.ts'
import { write } from '#server-kit/db/db.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { reviewer } from '#tests/support/databases/office-stage.ts'
import { dayMs, proofsOf, refused, type WalletStage } from '#tests/support/databases/wallet-stage.ts'
import { cases } from '#tests/support/one-rule.ts'

const tron = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
const xrp = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const solana = 'EPh9bdWTnGpCZsdFhEPLRj1zuEgTwjzWMdAmFBXqrXGd'
const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

/** Tests of saved addresses and of expired quotes. They share the stage of the wallet's other tests. */
export function addressCases(staged: () => WalletStage): void {
  const adding = (uid: number, asked: Record<string, string>) =>
    refused(staged().call('wallet.addAddress', uid, { name: 'mine', ...proofsOf, qrcode: asked.address ?? '', ...asked }))

  test('a mixed-case address of an EVM chain must have a valid checksum, which is checked first', async () => {
    const uid = await staged().user()
    staged().announced.proved.length = 0
    const typo = evm.replace('A', 'a')
    expect(await adding(uid, { currency_id: '3', chain: 'ERC20', address: typo })).toBe('wallet_address_wrong address')
    expect(await adding(uid, { currency_id: '3', chain: 'ERC20', address: evm, tag: '1' })).toBe('wallet_tag_wrong tag')
    expect(staged().announced.proved).toEqual([])
    expect(await adding(uid, { currency_id: '3', chain: 'ERC20', address: evm })).toMatch(/^answered .*"tag":""/)
  })

  test.each(cases.codes)('the code $code', async ({ coin, chain, code, address, tag, problem }) => {
    const uid = await staged().user()
    const asked = { currency_id: String(staged().idOf(coin)), chain, qrcode: code, tag }
    const named = address || { BTC: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', ERC20: evm, TRC20: tron, XRP: xrp, SOL: solana }[chain]!
    const answer = await adding(uid, { ...asked, address: named })
    if (!address) expect(answer).toBe('qrcode_unread qrcode')
    else if (problem) expect(answer).toBe(`${problem} qrcode`)
    else expect(answer).toMatch(/^answered/)
    if (!problem && tag) expect(await adding(uid, { ...asked, address, tag: '' })).toBe('wallet_tag_wrong tag')
  })

  test.each(cases.destinations)('the destination $address: $why', async ({ coin, chain, address, why }) => {
    const uid = await staged().user()
    const answer = await adding(uid, { currency_id: String(staged().idOf(coin)), chain, address })
    expect(answer).toMatch(why ? new RegExp(`^wallet_address_${why} address$`) : /^answered/)
  })

  test('a deposit address of ours is refused, and an address that an earlier release saved gets no money', async () => {
    const uid = await staged().user()
    const own = await staged().call('wallet.getInAddress', uid, { currency_id: '3', chain: 'TRC20' })
    expect(await adding(uid, { currency_id: '3', chain: 'TRC20', address: own.address })).toBe('wallet_address_own address')
    const saved = await staged().call('wallet.addAddress', uid, {
      currency_id: '3',
      chain: 'TRC20',
      name: 'mine',
      address: tron,
      qrcode: tron,
      ...proofsOf,
    })
    const { db } = staged().database
    await staged().credit(uid, 'USDT', '100')
    staged().later(dayMs)
    const ask = { currency_id: '3', amount: '30', address_id: String(saved.id), ...proofsOf }
    for (const [address, why] of [
      ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'token'],
      [own.address, 'own'],
    ] as const) {
      await write(1, db.updateTable('wallet_address').set({ address }).where('id', '=', saved.id).returning('id'))
      expect(await refused(staged().call('wallet.withdraw', uid, ask))).toBe(`wallet_address_${why} address_id`)
    }
  })

  test('a destination tag is part of the address, makes it another destination, and is in the record and the back office', async () => {
    const uid = await staged().user()
    const currency_id = String(staged().idOf('XRP'))
    const { list } = await staged().call('wallet.getPayable', uid)
    expect(list.flatMap(({ chains }) => chains.filter(({ tag }) => tag).map(({ chain }) => chain))).toEqual(['XRP'])
    const asked = { currency_id, address: xrp }
    const wrong: Record<string, string>[] = [
      { tag: '4294967296' },
      { tag: 'memo' },
      { qrcode: `xrpl:${xrp}?destinationTag=43`, tag: '42' },
      { qrcode: `xrpl:${xrp}?dt=43` },
    ]
    for (const over of wrong) expect(await adding(uid, { ...asked, ...over }), JSON.stringify(over)).toBe('wallet_tag_wrong tag')
    const saved = await staged().call('wallet.addAddress', uid, {
      ...asked,
      name: 'exchange',
      ...proofsOf,
      qrcode: `xrpl:${xrp}?dt=42`,
      tag: '042',
    })
    expect(saved).toMatchObject({ address: xrp, tag: '42' })
    expect(await adding(uid, { ...asked, tag: '42' })).toBe('wallet_address_taken address')
    for (const tag of ['43', '']) expect(await adding(uid, { ...asked, tag }), tag).toMatch(/^answered/)
    expect((await staged().call('wallet.getAddressList', uid)).list.map(({ tag }) => tag)).toEqual(['', '43', '42'])
    await staged().credit(uid, 'XRP', '100')
    staged().later(dayMs)
    const row = await staged().call('wallet.withdraw', uid, { currency_id, amount: '30', address_id: String(saved.id), ...proofsOf })
    expect(row).toMatchObject({ to: 'rHb9CJ…tyTh', tag: '42' })
    expect((await staged().queues.withdraw.one(row.id, reviewer('ann'))).to).toEqual([
      { field: 'chain', value: 'XRP' },
      { field: 'address', value: xrp },
      { field: 'tag', value: '42' },
    ])
    const [record] = (await staged().call('wallet.getRecord', uid)).list
    expect(record).toMatchObject({ id: row.id, tag: '42' })
    await expectSoundMoney(staged().database)
  })

  test('expired quotes of customers who do not return are removed within an hour, in any number; young ones stay', async () => {
    const now = staged().now()
    await staged().wallet.sweep()
    const row = { from_id: 1, to_id: 3, rate: '1', spread: '0', net_rate: '1', used_at: null }
    const given = (id: string, created_at: number) => ({
      ...row,
      id,
      uid: Number(id.replace(/\D/g, '')) + 1,
      created_at,
      expires_at: created_at,
    })
    const rows = Array.from({ length: sweepRows + 1 }, (_, i) => given(`old-${i}`, now - quoteKeptMs - 1))
    await write(
      rows.length + 1,
      staged()
        .database.db.insertInto('wallet_quote')
        .values([...rows, given('young-0', now - quoteKeptMs)]),
    )
    expect(await staged().wallet.sweep()).toBe(sweepRows + 1)
    const left = await staged().database.db.selectFrom('wallet_quote').select('id').where('created_at', '<=', now).execute()
    expect(left).toEqual([{ id: 'young-0' }])
    expect(await staged().wallet.sweep()).toBe(0)
  })

  test('saving an address needs proofs and its QR code; it can be used after a day, is stored once, and only its owner sees it', async () => {
    const [uid, other] = [await staged().user(), await staged().user()]
    const asked = { currency_id: '3', chain: 'TRC20', name: 'mine', address: tron, qrcode: `tron:${tron}`, ...proofsOf }
    const add = (over: Record<string, string> = {}, who = uid) => refused(staged().call('wallet.addAddress', who, { ...asked, ...over }))
    staged().announced.proved.length = 0
    expect(await add({ address: evm, qrcode: evm })).toBe('wallet_address_wrong address')
    expect(await add({ qrcode: evm })).toBe('qrcode_differs qrcode')
    expect(await add({ chain: 'BTC' })).toBe('chain_unknown chain')
    expect(await add({ chain: 'bank' })).toBe('chain_unknown chain')
    expect(staged().announced.proved).toEqual([])
    expect(await add({ pay_password: 'x' })).toBe('pay_password_wrong')
    expect(await add({ code: '1' })).toBe('code_wrong')
    expect((await staged().call('wallet.getAddressList', uid)).total).toBe(0)
    const saved = await staged().call('wallet.addAddress', uid, asked)
    expect(saved).toMatchObject({ chain: 'TRC20', usable_from: staged().now() + dayMs, currency_code: 'USDT' })
    expect(await add()).toBe('wallet_address_taken address')
    expect(await add({}, other)).toMatch(/^answered/)
    const spelled = { chain: 'ERC20', address: evm, qrcode: evm }
    expect(await add(spelled)).toMatch(/^answered/)
    expect(await add({ ...spelled, address: evm.toLowerCase() })).toBe('wallet_address_taken address')
    expect((await staged().call('wallet.getAddressList', uid, { chain: 'TRC20' })).list).toEqual([saved])
    expect(await refused(staged().call('wallet.delAddress', other, { address_id: String(saved.id) }))).toBe('not_found address_id')
    expect(await staged().call('wallet.delAddress', uid, { address_id: String(saved.id) })).toEqual({})
    expect(await refused(staged().call('wallet.delAddress', uid, { address_id: String(saved.id) }))).toBe('not_found address_id')
    expect((await staged().call('wallet.getAddressList', uid)).total).toBe(1)
  })
}
