import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeLimits } from '#api-server/account/codes/code.rules.ts'
import { addressLimits } from '#api-server/account/login/guess-limits.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { bearing, codeTo, dataOf, later, makeUser, wrongCode } from '#tests/support/people/accounts.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { refusal } from '#tests/support/servers/envelope.ts'

/** Requests name their sender in X-Forwarded-For: the server trusts the proxy of this machine. */
const proxied = { TRUST_PROXY: '127.0.0.1' }
const from = (ip: string) => ({ 'x-forwarded-for': ip })
const owner = from('198.51.100.7')
/** An address of the nth network that the owner is not in. */
const stranger = (n = 0) => from(`203.0.${n}.9`)

onEngines('a stranger', (engine) => {
  let api: TestApi
  beforeAll(async () => {
    api = await startApi({ place: await engine.place(), standing: true, env: proxied })
  })
  afterAll(() => api?.close())
  const ask = async (name: string, scene: string, headers: Record<string, string>, more: Record<string, string> = {}) =>
    api.post('/api/sms_mail', { user_string: name, scene, ...more }, headers)
  const ticketOf = (answer: Awaited<ReturnType<typeof ask>>) => String(dataOf(answer).ticket)
  const reset = (account: string, code: string, headers: Record<string, string>, more: Record<string, string> = {}) =>
    api.post('/api/user/resetpwd', { account, newpassword: 'green-horse-18', code, ...more }, headers)

  test('who asks for codes all day keeps no code from the owner, neither signed in nor from another network', async () => {
    const { username, token } = await makeUser(api)
    for (const scene of ['register', 'reset_password'])
      for (let i = 0; i < 12; i++) {
        await ask(username, scene, stranger())
        await later(api, codeLimits.resendMs)
      }
    expect(refusal(await ask(username, 'reset_password', stranger()))).toBe('429 code_daily_limit')
    dataOf(await api.post('/api/ems/send', { event: 'withdraw' }, bearing(token, owner)))
    dataOf(await ask(username, 'reset_password', owner))
    dataOf(await ask(username, 'register', owner))
  })

  test('a network has one count, however many of its addresses ask', async () => {
    const { username } = await makeUser(api)
    dataOf(await ask(username, 'reset_password', from('203.0.113.1')))
    expect(refusal(await ask(username, 'reset_password', from('203.0.113.250')))).toBe('429 code_too_soon')
    dataOf(await ask(username, 'reset_password', from('2001:db8:1:1::1')))
    expect(refusal(await ask(username, 'reset_password', from('2001:db8:1:ffff::1')))).toBe('429 code_too_soon')
    dataOf(await ask(username, 'reset_password', from('2001:db8:2::1')))
  })

  test('wrong guesses of others leave the code of the owner right, before and after a code that they asked for', async () => {
    const { username } = await makeUser(api)
    const ticket = ticketOf(await ask(username, 'reset_password', owner))
    const code = await codeTo(api, username)
    const guess = (more: Record<string, string>) => reset(username, wrongCode(code), stranger(), more)
    for (let i = 0; i < 7; i++) expect(refusal(await guess({}))).toBe('400 code_wrong code')
    const theirs = ticketOf(await ask(username, 'reset_password', stranger()))
    for (let i = 0; i < codeLimits.wrongMax; i++) expect(refusal(await guess({ ticket: theirs }))).toBe('400 code_wrong code')
    expect(refusal(await guess({ ticket: theirs }))).toBe('400 code_void code')
    // The code of the owner opens nothing for who has another ticket.
    expect(refusal(await reset(username, code, stranger(), { ticket: theirs }))).toBe('400 code_void code')
    expect(refusal(await reset(username, code, stranger()))).toMatch(/^400 code_(wrong|void) code$/)
    // The owner has changed the network in the meantime.
    dataOf(await reset(username, code, from('192.0.2.77'), { ticket }))
  })

  test('somebody in the network of the owner, without the ticket, does not void the code either', async () => {
    const { username } = await makeUser(api)
    const ticket = ticketOf(await ask(username, 'reset_password', owner))
    const code = await codeTo(api, username)
    for (let i = 0; i < codeLimits.wrongMax; i++) await reset(username, wrongCode(code), owner)
    expect(refusal(await reset(username, code, owner))).toBe('400 code_void code')
    dataOf(await reset(username, code, owner, { ticket }))
  })

  test('without the ticket a code is right for the network that asked for it', async () => {
    const { username } = await makeUser(api)
    dataOf(await ask(username, 'reset_password', owner))
    const code = await codeTo(api, username)
    expect(refusal(await reset(username, code, stranger()))).toBe('400 code_wrong code')
    dataOf(await reset(username, code, from('198.51.100.200')))
  })

  test('all strangers together have a bound for one address, which a device of the owner does not share', async () => {
    const { username, device } = await makeUser(api)
    let sent = 0
    for (let network = 0; network < codeLimits.perDayOfAll; network++) {
      const answer = await ask(username, 'reset_password', stranger(network))
      if (answer.status === 200) sent++
      else expect(refusal(answer)).toBe('429 code_daily_limit')
      expect((await ask(username, 'reset_password', stranger(network))).status).toBe(429)
      if (network % 2) await later(api, codeLimits.resendMs)
      if ((await ask(username, 'reset_password', stranger(network))).status === 200) sent++
    }
    expect(sent).toBe(codeLimits.perDayOfAll)
    expect(refusal(await ask(username, 'reset_password', owner))).toBe('429 code_daily_limit')
    const other = await makeUser(api)
    expect(refusal(await ask(username, 'reset_password', owner, { device: other.device }))).toBe('429 code_daily_limit')
    const ticket = ticketOf(await ask(username, 'reset_password', owner, { device }))
    dataOf(await reset(username, await codeTo(api, username), owner, { ticket }))
  })

  test('an account that there is not has the same bounds', async () => {
    const said = async (name: string) => {
      const answers: string[] = []
      for (let i = 0; i < codeLimits.perDay + 2; i++) {
        const answer = await ask(name, 'reset_password', owner)
        answers.push(answer.status === 200 ? `${Object.keys(dataOf(answer)).join()} ${ticketOf(answer).length}` : refusal(answer))
        const code = i % 2 ? '123456' : '12345x'
        answers.push(refusal(await reset(name, code, owner, answer.status === 200 ? { ticket: ticketOf(answer) } : {})))
        await later(api, codeLimits.resendMs)
      }
      return answers
    }
    expect(await said('nobody@mail.example')).toEqual(await said((await makeUser(api)).username))
  })
})

describe('one address', () => {
  let api: TestApi
  beforeAll(async () => {
    const { mkdtempSync } = await import('node:fs')
    const { tmpdir } = await import('node:os')
    api = await startApi({
      place: { dataDir: mkdtempSync(`${tmpdir()}/tessera-store-`) },
      addressLimits: { ...addressLimits, wrongCodesPerHour: 20 },
      env: proxied,
    })
  })
  afterAll(() => api?.close())

  test('may type so many wrong codes only, whatever accounts it names; right ones do not count', async () => {
    const guess = (i: number, headers = stranger()) =>
      api.post('/api/user/resetpwd', { account: `a${i}@mail.example`, newpassword: 'green-horse-18', code: '123456' }, headers)
    for (let i = 0; i < 10; i++) expect(refusal(await guess(i))).toBe('400 code_wrong code')
    const ticket = String(dataOf(await api.post('/api/sms_send', { user_string: '13900139001', scene: 'register' }, stranger())).ticket)
    const captcha = await codeTo(api, '+86 13900139001')
    dataOf(await api.post('/api/user/check_mobile', { mobile: '13900139001', captcha, ticket }, stranger()))
    for (let i = 10; i < 20; i++) expect(refusal(await guess(i))).toBe('400 code_wrong code')
    expect(refusal(await guess(20))).toBe('429 too_many_tries')
    expect(refusal(await guess(20, owner))).toBe('400 code_wrong code')
  })
})
