import { afterAll, beforeAll, expect, test } from 'vitest'
import { operatorLimits } from '#config-server/operators/operator.rules.ts'
import { type OperatorRow, operatorRow } from '#contract/console/console.rows.ts'
import type { Me, SetupAnswer, SetupLink } from '#language/publish/operator-accounts.ts'
import { roles } from '#language/publish/publishing.ts'
import type { Database } from '#server-kit/db/db.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import {
  type ConsoleAnswer,
  type ConsoleStage,
  consoleMigrations,
  cookieIn,
  dataIn as data,
  said,
  startConsole,
  type TestOperator,
} from '#tests/support/servers/console-stage.ts'

const good = 'quiet river 2468 sand'
const stepMs = 30_000

onEngines('operators', (engine) => {
  let database: Database
  let stage: ConsoleStage
  beforeAll(async () => {
    database = await engine.open(consoleMigrations)
    stage = await startConsole(database)
  })
  afterAll(() => stage?.close())

  const post = (path: string, body: unknown, cookie?: string) => stage.ask('POST', path, { body, cookie })
  const later = (ms: number) => stage.clock.set(stage.clock.now() + ms)
  const login = (who: Pick<TestOperator, 'name' | 'password'>, code: string, more: object = {}) =>
    post('/login', { name: who.name, password: who.password, code, ...more })
  const me = (cookie: string) => stage.ask('GET', '/me', { cookie })
  const setUp = async (token: string, name?: string) => {
    const { secret } = data<SetupAnswer>(await post('/setup', { token, password: good, ...(name !== undefined && { name }) }))
    return { secret: secret!, answer: await post('/setup/confirm', { token, code: stage.code(secret!) }) }
  }

  test('the first start prints a link that works once; a later start voids it', async () => {
    expect(data(await stage.ask('GET', '/setup'))).toEqual({ needed: true })
    const old = (await stage.console.setupAddress())!.split('/').at(-1)!
    const address = (await stage.console.setupAddress())!
    expect(address).toMatch(/^\/console\/#\/setup\/[\w-]{43}$/)
    const token = address.split('/').at(-1)!
    expect(said(await post('/setup', { token: old }))).toBe('410 link_used')
    expect(data(await post('/setup', { token }))).toMatchObject({ kind: 'first', name: null, roles, secret: null, uri: null })
    expect(said(await post('/setup/confirm', { token, code: '123456' }))).toBe('409 state_wrong')
    for (const [name, password, refusal] of [
      ['', good, '400 parameter_error'],
      ['guard', good, '400 parameter_error'],
      ['first', 'Trg7-nmq2-W', '422 password_weak'],
      ['first', 'passwordpassword', '422 password_weak'],
      ['first', 'first first first', '422 password_weak'],
    ] as const)
      expect(`${password}: ${said(await post('/setup', { token, name, password }))}`).toBe(`${password}: ${refusal}`)
    const proposed = data<SetupAnswer>(await post('/setup', { token, name: ' first ', password: good }))
    expect(proposed).toMatchObject({ name: 'first', uri: expect.stringContaining(`secret=${proposed.secret}`) })
    expect(proposed.uri).toMatch(/^otpauth:\/\/totp\/Tessera%20Console:first\?/)
    expect(said(await post('/setup/confirm', { token, code: '000000' }))).toBe('401 code_wrong')
    const answer = await post('/setup/confirm', { token, code: stage.code(proposed.secret!) })
    expect(data<Me>(answer).operator).toMatchObject({ name: 'first', roles, ready: true, frozen: false })
    expect(String(answer.headers['set-cookie'])).toMatch(/^tessera_console=[\w-]{43}; Path=\/console; HttpOnly; SameSite=Strict$/)
    expect(said(await me(cookieIn(answer)))).toBe('200 ok')

    for (const path of ['/setup', '/setup/confirm'])
      expect(said(await post(path, { token, code: stage.code(proposed.secret!) }))).toBe(
        path === '/setup' ? '400 parameter_error' : '410 link_used',
      )
    expect(said(await post('/setup', { token }))).toBe('410 link_used')
    expect(await stage.console.setupAddress()).toBeUndefined()
    expect(data(await stage.ask('GET', '/setup'))).toEqual({ needed: false })
    expect(stage.rows()).toEqual(['first operator.set_up operator first'])
    const kept = JSON.stringify([await database.db.selectFrom('config_operator').selectAll().execute(), stage.logged])
    for (const secret of [token, proposed.secret!, good]) expect(kept).not.toContain(secret)

    // The code that set it up is used up; the next one logs in.
    const first = { name: 'FIRST', password: good }
    expect(said(await login(first, stage.code(proposed.secret!)))).toBe('401 login_failed')
    later(stepMs)
    expect(said(await login(first, stage.code(proposed.secret!)))).toBe('200 ok')
  })

  test('the cookie has the prefix __Host- over TLS, where no other name is believed, and has it nowhere else', async () => {
    const tess = await stage.operator('tess', ['viewer'])
    const tls = { 'x-forwarded-proto': 'https', origin: stage.origin.replace('http:', 'https:') }
    const over = (method: string, path: string, cookie?: string, body?: unknown) => stage.ask(method, path, { cookie, body, headers: tls })
    const opened = await over('POST', '/login', undefined, { name: tess.name, password: tess.password, code: stage.code(tess.totpSecret) })
    expect(String(opened.headers['set-cookie'])).toMatch(/^__Host-tessera_console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
    const cookie = cookieIn(opened)
    const plain = cookie.replace('__Host-', '')
    const asked: [what: string, answer: ConsoleAnswer, said: string][] = [
      ['TLS, with the prefix', await over('GET', '/me', cookie), '200 ok'],
      ['TLS, without', await over('GET', '/me', plain), '401 login_required'],
      ['TLS, a plain one beside it', await over('GET', '/me', `tessera_console=x; ${cookie}`), '200 ok'],
      ['TLS, twice', await over('GET', '/me', `${cookie}; ${cookie}`), '401 login_required'],
      ['HTTP, with the prefix', await me(cookie), '401 login_required'],
      ['HTTP, without', await me(plain), '200 ok'],
    ]
    for (const [what, answer, wanted] of asked) expect(`${what}: ${said(answer)}`).toBe(`${what}: ${wanted}`)
    const closed = await over('POST', '/logout', cookie)
    expect(String(closed.headers['set-cookie'])).toBe('__Host-tessera_console=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure')
    expect(said(await over('GET', '/me', cookie))).toBe('401 login_required')
  })

  test('two who confirm one link at once make one operator', async () => {
    const admin = await stage.operator('inviter', ['administrator'])
    const { link } = data<SetupLink>(await post('/operators', { name: 'twice', roles: ['viewer'] }, admin.cookie))
    const token = link.split('/').at(-1)!
    const { secret } = data<SetupAnswer>(await post('/setup', { token, password: good }))
    const both = await Promise.all([1, 2].map(() => post('/setup/confirm', { token, code: stage.code(secret!) })))
    expect(both.map(said).sort()).toEqual(['200 ok', '410 link_used'])
  })

  test('wrong name, password, code and frozen are told alike, and a code opens one thing once', async () => {
    const ann = await stage.operator('ann', ['editor'])
    const code = () => stage.code(ann.totpSecret)
    for (const answer of [
      await login({ ...ann, name: 'nobody there' }, code()),
      await login({ ...ann, password: 'wrong' }, code()),
      await login(ann, '000000'),
      await login(ann, ''),
    ]) {
      expect(said(answer)).toBe('401 login_failed')
      expect(answer.json).toEqual({ code: 'login_failed', message: expect.any(String) })
      expect(answer.headers['set-cookie']).toBeUndefined()
      later(2_000)
    }
    later(60_000)
    const opened = await login(ann, code())
    expect(said(opened)).toBe('200 ok')
    expect(said(await login(ann, code()))).toBe('401 login_failed')
    expect(said(await post('/fresh', { password: ann.password, code: code() }, cookieIn(opened)))).toBe('401 login_failed')
    // Past the tries that were wrong, so that nothing but the code decides.
    later(16 * 60_000)
    const both = await Promise.all([login(ann, code()), login(ann, code())])
    expect(both.map(said).sort()).toEqual(['200 ok', '401 login_failed'])
    const rows = stage.rows().filter((row) => row.includes('login'))
    expect(rows).toContain('ann operator.login operator ann')
    expect(rows).toContain('nobody operator.login_failed operator ann')
    expect(rows).toContain('nobody operator.login_failed operator unknown')
    expect(JSON.stringify(stage.did)).not.toContain('nobody there')
  })

  test('a name is counted in all its spellings, whether or not an operator has it', async () => {
    await stage.operator('Ivy Lane', ['viewer'])
    const tries = async (spellings: readonly string[]) => {
      const answers: string[] = []
      for (const name of spellings) answers.push(said(await login({ name, password: 'wrong' }, '000000')))
      return answers
    }
    const known = await tries(['Ivy Lane', 'ivy lane', ' IVY  LANE ', 'Ｉvy Lane', 'iVY lANE'])
    expect(known).toEqual([...Array<string>(3).fill('401 login_failed'), '429 locked', '429 locked'])
    expect(await tries(['Joy Lane', 'joy lane', ' JOY  LANE ', 'Ｊoy Lane', 'jOY lANE'])).toEqual(known)
  })

  test('guessing is slowed, ever more, by name; the right answer waits too', async () => {
    const bob = await stage.operator('bob', ['editor'])
    const wrong = () => login(bob, '000000')
    for (let i = 0; i < 3; i++) expect(said(await wrong())).toBe('401 login_failed')
    const waits: number[] = []
    for (let i = 0; i < 4; i++) {
      const refused = await wrong()
      expect(said(refused)).toBe('429 locked')
      waits.push(Number(refused.headers['retry-after']))
      expect(refused.json.data).toEqual({ retryAfterSeconds: waits.at(-1) })
      expect(said(await login(bob, stage.code(bob.totpSecret)))).toBe('429 locked')
      later(waits.at(-1)! * 1_000)
      expect(said(await wrong())).toBe('401 login_failed')
    }
    expect(waits).toEqual([1, 2, 4, 8])
    const ann = await stage.operator('ann', ['editor'])
    expect(said(await login(ann, stage.code(ann.totpSecret)))).toBe('200 ok')
    const unknown = await Promise.all(Array.from({ length: 6 }, () => login({ name: 'no such', password: 'x' }, '1')))
    expect(unknown.map(said).filter((one) => one === '429 locked').length).toBe(3)
    later(16 * 60_000)
    expect(said(await login(bob, stage.code(bob.totpSecret)))).toBe('200 ok')
  })

  test('a login ends earlier sessions of its kind: those of browsers, or those of programs', async () => {
    const [kay, other] = [await stage.operator('kay', ['editor']), await stage.operator('lou', ['editor'])]
    const bearer = (token: string) => stage.ask('GET', '/me', { headers: { authorization: `Bearer ${token}` } })
    const program = async () => {
      later(stepMs)
      return data<Me>(await login(kay, stage.code(kay.totpSecret), { as: 'token' })).token!
    }
    const first = await program()
    later(stepMs)
    const cookie = cookieIn(await login(kay, stage.code(kay.totpSecret)))
    expect(said(await me(kay.cookie))).toBe('401 login_required')
    expect([said(await me(cookie)), said(await bearer(first)), said(await me(other.cookie))]).toEqual(['200 ok', '200 ok', '200 ok'])
    const second = await program()
    expect([said(await me(cookie)), said(await bearer(first)), said(await bearer(second))]).toEqual([
      '200 ok',
      '401 login_required',
      '200 ok',
    ])
    // A login that fails ends nothing.
    expect(said(await login(kay, '000000'))).toBe('401 login_failed')
    expect([said(await me(cookie)), said(await bearer(second))]).toEqual(['200 ok', '200 ok'])
  })

  test('a session ends by itself, when it is ended, and with a freeze, at once', async () => {
    const cid = await stage.operator('cid', ['publisher'])
    const admin = await stage.operator('warden', ['administrator'])
    const again = await login(cid, stage.code(cid.totpSecret), { as: 'token' })
    const { token, expiresAt } = data<Me>(again)
    expect(again.headers['set-cookie']).toBeUndefined()
    expect(expiresAt! - stage.clock.now()).toBeGreaterThan(operatorLimits.absoluteMs - 5_000)
    const bearer = () => stage.ask('GET', '/me', { headers: { authorization: `Bearer ${token}` } })
    expect(said(await bearer())).toBe('200 ok')
    const list = data<{ id: string; current: boolean }[]>(await stage.ask('GET', '/sessions', { cookie: cid.cookie }))
    expect(list.map(({ current }) => current).sort()).toEqual([false, true])
    const other = list.find(({ current }) => !current)!
    expect(said(await stage.ask('DELETE', `/sessions/${other.id}`, { cookie: admin.cookie }))).toBe('404 not_found')
    expect(said(await stage.ask('DELETE', `/sessions/${other.id}`, { cookie: cid.cookie }))).toBe('200 ok')
    expect(said(await bearer())).toBe('401 login_required')

    // Used every quarter of an hour it lives; without use for half an hour it does not, and never past twelve hours.
    const dan = await stage.operator('dan', ['viewer'])
    for (let passed = 15; passed < 12 * 60; passed += 15) {
      later(15 * 60_000)
      expect(said(await me(dan.cookie))).toBe('200 ok')
    }
    later(15 * 60_000)
    expect(said(await me(dan.cookie))).toBe('401 login_required')
    const eve = await stage.operator('eve', ['viewer'])
    // Requests that an open page sends by itself do not count as use of the session.
    later(operatorLimits.idleMs / 2)
    expect(said(await stage.ask('GET', '/guard', { cookie: eve.cookie }))).toBe('200 ok')
    later(operatorLimits.idleMs / 2)
    expect(said(await me(eve.cookie))).toBe('401 login_required')

    const [boss, fay] = [await stage.operator('warden', ['administrator']), await stage.operator('fay', ['publisher'])]
    const change = (body: unknown) => stage.ask('PATCH', `/operators/${fay.id}`, { body, cookie: boss.cookie })
    expect(said(await change({ roles: ['viewer'] }))).toBe('200 ok')
    expect(said(await stage.ask('POST', '/rollout', { body: { complete: true, reason: 'x' }, cookie: fay.cookie }))).toBe('403 not_allowed')
    expect(said(await change({ frozen: true }))).toBe('200 ok')
    expect(said(await me(fay.cookie))).toBe('401 login_required')
    expect(said(await login(fay, stage.code(fay.totpSecret)))).toBe('401 login_failed')
    expect(said(await change({ frozen: false }))).toBe('200 ok')
    expect(said(await me(fay.cookie))).toBe('401 login_required')
    later(60_000)
    expect(said(await login(fay, stage.code(fay.totpSecret)))).toBe('200 ok')
    expect(stage.rows()).toEqual(
      expect.arrayContaining([
        'warden operator.roles operator fay',
        'warden operator.freeze operator fay',
        'warden operator.unfreeze operator fay',
      ]),
    )
  })

  test('what moves a pointer asks for password and code that are ten minutes old at most', async () => {
    const gus = await stage.operator('gus', ['publisher'])
    const rollout = () => post('/rollout', { complete: true, reason: 'well' }, gus.cookie)
    const did = () => stage.did.filter(({ name }) => name === 'rollout').length
    expect(said(await rollout())).toBe('200 ok')
    later(operatorLimits.freshMs)
    expect(said(await rollout())).toBe('401 fresh_login_required')
    expect(did()).toBe(1)
    expect(said(await post('/fresh', { password: gus.password, code: '000000' }, gus.cookie))).toBe('401 login_failed')
    const proof = data<Me>(await post('/fresh', { password: gus.password, code: stage.code(gus.totpSecret) }, gus.cookie))
    expect(proof.freshUntil).toBeGreaterThan(stage.clock.now())
    expect(said(await rollout())).toBe('200 ok')
    expect(did()).toBe(2)
    // Another session of the same operator has proved nothing.
    const other = await stage.operator('gus', ['publisher'])
    await database.db.updateTable('config_operator_session').set({ fresh_until: 0 }).where('operator_id', '=', gus.id).execute()
    expect(said(await post('/rollout', { complete: true, reason: 'well' }, other.cookie))).toBe('401 fresh_login_required')
  })

  test('others come by a link of an administrator; the last one who may invite stays', async () => {
    const root = await stage.operator('root', ['administrator'])
    const list = async (query: string) =>
      data<{ list: OperatorRow[]; total: number }>(await stage.ask('GET', `/operators?${query}`, { cookie: root.cookie }))
    const all = await list('size=100')
    expect(operatorRow.array().parse(all.list)).toEqual(all.list)
    expect(all.list.filter(({ own }) => own)).toMatchObject([{ name: 'root', status: 'active' }])
    expect(await list('search=ROO')).toMatchObject({ list: [{ name: 'root' }], total: 1 })
    expect(await list('search=root&status=frozen')).toEqual({ list: [], total: 0 })
    expect(await list('page=2&size=2')).toEqual({ list: all.list.slice(2, 4), total: all.total })
    expect(data(await stage.ask('GET', `/operators/${root.id}`, { cookie: root.cookie }))).toEqual(all.list.find(({ own }) => own))
    expect(said(await stage.ask('GET', '/operators/999999', { cookie: root.cookie }))).toBe('404 not_found')
    const admins = all.list.filter((one) => one.roles.includes('administrator') && one.name !== 'root')
    const change = (id: number, body: unknown) => stage.ask('PATCH', `/operators/${id}`, { body, cookie: root.cookie })
    for (const { id } of admins) expect(said(await change(id, { frozen: true }))).toBe('200 ok')
    expect(said(await change(root.id, { frozen: true }))).toBe('422 lock_out')
    expect(said(await change(root.id, { roles: ['editor'] }))).toBe('422 lock_out')
    expect(said(await post(`/operators/${root.id}/reset`, {}, root.cookie))).toBe('422 lock_out')
    expect(said(await change(999_999, { frozen: true }))).toBe('404 not_found')
    expect(said(await change(root.id, {}))).toBe('400 parameter_error')

    expect(said(await post('/operators', { name: 'Root', roles: ['viewer'] }, root.cookie))).toBe('409 name_taken')
    const invited = data<SetupLink>(await post('/operators', { name: 'hal', roles: ['editor', 'administrator'] }, root.cookie))
    expect(invited.operator).toMatchObject({ name: 'hal', ready: false, roles: ['editor', 'administrator'] })
    expect(invited.link.startsWith(`${stage.origin}/console/#/setup/`)).toBe(true)
    // One who has not set up yet is no second administrator, and cannot log in.
    expect(said(await change(root.id, { frozen: true }))).toBe('422 lock_out')
    expect(said(await login({ name: 'hal', password: good }, '123456'))).toBe('401 login_failed')
    const token = invited.link.split('/').at(-1)!
    expect(data(await post('/setup', { token }))).toMatchObject({ kind: 'invite', name: 'hal', roles: ['editor', 'administrator'] })
    const { secret, answer } = await setUp(token, 'somebody else')
    expect(data<Me>(answer).operator).toMatchObject({ name: 'hal', ready: true })

    const reset = data<SetupLink>(await post(`/operators/${invited.operator.id}/reset`, {}, root.cookie))
    expect(said(await me(cookieIn(answer)))).toBe('401 login_required')
    later(stepMs)
    expect(said(await login({ name: 'hal', password: good }, stage.code(secret)))).toBe('401 login_failed')
    const second = data<SetupLink>(await post(`/operators/${invited.operator.id}/reset`, {}, root.cookie))
    expect(said(await post('/setup', { token: reset.link.split('/').at(-1)! }))).toBe('410 link_used')
    later(operatorLimits.linkMs)
    expect(said(await post('/setup', { token: second.link.split('/').at(-1)! }))).toBe('410 link_used')
  })
})
