import { generate } from 'otplib'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sessionLimits } from '#api-server/account/sessions/session.rules.ts'
import { badTexts, nameOf } from '#tests/support/bad-inputs.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { eventually } from '#tests/support/eventually.ts'
import { bearing, codeTo, dataOf, later, mailbox, makeUser } from '#tests/support/people/accounts.ts'
import { freezeAccount } from '#tests/support/people/freeze.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { refusal } from '#tests/support/servers/envelope.ts'

const phone = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36'

onEngines('sessions', (engine) => {
  let api: TestApi
  beforeAll(async () => {
    api = await startApi({ place: await engine.place() })
  })
  afterAll(() => api?.close())
  const login = (user: { username: string; password: string }, headers: Record<string, string> = {}) =>
    api.post('/api/user/login', { username: user.username, password: user.password }, headers)
  const info = (token: string) => api.get('/api/user/info', bearing(token))

  test('a token has 256 bits, is new at each login and stands nowhere in the database', async () => {
    const user = await makeUser(api)
    const tokens = [user.token]
    for (let i = 0; i < 5; i++) tokens.push(dataOf<{ token: string }>(await login(user)).token)
    expect(new Set(tokens).size).toBe(6)
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const rows = await api.database.db.selectFrom('session').selectAll().execute()
    const devices = await api.database.db.selectFrom('device').selectAll().execute()
    const kept = [...rows, ...devices]
      .flatMap((row) => Object.values(row))
      .map((value) => (Buffer.isBuffer(value) ? value.toString('base64url') : String(value)))
    for (const secret of [...tokens, user.device]) expect(kept.some((value) => value.includes(secret))).toBe(false)
  })

  test('the list says where; one ends, then all others; nobody ends those of somebody else', async () => {
    const [user, other] = [await makeUser(api), await makeUser(api)]
    const second = dataOf<{ token: string }>(await login(user, { 'user-agent': phone, 'agent-id': 'partner-7' })).token
    const third = dataOf<{ token: string }>(await login(user)).token
    const list = async (token: string) =>
      dataOf<{ list: { id: string; device: string; agent: string; current: boolean }[] }>(
        await api.get('/api/user/sessions', bearing(token)),
      ).list
    const shown = await list(second)
    expect(shown).toHaveLength(3)
    expect(shown[0]).toMatchObject({ device: 'Chrome · Android', agent: 'partner-7', current: true, ip: '127.0.0.1' })
    expect(JSON.stringify(shown)).not.toContain(second)
    const end = (token: string, id: string, password = user.password) => api.post('/api/user/endSession', { id, password }, bearing(token))
    const endOthers = (fields: Record<string, string>) => api.post('/api/user/endOtherSessions', fields, bearing(second))
    const [foreign] = await list(other.token)
    expect(refusal(await end(second, foreign!.id))).toBe('404 not_found id')
    expect(refusal(await end(second, 'nothing'))).toBe('404 not_found id')
    dataOf(await info(other.token))
    const [own] = await list(third)
    expect(refusal(await end(second, own!.id, 'wrong'))).toBe('403 password_wrong password')
    expect(refusal(await api.post('/api/user/endSession', { id: own!.id }, bearing(second)))).toBe('400 parameter_missing password')
    expect(refusal(await endOthers({}))).toBe('400 parameter_missing password')
    expect(refusal(await endOthers({ password: 'wrong' }))).toBe('403 password_wrong password')
    expect(await list(second)).toHaveLength(3)
    dataOf(await end(second, own!.id))
    expect(refusal(await info(third))).toBe('401 unauthorized')
    expect(dataOf(await endOthers({ password: user.password }))).toEqual({ ended: 1 })
    expect(refusal(await info(user.token))).toBe('401 unauthorized')
    expect(await list(second)).toHaveLength(1)
  })

  test('logout ends it; a login with a token ends that one; a login on a strange device is a notice in the language of its owner', async () => {
    const user = await makeUser(api)
    const second = dataOf<{ token: string }>(await login(user, bearing(user.token, { 'user-agent': phone, lang: 'fr' }))).token
    expect(refusal(await info(user.token))).toBe('401 unauthorized')
    const [mail, ...more] = await mailbox(api, user.username)
    expect([mail?.kind, more]).toEqual(['notice:new_login', []])
    expect(mail?.text).toContain('New login from an unknown device: Chrome · Android · 127.0.0.1.')
    expect(mail?.text).toContain('If this was not you, change your password')
    const { list } = dataOf<{ list: unknown[] }>(await api.get('/api/notice/list', bearing(second)))
    expect(list).toMatchObject([{ kind: 'new_login', figures: { name: 'Chrome · Android · 127.0.0.1' }, toast: true, seen: null }])
    dataOf(await api.get('/api/user/logout', bearing(second)))
    expect(refusal(await info(second))).toBe('401 unauthorized')
    expect(refusal(await api.get('/api/user/logout', bearing(second)))).toBe('401 unauthorized')
    const third = await api.post('/api/user/login', { username: user.username, password: user.password, device: user.device })
    dataOf(third)
    expect(await mailbox(api, user.username)).toHaveLength(1)
  })

  test('it ends when it is idle, and in any case in the end', async () => {
    const user = await makeUser(api)
    const busy = await makeUser(api)
    for (let day = 0; day < 29; day += 5) {
      dataOf(await info(busy.token))
      await later(api, 5 * 24 * 3_600_000)
    }
    expect(refusal(await info(user.token))).toBe('401 unauthorized')
    expect(refusal(await info(busy.token))).toBe('401 unauthorized')
    const third = await makeUser(api)
    await later(api, sessionLimits.idleMs - 1_000)
    dataOf(await info(third.token))
  })

  test.each(
    badTexts('auth-token', 'sql', 'log')
      .filter(({ value }) => !/[\r\n\0]|[^\x20-\xff]/.test(value))
      .map((line) => [nameOf(line), line.value] as const),
  )('as a token: %s', async (_name, value) => {
    const { token } = await makeUser(api)
    for (const header of [value, `Bearer ${value}`, token.toUpperCase(), `${token}=`, `${token} `.repeat(2)]) {
      const answer = await api.get('/api/user/info', { authorization: header })
      expect(answer.status === 431 || refusal(answer) === '401 unauthorized', header.slice(0, 60)).toBe(true)
    }
    expect(refusal(await api.get(`/api/user/info?token=${token}`))).toBe('401 unauthorized')
    dataOf(await api.get('/api/user/info', { authorization: `Bearer ${token}` }))
  })

  test('an account keeps twenty sessions; the one that was used longest ago gives way', async () => {
    const user = await makeUser(api)
    await later(api, 1_000)
    for (let i = 0; i < 20; i++)
      dataOf(await api.post('/api/user/login', { username: user.username, password: user.password, device: user.device }))
    expect(refusal(await info(user.token))).toBe('401 unauthorized')
  })

  test('a frozen account is out everywhere; its customer logs in to read, and is told', async () => {
    const user = await makeUser(api)
    await freezeAccount(api, user.uid, true)
    expect(refusal(await info(user.token))).toBe('401 unauthorized')
    expect(refusal(await login({ ...user, password: 'wrong' }))).toBe('403 login_failed')
    const { token } = dataOf<{ token: string }>(await login(user))
    expect(dataOf(await info(token))).toMatchObject({ uid: user.uid, frozen: true })
    const rename = () => api.post('/api/user/editNickname', { nickname: 'other' }, bearing(token))
    expect(refusal(await rename())).toBe('403 account_frozen')
    await freezeAccount(api, user.uid, false)
    expect(refusal(await info(user.token))).toBe('401 unauthorized')
    expect(dataOf(await info(token))).toMatchObject({ frozen: false })
    expect(dataOf(await rename())).toMatchObject({ nickname: 'other' })
  })

  test('a hash with older parameters still opens, and is made anew', async () => {
    const { hash } = await import('@node-rs/argon2')
    const user = await makeUser(api)
    const row = () => api.database.db.selectFrom('account').select('password_hash').where('id', '=', user.uid).executeTakeFirstOrThrow()
    const dated = await hash(user.password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
    await api.database.db.updateTable('account').set({ password_hash: dated }).where('id', '=', user.uid).execute()
    expect(refusal(await login({ ...user, password: 'wrong' }))).toBe('403 login_failed')
    expect((await row()).password_hash).toBe(dated)
    dataOf(await login(user))
    expect((await row()).password_hash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
    dataOf(await login(user))
  })

  if (engine.name !== 'postgres') return
  const nodes: TestApi[] = []
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.close()
  })
  test('on two nodes without a bus: what ends on one has ended on the other within five seconds', { tags: 'full' }, async () => {
    const place = await engine.place()
    const [one, two] = [await startApi({ place }), await startApi({ place })]
    nodes.push(one, two)
    const user = await makeUser(one)
    const second = dataOf<{ token: string }>(await two.post('/api/user/login', { username: user.username, password: user.password })).token
    for (const node of nodes) for (const token of [user.token, second]) dataOf(await node.get('/api/user/info', bearing(token)))
    dataOf(await one.post('/api/ems/send', { event: 'change_password' }, bearing(user.token)))
    const fields = { password: user.password, newpassword: 'green-horse-18', code: await codeTo(one, user.username) }
    dataOf(await one.post('/api/user/resetpwd', fields, bearing(user.token)))
    expect(refusal(await one.get('/api/user/info', bearing(second)))).toBe('401 unauthorized')
    await eventually(async () => refusal(await two.get('/api/user/info', bearing(second)))).toBe('401 unauthorized')
    dataOf(await two.get('/api/user/info', bearing(user.token)))
    dataOf(await one.get('/api/user/logout', bearing(user.token)))
    await eventually(async () => refusal(await two.get('/api/user/info', bearing(user.token)))).toBe('401 unauthorized')
  })
  test('a node with another key does not start on the same database', async () => {
    const place = await engine.place()
    nodes.push(await startApi({ place }))
    await expect(startApi({ place, env: { SECRET_KEY: 'another key that is long enough for it' } })).rejects.toThrow(/SECRET_KEY/)
  })
  test('a node that lacks one of the keys does not start, and one that has all of them reads what each has sealed', async () => {
    const place = await engine.place()
    const [first, second, third] = ['first', 'second', 'third'].map((name) => `the ${name} key, long enough for all of it`)
    const start = async (newest: string, ...older: string[]) => {
      const node = await startApi({ place, env: { SECRET_KEY: newest, SECRET_KEYS_OLD: older.join('\n') } })
      nodes.push(node)
      return node
    }
    const stop = async () => {
      for (const node of nodes.splice(0)) await node.close()
    }
    const before = await start(first!)
    const user = await makeUser(before, { totp: '1' })
    const login = async (node: TestApi) =>
      dataOf(
        await node.post('/api/user/login', {
          username: user.username,
          password: user.password,
          totp: await generate({ secret: user.totp_secret!, epoch: Math.floor(node.clock.now() / 1_000) }),
        }),
      )
    await stop()
    await login(await start(second!, first!))
    await stop()
    for (const keys of [[first], [second], [first, second], [third, second], [third, first]] as string[][])
      await expect(start(keys[0]!, ...keys.slice(1)), keys.join()).rejects.toThrow(/SECRET_KEYS_OLD/)
    const last = await start(third!, second!, first!)
    await last.post('/test/clock', { now: String(last.clock.now() + 61_000) })
    await login(last)
  })
})
