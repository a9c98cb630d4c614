import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createBackOfficeAuditStore } from '#api-server/back-office/audit.store.ts'
import { freezeProposals } from '#api-server/back-office/freezing.ts'
import { breachesOf } from '#api-server/ledger/audit/audit.ts'
import { createPictureFiles } from '#api-server/upload/upload.files.ts'
import { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { openSecrets } from '#server-kit/security/secrets.ts'
import { mailbox } from '#tests/support/people/accounts.ts'
import { type Person, person } from '#tests/support/people/people.ts'
import { inputs } from '#tests/support/right-inputs.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { askBackOffice, auditRows, type BackOfficeAnswer } from '#tests/support/servers/back-office-stage.ts'
import { type ConsoleStage, startConsole, type TestOperator } from '#tests/support/servers/console-stage.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tessera-back-office-'))
let api: TestApi
let console_: ConsoleStage
let ann: TestOperator
let before: string[]

beforeAll(async () => {
  api = await startApi({
    place: { dataDir },
    async operators(database) {
      console_ = await startConsole(database)
      return console_.console.gate
    },
  })
  ann = await console_.operator('ann', ['reviewer'])
})
afterAll(async () => {
  await console_?.close()
  await api?.close()
  rmSync(dataDir, { recursive: true, force: true })
})
beforeEach(async () => {
  before = await auditRows(api.database)
})

const ask = (call: keyof typeof backOfficeCalls, fields: Record<string, string> = {}, key?: string): Promise<BackOfficeAnswer> => {
  const { method, path } = backOfficeCalls[call]
  const headers: Record<string, string> = key ? { 'idempotency-key': key } : {}
  return askBackOffice(api.origin, method, `/console/back-office/api${path}`, { cookie: ann.cookie, fields, headers })
}
/** A call that answers with a file. */
async function file(call: keyof typeof backOfficeCalls, fields: Record<string, string>): Promise<{ text: string; headers: Headers }> {
  const address = `${api.origin}/console/back-office/api${backOfficeCalls[call].path}?${new URLSearchParams(fields)}`
  const answer = await fetch(address, { headers: { cookie: ann.cookie } })
  return { text: await answer.text(), headers: answer.headers }
}
const said = ({ status, json }: BackOfficeAnswer) => `${status} ${json.name ?? 'ok'}`
const written = async () => (await auditRows(api.database)).slice(before.length)
const bearer = ({ token }: Person) => ({ authorization: `Bearer ${token}` })
async function customerCall<T>(who: Person, path: string, fields: Record<string, string> = {}, method: 'get' | 'post' = 'post') {
  const answer = method === 'get' ? await api.get(path, bearer(who)) : await api.post(path, fields, bearer(who))
  return { status: answer.status, ...answer.json<{ name?: string; data: T }>() }
}

describe('proofs of identity', () => {
  async function proof(): Promise<{ customer: Person; id: number }> {
    const customer = await person(api.origin, { both: '1' })
    const sent = await customerCall(customer, '/api/user/real', { id_type: 'passport', name: 'Ann Smith', card_id: 'X1234567' })
    expect(sent.status).toBe(200)
    const found = await ask('office.verifications', { search: String(customer.uid) })
    const { list } = found.json.data as { list: { id: number; nickname: string; contact: string }[] }
    expect(found.text).not.toMatch(/Smith|1234567/)
    expect(list).toHaveLength(1)
    return { customer, id: list[0]!.id }
  }
  const level = async (customer: Person) => (await customerCall<{ level: number }>(customer, '/api/user/getAuth', {}, 'get')).data.level

  test('an approval raises the level, and opening a submission is logged', async () => {
    const { customer, id } = await proof()
    expect(await level(customer)).toBe(0)
    const whole = await ask('office.verification', { id: String(id) })
    expect(whole.json.data).toMatchObject({ name: 'Ann Smith', number: 'X1234567', asked: 1, uid: customer.uid, pictures: [], earlier: 0 })
    const done = await ask('office.verifyApprove', { id: String(id), note: 'fits' }, 'v1')
    expect(done.json.data).toMatchObject({ status: 'passed', level: 1, decided_by: 'ann' })
    expect(done.text).not.toMatch(/Smith|1234567/)
    expect((await ask('office.verifyApprove', { id: String(id), note: 'fits' }, 'v1')).json).toEqual(done.json)
    expect(await level(customer)).toBe(1)
    expect(said(await ask('office.verifyReject', { id: String(id), reason: 'no' }))).toBe('409 state_wrong')
    expect(await written()).toEqual([`ann identity.look verification:${id}`, `ann identity.approve verification:${id} fits`])
  })

  test('a rejection keeps the level and gives a reason', async () => {
    const { customer, id } = await proof()
    expect((await ask('office.verifyReject', { id: String(id), reason: 'name differs' })).json.data).toMatchObject({
      status: 'failed',
      reason: 'name differs',
      level: 0,
    })
    expect(await level(customer)).toBe(0)
    expect(said(await ask('office.verifyApprove', { id: String(id) }))).toBe('409 state_wrong')
    expect(said(await ask('office.verification', { id: '999999' }))).toBe('404 not_found')
    expect(await written()).toEqual([`ann identity.reject verification:${id} name differs`])
  })

  test('its pictures are served to reviewers only, and each access is logged', async () => {
    const customer = await person(api.origin, { level: '1', email: 'pictures@test.example', mobile: '+86 13800138055' })
    const bytes = Buffer.from('bytes of a picture')
    const name = randomBytes(20).toString('hex')
    const url = `/api/upload/${name}`
    await createPictureFiles(join(dataDir, 'uploads'), openSecrets({ dataDir })).write(name, bytes, true)
    const about = { uid: customer.uid, purpose: 'identity', kind: 'png', width: 4, height: 3, bytes: bytes.length, sha256: 'x' } as const
    await api.database.db
      .insertInto('upload')
      .values({ name, ...about, created_at: Date.now(), claimed_at: null })
      .execute()
    const src = `/console/back-office/picture/${name}`
    expect((await askBackOffice(api.origin, 'GET', src, { cookie: ann.cookie })).status).toBe(404)
    const fields = { id_type: 'passport', name: 'Ann Smith', idnumber: 'X1234567', front_pic: url }
    expect((await customerCall(customer, '/api/user/doAuth', fields)).status).toBe(200)
    const { list } = (await ask('office.verifications', { search: String(customer.uid) })).json.data as { list: { id: number }[] }
    const whole = await ask('office.verification', { id: String(list[0]!.id) })
    expect(whole.json.data).toMatchObject({ asked: 2, pictures: [{ id: '1', src }] })
    const seen = await askBackOffice(api.origin, 'GET', src, { cookie: ann.cookie })
    expect([seen.text, seen.headers['content-type']]).toEqual(['bytes of a picture', 'image/png'])
    const clerk = await console_.operator('clerk', ['viewer', 'administrator'])
    expect((await askBackOffice(api.origin, 'GET', src, { cookie: clerk.cookie })).status).toBe(403)
    expect((await askBackOffice(api.origin, 'GET', src, { headers: bearer(customer) })).status).toBe(401)
    expect((await api.get(url, { cookie: ann.cookie })).status).toBe(404)
    expect(await written()).toEqual([`ann identity.look verification:${list[0]!.id}`, `ann picture.look customer:${customer.uid} ${name}`])
  })
})

describe('customers', () => {
  test('are found by number, name, address and mobile number, which are masked', async () => {
    const { uid } = await person(api.origin, { nickname: 'Zoë_50%', email: 'zoe.doe@test.example', mobile: '+86 13912345678' })
    const other = await person(api.origin, { nickname: 'Zoe x50y' })
    const found = async (search: string) => {
      const answer = await ask('office.customers', { search })
      expect(answer.text).not.toMatch(/zoe\.doe|13912345678/)
      return (answer.json.data as { list: { uid: number }[] }).list.map((row) => row.uid)
    }
    for (const search of [String(uid), '_50%', 'zoë', 'zoe.doe@test.example', 'ZOE.DOE@', '13912345678', '+86 139 1234 5678', '345678'])
      expect(`${search} ${await found(search)}`).toBe(`${search} ${uid}`)
    for (const search of ['doe@test.example', 'x\\', '1391234', '999999999999999', 'nobody-here'])
      expect(`${search}: ${await found(search)}`).toBe(`${search}: `)
    expect(await found('zoe x')).toEqual([other.uid])
  })

  test('are shown with their balances, worth in USD, and latest movements', async () => {
    const customer = await person(api.origin)
    const user = String(customer.uid)
    await api.post('/test/rate', { currency: 'BTC', rate: '50000' })
    await api.post('/test/credit', { user, account: 'change', currency: 'BTC', amount: '0.5' })
    await api.post('/test/credit', { user, account: 'micro', currency: 'USDT', amount: '10.25' })
    const shown = (await ask('office.customer', { uid: user })).json.data
    expect(shown).toMatchObject({
      uid: customer.uid,
      usd: '25010.25',
      status: 'active',
      level: 0,
      sessions: [{ ip: expect.any(String) }],
      balances: expect.arrayContaining([
        { id: 'change:BTC', account: 'change', currency_code: 'BTC', available: '0.5', frozen: '0', usd: '25000' },
        { id: 'micro:USDT', account: 'micro', currency_code: 'USDT', available: '10.25', frozen: '0', usd: '10.25' },
      ]),
    })
    expect((shown as { log: { kind: string; amount: string }[] }).log.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
      'credit 10.25',
      'credit 0.5',
    ])
    await api.post('/test/rate', { currency: 'BTC' })
  })

  test('a frozen customer is logged out at once, is told by mail, and only reads until released', async () => {
    const customer = await person(api.origin)
    const [uid, { username, password }] = [String(customer.uid), customer]
    const login = async () => (await api.post('/api/user/login', { username, password })).status
    const info = async () => (await customerCall(customer, '/api/user/info', {}, 'get')).status
    expect(await info()).toBe(200)
    expect((await ask('office.customerFreeze', { uid, frozen: '1', reason: 'phone stolen' })).json.data).toMatchObject({ status: 'frozen' })
    expect(await info()).toBe(401)
    const { token } = (JSON.parse((await api.post('/api/user/login', { username, password })).text) as { data: { token: string } }).data
    expect((await api.get('/api/user/info', { authorization: token })).status).toBe(200)
    const moved = await api.post('/api/wallet/transfer', inputs['wallet.transfer'], { authorization: token })
    expect(JSON.parse(moved.text)).toMatchObject({ name: 'account_frozen' })
    const mails = (await mailbox(api, username)).map(({ text }) => text).join('\n')
    expect(mails).toContain('Your account has been locked.')
    // The dialog informs the operator that the reason stays in the log.
    expect(mails).not.toContain('phone stolen')
    expect(said(await ask('office.customerFreeze', { uid, frozen: '1', reason: 'again' }))).toBe('409 state_wrong')
    const frozen = (await ask('office.customers', { status: 'frozen', search: uid })).json.data
    expect(frozen).toMatchObject({ total: 1 })
    expect(said(await ask('office.customerFreeze', { uid, frozen: '0', reason: 'phone is back' }))).toBe('200 ok')
    expect(await login()).toBe(200)
    expect(said(await ask('office.customerFreeze', { uid: '999', frozen: '1', reason: 'x' }))).toBe('404 not_found')
    expect(await written()).toEqual([`ann customer.freeze customer:${uid} phone stolen`, `ann customer.free customer:${uid} phone is back`])
  })

  test('an account with open positions is frozen by two operators, each with a recent login', async () => {
    const customer = await person(api.origin)
    const uid = String(customer.uid)
    await api.post('/test/credit', { user: uid, account: 'lever', currency: 'USDT', amount: '1000' })
    await api.post('/test/tick', { symbol: 'BTCUSDT', price: '50000' })
    const opened = await customerCall<{ id: number }>(customer, '/api/lever/orderOpen', inputs['lever.orderOpen'])
    expect(opened.data.id).toBeGreaterThan(0)
    const bob = await console_.operator('bob', ['reviewer'])
    const freeze = async (who: TestOperator, frozen = '1') =>
      askBackOffice(api.origin, 'POST', '/console/back-office/api/customerFreeze', {
        cookie: who.cookie,
        fields: { uid, frozen, reason: 'odd logins' },
        headers: {},
      })
    expect((await freeze(ann)).json.data).toMatchObject({ status: 'active', freeze_asked: 'ann' })
    expect((await ask('office.customer', { uid })).json.data).toMatchObject({ positions: 1, freeze_asked: 'ann' })
    expect(said(await freeze(ann))).toBe('403 own_decision')
    expect((await freeze(bob, '0')).json.data).toMatchObject({ status: 'active', freeze_asked: '' })
    expect(said(await freeze(bob, '0'))).toBe('409 state_wrong')
    await freeze(bob)
    expect((await freeze(ann)).json.data).toMatchObject({ status: 'frozen', freeze_asked: '' })
    const { token } = (await api.post('/api/user/login', { username: customer.username, password: customer.password })).json<{
      data: { token: string }
    }>().data
    const closed = await api.post('/api/lever/close', { id: String(opened.data.id) }, { authorization: token })
    expect(closed.json()).toMatchObject({ code: 1, data: { position_id: opened.data.id } })
    const again = await api.post('/api/lever/orderOpen', inputs['lever.orderOpen'], { authorization: token })
    expect(again.json()).toMatchObject({ name: 'account_frozen' })
    const after = `customer:${uid} odd logins`
    const steps = [`ann customer.freeze_first ${after}`, `bob customer.freeze_drop ${after}`, `bob customer.freeze_first ${after}`]
    expect(await written()).toEqual([...steps, `ann customer.freeze ${after}`])
    expect(await breachesOf(api.database.db, freezeProposals.check)).toEqual([])
    const meddled = api.database.transaction(async (tx) => {
      await sql`insert into office_proposal (kind, subject, version, after, operator_id, operator, at)
        values ('freeze', ${uid}, 0, 'null', 9, 'eve', 1)`.execute(tx)
      throw new Error((await breachesOf(tx, freezeProposals.check)).join())
    })
    await expect(meddled).rejects.toThrow(`customer:${uid} by eve: decided 1 times, 0 in the log`)
  })

  test('sessions are ended everywhere', async () => {
    const customer = await person(api.origin)
    const { username, password } = customer
    await api.post('/api/user/login', { username, password })
    const ended = await ask('office.customerEndSessions', { uid: String(customer.uid), reason: 'asked for it' })
    expect(ended.json.data).toEqual({ ended: 2 })
    expect((await customerCall(customer, '/api/user/info', {}, 'get')).status).toBe(401)
    expect(await written()).toEqual([`ann customer.end_sessions customer:${customer.uid} asked for it`])
  })
})

describe('the log', () => {
  test('is append-only, and its chain reveals changes', async () => {
    const customer = await person(api.origin)
    await ask('office.customerEndSessions', { uid: String(customer.uid), reason: 'a' })
    await ask('office.customerEndSessions', { uid: String(customer.uid), reason: 'b' })
    const { db } = api.database
    const audit = createBackOfficeAuditStore(api.database)
    expect(await audit.verify()).toMatchObject({ brokenAt: null })
    await expect(db.updateTable('desk_audit').set({ detail: 'x' }).execute()).rejects.toThrow('only added to')
    await expect(db.deleteFrom('desk_audit').execute()).rejects.toThrow('only added to')
    await expect(sql`truncate desk_audit`.execute(db)).rejects.toThrow('only added to')
    const { id } = await db.selectFrom('desk_audit').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
    await sql`alter table desk_audit disable trigger desk_audit_rows`.execute(db)
    await db.updateTable('desk_audit').set({ detail: 'c' }).where('id', '=', id).execute()
    expect(await audit.verify()).toMatchObject({ brokenAt: id })
    await db.updateTable('desk_audit').set({ detail: 'b' }).where('id', '=', id).execute()
    await sql`alter table desk_audit enable trigger desk_audit_rows`.execute(db)
    expect(await audit.verify()).toMatchObject({ brokenAt: null })
  })

  test('is filtered, paged and exported as CSV without formulas', async () => {
    const customer = await person(api.origin)
    const [uid, subject] = [String(customer.uid), `customer:${customer.uid}`]
    await ask('office.customerEndSessions', { uid, reason: '=HYPERLINK("https://evil.example")' })
    await ask('office.customerFreeze', { uid, frozen: '1', reason: 'a, "b"\nc' })
    const found = async (fields: Record<string, string>) => {
      const { list, total } = (await ask('office.audit', { subject, ...fields })).json.data as { list: { action: string }[]; total: number }
      return [total, ...list.map(({ action }) => action)]
    }
    expect(await found({})).toEqual([2, 'customer.freeze', 'customer.end_sessions'])
    expect(await found({ action: 'customer' })).toEqual([2, 'customer.freeze', 'customer.end_sessions'])
    expect(await found({ action: 'customer.freeze' })).toEqual([1, 'customer.freeze'])
    expect(await found({ action: 'FREEZ', operator: 'An' })).toEqual([1, 'customer.freeze'])
    expect(await found({ subject: 'evil.EXAMPLE' })).toEqual([1, 'customer.end_sessions'])
    expect(await found({ subject: subject.slice(0, -1) })).not.toContain('customer.end_sessions')
    expect(await found({ operator: 'bob' })).toEqual([0])
    expect(await found({ size: '1', page: '2' })).toEqual([2, 'customer.end_sessions'])
    const { text, headers } = await file('office.auditCsv', { subject })
    expect(headers.get('content-disposition')).toBe('attachment; filename="back-office.csv"')
    expect(text.match(/^\d+,/gm)).toHaveLength(2)
    expect(text).toMatch(/^id,time,operator,action,subject,detail,chain\r\n/)
    expect(text).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
    expect(text).toContain('"a, ""b""\nc"')
    expect((await written()).at(-1)).toBe(`ann audit.export audit subject=${subject}`)
  })
})

test('operators with an open page are notified of changed queues, until their session ends', async () => {
  const watcher = await console_.operator('watcher', ['reviewer'])
  const stream = await fetch(`${api.origin}/console/back-office/events`, { headers: { cookie: watcher.cookie } })
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
  const messages: { counts: { verifications: number } }[] = []
  let over = false
  const reading = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      for (const [, data] of part.value.matchAll(/^data: (.*)$/gm)) messages.push(JSON.parse(data!))
    over = true
  })()
  const waiting = async () => ((await ask('office.counts')).json.data as { verifications: number }).verifications
  const first = await waiting()
  await expect.poll(() => messages[0]?.counts.verifications).toBe(first)
  const send = async () => {
    const customer = await person(api.origin, { both: '1' })
    await customerCall(customer, '/api/user/real', { id_type: 'passport', name: 'Ann Smith', card_id: 'X1234567' })
  }
  await Promise.all([send(), send(), send()])
  await expect.poll(() => messages.at(-1)?.counts.verifications).toBe(first + 3)
  expect(messages.length).toBeLessThanOrEqual(4)
  await console_.ask('POST', '/logout', { cookie: watcher.cookie })
  const received = messages.length
  await send()
  await reading
  expect([over, messages.length]).toEqual([true, received])
})
