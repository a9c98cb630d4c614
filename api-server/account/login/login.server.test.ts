import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loginOf } from '#contract/rules/contact.rules.ts'
import { write } from '#server-kit/db/db.ts'
import { outsideTransactions } from '#server-kit/db/guarded-driver.ts'
import { createHasher } from '#server-kit/security/hasher.ts'
import { badInputs, badTexts, nameOf } from '#tests/support/bad-inputs.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { cases } from '#tests/support/one-rule.ts'
import { bearing, codeTo, dataOf, later, mailbox, makeUser, wrongCode } from '#tests/support/people/accounts.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { refusal } from '#tests/support/servers/envelope.ts'

const good = 'blue-horse-17'

onEngines('login', (engine) => {
  let api: TestApi
  beforeAll(async () => {
    api = await startApi({ place: await engine.place() })
  })
  afterAll(() => api?.close())
  let count = 0
  const fresh = () => `new${++count}@mail.example`
  const register = (fields: Record<string, string>) => api.post('/api/user/register', { password: good, re_password: good, ...fields })
  const login = (username: string, password: string, more: Record<string, string> = {}) =>
    api.post('/api/user/login', { username, password, ...more })
  const accounts = async () => (await api.database.db.selectFrom('account').select('id').execute()).length

  /** How many wait for a row that another transaction holds. */
  const waiting = async () =>
    (
      await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(api.database.db)
    ).rows[0]?.n

  async function proved(email = fresh()) {
    dataOf(await api.post('/api/sms_mail', { user_string: email, scene: 'register' }))
    return { username: email, code: await codeTo(api, email) }
  }

  test('whoever proves an address gets an account, a session and an invite code of their own', async () => {
    const inviter = await makeUser(api)
    const { username, code } = await proved()
    const opened = dataOf<{ token: string; uid: number }>(
      await register({ username: username.toUpperCase(), code, mpassword: '246813', extension_code: inviter.invite_code.toLowerCase() }),
    )
    const info = dataOf(await api.get('/api/user/info', bearing(opened.token)))
    expect(info).toMatchObject({
      uid: opened.uid,
      has_email: true,
      has_mobile: false,
      has_pay_password: true,
      signature: '',
      head_portrait: '',
      credit_score: 100,
      totp: false,
      level: 0,
      demo: false,
    })
    expect(info.email).toBe('n***@mail.example')
    expect(Object.values(info)).not.toContain(username)
    expect(dataOf(await api.get('/api/user/invite', bearing(inviter.token)))).toMatchObject({
      code: inviter.invite_code,
      invited: 1,
      invited_second: 0,
    })
    const second = await proved()
    dataOf(await register({ ...second, extension_code: String(info.invite_code) }))
    expect(dataOf(await api.get('/api/user/invite', bearing(inviter.token)))).toMatchObject({ invited: 1, invited_second: 1 })
    expect(dataOf(await login(` ${username.toUpperCase()} `, good)).uid).toBe(opened.uid)
  })

  test
    .runIf(engine.name === 'postgres')
    .each<[string, () => Promise<{ password_hash: string }>, string]>([
      [
        'given another password',
        async () => ({ password_hash: await (await createHasher()).hash('another sober sailor') }),
        '403 login_failed',
      ],
    ])('a login that is under way while the account is %s opens nothing', async (_what, change, refused) => {
    const user = await makeUser(api)
    const { db } = api.database
    const changed = await change()
    let entering: ReturnType<typeof login> | undefined
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('account').set(changed).where('id', '=', user.uid).execute()
      await tx.deleteFrom('session').where('account_id', '=', user.uid).execute()
      entering = outsideTransactions(() => login(user.username, user.password))
      await expect.poll(() => outsideTransactions(waiting)).toBe(1)
    })
    expect(refusal(await entering!)).toBe(refused)
    expect(await db.selectFrom('session').select('id').where('account_id', '=', user.uid).execute()).toEqual([])
  })

  test.runIf(engine.name === 'postgres')(
    'a change that is under way while its session ends with another password is not made',
    async () => {
      const user = await makeUser(api)
      const { db } = api.database
      dataOf(await api.post('/api/ems/send', { event: 'bind_email', email: 'thief@mail.example' }, bearing(user.token)))
      const fields = { email: 'thief@mail.example', code: await codeTo(api, 'thief@mail.example'), password: user.password }
      let changing: ReturnType<typeof api.post> | undefined
      await db.transaction().execute(async (tx) => {
        await tx.updateTable('account').set({ password_hash: 'another' }).where('id', '=', user.uid).execute()
        await tx.deleteFrom('session').where('account_id', '=', user.uid).execute()
        changing = outsideTransactions(() => api.post('/api/safe/email', fields, bearing(user.token)))
        await expect.poll(() => outsideTransactions(waiting)).toBe(1)
      })
      expect(refusal(await changing!)).toBe('401 unauthorized')
      expect(await db.selectFrom('account').select('email').where('id', '=', user.uid).executeTakeFirst()).toEqual({ email: user.username })
    },
  )

  test('a mobile number opens an account too, and logs in with its area', async () => {
    dataOf(await api.post('/api/sms_send', { user_string: '7911 123456', scene: 'register', area_code: '44' }))
    const code = await codeTo(api, '+44 7911123456')
    dataOf(await register({ username: '07911123456', area_code: '+44', code, type: 'mobile' }))
    expect(refusal(await login('7911123456', good))).toBe('400 mobile_wrong username')
    const { token } = dataOf<{ token: string }>(await login('7911123456', good, { area_code: '44' }))
    expect(dataOf(await api.get('/api/user/info', bearing(token)))).toMatchObject({ mobile: '+44 791****3456', has_mobile: true })
  })

  test('however a number is written, it is one account: to register, to log in, for a code, for a new password', async () => {
    const writings = cases.mobiles.filter(({ stored }) => stored === '+86 13912345678')
    const [first, ...others] = writings.map(({ area, text }) => ({ area, text }))
    dataOf(await api.post('/api/sms_send', { user_string: first!.text, scene: 'register', area_code: first!.area }))
    const code = await codeTo(api, '+86 13912345678')
    dataOf(await register({ username: others[0]!.text, area_code: others[0]!.area, code, type: 'mobile' }))
    expect(writings.length).toBeGreaterThan(6)
    for (const { area, text } of writings) {
      dataOf(await login(text, good, { area_code: area }))
      const asked = { mobile: text, area_code: area }
      expect(dataOf(await api.post('/api/user/check_mobile', asked)), text).toEqual({ available: false })
      await later(api, 3_600_000)
      const forgot = { user_string: text, scene: 'reset_password', area_code: area }
      expect(dataOf(await api.post('/api/sms_send', forgot)), text).toMatchObject({ target: '+86 139****5678' })
    }
  })

  test('a number is found however its owner writes it', async () => {
    const rows = [
      ['+225 0798765432', '225', '07 98 76 54 32'],
      ['+229 0198765432', '229', '0198765432'],
      ['+7 9261234567', '7', '8 926 123-45-67'],
      ['+36 209876543', '36', '06 20 987 6543'],
      ['+1684 7339876', '1684', '733-9876'],
      ['+852 59876543', '852', '59876543'],
    ] as const
    for (const [mobile, area_code, typed] of rows) {
      const user = await makeUser(api)
      await write(1, api.database.db.updateTable('account').set({ mobile }).where('id', '=', user.uid).returning('id'))
      expect(dataOf<{ uid: number }>(await login(typed, user.password, { area_code })).uid).toBe(Number(user.uid))
    }
  })

  test('a name that no account can have is refused as such, and is no guess at a password', async () => {
    for (const { area, text, kind } of cases.logins.filter(({ stored }) => stored === ''))
      for (let i = 0; i < 8; i++)
        expect(refusal(await login(text, 'guess', { area_code: area })), text).toBe(
          `400 ${kind === 'email' ? 'email' : 'mobile'}_wrong username`,
        )
  })

  const wrong: [name: string, change: Record<string, string>, refused: string][] = [
    ['passwords differ', { re_password: `${good}x` }, '400 passwords_differ re_password'],
    ['short password', { password: 'short-1', re_password: 'short-1' }, '400 password_too_short password'],
    ['common password', { password: 'password1', re_password: 'password1' }, '400 password_common password'],
    ['long password', { password: 'é'.repeat(600), re_password: 'é'.repeat(600) }, '400 password_too_long password'],
    ['same pay password', { mpassword: good }, '400 pay_password_same mpassword'],
    ['weak pay password', { mpassword: '123456' }, '400 password_common mpassword'],
    ['unknown invite code', { extension_code: 'NOBODY22' }, '400 invite_code_wrong extension_code'],
    ['no address', { username: 'nobody' }, '400 mobile_wrong username'],
    ['an address in place of a number', { type: 'mobile' }, '400 mobile_wrong username'],
    ['wrong code', { code: '000000' }, '400 code_wrong code'],
    ['no code', { code: 'abc' }, '400 code_wrong code'],
  ]
  test.each(wrong)('no account: %s', async (_name, change, refused) => {
    const before = await accounts()
    const { username, code } = await proved()
    const answer = await register({ username, code, ...change, ...(change.code === '000000' && { code: wrongCode(code) }) })
    expect(refusal(answer)).toBe(refused)
    expect(await accounts()).toBe(before)
    dataOf(await register({ username, code }))
  })

  test('one address, one account, also when both ask at once', async () => {
    const before = await accounts()
    const asked = await proved()
    const answers = await Promise.all([register(asked), register(asked), register(asked)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await accounts()).toBe(before + 1)
    await later(api, 61_000)
    const again = await proved(asked.username)
    expect(refusal(await register(again))).toBe('409 account_exists username')
  })

  test('what is typed at the login is never told apart from an account that there is not', async () => {
    const known = await makeUser(api)
    const unknown = await login('nobody@mail.example', 'wrong-password')
    const { headers, text } = await login(known.username, 'wrong-password')
    expect(text).toBe(unknown.text)
    expect(Object.keys(headers).sort()).toEqual(Object.keys(unknown.headers).sort())
    // The ticket is chance, and as long for both.
    const shape = (answer: string) => answer.replace(/"ticket":"[\w-]{43}"/, '"ticket":""')
    for (const path of ['/api/sms_mail', '/api/ems/send'] as const) {
      const fields = (address: string): Record<string, string> =>
        path === '/api/sms_mail' ? { user_string: address, scene: 'reset_password' } : { email: address, event: 'reset_password' }
      const there = await api.post(path, fields(known.username))
      const nowhere = await api.post(path, fields(`n${known.username}`))
      expect(shape(nowhere.text).replace('n***', 't***')).toBe(shape(there.text))
      expect((await api.post(path, fields(known.username))).text).toBe((await api.post(path, fields(`n${known.username}`))).text)
      await later(api, 61_000)
    }
    expect(await mailbox(api, `n${known.username}`)).toEqual([])
    const reset = (account: string) => api.post('/api/user/resetpwd', { account, newpassword: good, code: '123456' })
    for (let i = 0; i < 7; i++) expect((await reset(`n${known.username}`)).text, String(i)).toBe((await reset(known.username)).text)
  })

  test.each(badTexts('email', 'sql', 'xss', 'log', 'phone').map((line) => [nameOf(line), line] as const))(
    'as a name: %s',
    async (_name, { value }) => {
      const answer = await login(value, 'wrong-password')
      if (value.includes('\0')) expect(refusal(answer)).toBe('400 parameter_error username')
      else if (value === '') expect(refusal(answer)).toBe('400 parameter_error username')
      else if (loginOf(value, '86')) expect(refusal(answer)).toBe('403 login_failed')
      else expect(refusal(answer)).toMatch(/^400 (?:email_wrong|mobile_wrong|text_too_long) username$/)
      for (const [path, field] of [
        ['/api/user/check_email', 'email'],
        ['/api/user/check_mobile', 'mobile'],
      ] as const) {
        const checked = await api.post(path, { [field]: value })
        if (loginOf(value, '86')?.kind === field) expect(checked.status).toBe(200)
        else expect(checked.status, checked.text).toBe(400)
      }
    },
  )
  test.each(badTexts('password', 'sql', 'xss', 'log').map((line) => [nameOf(line), line.value] as const))(
    'as a password: %s',
    async (_name, value) => {
      const answer = await login('someone@mail.example', value)
      expect(refusal(answer)).toMatch(
        value.includes('\0')
          ? /^400 parameter_error password$/
          : /^403 login_failed$|^400 text_too_long password$|^413 body_too_large$|^429 too_many_tries$/,
      )
      expect(answer.text).not.toContain('someone')
      await later(api, 3_600_000)
    },
  )
  test.each(badInputs('login').map((line) => [nameOf(line), line.value as Record<string, string>] as const))(
    'a login with %s',
    async (_name, value) => {
      const { account = '', password } = value
      const answer = await api.post('/api/user/login', { username: account, ...(password !== undefined && { password }), __proto__x: '1' })
      expect(refusal(answer)).toMatch(
        password === undefined ? /^400 parameter_missing password$/ : /^403 login_failed$|^429 too_many_tries$/,
      )
      expect(({} as { admin?: unknown }).admin).toBeUndefined()
    },
  )
  test('a right password with more or less around it is a wrong one; the name may have blanks around it', async () => {
    const { username, password } = await makeUser(api, { password: ' two spaces ' })
    dataOf(await login(` ${username}`, password))
    for (const near of [password.trim(), `${password} `, password.toUpperCase(), `${password}\u200B`])
      expect(refusal(await login(username, near)), near).toMatch(/^403 login_failed$|^429/)
  })

  describe('a forgotten password', () => {
    test('the code sets a new one, ends every session, holds withdrawals and tells the owner', async () => {
      const user = await makeUser(api)
      dataOf(await api.post('/api/sms_mail', { user_string: user.username, scene: 'reset_password', lang: 'fr' }))
      const code = await codeTo(api, user.username)
      const fields = { account: user.username, newpassword: 'green-horse-18', code }
      expect(refusal(await api.post('/api/user/resetpwd', { ...fields, newpassword: 'short' }))).toBe('400 password_too_short newpassword')
      const { withdraw_hold_until } = dataOf<{ withdraw_hold_until: number }>(await api.post('/api/user/resetpwd', fields))
      expect(withdraw_hold_until - api.clock.now()).toBeGreaterThan(23.9 * 3_600_000)
      expect(refusal(await api.get('/api/user/info', bearing(user.token)))).toBe('401 unauthorized')
      expect(refusal(await api.post('/api/user/resetpwd', fields))).toBe('400 code_wrong code')
      expect(refusal(await login(user.username, user.password))).toBe('403 login_failed')
      const { token } = dataOf<{ token: string }>(await login(user.username, 'green-horse-18'))
      expect(dataOf(await api.get('/api/user/info', bearing(token))).withdraw_hold_until).toBe(withdraw_hold_until)
      expect((await mailbox(api, user.username)).map(({ kind }) => kind)).toContain('notice:password_changed')
      await later(api, 24 * 3_600_000 + 1)
      expect(dataOf(await api.get('/api/user/info', bearing(token))).withdraw_hold_until).toBeNull()
    })
    test('a code for something else, or of somebody else, opens nothing', async () => {
      const [ann, bob] = [await makeUser(api), await makeUser(api)]
      dataOf(await api.post('/api/sms_mail', { user_string: ann.username, scene: 'reset_password' }))
      dataOf(await api.post('/api/ems/send', { event: 'change_password' }, bearing(bob.token)))
      const [annCode, bobCode] = [await codeTo(api, ann.username), await codeTo(api, bob.username)]
      const reset = (account: string, code: string) => api.post('/api/user/resetpwd', { account, newpassword: 'green-horse-18', code })
      expect(refusal(await reset(bob.username, annCode))).toBe('400 code_wrong code')
      expect(refusal(await reset(bob.username, bobCode))).toBe('400 code_wrong code')
      expect(refusal(await register({ username: ann.username, code: annCode }))).toBe('400 code_wrong code')
      await later(api, 600_000)
      expect(refusal(await reset(ann.username, annCode))).toBe('400 code_wrong code')
      dataOf(await login(ann.username, ann.password))
    })
  })
})
