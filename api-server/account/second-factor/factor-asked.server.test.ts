import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedCurrencies } from '#api-server/currency/currency.store.ts'
import { seedParameters } from '#api-server/wallet/parameter.store.ts'
import { bearing, codeTo, dataOf, later, type Made, makeUser } from '#tests/support/people/accounts.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { refusal } from '#tests/support/servers/envelope.ts'

const payPassword = '246813579'
const tron = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
const card = { real_name: 'Ann Lee', bank_account: '6222020280112233', bank_name: 'Harbour Bank' }
let api: TestApi
const dataDir = mkdtempSync(join(tmpdir(), 'tessera-factor-'))
beforeAll(async () => {
  api = await startApi({ place: { dataDir }, env: { SEED: 'none' } })
  await seedCurrencies(api.database)
  await seedParameters(api.database)
})
afterAll(async () => {
  await api?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const step = (who: Made) => generate({ secret: who.totp_secret!, epoch: Math.floor(api.clock.now() / 1_000) })
/** A code of a scene that goes to an own address of the customer, or to the new one. */
async function codeFor(who: Made, event: string, email?: string): Promise<string> {
  dataOf(await api.post('/api/ems/send', { event, ...(email !== undefined && { email }) }, bearing(who.token)))
  return codeTo(api, email ?? who.username)
}
async function codeToMobile(who: Made, mobile: string): Promise<string> {
  dataOf(await api.post('/api/sms/send', { type: 'bind_mobile', mobile }, bearing(who.token)))
  return codeTo(api, `+86 ${mobile}`)
}

let count = 0
type Change = [what: string, path: string, fields: (who: Made) => Promise<Record<string, string>>]
const changes: Change[] = [
  [
    'e-mail address',
    'safe/email',
    async (who) => {
      const email = `factor${++count}@mail.example`
      return { email, password: who.password, code: await codeFor(who, 'bind_email', email) }
    },
  ],
  [
    'mobile number',
    'safe/mobile',
    async (who) => {
      const mobile = String(13_900_139_100 + ++count)
      return { mobile, password: who.password, code: await codeToMobile(who, mobile) }
    },
  ],
  [
    'login password',
    'user/resetpwd',
    async (who) => ({ password: who.password, newpassword: 'green-horse-18', code: await codeFor(who, 'change_password') }),
  ],
  [
    'pay password',
    'user/resetmpwd',
    async (who) => ({ password: who.password, newpassword: '975310', code: await codeFor(who, 'change_pay_password') }),
  ],
  [
    'wallet address',
    'wallet/addAddress',
    async (who) => ({
      currency_id: '3',
      chain: 'TRC20',
      name: 'mine',
      address: tron,
      qrcode: tron,
      pay_password: payPassword,
      code: await codeFor(who, 'withdraw'),
    }),
  ],
  ['bank card', 'user/cash_save', async () => card],
  ['bank card abroad', 'user/cash_save_international', async () => ({ ...card, bank_account: 'DE89370400440532013000' })],
]

test.each(changes)('with a second factor on, another %s asks for it; without one nobody is asked', async (_what, path, fieldsOf) => {
  const who = await makeUser(api, { level: '1', pay_password: payPassword, totp: '1' })
  const fields = await fieldsOf(who)
  const change = (more: Record<string, string>) =>
    api.post(`/api/${path}`, { ...fields, ...more }, bearing(who.token, { 'idempotency-key': `k${++count}` }))
  expect(refusal(await change({}))).toBe('403 second_factor_required totp')
  expect(refusal(await change({ totp: '000000' }))).toBe('403 second_factor_wrong totp')
  dataOf(await change({ totp: await step(who) }))
  await later(api, 31_000)
  const plain = await makeUser(api, { level: '1', pay_password: payPassword })
  const own = await fieldsOf(plain)
  dataOf(await api.post(`/api/${path}`, own, bearing(plain.token, { 'idempotency-key': `k${++count}` })))
})
