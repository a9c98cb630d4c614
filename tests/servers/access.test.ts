import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod'
import type { CallRow } from '#contract/call.ts'
import { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { type CallName, contract } from '#contract/contract.ts'
import { bearing, codeTo, dataOf, later, type Made, makeUser } from '#tests/support/people/accounts.ts'
import { freezeAccount } from '#tests/support/people/freeze.ts'
import { authPaper, paperSecrets, realPaper, sendPicture } from '#tests/support/people/identity-papers.ts'
import { inputs } from '#tests/support/right-inputs.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { type ConsoleStage, startConsole, type TestOperator } from '#tests/support/servers/console-stage.ts'
import { envelopeOf } from '#tests/support/servers/envelope.ts'
import type { Answer } from '#tests/support/servers/http.ts'

/** Access tests: data of a customer, requested by its owner, another customer, a visitor, and an operator of the console. */

const dataDir = mkdtempSync(join(tmpdir(), 'tessera-access-'))
const payPassword = 'Pay-1357-owner'
const wallet = '0x52908400098527886e0f7030069857d2e4169ee7'
const nobodys = { id: '1999999999', picture: `/api/upload/${'0'.repeat(40)}`, word: 'nothing' } as const
let api: TestApi
let console_: ConsoleStage
let ann: Made
let bob: Made
let reviewer: TestOperator
let chief: TestOperator
let usdt: string
let btc: string
const heard: string[] = []

async function send(call: CallName, fields: Record<string, string>, headers: Record<string, string>): Promise<Answer> {
  const { method, path } = contract[call]
  const text = new URLSearchParams(fields).toString()
  const answer = await (method === 'GET' ? api.get(`/api${path}?${text}`, headers) : api.post(`/api${path}`, text, headers))
  heard.push(answer.text)
  return answer
}
const as = (user: Made, more: Record<string, string> = {}) => bearing(user.token, more)
/** The content of an answer without values that are new in each answer. */
const gist = (answer: Answer) => {
  const { code, name, field, data } = envelopeOf(answer)
  return code === 1 ? JSON.stringify(data) : `${answer.status} ${name}${field ? ` ${field}` : ''}`
}
const code = async (user: Made) => {
  await later(api, 61_000)
  dataOf(await api.post('/api/ems/send', { event: 'withdraw' }, as(user)))
  return codeTo(api, user.username)
}
const address = async () => {
  const fields = { currency_id: usdt, chain: 'ERC20', name: 'cold', address: wallet, qrcode: wallet, pay_password: payPassword }
  const answer = await send('wallet.addAddress', { ...fields, code: await code(ann) }, as(ann))
  return String(dataOf(answer).id)
}

interface Own {
  /** Creates one for Ann. */
  make: () => Promise<string>
  /** An id that does not exist. */
  none: string
  more?: () => Record<string, string> | Promise<Record<string, string>>
  /** The answer to anybody but the owner, for any owner. */
  refused: string
  /** The answer to Ann. */
  owner: RegExp
}
const done = /^\{/
let savedAddress = ''

/** Calls whose input names data of one customer. */
const own: Record<string, Own> = {
  'user.endSession id': {
    make: async () => {
      dataOf(await send('user.login', { username: ann.username, password: ann.password }, {}))
      const { list } = dataOf<{ list: { id: string; current: boolean }[] }>(await send('user.sessions', {}, as(ann)))
      return list.find(({ current }) => !current)!.id
    },
    // Both have the same password, which the call asks for.
    more: async () => ({ password: ann.password }),
    none: nobodys.word,
    refused: '404 not_found id',
    owner: done,
  },
  'user.uploadHeadPortrait url': {
    make: () => sendPicture(api, ann.token, 'draft'),
    none: nobodys.picture,
    refused: '404 not_found url',
    owner: done,
  },
  'user.doAuth front_pic': {
    make: () => sendPicture(api, ann.token),
    more: async () => authPaper('', await sendPicture(api, bob.token)),
    none: nobodys.picture,
    refused: '404 not_found front_pic',
    owner: /^404 not_found reverse_pic$/,
  },
  'user.doAuth reverse_pic': {
    make: () => sendPicture(api, ann.token),
    more: async () => authPaper(await sendPicture(api, bob.token), ''),
    none: nobodys.picture,
    refused: '404 not_found reverse_pic',
    owner: /^404 not_found front_pic$/,
  },
  'user.outcome key': {
    make: async () => {
      dataOf(
        await send('user.cashSave', { real_name: 'Ann Lee', bank_account: '6222020280112233' }, as(ann, { 'idempotency-key': 'ann-1' })),
      )
      return 'ann-1'
    },
    none: nobodys.word,
    refused: '{"state":"unknown","call":"","answer":""}',
    owner: /"state":"done"/,
  },
  'wallet.recharge imgs': {
    make: () => sendPicture(api, ann.token, 'proof'),
    more: () => ({ amount: '100', currency_id: usdt, chain: 'ERC20' }),
    none: nobodys.picture,
    refused: '404 not_found imgs',
    owner: done,
  },
  'wallet.withdraw address_id': {
    make: async () => {
      savedAddress = await address()
      await later(api, 25 * 3_600_000)
      return savedAddress
    },
    more: () => ({ currency_id: usdt, amount: '50', pay_password: payPassword, code: '000000' }),
    none: nobodys.id,
    refused: '404 address_unknown address_id',
    owner: /^400 code_wrong code$/,
  },
  'wallet.cancelWithdraw id': {
    make: async () => {
      const asked = { currency_id: usdt, amount: '50', address_id: savedAddress, pay_password: payPassword, code: await code(ann) }
      return String(dataOf(await send('wallet.withdraw', asked, as(ann))).id)
    },
    none: nobodys.id,
    refused: '404 not_found id',
    owner: done,
  },
  'wallet.delAddress address_id': { make: async () => savedAddress, none: nobodys.id, refused: '404 not_found address_id', owner: done },
  'wallet.exchange quote_id': {
    make: async () =>
      String(dataOf(await send('wallet.getExchangeRate', { from_currency_id: usdt, to_currency_id: btc }, as(ann))).quote_id),
    more: () => ({ amount: '100', from_currency_id: usdt, to_currency_id: btc }),
    none: nobodys.word,
    refused: '409 quote_unknown',
    owner: done,
  },
  'notice.seen id': {
    async make() {
      const row = { uid: Number(ann.uid), kind: 'account_freed', figures: '{}', created_at: 1 } as const
      const { id } = await api.database.db.insertInto('customer_notice').values(row).returning('id').executeTakeFirstOrThrow()
      return String(id)
    },
    none: nobodys.id,
    refused: '404 not_found id',
    owner: done,
  },
}
/** Calls whose input looks like an id but names public data, or data of the sender only. */
const open = [
  ...['news.getNewsDetail nid', 'news.list c_id', 'market.getQuota match_id', 'user.login device', 'user.real card_id'],
  ...['auth.smsMail area_code_id', 'auth.smsSend area_code_id', 'user.smsSend area_code_id', 'user.safeMobile area_code_id'],
  ...['auth.smsMail device', 'auth.smsSend device', 'user.emsSend device', 'user.smsSend device'],
]
/** Markets, traders and offers, which anybody may name. */
const listed = [
  ...['lever.deal match_id', 'lever.orderOpen match_id', 'lever.closeAll match_id', 'lever.orderList match_id', 'lever.history match_id'],
  ...['ieo.order project_id', 'lever.exportHistory match_id', 'mic.getSeconds match_id', 'mic.orderOpen match_id', 'otc.order offer_id'],
  ...['lever.deal legal_id', 'lever.orderOpen legal_id', 'c2c.trade legal_id', 'dual.detail id', 'dual.buyDual id', 'ieo.detail id'],
  ...[
    'follow.traderDetail trader_user_id',
    'follow.historyTrade trader_user_id',
    'follow.follow trader_user_id',
    'follow.cancel trader_user_id',
    'follow.copies trader_user_id',
    'follow.exportCopies trader_user_id',
  ],
]
/** Orders, positions and records; the store tests of their modules ask for them as another customer. */
const traded = [
  ...['order', 'close', 'cancel', 'margin', 'reverse', 'orderMove', 'setStopPrice', 'closeAtOpening', 'closing'].map(
    (call) => `lever.${call} id`,
  ),
  ...['lever.history position_id', 'lever.exportHistory position_id', 'ieo.cancel project_id', 'ieo.orderDetail id'],
  ...[
    'c2c.order id',
    'c2c.move id',
    'c2c.cancel id',
    'c2c.fills order_id',
    'mic.getOrderDetail id',
    'follow.selfHolding transaction_id',
    'otc.cancel id',
    'otc.orders id',
    'wallet.getRecord id',
    ...['dual.getOrderDetail id', 'mining.order id', 'mining.close id', 'mining.renewal id'],
  ],
]
const isCoin = (field: string) => /(?:^|_)currency_id$/.test(field)
const namesSomething = (field: string) => /(?:^|_)(?:id|nid|uid|key|url|pic|imgs|device)$/.test(field) && field !== 'id_type'
const fieldsOf = (row: CallRow) => Object.keys((row.input as z.ZodObject).shape)

beforeAll(async () => {
  api = await startApi({
    place: { dataDir },
    // A quote of an exchange is good for ten seconds.
    standing: true,
    async operators(database) {
      console_ = await startConsole(database)
      return console_.console.gate
    },
  })
  reviewer = await console_.operator('rita', ['reviewer'])
  chief = await console_.operator('chief', ['administrator'])
  const made = (name: string, mobile: string) =>
    makeUser(api, { email: `${name}@mail.example`, mobile, level: '1', pay_password: payPassword, nickname: name })
  ann = await made('ann', '13800136001')
  bob = await made('bob', '13800136002')
  const { list } = dataOf<{ list: { id: number; currency_code: string }[] }>(await api.get('/api/currency/list'))
  const idOf = (name: string) => String(list.find(({ currency_code }) => currency_code === name)!.id)
  ;[usdt, btc] = [idOf('USDT'), idOf('BTC')] as [string, string]
  for (const { uid } of [ann, bob]) dataOf(await api.post('/test/credit', { user: String(uid), currency: usdt, amount: '1000' }))
  for (const [currency, rate] of [
    ['USDT', '1'],
    ['BTC', '50000'],
  ] as const)
    dataOf(await api.post('/test/rate', { currency, rate }))
})
afterAll(async () => {
  await console_?.close()
  await api?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const kept = [
  'account',
  'wallet_address',
  'funding',
  'wallet_quote',
  'ledger_account',
  'ledger_event',
  'verification',
  'bank_card',
  'upload',
  'customer_notice',
] as const
async function standing(): Promise<string> {
  const { db } = api.database
  const all = kept.map((name) => sql<{ text: string }>`select t::text as text from ${sql.table(name)} t order by 1`.execute(db))
  const sessions = db.selectFrom('session').select('id').orderBy('id').execute()
  return JSON.stringify([(await Promise.all(all)).map(({ rows }) => rows), await sessions])
}

test('every call whose input names data is listed in this test', () => {
  const found = (Object.entries(contract) as [CallName, CallRow][]).flatMap(([call, row]) =>
    fieldsOf(row)
      .filter((field) => namesSomething(field) && !isCoin(field))
      .map((field) => `${call} ${field}`),
  )
  expect(found.sort()).toEqual([...Object.keys(own), ...open, ...listed, ...traded].sort())
})

describe.each(Object.entries(own))('%s', (name, { make, none, more = () => ({}), refused, owner }) => {
  const [call, field] = name.split(' ') as [CallName, string]
  test('refuses other customers in the same way as an unknown id, without any effect', async () => {
    const value = await make()
    const rest = await more()
    const operator = { cookie: reviewer.cookie, 'x-console': '1', origin: api.origin, 'sec-fetch-site': 'same-origin' }
    const before = await standing()
    await api.database.db.deleteFrom('guard').execute()
    const fields = { ...rest, [field]: value }
    expect(gist(await send(call, fields, as(bob)))).toBe(refused)
    expect(gist(await send(call, { ...rest, [field]: none }, as(bob)))).toBe(refused)
    for (const headers of [{}, operator, { ...operator, authorization: reviewer.cookie }])
      expect(gist(await send(call, fields, headers))).toBe('401 unauthorized')
    if (!name.startsWith('user.doAuth')) expect(await standing()).toBe(before)
    expect(await api.database.db.selectFrom('verification').selectAll().execute()).toEqual([])
    expect(gist(await send(call, fields, as(ann)))).toMatch(owner)
  })
})

test('no call for customers answers a visitor, or the cookie of an operator', async () => {
  const before = await standing()
  const rows = (Object.entries(contract) as [CallName, CallRow][]).filter(([, row]) => row.auth === 'user' && !row.upload)
  expect(rows.length).toBeGreaterThan(40)
  for (const [call] of rows)
    for (const headers of [{}, { cookie: reviewer.cookie, 'x-console': '1' }] as Record<string, string>[])
      expect(gist(await send(call, {}, headers)), call).toBe('401 unauthorized')
  expect(await standing()).toBe(before)
})

test('no call of the back office answers a customer, a visitor, or an operator with other roles', async () => {
  const before = await standing()
  const marks = { 'x-console': '1', origin: api.origin, 'sec-fetch-site': 'same-origin' }
  for (const [call, row] of Object.entries(backOfficeCalls) as [string, CallRow][]) {
    const ask = (headers: Record<string, string>) => {
      const path = `/console/back-office/api${row.path}`
      return row.method === 'GET' ? api.get(`${path}?id=1&uid=${ann.uid}`, headers) : api.post(path, `id=1&uid=${ann.uid}`, headers)
    }
    for (const headers of [{}, marks, { ...marks, ...as(ann) }, { ...marks, cookie: `tessera=${ann.token}` }] as Record<string, string>[])
      expect([401, 403], call).toContain((await ask(headers)).status)
    const wrong = row.roles?.includes('reviewer') ? chief : reviewer
    if (!row.roles?.includes('administrator') || wrong === reviewer)
      expect((await ask({ ...marks, cookie: wrong.cookie })).status, call).toBe(403)
  }
  expect(await standing()).toBe(before)
})

test('a picture of a document is served to its owner and to reviewers, and is not found for others', async () => {
  const pictures = [await sendPicture(api, ann.token), await sendPicture(api, ann.token)] as const
  dataOf(await send('user.doAuth', authPaper(...pictures), as(ann)))
  const [front] = pictures
  const office = `/console/back-office/picture/${front.slice('/api/upload/'.length)}`
  const page = { 'x-console': '1', origin: api.origin, 'sec-fetch-site': 'same-origin' }
  expect((await api.get(front, as(ann))).headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'no-store' })
  for (const headers of [{}, as(bob), { ...page, cookie: reviewer.cookie }]) expect((await api.get(front, headers)).status).toBe(404)
  const shown = await api.get(office, { ...page, cookie: reviewer.cookie })
  expect([shown.status, shown.body.equals((await api.get(front, as(ann))).body)]).toEqual([200, true])
  expect(shown.headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'content-disposition': 'attachment; filename="picture.png"',
    'cross-origin-resource-policy': 'same-origin',
  })
  expect(String(shown.headers['content-security-policy'])).toContain('sandbox')
  for (const [headers, status] of [
    [{ ...page, cookie: chief.cookie }, 403],
    [{ ...page, ...as(ann) }, 401],
    [page, 401],
  ] as const)
    expect((await api.get(office, headers)).status).toBe(status)
  const avatar = dataOf(await send('user.info', {}, as(ann))).head_portrait as string
  const unclaimed = await sendPicture(api, bob.token)
  for (const name of [avatar.slice(12), unclaimed.slice(12), '0'.repeat(40), '..%2f..%2fsecret.key', '%00', '__proto__'])
    expect((await api.get(`/console/back-office/picture/${name}`, { ...page, cookie: reviewer.cookie })).status, name).toBe(404)
})

test('unknown fields are refused by every call that changes something, and change nothing', async () => {
  const extra = {
    uid: String(ann.uid),
    user_id: String(ann.uid),
    account_id: String(ann.uid),
    level: '2',
    status: 'passed',
    demo: 'true',
    credit_score: '999',
    withdraw_hold_until: '0',
    invited_by: String(ann.uid),
    usable_from: '0',
    decided_by: 'rita',
  }
  const row = (uid: number) => api.database.db.selectFrom('account').selectAll().where('id', '=', uid).executeTakeFirstOrThrow()
  const before = [await row(ann.uid), await row(bob.uid)]
  const right: [CallName, Record<string, string>][] = [
    ['user.editNickname', { nickname: 'bobby' }],
    ['user.real', realPaper],
    ['user.cashSave', { real_name: 'Bob Lee', bank_account: '6222020280112233' }],
    ['wallet.transfer', { amount: '1', currency_id: usdt, from: 'change', to: 'lever' }],
  ]
  for (const [name, value] of Object.entries(extra))
    for (const [call, fields] of right)
      expect(gist(await send(call, { ...fields, [name]: value }, as(bob))), call).toBe(`400 parameter_unknown ${name}`)
  expect([await row(ann.uid), await row(bob.uid)]).toEqual(before)
  for (const table of ['verification', 'wallet_transfer'] as const)
    expect(await api.database.db.selectFrom(table).select('uid').where('uid', '=', bob.uid).execute()).toEqual([])
})

test('a frozen account reads, closes, cancels and ends things; every other call is refused', async () => {
  const may = [
    ...['user.logout', 'user.endSession', 'user.endOtherSessions', 'notice.seen', 'notice.seenAll'],
    ...['lever.close', 'lever.closeAll', 'lever.cancel', 'lever.setStopPrice', 'lever.closeAtOpening'],
    ...['c2c.cancel', 'c2c.cancelAll', 'otc.cancel', 'ieo.cancel', 'wallet.cancelWithdraw', 'follow.cancel'],
  ]
  const mine = (Object.entries(contract) as [CallName, CallRow][]).filter(([, row]) => row.auth === 'user')
  expect(mine.flatMap(([name, row]) => (row.whileFrozen ? name : [])).sort()).toEqual([...may].sort())
  const eve = await makeUser(api)
  await freezeAccount(api, eve.uid, true)
  const refused: string[] = []
  for (const [name] of mine) {
    const { token } = dataOf(await send('user.login', { username: eve.username, password: eve.password }, {}))
    const answer = await send(name, inputs[name], { authorization: String(token) })
    expect(answer.status, `${name} ${answer.text}`).not.toBe(401)
    if (envelopeOf(answer).name === 'account_frozen') refused.push(name)
  }
  expect(refused).toEqual(mine.flatMap(([name, row]) => (row.reads || may.includes(name) ? [] : name)))
  for (const name of ['common.upload', 'wallet.withdraw', 'wallet.transfer', 'lever.margin']) expect(refused).toContain(name)
})

test('no answer contains a hash, a secret, a full number, or a contact of another customer', () => {
  const text = heard.join('\n')
  expect(heard.length).toBeGreaterThan(100)
  for (const secret of ['$argon2', payPassword, ann.password, 'ann@mail.example', '13800136001', '6222020280112233', ...paperSecrets])
    if (text.includes(secret)) expect.fail(`an answer holds ${secret}`)
})
