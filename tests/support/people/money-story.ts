import { generateSync } from 'otplib'
import type { CallRow } from '#contract/call.ts'
import { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { contract } from '#contract/contract.ts'
import { bearing, codeTo, dataOf, later, type Made, makeUser } from '#tests/support/people/accounts.ts'
import { authPaper, realPaper, sendPicture } from '#tests/support/people/identity-papers.ts'
import type { TestApi } from '#tests/support/servers/api.ts'
import type { ConsoleStage, TestOperator } from '#tests/support/servers/console-stage.ts'
import type { Answer } from '#tests/support/servers/http.ts'

/** A scenario with every call that takes a key: customers, their money, their documents, and decisions of the back office. */

export const allCalls: Record<string, CallRow> = { ...contract, ...backOfficeCalls }
export type Who = Made | TestOperator
export interface Step {
  call: string
  who: Who
  fields: Record<string, string>
}

export const payPassword = 'Pay-1357-of-ann'
export const cardNumber = '6222020280112233'
export const iban = 'DE89370400440532013000'
export const wallet = '0x52908400098527886e0f7030069857d2e4169ee7'

export interface Cast {
  ann: Made
  /** Must see nothing of the other customers. */
  bob: Made
  carol: Made
  dan: Made
  eve: Made
  rita: TestOperator
  chief: TestOperator
  usdt: string
  btc: string
}

/** Makes a call of either contract as a customer or as an operator. */
export async function sendAs(api: TestApi, { call, who, fields }: Step, headers: Record<string, string> = {}): Promise<Answer> {
  const row = allCalls[call]!
  const text = new URLSearchParams(fields).toString()
  const isBackOffice = row.auth === 'operator'
  const path = isBackOffice ? `/console/back-office/api${row.path}` : `/api${row.path}`
  const own = isBackOffice
    ? { 'x-console': '1', origin: api.origin, 'sec-fetch-site': 'same-origin', cookie: (who as TestOperator).cookie }
    : bearing(who.token)
  return row.method === 'GET'
    ? api.get(text ? `${path}?${text}` : path, { ...own, ...headers })
    : api.post(path, text, { ...own, ...headers })
}

export async function gather(api: TestApi, console_: ConsoleStage): Promise<Cast> {
  const made = (name: string, mobile: string, level: string) =>
    makeUser(api, { email: `${name}.of.the.story@mail.example`, mobile, level, pay_password: payPassword, nickname: name })
  const ann = await made('ann', '13800137001', '1')
  const bob = await made('bob', '13800137002', '1')
  const carol = await made('carol', '13800137003', '0')
  const dan = await makeUser(api, { email: 'dan.of.the.story@mail.example' })
  const eve = await makeUser(api, { email: 'eve.of.the.story@mail.example' })
  const { list } = dataOf<{ list: { id: number; currency_code: string }[] }>(await api.get('/api/currency/list'))
  const idOf = (code: string) => String(list.find(({ currency_code }) => currency_code === code)!.id)
  const [usdt, btc] = [idOf('USDT'), idOf('BTC')]
  for (const { uid } of [ann, bob]) dataOf(await api.post('/test/credit', { user: String(uid), currency: usdt, amount: '1000' }))
  for (const [currency, rate] of Object.entries({ USDT: '1', BTC: '50000' })) dataOf(await api.post('/test/rate', { currency, rate }))
  const rita = await console_.operator('rita', ['reviewer'])
  const chief = await console_.operator('chief', ['administrator'])
  return { ann, bob, carol, dan, eve, rita, chief, usdt, btc }
}

/**
 * Runs the scenario with `tell`, which sends a step with a key of its own and returns the data of its success.
 * @returns codes that were sent on the way
 */
export async function tellStory(api: TestApi, cast: Cast, tell: (step: Step) => Promise<Record<string, unknown>>): Promise<string[]> {
  const { ann, carol, dan, eve, rita, chief, usdt, btc } = cast
  const codes: string[] = []
  const by = (who: Who, call: string, fields: Record<string, string> = {}) => tell({ call, who, fields })
  const code = async (who: Made, event: string, to = who.username, more: Record<string, string> = {}) => {
    await later(api, 61_000)
    const path = more.mobile ? '/api/sms/send' : '/api/ems/send'
    dataOf(await api.post(path, { ...(more.mobile ? { type: event } : { event }), ...more }, bearing(who.token)))
    const sent = await codeTo(api, to)
    codes.push(sent)
    return sent
  }
  const digits = (key: string) => generateSync({ secret: key, epoch: Math.floor(api.clock.now() / 1_000) })

  await by(ann, 'user.addOptional', { symbol: 'BTCUSDT' })
  await by(ann, 'user.delOptional', { symbol: 'BTCUSDT' })
  await by(ann, 'user.editNickname', { nickname: 'annie' })
  await by(ann, 'user.uploadHeadPortrait', { url: await sendPicture(api, ann.token, 'draft') })
  await by(ann, 'user.cashSave', { real_name: 'Ann Wintersmith', bank_account: cardNumber, bank_name: 'Harbour Bank' })
  await by(ann, 'user.cashSaveInternational', { real_name: 'Ann Wintersmith', bank_account: iban })
  const moved = { currency_id: usdt, from: 'change', to: 'lever' }
  await by(ann, 'wallet.transfer', { ...moved, amount: '1' })
  await by(ann, 'user.Transfer', { ...moved, number: '1' })
  const pair = { from_currency_id: usdt, to_currency_id: btc }
  const quote = await sendAs(api, { call: 'wallet.getExchangeRate', who: ann, fields: pair })
  await by(ann, 'wallet.exchange', { ...pair, amount: '100', quote_id: String(dataOf(quote).quote_id) })
  const recharge = async () => {
    const imgs = await sendPicture(api, ann.token, 'proof')
    return String((await by(ann, 'wallet.recharge', { amount: '50', currency_id: usdt, chain: 'ERC20', imgs })).id)
  }
  const [good, bad] = [await recharge(), await recharge()]
  await by(rita, 'office.rechargeApprove', { id: good, note: 'fits' })
  await by(rita, 'office.rechargeReject', { id: bad, reason: 'unclear' })

  const saved = { currency_id: usdt, chain: 'ERC20', name: 'cold', address: wallet, qrcode: wallet, pay_password: payPassword }
  const address_id = String((await by(ann, 'wallet.addAddress', { ...saved, code: await code(ann, 'withdraw') })).id)
  await later(api, 25 * 3_600_000)
  const withdraw = async () => {
    const fields = { currency_id: usdt, amount: '50', address_id, pay_password: payPassword, code: await code(ann, 'withdraw') }
    return String((await by(ann, 'wallet.withdraw', fields)).id)
  }
  const [back, gone, refused] = [await withdraw(), await withdraw(), await withdraw()]
  await by(ann, 'wallet.cancelWithdraw', { id: back })
  await by(rita, 'office.withdrawApprove', { id: gone })
  await by(rita, 'office.withdrawSent', { id: gone, reference: '0xabc' })
  await by(rita, 'office.withdrawDone', { id: gone })
  await by(rita, 'office.withdrawReject', { id: refused, reason: 'wrong network' })
  await by(ann, 'wallet.delAddress', { address_id })

  const proof = async () => {
    const answer = await sendAs(api, { call: 'office.verifications', who: rita, fields: { search: String(carol.uid) } })
    const id = String(dataOf<{ list: { id: number }[] }>(answer).list[0]!.id)
    dataOf(await sendAs(api, { call: 'office.verification', who: rita, fields: { id } }))
    return id
  }
  await by(carol, 'user.real', realPaper)
  await by(rita, 'office.verifyApprove', { id: await proof(), note: 'fits' })
  await by(carol, 'user.doAuth', authPaper(await sendPicture(api, carol.token), await sendPicture(api, carol.token)))
  await by(rita, 'office.verifyReject', { id: await proof(), reason: 'blurred' })

  const password = dan.password
  await by(dan, 'user.resetmpwd', { password, newpassword: '97531-of-dan', code: await code(dan, 'change_pay_password') })
  const mobile = '13800137004'
  await by(dan, 'user.safeMobile', { mobile, password, code: await code(dan, 'bind_mobile', `+86 ${mobile}`, { mobile }) })
  const email = 'dan.again@mail.example'
  await by(dan, 'user.safeEmail', { email, password, code: await code(dan, 'bind_email', email, { email }) })
  const { secret } = dataOf<{ secret: string }>(await sendAs(api, { call: 'user.totpSetup', who: dan, fields: {} }))
  await by(dan, 'user.totpConfirm', { code: digits(secret), password })
  await later(api, 31_000)
  const elsewhere = await api.post('/api/user/login', { username: email, password, totp: digits(secret) })
  dataOf(elsewhere)
  const { list } = dataOf<{ list: { id: string; current: boolean }[] }>(await sendAs(api, { call: 'user.sessions', who: dan, fields: {} }))
  await by(dan, 'user.endSession', { id: list.find(({ current }) => !current)!.id, password })
  await by(dan, 'user.endOtherSessions', { password })
  await later(api, 31_000)
  await by(dan, 'user.totpRemove', { password, code: digits(secret) })

  const about = { uid: String(eve.uid), reason: 'stolen phone' }
  await by(rita, 'office.customerEndSessions', about)
  await by(rita, 'office.customerFreeze', { ...about, frozen: '1' })
  await by(chief, 'office.settingsSave', { four_eyes_usd: '500' })

  const { list: news } = dataOf<{ list: { id: number }[] }>(await sendAs(api, { call: 'notice.list', who: ann, fields: {} }))
  await by(ann, 'notice.seen', { id: String(news[0]!.id) })
  await by(ann, 'notice.seenAll', {})
  return [...codes, secret]
}

/** The same fields with one other valid value; undefined for a call without fields. */
export function otherwise(fields: Record<string, string>): Record<string, string> | undefined {
  const others: Record<string, string> = {
    amount: '3',
    number: '3',
    note: 'other',
    reason: 'other',
    nickname: 'zoe',
    name: 'Other Name',
    real_name: 'Other Name',
    reference: 'other',
    symbol: 'ETHUSDT',
    four_eyes_usd: '77',
    code: '000000',
    url: `/api/upload/${'0'.repeat(40)}`,
    address_id: '999',
    id: '999',
  }
  const name = Object.keys(others).find((one) => Object.hasOwn(fields, one))
  return name === undefined ? undefined : { ...fields, [name]: others[name]! }
}
