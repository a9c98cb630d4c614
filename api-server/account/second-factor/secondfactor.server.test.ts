import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { badTexts, nameOf } from '#tests/support/bad-inputs.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { bearing, codeTo, dataOf, later, type Made, mailbox, makeUser } from '#tests/support/people/accounts.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { refusal } from '#tests/support/servers/envelope.ts'

const stepMs = 30_000

onEngines('the second factor', (engine) => {
  let api: TestApi
  beforeAll(async () => {
    api = await startApi({ place: await engine.place() })
  })
  afterAll(() => api?.close())
  const now = (secret: string, steps = 0) => generateSync({ secret, epoch: Math.floor(api.clock.now() / 1_000) + steps * 30 })
  const login = ({ username, password }: Pick<Made, 'username' | 'password'>, totp?: string) =>
    api.post('/api/user/login', { username, password, ...(totp !== undefined && { totp }) })
  const info = (token: string) => api.get('/api/user/info', bearing(token))

  test('it is shown, confirmed with a code and the password, and asked for from then on', async () => {
    const user = await makeUser(api)
    const other = dataOf<{ token: string }>(await login(user)).token
    const setUp = () => api.post('/api/user/totpSetup', {}, bearing(user.token))
    const confirm = (code: string, password = user.password) => api.post('/api/user/totpConfirm', { code, password }, bearing(user.token))
    expect(refusal(await confirm('123456'))).toBe('409 second_factor_not_set_up')
    const { secret, uri } = dataOf<{ secret: string; uri: string }>(await setUp())
    expect(uri).toContain(`secret=${secret}`)
    expect(uri).toMatch(/^otpauth:\/\/totp\/Tessera:/)
    expect(dataOf<{ secret: string }>(await setUp()).secret).toBe(secret)
    dataOf(await login(user))
    expect(refusal(await confirm(now(secret), 'wrong'))).toBe('403 password_wrong password')
    expect(refusal(await confirm('000000'))).toBe('403 second_factor_wrong code')
    const { recovery_codes, withdraw_hold_until } = dataOf<{ recovery_codes: string[]; withdraw_hold_until: number }>(
      await confirm(now(secret)),
    )
    expect(new Set(recovery_codes).size).toBe(10)
    expect(withdraw_hold_until).toBeGreaterThan(api.clock.now())
    expect(dataOf(await info(user.token)).totp).toBe(true)
    expect(refusal(await info(other))).toBe('401 unauthorized')
    expect(refusal(await setUp())).toBe('409 second_factor_on')
    expect(refusal(await confirm(now(secret)))).toBe('409 second_factor_on')
    expect(refusal(await login(user))).toBe('403 second_factor_required totp')
    expect((await login({ ...user, password: 'wrong' })).text).toBe(
      (await login({ username: 'nobody@mail.example', password: 'wrong' })).text,
    )
    expect((await mailbox(api, user.username)).map(({ kind }) => kind)).toContain('notice:second_factor_on')
  })

  test('a secret that waits is shown to the session that asked for it and to no other, and confirmed by it alone', async () => {
    const user = await makeUser(api)
    const other = dataOf<{ token: string }>(await login(user)).token
    const setUp = async (token: string) => dataOf<{ secret: string }>(await api.post('/api/user/totpSetup', {}, bearing(token))).secret
    const confirm = (token: string, secret: string) =>
      api.post('/api/user/totpConfirm', { code: now(secret), password: user.password }, bearing(token))
    const theirs = await setUp(other)
    const own = await setUp(user.token)
    expect(own).not.toBe(theirs)
    expect(refusal(await confirm(other, own))).toBe('409 second_factor_not_set_up')
    dataOf(await confirm(user.token, own))
    await later(api, stepMs)
    expect(refusal(await login(user, now(theirs)))).toBe('403 second_factor_wrong totp')
    dataOf(await login(user, now(own)))
  })

  test('a code opens once: not again in its step, not an older one, not one of somebody else', async () => {
    const [ann, bob] = [await makeUser(api, { totp: '1' }), await makeUser(api, { totp: '1' })]
    const code = now(ann.totp_secret!)
    expect(refusal(await login(ann, now(bob.totp_secret!)))).toBe('403 second_factor_wrong totp')
    dataOf(await login(ann, code))
    expect(refusal(await login(ann, code))).toBe('403 second_factor_wrong totp')
    expect(refusal(await login(ann, now(ann.totp_secret!, -1)))).toBe('403 second_factor_wrong totp')
    await later(api, stepMs)
    dataOf(await login(ann, now(ann.totp_secret!)))
    await later(api, 3 * stepMs)
    expect(refusal(await login(ann, now(ann.totp_secret!, -2)))).toBe('403 second_factor_wrong totp')
    dataOf(await login(ann, now(ann.totp_secret!, 1)))
  })

  test('the same code ten times at once opens one session', async () => {
    const user = await makeUser(api, { totp: '1' })
    const code = now(user.totp_secret!)
    const answers = await Promise.all(Array.from({ length: 10 }, () => login(user, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('a recovery code opens once, is told, and is kept as a hash', async () => {
    const user = await makeUser(api, { totp: '1' })
    const [first, second] = user.recovery_codes as [string, string]
    dataOf(await login(user, first.toUpperCase().replace('-', ' ')))
    expect(refusal(await login(user, first))).toBe('403 second_factor_wrong totp')
    dataOf(await login(user, second))
    expect((await mailbox(api, user.username)).filter(({ kind }) => kind === 'notice:recovery_code_used')).toHaveLength(2)
    const rows = await api.database.db.selectFrom('recovery_code').selectAll().where('account_id', '=', user.uid).execute()
    expect(rows).toHaveLength(10)
    for (const { hash } of rows) expect(hash).toHaveLength(32)
  })

  test('guesses are few, whatever stands between them, and do not lock the password', async () => {
    const user = await makeUser(api, { totp: '1' })
    const outcomes = new Set<string>()
    let tries = 0
    for (let i = 0; i < 30; i++) {
      await login(user)
      const said = refusal(await login(user, String(100_000 + i)))
      outcomes.add(said)
      if (said.startsWith('403')) tries++
      await later(api, 10_000)
    }
    expect([...outcomes].sort()).toEqual(['403 second_factor_wrong totp', '429 too_many_tries'])
    expect(tries).toBeLessThanOrEqual(10)
    expect(refusal(await login(user))).toBe('403 second_factor_required totp')
  })

  test('its secret is sealed at rest, and moved to another account it opens nothing', async () => {
    const [ann, bob] = [await makeUser(api, { totp: '1' }), await makeUser(api, { totp: '1' })]
    const { db } = api.database
    const row = await db.selectFrom('second_factor').selectAll().where('account_id', '=', ann.uid).executeTakeFirstOrThrow()
    expect(row.secret[0]).toBe(1)
    expect(row.secret.toString('latin1')).not.toContain(ann.totp_secret!.slice(0, 6))
    await db.updateTable('second_factor').set({ secret: row.secret }).where('account_id', '=', bob.uid).execute()
    expect(refusal(await login(bob, now(ann.totp_secret!)))).toBe('500 internal')
  })

  test('it stays in the way of a forgotten password, and goes with the password and a code', async () => {
    const user = await makeUser(api, { totp: '1' })
    dataOf(await api.post('/api/sms_mail', { user_string: user.username, scene: 'reset_password' }))
    const fields = { account: user.username, newpassword: 'green-horse-18', code: await codeTo(api, user.username) }
    expect(refusal(await api.post('/api/user/resetpwd', fields))).toBe('403 second_factor_required totp')
    expect(refusal(await api.post('/api/user/resetpwd', { ...fields, totp: '000000' }))).toBe('403 second_factor_wrong totp')
    dataOf(await api.post('/api/user/resetpwd', { ...fields, totp: now(user.totp_secret!) }))
    await later(api, stepMs)
    const { token } = dataOf<{ token: string }>(await login({ ...user, password: 'green-horse-18' }, now(user.totp_secret!)))
    await later(api, stepMs)
    const remove = (code: string, password = 'green-horse-18') => api.post('/api/user/totpRemove', { code, password }, bearing(token))
    expect(refusal(await remove(now(user.totp_secret!), 'wrong'))).toBe('403 password_wrong password')
    expect(refusal(await remove('000000'))).toBe('403 second_factor_wrong code')
    dataOf(await remove(now(user.totp_secret!)))
    expect(refusal(await remove(now(user.totp_secret!)))).toBe('409 second_factor_off')
    dataOf(await login({ ...user, password: 'green-horse-18' }))
  })

  test.each(badTexts('otp', 'sql', 'xss').map((line) => [nameOf(line), line.value] as const))('as a factor: %s', async (_name, value) => {
    const user = await makeUser(api, { totp: '1' })
    const said = refusal(await login(user, value))
    expect(said).toMatch(/^403 second_factor_wrong totp$|^400 parameter_error totp$|^400 text_too_long totp$/)
  })
})
