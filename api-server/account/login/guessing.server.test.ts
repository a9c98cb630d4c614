import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressLimits } from '#api-server/account/login/guess-limits.ts'
import { triesLimits } from '#server-kit/security/tries.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { bearing, codeTo, dataOf, later, mailbox, makeUser, wrongCode } from '#tests/support/people/accounts.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { refusal } from '#tests/support/servers/envelope.ts'

const many = <T>(count: number, one: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => one(i)))
const tally = (refusals: string[]): Record<string, number> => {
  const found: Record<string, number> = {}
  for (const name of refusals) found[name] = (found[name] ?? 0) + 1
  return found
}

onEngines('guessing', (engine) => {
  let api: TestApi
  beforeAll(async () => {
    api = await startApi({ place: await engine.place(), standing: true })
  })
  afterAll(() => api?.close())
  const login = (username: string, password: string, more: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    api.post('/api/user/login', { username, password, ...more }, headers)

  test.each([
    ['an account', async () => (await makeUser(api)).username],
    ['nobody', async () => 'nobody@mail.example'],
  ])('passwords of %s: fifty at once, each from another claimed address, are a few tries; then each waits longer', async (_name, whose) => {
    const username = await whose()
    const refusals = await many(50, async (i) => refusal(await login(username, `guess-${i}`, {}, { 'x-forwarded-for': `203.0.113.${i}` })))
    const { '403 login_failed': made = 0, '429 too_many_tries': kept } = tally(refusals)
    // Three follow each other freely.
    expect(made).toBe(3)
    expect(made + kept!).toBe(50)
    const refused = await login(username, 'guess')
    expect(Number(refused.headers['retry-after'])).toBe(refused.json<{ retry_after: number }>().retry_after)
    let tries = made
    for (let second = 0; second < 700; second += 20) {
      await later(api, 20_000)
      if (refusal(await login(username, 'guess')) === '403 login_failed') tries++
    }
    expect(tries).toBe(triesLimits.triesMax)
  })

  test('the owner gets in on a known device while strangers are kept out, and afterwards everywhere', async () => {
    const { username, password, device } = await makeUser(api)
    const stranger = await makeUser(api)
    for (let i = 0; i < 4; i++) await login(username, 'guess')
    expect(refusal(await login(username, password))).toBe('429 too_many_tries')
    expect(refusal(await login(username, password, { device: stranger.device }))).toBe('429 too_many_tries')
    expect(dataOf(await login(username, password, { device })).device).toBe(device)
    for (let i = 0; i < 3; i++) expect(refusal(await login(username, 'guess', { device }))).toBe('403 login_failed')
    expect(refusal(await login(username, password, { device }))).toBe('429 too_many_tries')
    await later(api, triesLimits.windowMs)
    dataOf(await login(username, password))
  })

  test('a right password clears the count, a wrong one in a session counts too', async () => {
    const { username, password, token } = await makeUser(api)
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 2; i++) expect(refusal(await login(username, 'guess'))).toBe('403 login_failed')
      dataOf(await login(username, password))
    }
    const confirm = () => api.post('/api/user/totpRemove', { password: 'guess', code: '123456' }, bearing(token))
    const refusals = tally(await many(20, async () => refusal(await confirm())))
    expect(Object.keys(refusals).sort()).toEqual(['403 password_wrong password', '429 too_many_tries'])
    expect(refusals['403 password_wrong password']).toBeLessThanOrEqual(6)
  })

  describe('codes', () => {
    const reset = (account: string, code: string) => api.post('/api/user/resetpwd', { account, newpassword: 'green-horse-18', code })

    test('five wrong ones make a code void, however many come at once; then only a new one helps', async () => {
      const { username, password } = await makeUser(api)
      dataOf(await api.post('/api/sms_mail', { user_string: username, scene: 'reset_password' }))
      const code = await codeTo(api, username)
      const refusals = await many(60, async () => refusal(await reset(username, wrongCode(code))))
      expect(tally(refusals)).toEqual({ '400 code_wrong code': 5, '400 code_void code': 55 })
      expect(refusal(await reset(username, code))).toBe('400 code_void code')
      dataOf(await login(username, password))
      await later(api, 60_000)
      dataOf(await api.post('/api/sms_mail', { user_string: username, scene: 'reset_password' }))
      dataOf(await reset(username, await codeTo(api, username)))
    })
    test('one code at once many times is one change', async () => {
      const { username } = await makeUser(api)
      dataOf(await api.post('/api/sms_mail', { user_string: username, scene: 'reset_password' }))
      const code = await codeTo(api, username)
      const statuses = await many(10, async () => (await reset(username, code)).status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect((await mailbox(api, username)).filter(({ kind }) => kind === 'notice:password_changed')).toHaveLength(1)
    })
    test.each([
      ['a visitor', 'register'],
      ['a visitor', 'reset_password'],
      ['the owner', 'withdraw'],
    ])('one a minute and ten a day go to an address when %s asks for %s, by whatever call', async (who, scene) => {
      const { username, token } = await makeUser(api)
      const visits = who === 'a visitor'
      const headers = visits ? {} : bearing(token)
      const ways = [
        () => api.post('/api/sms_mail', { scene, ...(visits && { user_string: username }) }, headers),
        () => api.post('/api/ems/send', { event: scene, ...(visits && { email: username }) }, headers),
      ]
      const answers = await many(12, (i) => ways[i % 2]!())
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(refusal(answers.find(({ status }) => status !== 200)!)).toBe('429 code_too_soon')
      let sent = 1
      for (let i = 0; i < 12; i++) {
        await later(api, 60_000)
        const answer = await ways[i % 2]!()
        if (answer.status === 200) sent++
        else expect(refusal(answer)).toBe('429 code_daily_limit')
      }
      expect(sent).toBe(10)
      expect((await mailbox(api, username)).filter(({ code }) => code)).toHaveLength(10)
    })
    test('a code is looked at without being used up', async () => {
      dataOf(await api.post('/api/sms_send', { user_string: '13900139000', scene: 'register' }))
      const code = await codeTo(api, '+86 13900139000')
      const check = (captcha: string) => api.post('/api/user/check_mobile', { mobile: '13900139000', captcha })
      expect(refusal(await check(wrongCode(code)))).toBe('400 code_wrong captcha')
      for (let i = 0; i < 3; i++) expect(dataOf(await check(code))).toEqual({ available: true })
      const account = { username: '13900139000', code, password: 'blue-horse-17', re_password: 'blue-horse-17' }
      dataOf(await api.post('/api/user/register', account))
      expect(refusal(await check(code))).toBe('400 code_wrong captcha')
      expect(dataOf(await api.post('/api/user/check_mobile', { mobile: '13900139000' }))).toEqual({ available: false })
    })
    test('many codes do not repeat, and none stands in the database', async () => {
      const codes = new Set<string>()
      for (let i = 0; i < 30; i++) {
        dataOf(await api.post('/api/sms_mail', { user_string: `m${i}@mail.example`, scene: 'register' }))
        codes.add(await codeTo(api, `m${i}@mail.example`))
      }
      expect(codes.size).toBeGreaterThan(28)
      const { db } = api.database
      const kept = await Promise.all([db.selectFrom('code').selectAll().execute(), db.selectFrom('outbox').selectAll().execute()])
      const text = kept
        .flat()
        .flatMap((row) => Object.values(row).map((value) => (Buffer.isBuffer(value) ? `"${value.toString('latin1')}"` : `"${value}"`)))
      for (const code of codes) expect(text.some((value) => value.includes(code) && !/^"\d{13}"$/.test(value))).toBe(false)
    })
  })
})

describe('one address', () => {
  let api: TestApi
  beforeAll(async () => {
    const { mkdtempSync } = await import('node:fs')
    const { tmpdir } = await import('node:os')
    api = await startApi({
      place: { dataDir: mkdtempSync(`${tmpdir()}/tessera-store-`) },
      addressLimits: { ...addressLimits, failedLoginsLoopback: 20 },
    })
  })
  afterAll(() => api?.close())

  test('may ask five times an hour whether an account exists, whatever it claims to be', async () => {
    const ask = async (i: number) => {
      const headers = { 'x-forwarded-for': `203.0.113.${i}` }
      const [path, fields] =
        i % 2 ? (['email', { email: `a${i}@mail.example` }] as const) : (['mobile', { mobile: `1380013800${i % 10}` }] as const)
      return api.post(`/api/user/check_${path}`, fields, headers)
    }
    const answers = await many(12, ask)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    const refused = answers.find(({ status }) => status !== 200)!
    expect(refusal(refused)).toBe('429 too_many_requests')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000)
  })
  test('may fail at so many logins only, whoever they name', async () => {
    // A name that is none counts for nothing.
    const none = await many(40, (i) => api.post('/api/user/login', { username: `139 ${i}`, password: 'guess' }))
    expect(tally(none.map(refusal))).toEqual({ '400 mobile_wrong username': 40 })
    const answers = await many(30, (i) => api.post('/api/user/login', { username: `a${i}@mail.example`, password: 'guess' }))
    expect(tally(answers.map(refusal))).toEqual({ '403 login_failed': 20, '429 too_many_tries': 10 })
  })
})
