import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrations } from '#api-server/migrations.ts'
import type { CallRow } from '#contract/call.ts'
import { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { type Role, roles } from '#language/publish/publishing.ts'
import { type Database, write } from '#server-kit/db/db.ts'
import { randomToken } from '#server-kit/security/secrets.ts'
import { openStandIn } from '#tests/support/databases/engines.ts'
import {
  type AskBackOffice,
  type BackOfficeAnswer,
  type BackOfficeStage,
  customer,
  startBackOffice,
} from '#tests/support/servers/back-office-stage.ts'
import { consoleMigrations, type TestOperator } from '#tests/support/servers/console-stage.ts'

/** Fields that each call takes. A row of the contract that is missing here fails. */
const sent: Record<keyof typeof backOfficeCalls, Record<string, string>> = {
  'office.counts': {},
  'office.recharges': {},
  'office.recharge': { id: '1' },
  'office.rechargeApprove': { id: '1' },
  'office.rechargeReject': { id: '1', reason: 'no voucher' },
  'office.withdrawals': {},
  'office.withdrawal': { id: '1' },
  'office.withdrawApprove': { id: '1' },
  'office.withdrawReject': { id: '1', reason: 'no' },
  'office.withdrawSent': { id: '1', reference: '0xabc' },
  'office.withdrawDone': { id: '1' },
  'office.verifications': {},
  'office.verification': { id: '1' },
  'office.verifyApprove': { id: '1' },
  'office.verifyReject': { id: '1', reason: 'blurred' },
  'office.traders': {},
  'office.trader': { id: '1' },
  'office.traderApprove': { id: '1' },
  'office.traderReject': { id: '1', reason: 'no history' },
  'office.traderEnd': { id: '1', reason: 'by own wish' },
  'office.otcOffers': {},
  'office.otcOffer': { id: '1' },
  'office.otcCurrencies': {},
  'office.otcOfferSave': { coin: 'BTC', side: 'buy', price: '50000', amount_min: '0.1', amount_max: '1', whole: '10' },
  'office.otcOfferClose': { id: '1' },
  'office.otcOrders': {},
  'office.otcOrder': { id: '1' },
  'office.otcApprove': { id: '1' },
  'office.otcReject': { id: '1', reason: 'no' },
  'office.dualOwed': {},
  'office.ieoProjects': {},
  'office.ieoAllocation': { id: '1' },
  'office.ieoAllocate': { id: '1', digest: '0'.repeat(64) },
  'office.ieoOwed': {},
  'office.miningOwed': {},
  'office.customers': {},
  'office.customer': { uid: String(customer) },
  'office.customerFreeze': { uid: String(customer), frozen: '1', reason: 'stolen phone' },
  'office.customerEndSessions': { uid: String(customer), reason: 'asked for it' },
  'office.audit': {},
  'office.auditCsv': {},
  'office.jobs': {},
  'office.jobRetry': { id: '1' },
  'office.messages': {},
  'office.messageOpen': { id: '1', reason: 'the customer called' },
  'office.settings': {},
  'office.settingsSave': { four_eyes_usd: '500' },
  'office.terms': { product: 'stage' },
  'office.termsProducts': {},
  'office.termsPreview': { product: 'stage', key: '1', fee_rate: '0.002' },
  'office.termsSale': { product: 'stage', key: '1', step: 'pause' },
  'office.termsOne': { product: 'stage', key: '1' },
  'office.termsSave': { product: 'stage', key: '1', fee_rate: '0.002' },
  'office.proposalAgree': { id: '1' },
  'office.proposalDrop': { id: '1' },
  'office.instruments': {},
  'office.instrument': { product: 'spot', symbol: 'BTCUSDT' },
  'office.halt': { product: 'spot', symbol: 'BTCUSDT', reason: 'news' },
  'office.resume': { product: 'spot', symbol: 'BTCUSDT', halted_at: '1' },
  'office.calendars': {},
  'office.exposure': {},
  'office.liquidations': {},
  'office.liquidationsCsv': {},
  'office.calendar': { group: 'stock' },
  'office.calendarPreview': { group: 'stock', zone: 'UTC', sessions: '1-5 09:00-17:00', holidays: '', days: '' },
  'office.calendarSave': { group: 'stock', zone: 'UTC', sessions: '1-5 09:00-17:00', holidays: '', days: '' },
}

interface Way {
  name: string
  method: string
  path: string
  roles: readonly Role[]
  fields: Record<string, string>
}
const reviewers: readonly Role[] = ['reviewer']
const supervisors: readonly Role[] = ['reviewer', 'administrator']
const ways: Way[] = [
  ...(Object.entries(backOfficeCalls) as [keyof typeof backOfficeCalls, CallRow][]).map(([name, row]) => ({
    name,
    method: row.method,
    path: `/console/back-office/api${row.path}`,
    roles: row.roles ?? [],
    fields: sent[name],
  })),
  { name: 'events', method: 'GET', path: '/console/back-office/events', roles: supervisors, fields: {} },
  { name: 'picture', method: 'GET', path: `/console/back-office/picture/${'a'.repeat(40)}`, roles: reviewers, fields: {} },
]

/** The waiting rows, as the stand-ins report them. */
const queue: string[] = []
const dataDir = mkdtempSync(join(tmpdir(), 'tessera-back-office-'))
let database: Database
let stage: BackOfficeStage
let all: TestOperator
let ended: TestOperator
let frozen: TestOperator
const without = new Map<string, TestOperator>()
const customerToken = randomToken()

beforeAll(async () => {
  database = await openStandIn(dataDir, [...migrations, ...consoleMigrations])
  stage = await startBackOffice(database, {
    heartbeatMs: 150,
    counts: () => ({ recharges: queue.length, withdrawals: 1, verifications: 1, traders: 1, otc: 1, to_send: 0 }),
  })
  await database.db
    .insertInto('account')
    .values({
      id: customer,
      email: 'ann@example.com',
      mobile: null,
      password_hash: 'x',
      pay_password_hash: null,
      nickname: 'ann',
      level: 0,
      head_portrait: '',
      signature: '',
      credit_score: 100,
      status: 'active',
      lang: 'en',
      invite_code: 'ABCDEF',
      invited_by: null,
      withdraw_hold_until: null,
      demo: false,
      created_at: 1,
    })
    .execute()
  all = await stage.console.operator('has everything', roles)
  ended = await stage.console.operator('has logged out', roles)
  await stage.console.ask('POST', '/logout', { cookie: ended.cookie })
  frozen = await stage.console.operator('is frozen', roles)
  await database.db.updateTable('config_operator').set({ frozen: true }).where('id', '=', frozen.id).execute()
  for (const { roles: needed } of ways) {
    const others = roles.filter((role) => !needed.includes(role))
    if (!without.has(needed.join())) without.set(needed.join(), await stage.console.operator(`lacks ${needed.join(' ')}`, others))
  }
})
afterAll(async () => {
  await stage?.close()
  await database?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const changes = ({ method }: Way) => method !== 'GET'
const always = () => true
const situations: [name: string, applies: (way: Way) => boolean, sending: (way: Way) => AskBackOffice, refusal: string][] = [
  ['a visitor', always, () => ({}), '401 unauthorized'],
  ['a customer', always, () => ({ headers: { authorization: `Bearer ${customerToken}` } }), '401 unauthorized'],
  ['a customer in a cookie', always, () => ({ cookie: `tessera_console=${customerToken}` }), '401 unauthorized'],
  ['a session that was ended', always, () => ({ cookie: ended.cookie }), '401 unauthorized'],
  ['a frozen operator', always, () => ({ cookie: frozen.cookie }), '401 unauthorized'],
  ['every other role', always, ({ roles: needed }) => ({ cookie: without.get(needed.join())!.cookie }), '403 forbidden'],
  ['no marker', changes, () => ({ cookie: all.cookie, headers: { 'x-console': '' } }), '403 forbidden'],
  ['another origin', always, () => ({ cookie: all.cookie, headers: { origin: 'https://evil.example' } }), '403 forbidden'],
  ['another site', always, () => ({ cookie: all.cookie, headers: { 'sec-fetch-site': 'cross-site' } }), '403 forbidden'],
  [
    'a key that is none',
    ({ name }) => name.startsWith('office.'),
    () => ({ cookie: all.cookie, headers: { 'idempotency-key': 'a b' } }),
    '400 parameter_error',
  ],
]

test.each(situations)('%s is refused everywhere, and nothing is asked or written', async (_name, applies, sending, refusal) => {
  stage.asked.length = 0
  const rows = await stage.audit()
  const list = ways.filter(applies)
  expect(list.length).toBeGreaterThan(9)
  for (const way of list) {
    const answer = await stage.ask(way.method, way.path, { fields: way.fields, ...sending(way) })
    expect(`${way.name}: ${answer.status} ${answer.json.name}`).toBe(`${way.name}: ${refusal}`)
    expect(answer.json.data ?? null).toBeNull()
    expect(answer.headers['cache-control']).toBe('no-store')
  }
  expect(stage.asked).toEqual([])
  expect(await stage.audit()).toEqual(rows)
  expect((await database.db.selectFrom('terms').selectAll().where('product', '=', 'settings').execute()).length).toBe(1)
})

test.each<[call: string, fields: Record<string, string>, refusal: string]>([
  ['office.recharge', {}, '400 parameter_missing id'],
  ['office.recharge', { id: '0' }, '400 parameter_error id'],
  ['office.recharges', { status: 'done' }, '400 parameter_error status'],
  ['office.recharges', { size: '101' }, '400 parameter_error size'],
  ['office.recharges', { search: 'x'.repeat(81) }, '400 text_too_long search'],
  ['office.rechargeReject', { id: '1' }, '400 parameter_missing reason'],
  ['office.rechargeReject', { id: '1', reason: '  ' }, '400 parameter_error reason'],
  ['office.rechargeReject', { id: '1', reason: 'x'.repeat(301) }, '400 text_too_long reason'],
  ['office.withdrawSent', { id: '1', reference: '' }, '400 parameter_error reference'],
  ['office.verifyReject', { id: '1', reason: '' }, '400 parameter_error reason'],
  ['office.customer', { uid: '99' }, '404 not_found uid'],
  ['office.customerFreeze', { uid: '100001', frozen: '2', reason: 'x' }, '400 parameter_error frozen'],
  ['office.customerFreeze', { uid: '100001', frozen: '1' }, '400 parameter_missing reason'],
  ['office.customerEndSessions', { uid: '99', reason: 'x' }, '404 not_found uid'],
  ['office.jobRetry', { id: '99' }, '404 not_found id'],
  ['office.jobRetry', {}, '400 parameter_missing id'],
  ['office.messageOpen', { id: '1' }, '400 parameter_missing reason'],
  ['office.messageOpen', { id: '1', reason: ' ' }, '400 parameter_error reason'],
  ['office.messages', { search: 'x'.repeat(201) }, '400 text_too_long search'],
  ['office.settingsSave', { four_eyes_usd: '-1' }, '400 amount_wrong four_eyes_usd'],
  ['office.settingsSave', { four_eyes_usd: '1e3' }, '400 amount_wrong four_eyes_usd'],
  ['office.settingsSave', { four_eyes_usd: 'NaN' }, '400 amount_wrong four_eyes_usd'],
  ['office.settingsSave', { four_eyes_usd: '0.001' }, '400 amount_wrong four_eyes_usd'],
])('%s %o is refused and leaves no row', async (call, fields, refusal) => {
  const { method, path } = ways.find(({ name }) => name === call)!
  const rows = await stage.audit()
  const { status, json } = await stage.ask(method, path, { cookie: all.cookie, fields })
  expect(`${status} ${json.name} ${json.field}`).toBe(refusal)
  expect(await stage.audit()).toEqual(rows)
})

/** Rows that were given up so far. */
let given = 100
/** A row that a job has given up. */
async function givenUp(key: string): Promise<string> {
  const row = { job: 'option_settle', key, tries: 6, next_at: 1, dead: true, fault: 'no price', failed_at: 1 }
  const [made] = await database.db.insertInto('due_fault').values(row).returning('id').execute()
  return String(made!.id)
}

test('a row that was given up is tried again once, which leaves a row in the log', async () => {
  const id = await givenUp('7')
  const ask = (name: string, fields = {}) => {
    const { method, path } = ways.find((way) => way.name === name)!
    return stage.ask(method, path, { cookie: all.cookie, fields })
  }
  const shown = { id: Number(id), job: 'option_settle', row: '7', tries: 6, fault: 'no price', failed: 1 }
  expect((await ask('office.jobs')).json.data).toEqual({ total: 1, list: [shown] })
  const rows = (await stage.audit()).length
  expect((await ask('office.jobRetry', { id })).json.data).toEqual({ id: Number(id) })
  expect((await stage.audit()).slice(rows)).toEqual(['has everything job.retry option_settle:7 no price'])
  expect(await database.db.selectFrom('due_fault').select(['dead', 'tries', 'next_at']).execute()).toEqual([
    { dead: false, tries: 0, next_at: 0 },
  ])
  expect((await ask('office.jobs')).json.data).toEqual({ total: 0, list: [] })
  expect((await ask('office.jobRetry', { id })).status).toBe(404)
})

/** A proposal must exist before an operator can agree to it or drop it, and a row be given up before it is tried again. */
async function prepared(name: string, fields: Record<string, string>): Promise<Record<string, string>> {
  if (name === 'office.jobRetry') return { id: await givenUp(String(++given)) }
  if (!name.startsWith('office.proposal')) return fields
  const proposal = { kind: 'stage', subject: name, version: 1, before: null, after: null, operator_id: all.id, operator: all.name, at: 1 }
  const open = { state: 'open', decided_by: '', decided_at: null } as const
  const [made] = await write(
    1,
    database.db
      .insertInto('office_proposal')
      .values({ ...proposal, ...open })
      .returning('id'),
  )
  return { id: String(made!.id) }
}

test('whoever has one of the roles is answered, by cookie and by token', async () => {
  for (const { name, method, path, fields: usual, roles: needed } of ways.filter((way) => way.name !== 'events')) {
    for (const role of needed) {
      const { cookie, token } = await stage.console.operator(`is ${role}`, [role])
      const fields = await prepared(name, usual)
      const found: BackOfficeAnswer[] = [await stage.ask(method, path, { fields, cookie })]
      if (method === 'GET') found.push(await stage.ask(method, path, { fields, headers: { authorization: `Bearer ${token}` } }))
      for (const answer of found) expect(`${name} as ${role}: ${answer.status}`).toBe(`${name} as ${role}: 200`)
    }
  }
})

test('a picture keeps no cache, runs nothing and is written down; a name that is not there is not', async () => {
  const rows = (await stage.audit()).length
  const picture = await stage.ask('GET', `/console/back-office/picture/${'a'.repeat(40)}`, { cookie: all.cookie })
  expect(picture.text).toBe('png')
  expect(picture.headers).toMatchObject({
    'cache-control': 'private, no-store',
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
  })
  const other = await stage.ask('GET', `/console/back-office/picture/${'f'.repeat(40)}`, { cookie: all.cookie })
  expect(other.status).toBe(404)
  const head = await stage.ask('HEAD', `/console/back-office/picture/${'a'.repeat(40)}`, { cookie: all.cookie })
  expect(head.status).toBe(405)
  expect((await stage.audit()).slice(rows)).toEqual([`has everything picture.look customer:${customer} ${'a'.repeat(40)}`])
})

describe('events', () => {
  async function listen(cookie: string) {
    const stream = await fetch(`${stage.origin}/console/back-office/events`, { headers: { cookie } })
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    const counts: number[] = []
    let over = false
    void (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read())
        for (const [, data] of part.value.matchAll(/^data: (.*)$/gm))
          counts.push((JSON.parse(data!) as { counts: { recharges: number } }).counts.recharges)
      over = true
    })()
    return { counts, isOver: () => over, close: () => reader.cancel() }
  }

  test('many changes at once are one message, and the last count stands', async () => {
    const one = await listen(all.cookie)
    await expect.poll(() => one.counts).toEqual([0])
    for (let round = 0; round < 50; round++) {
      queue.push('waits')
      stage.office.queueChanged()
    }
    await expect.poll(() => one.counts.at(-1)).toBe(50)
    expect(one.counts.length).toBeLessThanOrEqual(3)
    await one.close()
  })

  test('a count that nobody told of is told with the next heartbeat', async () => {
    const one = await listen(all.cookie)
    await expect.poll(() => one.counts).toEqual([50])
    queue.length = 7
    await expect.poll(() => one.counts).toEqual([50, 7])
    await one.close()
  })

  test('who loses the role hears no more', async () => {
    const { id, cookie } = await stage.console.operator('was a reviewer', ['reviewer'])
    const [one, other] = [await listen(cookie), await listen(all.cookie)]
    await expect.poll(() => [one.counts, other.counts]).toEqual([[7], [7]])
    await database.db.updateTable('config_operator').set({ roles: '["viewer"]' }).where('id', '=', id).execute()
    queue.length = 3
    stage.office.queueChanged()
    await expect.poll(() => other.counts).toEqual([7, 3])
    await expect.poll(one.isOver).toBe(true)
    expect([one.counts, other.isOver()]).toEqual([[7], false])
    await other.close()
    await expect.poll(stage.office.watching).toBe(0)
  })
})
