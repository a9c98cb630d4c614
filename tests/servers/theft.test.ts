import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#server-kit/ops/log.ts'
import { triesLimits } from '#server-kit/security/tries.ts'
import { bearing, codeTo, dataOf, later, type Made, mailbox, makeUser, wrongCode } from '#tests/support/people/accounts.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { refusal } from '#tests/support/servers/envelope.ts'

/** An attacker has the token of a customer on another device, and nothing else: no password, no mailbox, no phone, no authenticator. */

const payPassword = 'Pay-1357-owner'
const address = `0x${'52908400098527886e0f7030069857d2e4169ee7'}`
const other = `0x${'de709f2102306220921060314715629080e2fb77'}`
const dataDir = mkdtempSync(join(tmpdir(), 'tessera-theft-'))
const logged: string[] = []
const sink = new Writable({
  write(part: Buffer, _encoding, done) {
    logged.push(part.toString())
    done()
  },
})

let api: TestApi
let owner: Made & { mobile: string }
let usdt: string
let addressId: string
/** Secrets that were sent and must not be revealed. */
const secrets: string[] = [payPassword]

const send = (path: string, fields: Record<string, string>, user: Made = owner) =>
  api.post(`/api${path}`, fields, bearing(user.token, { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Thief/1.0' }))
const codeFor = async (event: string, to = owner.username) => {
  await later(api, 61_000)
  dataOf(await send('/ems/send', { event }))
  const code = await codeTo(api, to)
  secrets.push(code)
  return code
}
const saving = (fields: Record<string, string>) => ({
  currency_id: usdt,
  chain: 'ERC20',
  name: 'cold',
  address: other,
  qrcode: other,
  ...fields,
})

/** The owner's next authenticator code; each is accepted once. */
async function factor(): Promise<string> {
  await later(api, 31_000)
  return generateSync({ secret: owner.totp_secret!, epoch: Math.floor(api.clock.now() / 1_000) })
}

beforeAll(async () => {
  api = await startApi({ place: { dataDir }, log: createLog('debug', sink), standing: true })
  const fields = { email: 'owner@mail.example', mobile: '13800139001', level: '2', totp: '1', pay_password: payPassword }
  owner = { ...(await makeUser(api, fields)), mobile: '+86 13800139001' }
  secrets.push(owner.token, owner.password, owner.totp_secret!, ...owner.recovery_codes)
  const { list } = dataOf<{ list: { id: number; currency_code: string }[] }>(await api.get('/api/currency/list'))
  usdt = String(list.find(({ currency_code }) => currency_code === 'USDT')!.id)
  for (const account of ['change', 'legal'])
    dataOf(await api.post('/test/credit', { user: String(owner.uid), account, currency: usdt, amount: '1000' }))
  const saved = saving({ address, qrcode: address, pay_password: payPassword, code: await codeFor('withdraw'), totp: await factor() })
  addressId = String(dataOf(await send('/wallet/addAddress', saved)).id)
  dataOf(await send('/user/cash_save', { real_name: 'Ann Lee', bank_account: '6222020280112233', totp: await factor() }))
  await later(api, 25 * 3_600_000)
  dataOf(await api.post('/test/rate', { currency: 'USDT', rate: '1' }))
  dataOf(await api.post('/test/rate', { currency: 'BTC', rate: '50000' }))
})
afterAll(async () => {
  await api?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const deciding = [
  'account',
  'wallet_address',
  'funding',
  'ledger_account',
  'ledger_event',
  'second_factor',
  'verification',
  'bank_card',
] as const
/** All data that decides about ownership of money, as one text. */
async function standing(): Promise<string> {
  const texts = deciding.map((name) =>
    sql<{ text: string }>`select t::text as text from ${sql.table(name)} t order by 1`.execute(api.database.db),
  )
  return (await Promise.all(texts)).map(({ rows }) => rows.map(({ text }) => text).join('\n')).join('\n\n')
}

const wrong = 'Guess-1357-thief'
type Attempt = [what: string, path: string, fields: () => Promise<Record<string, string>> | Record<string, string>, refused: string]
const withdrawal = (fields: Record<string, string>) => ({ currency_id: usdt, amount: '100', address_id: addressId, ...fields })
const bank = (fields: Record<string, string>) => ({ currency_id: usdt, amount: '100', channel: 'bank', ...fields })
/** A code sent to the attacker's own address. */
const thiefsCode = async (path: string, fields: Record<string, string>, to: string) => {
  await later(api, 61_000)
  dataOf(await send(path, fields))
  return codeTo(api, to)
}

const attempts: Attempt[] = [
  [
    'another telephone, with a code that went to it',
    '/safe/mobile',
    async () => ({
      mobile: '13800139009',
      password: wrong,
      code: await thiefsCode('/sms/send', { type: 'bind_mobile', mobile: '13800139009' }, '+86 13800139009'),
    }),
    '403 password_wrong password',
  ],
  [
    'another mail address, with a code that went to it',
    '/safe/email',
    async () => ({
      email: 'thief@mail.example',
      password: wrong,
      code: await thiefsCode('/ems/send', { event: 'bind_email', email: 'thief@mail.example' }, 'thief@mail.example'),
    }),
    '403 password_wrong password',
  ],
  [
    'another login password',
    '/user/resetpwd',
    () => ({ password: wrong, newpassword: 'green-horse-18', code: '123456' }),
    '403 password_wrong password',
  ],
  [
    'another login password, without the old one',
    '/user/resetpwd',
    () => ({ newpassword: 'green-horse-18', code: '123456' }),
    '400 parameter_missing password',
  ],
  [
    'another login password, as forgotten',
    '/user/resetpwd',
    () => ({ account: 'owner@mail.example', newpassword: 'green-horse-18', code: '123456' }),
    '400 code_wrong code',
  ],
  [
    'the login password with the old one, but no code',
    '/user/resetpwd',
    () => ({ password: owner.password, newpassword: 'green-horse-18', code: '123456' }),
    '400 code_wrong code',
  ],
  [
    'another pay password',
    '/user/resetmpwd',
    () => ({ password: wrong, newpassword: '975310', code: '123456' }),
    '403 password_wrong password',
  ],
  [
    'another pay password, with the login password but no code',
    '/user/resetmpwd',
    () => ({ password: owner.password, newpassword: '975310', code: '123456' }),
    '400 code_wrong code',
  ],
  ['the authenticator away', '/user/totpRemove', () => ({ password: wrong, code: '123456' }), '403 password_wrong password'],
  [
    'the authenticator away, with the login password',
    '/user/totpRemove',
    () => ({ password: owner.password, code: '000000' }),
    '403 second_factor_wrong code',
  ],
  ['another authenticator', '/user/totpSetup', () => ({}), '409 second_factor_on'],
  ['an address', '/wallet/addAddress', () => saving({ pay_password: wrong, code: '123456' }), '403 pay_password_wrong pay_password'],
  ['an address without a pay password', '/wallet/addAddress', () => saving({ code: '123456' }), '400 parameter_missing pay_password'],
  [
    'an address with the pay password but no code',
    '/wallet/addAddress',
    () => saving({ pay_password: payPassword, code: '123456' }),
    '400 code_wrong code',
  ],
  [
    'an address with a code of another purpose',
    '/wallet/addAddress',
    async () => saving({ pay_password: payPassword, code: await codeFor('change_password') }),
    '400 code_wrong code',
  ],
  [
    'an address with the pay password and a code, but no authenticator',
    '/wallet/addAddress',
    async () => saving({ pay_password: payPassword, code: await codeFor('withdraw') }),
    '403 second_factor_required totp',
  ],
  [
    'a bank card without the authenticator',
    '/user/cash_save',
    () => ({ real_name: 'Ann Lee', bank_account: '6222020230112234' }),
    '403 second_factor_required totp',
  ],
  ['money', '/wallet/withdraw', () => withdrawal({ pay_password: wrong, code: '123456' }), '403 pay_password_wrong pay_password'],
  ['money without a pay password', '/wallet/withdraw', () => withdrawal({ code: '123456' }), '400 parameter_missing pay_password'],
  [
    'money with the pay password and a wrong code',
    '/wallet/withdraw',
    async () => withdrawal({ pay_password: payPassword, code: wrongCode(await codeFor('withdraw')) }),
    '400 code_wrong code',
  ],
  [
    'money with both, but no authenticator',
    '/wallet/withdraw',
    async () => withdrawal({ pay_password: payPassword, code: await codeFor('withdraw') }),
    '403 second_factor_required totp',
  ],
  [
    'money with both and a wrong authenticator',
    '/wallet/withdraw',
    async () => withdrawal({ pay_password: payPassword, code: await codeFor('withdraw'), totp: '000000' }),
    '403 second_factor_wrong totp',
  ],
  ['money to the bank', '/wallet/withdraw', () => bank({ pay_password: wrong, code: '123456' }), '403 pay_password_wrong pay_password'],
  [
    'money to an address that was never saved',
    '/wallet/withdraw',
    () => withdrawal({ address_id: '999999', pay_password: payPassword, code: '123456' }),
    '404 address_unknown address_id',
  ],
]

test.for(attempts)('a token alone does not allow %s', async ([what, path, fields, refused]) => {
  const sent = await fields()
  await api.database.db.deleteFrom('guard').execute()
  const before = await standing()
  expect(refusal(await send(path, sent)), what).toBe(refused)
  expect(await standing()).toBe(before)
})

test('a requested code is sent to the owner, whatever address is named', async () => {
  await later(api, 61_000)
  const { target } = dataOf(await send('/ems/send', { event: 'withdraw', email: 'thief@mail.example' }))
  expect(target).toBe('o***@mail.example')
  expect((await mailbox(api, 'thief@mail.example')).filter(({ kind }) => kind === 'code:withdraw')).toEqual([])
})

test('fifty concurrent guesses at a pay password are no more than the free ones, and the right one then has to wait', async () => {
  await api.database.db.deleteFrom('guard').execute()
  const tries = await Promise.all(
    Array.from({ length: 50 }, (_, i) => send('/wallet/addAddress', saving({ pay_password: `guess-${i}-thief`, code: '123456' }))),
  )
  const outcomes = tries.map(refusal)
  const looked = outcomes.filter((one) => one.includes('pay_password_wrong'))
  expect(looked).toHaveLength(triesLimits.freeTries)
  expect(outcomes.filter((one) => one.startsWith('429 too_many_tries'))).toHaveLength(50 - looked.length)
  expect(refusal(await send('/wallet/withdraw', withdrawal({ pay_password: payPassword, code: '123456' })))).toMatch(/^429 too_many_tries/)
  await api.database.db.deleteFrom('guard').execute()
})

test('another card is saved, but withdrawals to it wait a day, and the owner gets a notice', async () => {
  dataOf(await send('/user/cash_save', { real_name: 'A Thief', bank_account: '6222020230119999', totp: await factor() }))
  const [notice] = await mailbox(api, owner.username)
  expect([notice?.kind, notice?.text.includes('**** 9999')]).toEqual(['notice:card_changed', true])
  const asked = refusal(await send('/wallet/withdraw', bank({ pay_password: payPassword, code: '123456' })))
  expect(asked).toMatch(/^423 address_on_hold/)
})

test('after a change of the second factor withdrawals wait a day, and the owner gets a notice at the previous address', async () => {
  const change = { password: owner.password, newpassword: '975310', code: await codeFor('change_pay_password'), totp: await factor() }
  secrets.push('Pay-1357-owner')
  dataOf(await send('/user/resetmpwd', change))
  const [notice] = await mailbox(api, owner.username)
  expect([notice?.kind, notice?.text.includes('24 hours')]).toEqual(['notice:pay_password_changed', true])
  const code = await codeFor('withdraw')
  const before = await standing()
  expect(refusal(await send('/wallet/withdraw', withdrawal({ pay_password: '975310', code })))).toMatch(/^423 withdraw_on_hold/)
  expect(await standing()).toBe(before)
  const info = dataOf(await api.get('/api/user/info', bearing(owner.token)))
  expect(Number(info.withdraw_hold_until) - api.clock.now()).toBeGreaterThan(23 * 3_600_000)
})

test('the log contains no token, password or code', () => {
  const text = logged.join('')
  expect(text).toContain('proof_refused')
  for (const secret of secrets)
    if (new RegExp(`(?<![0-9a-zA-Z])${secret}(?![0-9a-zA-Z])`).test(text)) expect.fail('a secret stands in the log')
})
