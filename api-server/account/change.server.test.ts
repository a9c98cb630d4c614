import { afterAll, beforeAll, expect, test } from 'vitest'
import { badTexts } from '#tests/support/bad-inputs.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { bearing, codeTo, dataOf, later, mailbox, makeUser, wrongCode } from '#tests/support/people/accounts.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { refusal } from '#tests/support/servers/envelope.ts'

onEngines('changes with a session', (engine) => {
  let api: TestApi
  beforeAll(async () => {
    api = await startApi({ place: await engine.place(), env: { PASSWORD_MIN: '7' } })
  })
  afterAll(() => api?.close())
  let count = 0
  const fresh = () => `new${++count}@mail.example`
  const login = (username: string, password: string) => api.post('/api/user/login', { username, password })

  const change = (token: string, fields: Record<string, string>) => api.post('/api/user/resetpwd', fields, bearing(token))

  test('the password changes with the old one and a code; other sessions end, this one stays', async () => {
    const user = await makeUser(api)
    const other = dataOf<{ token: string }>(await login(user.username, user.password))
    const sent = dataOf(await api.post('/api/ems/send', { event: 'change_password', email: 'somebody@else.example' }, bearing(user.token)))
    expect(sent.target).toBe('t***@test.example')
    const code = await codeTo(api, user.username)
    const right = { password: user.password, newpassword: 'green-horse-18', code }
    expect(refusal(await change(user.token, { newpassword: 'green-horse-18', code }))).toBe('400 parameter_missing password')
    expect(refusal(await change('0', right))).toBe('401 unauthorized')
    expect(refusal(await change(user.token, { ...right, password: 'wrong' }))).toBe('403 password_wrong password')
    expect(refusal(await change(user.token, { ...right, newpassword: user.password }))).toBe('400 password_same newpassword')
    expect(refusal(await change(user.token, { ...right, code: wrongCode(code) }))).toBe('400 code_wrong code')
    expect(dataOf(await api.get('/api/user/info', bearing(user.token))).withdraw_hold_until).toBeNull()
    dataOf(await change(user.token, right))
    expect(dataOf(await api.get('/api/user/info', bearing(user.token))).withdraw_hold_until).not.toBeNull()
    expect(refusal(await api.get('/api/user/info', bearing(other.token)))).toBe('401 unauthorized')
    dataOf(await login(user.username, 'green-horse-18'))
  })
  test('PASSWORD_MIN is the least length: forms are told, the refusal says it, and a password of that length is taken', async () => {
    const user = await makeUser(api)
    expect(dataOf(await api.get('/api/common/getSiteConfig'))).toMatchObject({ password_min: 7 })
    await later(api, 61_000)
    dataOf(await api.post('/api/ems/send', { event: 'change_password' }, bearing(user.token)))
    const asked = { password: user.password, code: await codeTo(api, user.username) }
    const short = await change(user.token, { ...asked, newpassword: 'sixsi6' })
    expect(refusal(short)).toBe('400 password_too_short newpassword')
    expect(short.json<{ msg: string }>().msg).toBe('The password must have at least 7 characters')
    dataOf(await change(user.token, { ...asked, newpassword: 'grn-h17' }))
    dataOf(await login(user.username, 'grn-h17'))
  })

  test('the pay password is set with the login password and a code', async () => {
    const user = await makeUser(api)
    const set = (fields: Record<string, string>) => api.post('/api/user/resetmpwd', fields, bearing(user.token))
    dataOf(await api.post('/api/ems/send', { event: 'change_pay_password' }, bearing(user.token)))
    const code = await codeTo(api, user.username)
    const right = { password: user.password, newpassword: '246813', code }
    expect(refusal(await set({ ...right, password: 'wrong' }))).toBe('403 password_wrong password')
    expect(refusal(await set({ ...right, newpassword: user.password }))).toBe('400 pay_password_same newpassword')
    expect(refusal(await set({ ...right, newpassword: '111111' }))).toBe('400 password_common newpassword')
    expect(dataOf(await set(right)).withdraw_hold_until).toBeNull()
    expect(refusal(await set(right))).toBe('400 code_wrong code')
    await later(api, 61_000)
    dataOf(await api.post('/api/ems/send', { event: 'change_pay_password' }, bearing(user.token)))
    expect(
      dataOf(await set({ ...right, newpassword: '975310', code: await codeTo(api, user.username) })).withdraw_hold_until,
    ).not.toBeNull()
    const { pay_password_hash } = await api.database.db
      .selectFrom('account')
      .selectAll()
      .where('id', '=', user.uid)
      .executeTakeFirstOrThrow()
    expect(pay_password_hash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
  })
  test('a number is bound with a code that went to it and the password; another in its place holds withdrawals', async () => {
    const user = await makeUser(api)
    const bind = (mobile: string, fields: Record<string, string>) =>
      api.post('/api/safe/mobile', { mobile, ...fields }, bearing(user.token))
    const ask = (mobile: string) => api.post('/api/sms/send', { mobile, type: 'bind_mobile' }, bearing(user.token))
    expect(refusal(await api.post('/api/sms/send', { type: 'withdraw' }, bearing(user.token)))).toBe('409 address_missing')
    dataOf(await ask('13800138001'))
    const code = await codeTo(api, '+86 13800138001')
    expect(refusal(await bind('13800138001', { code, password: 'wrong' }))).toBe('403 password_wrong password')
    expect(refusal(await bind('13800138002', { code, password: user.password }))).toBe('400 code_wrong code')
    expect(dataOf(await bind('13800138001', { code, password: user.password }))).toEqual({
      mobile: '+86 138****8001',
      withdraw_hold_until: null,
    })
    dataOf(await ask('13800138002'))
    const second = await bind('13800138002', { code: await codeTo(api, '+86 13800138002'), password: user.password })
    expect(dataOf(second).withdraw_hold_until).not.toBeNull()
    expect((await mailbox(api, user.username)).map(({ kind }) => kind)).toEqual(['notice:mobile_changed', 'notice:mobile_changed'])
    const other = await makeUser(api)
    await later(api, 61_000)
    const asked = () => api.post('/api/sms/send', { mobile: '13800138002', type: 'bind_mobile' }, bearing(other.token))
    dataOf(await asked())
    expect(refusal(await asked())).toBe('429 code_too_soon')
    const taken = { mobile: '13800138002', code: await codeTo(api, '+86 13800138002'), password: other.password }
    expect(refusal(await api.post('/api/safe/mobile', taken, bearing(other.token)))).toBe('409 address_taken mobile')
    dataOf(await login('13800138002', user.password))
  })
  test('an e-mail address is bound in the same way', async () => {
    const user = await makeUser(api, { mobile: '13800138003' })
    const email = fresh()
    expect(refusal(await api.post('/api/ems/send', { event: 'bind_email', email }))).toBe('401 unauthorized')
    expect(refusal(await api.post('/api/sms/send', { type: 'bind_email', mobile: '13800138004' }, bearing(user.token)))).toBe(
      '400 parameter_error type',
    )
    dataOf(await api.post('/api/ems/send', { event: 'bind_email', email }, bearing(user.token)))
    const fields = { email, code: await codeTo(api, email), password: user.password }
    expect(dataOf(await api.post('/api/safe/email', fields, bearing(user.token)))).toEqual({
      email: 'n***@mail.example',
      withdraw_hold_until: null,
    })
    expect((await mailbox(api, '+86 13800138003')).map(({ kind }) => kind)).toEqual(['notice:email_changed'])
    await later(api, 61_000)
    const next = fresh()
    dataOf(await api.post('/api/ems/send', { event: 'bind_email', email: next }, bearing(user.token)))
    const again = { email: next, code: await codeTo(api, next), password: user.password }
    expect(dataOf(await api.post('/api/safe/email', again, bearing(user.token))).withdraw_hold_until).not.toBeNull()
    const [mail, ...more] = (await mailbox(api, email)).filter(({ kind }) => kind.startsWith('notice:'))
    expect([mail?.kind, more]).toEqual(['notice:email_changed', []])
    expect(mail?.text).toContain('The email address of your account was changed. Withdrawals are on hold for 24 hours.')
    expect((await mailbox(api, next)).filter(({ kind }) => kind.startsWith('notice:'))).toEqual([])
    const { list } = dataOf<{ list: unknown[] }>(await api.get('/api/notice/list', bearing(user.token)))
    expect(list).toMatchObject([
      { sentence: 'email_changed_again', toast: false },
      { sentence: 'email_changed_first', toast: false },
    ])
  })
  test('nickname and signature are kept as typed, or refused', async () => {
    const { token } = await makeUser(api)
    const edit = (fields: Record<string, string>) => api.post('/api/user/editNickname', fields, bearing(token))
    expect(dataOf(await edit({ nickname: '小明', signature: '慢就是快' }))).toEqual({ nickname: '小明', signature: '慢就是快' })
    expect(dataOf(await edit({ signature: '' }))).toEqual({ nickname: '小明', signature: '' })
    expect(refusal(await edit({ nickname: '<b>Ann' }))).toBe('400 nickname_wrong nickname')
    expect(refusal(await edit({ signature: 'x' }))).toBe('400 signature_wrong signature')
    for (const { value } of badTexts('xss', 'sql')) expect([200, 400]).toContain((await edit({ nickname: value })).status)
    expect(String(dataOf(await api.get('/api/user/info', bearing(token))).nickname)).toMatch(/^[\p{L}\p{N} ]+$/u)
  })
})
