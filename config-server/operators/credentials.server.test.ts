import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FactorProposal, Me, RecoveryCodes } from '#language/publish/operator-accounts.ts'
import type { Database } from '#server-kit/db/db.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import {
  type ConsoleStage,
  consoleMigrations,
  dataIn as data,
  said,
  startConsole,
  type TestOperator,
} from '#tests/support/servers/console-stage.ts'

const stepMs = 30_000

onEngines('own access of operators', (engine) => {
  let database: Database
  let stage: ConsoleStage
  beforeAll(async () => {
    database = await engine.open(consoleMigrations)
    stage = await startConsole(database)
  })
  afterAll(() => stage?.close())

  const post = (path: string, body: unknown, cookie?: string) => stage.ask('POST', path, { body, cookie })
  const later = (ms: number) => stage.clock.set(stage.clock.now() + ms)
  const login = (who: Pick<TestOperator, 'name' | 'password'>, code: string) =>
    post('/login', { name: who.name, password: who.password, code })
  /** A login of the command line, which leaves the session of the browser alone. */
  const program = (who: Pick<TestOperator, 'name' | 'password'>, code: string) =>
    post('/login', { name: who.name, password: who.password, code, as: 'token' })
  const me = (cookie: string) => stage.ask('GET', '/me', { cookie })
  const meOf = (token: string) => stage.ask('GET', '/me', { headers: { authorization: `Bearer ${token}` } })

  test('an operator changes their own password: other sessions end, and only the new one logs in', async () => {
    const who = await stage.operator('paula', ['editor'])
    later(stepMs)
    const second = data<Me>(await program(who, stage.code(who.totpSecret))).token!
    expect(said(await meOf(second))).toBe('200 ok')
    const next = 'seven copper kites 9153'
    expect(said(await post('/password', { next: 'passwordpassword' }, who.cookie))).toBe('422 password_weak')
    data(await post('/password', { next }, who.cookie))
    expect([said(await me(who.cookie)), said(await meOf(second))]).toEqual(['200 ok', '401 login_required'])
    later(stepMs)
    expect(said(await login(who, stage.code(who.totpSecret)))).toBe('401 login_failed')
    later(2_000)
    expect(said(await login({ ...who, password: next }, stage.code(who.totpSecret)))).toBe('200 ok')
    expect(stage.rows()).toContain('paula operator.password operator paula')
  })

  test('a new second factor counts from its first code on; until then the old one does', async () => {
    const who = await stage.operator('quinn', ['viewer'])
    expect(said(await post('/factor/confirm', { code: '123456' }, who.cookie))).toBe('409 state_wrong')
    const voided = data<FactorProposal>(await post('/factor', {}, who.cookie))
    const { secret, uri } = data<FactorProposal>(await post('/factor', {}, who.cookie))
    expect(uri).toContain(`secret=${secret}`)
    expect(said(await post('/factor/confirm', { code: stage.code(voided.secret) }, who.cookie))).toBe('401 code_wrong')
    later(stepMs)
    const second = data<Me>(await program(who, stage.code(who.totpSecret))).token!
    expect(said(await meOf(second))).toBe('200 ok')
    data(await post('/factor/confirm', { code: stage.code(secret) }, who.cookie))
    expect([said(await me(who.cookie)), said(await meOf(second))]).toEqual(['200 ok', '401 login_required'])
    later(stepMs)
    expect(said(await login(who, stage.code(who.totpSecret)))).toBe('401 login_failed')
    later(2_000)
    expect(said(await login(who, stage.code(secret)))).toBe('200 ok')
    expect(stage.rows()).toContain('quinn operator.factor operator quinn')
  })

  test('each recovery code stands in for one code of the second factor, once, and with the password alone', async () => {
    const [who, other] = [await stage.operator('rosa', ['viewer']), await stage.operator('ruth', ['viewer'])]
    const left = async () => data<{ left: number }>(await stage.ask('GET', '/recovery', { cookie: who.cookie })).left
    expect(await left()).toBe(0)
    const old = data<RecoveryCodes>(await post('/recovery', {}, who.cookie)).codes[0]!
    const { codes } = data<RecoveryCodes>(await post('/recovery', {}, who.cookie))
    expect([new Set(codes).size, await left()]).toEqual([10, 10])
    expect(codes[0]).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/)
    const kept = JSON.stringify(await database.db.selectFrom('config_operator_recovery').selectAll().execute())
    for (const code of codes) expect(kept).not.toContain(code.replaceAll('-', ''))
    const [first, second] = codes as [string, string]
    const tries: [Pick<TestOperator, 'name' | 'password'>, string, string][] = [
      [who, old, '401 login_failed'],
      [other, first, '401 login_failed'],
      [{ ...who, password: 'wrong river 2468 sand' }, first, '401 login_failed'],
      [who, first.toUpperCase().replaceAll('-', ' '), '200 ok'],
      [who, first, '401 login_failed'],
    ]
    for (const [whose, code, answer] of tries) {
      later(stepMs)
      expect(`${code} ${said(await program(whose, code))}`).toBe(`${code} ${answer}`)
    }
    expect(await left()).toBe(9)
    expect(stage.rows()).toContain('rosa operator.recovery_used operator rosa')
    // A reset voids them all.
    const admin = await stage.operator('roy', ['administrator'])
    data(await post(`/operators/${who.id}/reset`, {}, admin.cookie))
    expect(said(await login(who, second))).toBe('401 login_failed')
    expect(await database.db.selectFrom('config_operator_recovery').where('operator_id', '=', who.id).selectAll().execute()).toEqual([])
  })
})
