import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditLedger } from '#api-server/ledger/audit/audit.ts'
import { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { type Person, person } from '#tests/support/people/people.ts'
import { inputs } from '#tests/support/right-inputs.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { askBackOffice, auditRows } from '#tests/support/servers/back-office-stage.ts'
import { type ConsoleStage, startConsole, type TestOperator } from '#tests/support/servers/console-stage.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tessera-copy-'))
let api: TestApi
let console_: ConsoleStage
let ann: TestOperator

beforeAll(async () => {
  api = await startApi({
    place: { dataDir },
    async operators(database) {
      console_ = await startConsole(database)
      return console_.console.gate
    },
  })
  ann = await console_.operator('ann', ['reviewer'])
  await api.api.start()
})
afterAll(async () => {
  await console_?.close()
  await api?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const office = (call: keyof typeof backOfficeCalls, fields: Record<string, string> = {}, who = ann, headers: Record<string, string> = {}) =>
  askBackOffice(api.origin, backOfficeCalls[call].method, `/console/back-office/api${backOfficeCalls[call].path}`, {
    cookie: who.cookie,
    fields,
    headers,
  })
async function ask<T>({ token }: Person, method: 'get' | 'post', path: string, fields: Record<string, string> = {}) {
  const bearer = { authorization: `Bearer ${token}` }
  const query = new URLSearchParams(fields)
  const answer = method === 'get' ? await api.get(`${path}?${query}`, bearer) : await api.post(path, fields, bearer)
  return answer.json<{ code: number; name?: string; data: T }>()
}
/** Makes a trader of a new customer. @returns the number of the application */
async function accepted(nickname: string): Promise<{ trader: Person; id: string }> {
  const trader = await person(api.origin)
  expect((await ask(trader, 'post', '/api/follow/apply', { nickname, introduction: 'A few trades a week' })).code).toBe(1)
  const { list } = (await office('office.traders', { search: String(trader.uid) })).json.data as { list: { id: number }[] }
  const id = String(list[0]!.id)
  expect((await office('office.traderApprove', { id })).json.code).toBe(1)
  return { trader, id }
}
const begins = (who: Person, { uid }: Person) =>
  ask(who, 'post', '/api/follow/follow', { ...inputs['follow.follow'], trader_user_id: String(uid), number: '0.5' })
const mailsTo = async ({ username }: Person) =>
  (await api.get(`/test/outbox?to=${encodeURIComponent(username)}`)).json<{ data: { list: { kind: string; text: string }[] } }>().data.list
const traders = async () => ((await office('office.counts')).json.data as { traders: number }).traders

test('from the application over the back office to a copy that is opened, closed and accounted for', async () => {
  const [trader, follower] = [await person(api.origin), await person(api.origin)]
  for (const { uid } of [trader, follower])
    await api.post('/test/credit', { user: String(uid), account: 'lever', currency: 'USDT', amount: '10000' })
  await api.post('/test/tick', { symbol: 'BTCUSDT', price: '50000' })

  const before = await traders()
  expect((await ask(trader, 'post', '/api/follow/apply', { nickname: 'Calm Ann', introduction: 'A few trades a week' })).code).toBe(1)
  expect(await traders()).toBe(before + 1)
  const following: Record<string, string> = { ...inputs['follow.follow'], trader_user_id: String(trader.uid), number: '0.5' }
  expect((await ask(follower, 'post', '/api/follow/follow', following)).name).toBe('trader_unknown')
  const { list } = (await office('office.traders', { search: String(trader.uid) })).json.data as { list: { id: number }[] }
  const id = String(list[0]!.id)
  expect((await office('office.trader', { id })).json.data).toMatchObject({
    trader_name: 'Calm Ann',
    status: 'reviewing',
    closed: 0,
    profit: '0',
  })
  expect((await office('office.traderReject', { id, reason: ' ' })).json.name).toBe('parameter_error')
  expect((await office('office.traderApprove', { id, note: 'known' })).json.data).toMatchObject({ status: 'passed', decided_by: 'ann' })
  expect((await office('office.traderReject', { id, reason: 'no' })).json.name).toBe('state_wrong')
  expect(await traders()).toBe(before)
  expect((await auditRows(api.database)).at(-1)).toBe(`ann trader.approve trader:${id} known`)

  for (const agreement of ['agree_en', 'agree_zh'] as const) {
    const { [agreement]: _, ...rest } = following
    expect(await ask(follower, 'post', '/api/follow/follow', rest)).toMatchObject({ name: 'parameter_missing', field: agreement })
    const refused = await ask(follower, 'post', '/api/follow/follow', { ...following, [agreement]: '0' })
    expect(refused).toMatchObject({ name: 'parameter_error', field: agreement })
  }
  expect((await ask(follower, 'post', '/api/follow/follow', following)).code).toBe(1)
  await api.post('/test/tick', { symbol: 'BTCUSDT', price: '50000' })
  const order = { match_id: 'BTCUSDT', side: 'long', lots: '10', multiple: '20' }
  const opened = await ask<{ id: number }>(trader, 'post', '/api/lever/orderOpen', order)
  expect(opened.code).toBe(1)
  const copies = async (status: string) =>
    (await ask<{ list: object[] }>(follower, 'get', '/api/follow/copies', { status })).data.list as { lots: string; close_reason: string }[]
  await expect.poll(async () => (await copies('open')).map(({ lots }) => lots)).toEqual(['5'])
  await api.post('/test/tick', { symbol: 'BTCUSDT', price: '51000' })
  expect((await ask(trader, 'post', '/api/lever/close', { id: String(opened.data.id) })).code).toBe(1)
  await expect.poll(async () => (await copies('closed')).map((row) => row.close_reason)).toEqual(['copied'])
  await expectSoundMoney(api.database, { decisions: true })
})

test('an application that is sent back says why, and another one may be sent', async () => {
  const customer = await person(api.origin)
  const apply = () => ask(customer, 'post', '/api/follow/apply', { nickname: 'Second', introduction: 'I try again' })
  const standing = async () => (await ask(customer, 'get', '/api/follow/application')).data
  expect((await apply()).code).toBe(1)
  expect((await apply()).name).toBe('trader_already')
  const { list } = (await office('office.traders', { search: String(customer.uid) })).json.data as { list: { id: number }[] }
  expect((await office('office.traderReject', { id: String(list[0]!.id), reason: 'No history yet' })).json.data).toMatchObject({
    status: 'failed',
  })
  expect(await standing()).toMatchObject({ status: 'failed', reason: 'No history yet', trader: null })
  expect((await apply()).code).toBe(1)
  expect(await standing()).toMatchObject({ status: 'reviewing', reason: '' })
})

test('a reviewer ends a trader once for a key; the log, the trader and the followers are told', async () => {
  const { trader, id } = await accepted('Quick Tom')
  const [one, other] = [await person(api.origin), await person(api.origin)]
  for (const who of [one, other]) expect((await begins(who, trader)).code).toBe(1)
  expect((await office('office.trader', { id })).json.data).toMatchObject({ status: 'passed', followers: 2 })
  const chief = await console_.operator('chief', ['administrator'])
  expect((await office('office.traderEnd', { id, reason: 'Fraud' }, chief)).status).toBe(403)
  for (const [fields, name, field] of [
    [{ id, reason: ' ' }, 'parameter_error', 'reason'],
    [{ id, reason: 'x'.repeat(301) }, 'text_too_long', 'reason'],
    [{ id }, 'parameter_missing', 'reason'],
    [{ id: '1999999999', reason: 'x' }, 'not_found', 'id'],
    [{ id: '0', reason: 'x' }, 'parameter_error', 'id'],
  ] as [Record<string, string>, string, string][])
    expect((await office('office.traderEnd', fields)).json).toMatchObject({ name, field })
  const logged = (await auditRows(api.database)).length

  const end = (reason: string) => office('office.traderEnd', { id, reason }, ann, { 'idempotency-key': 'end-tom' })
  const first = await end('At your own wish')
  expect(first.json.data).toMatchObject({ status: 'ended', reason: 'At your own wish', decided_by: 'ann', trader_name: 'Quick Tom' })
  expect((await end('At your own wish')).text).toBe(first.text)
  expect((await end('Fraud')).json.name).toBe('key_reused')
  expect((await office('office.traderEnd', { id, reason: 'Fraud' })).json.name).toBe('state_wrong')
  expect((await auditRows(api.database)).slice(logged)).toEqual([`ann trader.end trader:${id} At your own wish`])

  expect((await office('office.trader', { id })).json.data).toMatchObject({ status: 'ended', followers: 0 })
  expect((await office('office.traders', { status: 'ended' })).json.data).toMatchObject({
    list: [{ id: Number(id), status: 'ended' }],
    total: 1,
  })
  for (const who of [one, other]) {
    expect((await ask(who, 'get', '/api/follow/mine')).data).toMatchObject({
      active: 0,
      list: [{ state: 'cancelled', nickname: 'Quick Tom' }],
    })
    expect((await mailsTo(who)).map(({ text }) => text)).toEqual([
      expect.stringContaining('Copying Quick Tom has ended, because others can no longer copy this trader.'),
    ])
  }
  expect((await mailsTo(trader))[0]?.text).toContain('You are no longer the trader Quick Tom.')
  expect((await mailsTo(trader))[0]?.text).toContain('Reason: At your own wish')
  expect((await ask(trader, 'get', '/api/follow/application')).data).toMatchObject({ status: 'ended', reason: 'At your own wish' })
  expect(await begins(one, trader)).toMatchObject({ name: 'trader_ended', code: 4086 })
  expect((await ask(trader, 'post', '/api/follow/apply', { nickname: 'Tom', introduction: 'Again' })).name).toBe('trader_ended')
  await expectSoundMoney(api.database, { decisions: true })
})

test('customers who begin or begin again while their traders end get an answer, and nobody copies afterwards', async () => {
  const [tim, tam] = [await accepted('Tim'), await accepted('Tam')]
  const customers = await Promise.all(Array.from({ length: 6 }, () => person(api.origin)))
  for (const who of customers.slice(0, 3)) for (const { trader } of [tim, tam]) expect((await begins(who, trader)).code).toBe(1)
  const ends = [tim, tam].map(({ id }) => office('office.traderEnd', { id, reason: 'Fraud' }))
  const begun = customers.flatMap((who) => [tim, tam].map(({ trader }) => begins(who, trader)))
  expect((await Promise.all(ends)).map(({ json }) => json.code)).toEqual([1, 1])
  for (const { code, name } of await Promise.all(begun)) expect(['trader_ended', 'trader_followed', 1]).toContain(name ?? code)
  for (const who of customers) expect((await ask(who, 'get', '/api/follow/mine')).data).toMatchObject({ active: 0 })
  await expectSoundMoney(api.database, { decisions: true })
})

test('an end that nobody decided is found', async () => {
  const { trader } = await accepted('Nobody')
  const change = { ended: 1, ended_by: 'eve', end_reason: 'x' }
  await api.database.db.updateTable('trader').set(change).where('uid', '=', trader.uid).execute()
  const { checks } = await auditLedger(api.database, { decisions: true })
  expect(checks.flatMap((check) => check.breaches)).toEqual([expect.stringMatching(/^trader:\d+ by eve: decided 1 times, 0 in the log$/)])
})
