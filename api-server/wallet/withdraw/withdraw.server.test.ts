import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedCurrencies } from '#api-server/currency/currency.store.ts'
import { seedParameters } from '#api-server/wallet/parameter.store.ts'
import { bearing, codeTo, dataOf, later, type Made, mailbox, makeUser, wrongCode } from '#tests/support/people/accounts.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { refusal } from '#tests/support/servers/envelope.ts'

const payPassword = '246813579'
const tron = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
const dayMs = 24 * 3_600_000

let api: TestApi
const dataDir = mkdtempSync(join(tmpdir(), 'tessera-withdraw-'))
beforeAll(async () => {
  api = await startApi({ place: { dataDir }, env: { SEED: 'none' } })
  await seedCurrencies(api.database)
  await seedParameters(api.database)
  for (const [currency, rate] of [
    ['BTC', '50000'],
    ['ETH', '2500'],
  ])
    dataOf(await api.post('/test/rate', { currency: currency!, rate: rate! }))
})
afterAll(async () => {
  await api?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const headers = (who: Made, key?: string) => bearing(who.token, key === undefined ? {} : { 'idempotency-key': key })
async function freshCode(who: Made): Promise<string> {
  await later(api, 61_000)
  dataOf(await api.post('/api/ems/send', { event: 'withdraw' }, headers(who)))
  return codeTo(api, who.username)
}
/** Six digits of the authenticator, of a time step that was not used yet. */
async function totp(who: Made): Promise<string> {
  await later(api, 31_000)
  return generate({ secret: who.totp_secret!, epoch: Math.floor(api.clock.now() / 1_000) })
}

test('a code works once, for the address or for the withdrawal, and is not used up by another mistake', async () => {
  const who = await makeUser(api, { level: '2', pay_password: payPassword, totp: '1' })
  dataOf(await api.post('/test/credit', { user: String(who.uid), account: 'change', currency: 'USDT', amount: '1000' }))
  const address = { currency_id: '3', chain: 'TRC20', name: 'mine', address: tron, qrcode: tron, pay_password: payPassword }
  const first = await freshCode(who)
  expect(refusal(await api.post('/api/wallet/addAddress', { ...address, code: wrongCode(first) }, headers(who)))).toBe(
    '400 code_wrong code',
  )
  expect(refusal(await api.post('/api/wallet/addAddress', { ...address, pay_password: 'guess', code: first }, headers(who)))).toBe(
    '403 pay_password_wrong pay_password',
  )
  const added = { ...address, code: first, totp: await totp(who) }
  const { id } = dataOf<{ id: number }>(await api.post('/api/wallet/addAddress', added, headers(who)))
  expect((await mailbox(api, who.username)).filter(({ kind }) => kind === 'notice:address_added')).toHaveLength(1)

  const ask = { currency_id: '3', amount: '100', address_id: String(id), fee: '1', pay_password: payPassword }
  const send = (fields: Record<string, string>, key?: string) => api.post('/api/wallet/withdraw', { ...ask, ...fields }, headers(who, key))
  expect(refusal(await send({ code: first, totp: await totp(who) }))).toBe('423 address_on_hold')
  await later(api, dayMs)
  const code = await freshCode(who)
  expect(refusal(await send({ code: first, totp: await totp(who) }))).toMatch(/^400 code_wrong/)
  expect(refusal(await send({ code }))).toBe('403 second_factor_required totp')
  expect(refusal(await send({ amount: '1001', code, totp: await totp(who) }))).toBe('409 insufficient_balance amount')
  const digits = await totp(who)
  const asked = dataOf(await send({ code, totp: digits }, 'one'))
  expect(asked).toMatchObject({ status: 'reviewing', received: '99' })
  expect(dataOf(await send({ code, totp: digits }, 'one'))).toEqual(asked)
  expect(refusal(await send({ code, totp: await totp(who) }, 'two'))).toMatch(/^400 code_wrong/)
  expect(refusal(await send({ code: await freshCode(who), totp: digits }, 'three'))).toMatch(/^403 second_factor_wrong/)
  const records = dataOf<{ total: number }>(await api.post('/api/wallet/getRecord', { type: 'withdraw' }, headers(who)))
  expect(records.total).toBe(1)
  expect((await mailbox(api, who.username)).filter(({ kind }) => kind === 'notice:withdraw_requested')).toHaveLength(1)
})

test('open apps receive rows as the calls answer them', async () => {
  const who = await makeUser(api, { level: '2', pay_password: payPassword, totp: '1' })
  const announced: [topic: string, change: string, row: unknown][] = []
  const end = api.api.changes.listen((uid, topic, changed) => {
    if (uid === Number(who.uid) && changed) announced.push([topic, changed.change, changed.row])
  })
  const rows = async (call: string) => dataOf<{ list: { id: number }[] }>(await api.post(`/api/wallet/${call}`, {}, headers(who))).list
  dataOf(await api.post('/test/credit', { user: String(who.uid), account: 'change', currency: 'USDT', amount: '1000' }))
  const address = { currency_id: '3', chain: 'TRC20', name: 'mine', address: tron, qrcode: tron, pay_password: payPassword }
  const fields = { ...address, code: await freshCode(who), totp: await totp(who) }
  const { id } = dataOf<{ id: number }>(await api.post('/api/wallet/addAddress', fields, headers(who)))
  const noticed = async () => dataOf<{ list: object[] }>(await api.get('/api/notice/list', headers(who))).list
  expect(announced.splice(0)).toEqual([
    ['notices', 'insert', (await noticed())[0]],
    ['addresses', 'insert', (await rows('getAddressList'))[0]],
  ])
  await later(api, dayMs)
  const ask = { currency_id: '3', amount: '100', address_id: String(id), fee: '1', pay_password: payPassword }
  const sent = { ...ask, code: await freshCode(who), totp: await totp(who) }
  const asked = dataOf<{ id: number }>(await api.post('/api/wallet/withdraw', sent, headers(who, 'w')))
  await expect.poll(() => announced.length).toBe(2)
  expect(announced.splice(0)).toEqual([
    ['notices', 'insert', (await noticed())[0]],
    ['records', 'insert', (await rows('getRecord'))[0]],
  ])
  dataOf(await api.post('/api/wallet/cancelWithdraw', { id: String(asked.id) }, headers(who, 'c')))
  await expect.poll(() => announced.length).toBe(1)
  expect(announced.splice(0)).toEqual([['records', 'update', (await rows('getRecord'))[0]]])
  dataOf(await api.post('/api/wallet/delAddress', { address_id: String(id) }, headers(who)))
  expect(announced).toEqual([['addresses', 'remove', { id }]])
  end()
})

test('prices can be set and reset; an installation without demonstration gives no money away', async () => {
  expect(refusal(await api.post('/test/rate', { currency: 'NONE', rate: '1' }))).toBe('404 currency_unknown currency')
  expect(refusal(await api.post('/test/rate', { currency: 'BTC', rate: '0' }))).toBe('400 parameter_error rate')
  expect(dataOf(await api.post('/test/rate', { currency: '4', rate: '99.5' }))).toEqual({ currency_code: 'SOL', rate: '99.5' })
  expect(dataOf(await api.post('/test/rate', { currency: 'SOL' }))).toEqual({ currency_code: 'SOL', rate: '0' })
  const demo = await api.database.db.selectFrom('ledger_event').select('id').where('kind', '=', 'demo').execute()
  expect(demo).toEqual([])
})
