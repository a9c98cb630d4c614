import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { generateSync } from 'otplib'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attachFeed } from '#api-server/feed/feed.ts'
import type { CallRow } from '#contract/call.ts'
import { type CallName, contract } from '#contract/contract.ts'
import { createHttpServer } from '#server-kit/http/listen.ts'
import { createLog, type Log } from '#server-kit/ops/log.ts'
import { faultOf, formOf, openPool, type Pool, type TimedAnswer, wireOf } from '#tests/support/databases/pool.ts'
import { openFeed } from '#tests/support/feed/feed-client.ts'
import { codeTo, later, wrongCode } from '#tests/support/people/accounts.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tessera-quiet-'))
const lines: string[] = []
let api: TestApi
let pool: Pool
let log: Log
beforeAll(async () => {
  const sink = new Writable({
    write(part: Buffer, _encoding, done) {
      lines.push(part.toString())
      done()
    },
  })
  log = createLog('trace', sink)
  api = await startApi({ place: { dataDir }, log })
  pool = openPool(api.origin, 2)
})
afterAll(async () => {
  pool?.close()
  await api?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Data that only its owner may read, with its description. */
const secrets = new Map<string, string>()
const secret = (what: string, text: string): string => {
  secrets.set(text, what)
  return text
}
const refusals: string[] = []

async function send(call: CallName, fields: Record<string, string> = {}, token?: string, file?: Buffer): Promise<TimedAnswer> {
  const row: CallRow = contract[call]
  const answer = await pool.ask(wireOf(row, formOf(Object.entries(fields)), token ? { authorization: `Bearer ${token}` } : {}, file))
  expect(faultOf(answer), `${call} ${answer.text}`).toBeUndefined()
  if (answer.status !== 200) refusals.push(`${call}: ${answer.text} ${JSON.stringify(answer.headers)}`)
  return answer
}
async function done<T = Record<string, unknown>>(
  call: CallName,
  fields: Record<string, string> = {},
  token?: string,
  file?: Buffer,
): Promise<T> {
  const answer = await send(call, fields, token, file)
  expect(answer.status, `${call} ${answer.text}`).toBe(200)
  return answer.json<{ data: T }>().data
}
async function refused(name: string, call: CallName, fields: Record<string, string> = {}, token?: string, file?: Buffer): Promise<void> {
  expect((await send(call, fields, token, file)).json<{ name: string }>().name, call).toBe(name)
}
interface Opened {
  token: string
  device: string
}
const kept = ({ token, device }: Opened, when: string) => ({
  token: secret(`token of ${when}`, token),
  device: secret(`device of ${when}`, device),
})

test('the whole life of an account gives one JSON line per event, and no line and no refusal contains a secret', async () => {
  const email = 'ann.of.the.log@mail.example'
  const number = '13800138061'
  const password = secret('password', 'blue-horse-17-of-ann')
  const pay = secret('pay password', '2468-of-ann')
  const wrong = secret('wrong password', 'nearly-blue-horse-17')
  const code = async (to: string) => secret(`code to ${to}`, await codeTo(api, to))
  const totp = (key: string) => secret('digits of the factor', generateSync({ secret: key, epoch: Math.floor(api.clock.now() / 1_000) }))

  await done('auth.smsMail', { user_string: email, scene: 'register' })
  await refused('code_too_soon', 'auth.smsMail', { user_string: email, scene: 'register' })
  const first = await code(email)
  const registering = { username: email, password, re_password: password, mpassword: pay }
  await refused('code_wrong', 'user.register', { ...registering, code: secret('wrong code', wrongCode(first)) })
  await refused('passwords_differ', 'user.register', { ...registering, re_password: wrong, code: first })
  await refused('parameter_missing', 'user.register', { username: email, password, code: first })
  const { token, device } = kept(await done<Opened>('user.register', { ...registering, code: first }), 'the registration')

  await refused('login_failed', 'user.login', { username: email, password: wrong })
  await refused('mobile_wrong', 'user.login', { username: password, password: email })
  await refused('text_too_long', 'user.login', { username: email, password: `${wrong}${'x'.repeat(1_100)}` })
  kept(await done<Opened>('user.login', { username: email, password, device }), 'a login')
  await refused('unauthorized', 'user.info', {}, secret('a token that is none', `${token.slice(0, -3)}abc`))

  const { secret: key } = await done<{ secret: string }>('user.totpSetup', {}, token)
  secret('key of the factor', key)
  await refused('password_wrong', 'user.totpConfirm', { code: totp(key), password: wrong }, token)
  await refused('second_factor_wrong', 'user.totpConfirm', { code: '000000', password }, token)
  const used = totp(key)
  const { recovery_codes } = await done<{ recovery_codes: string[] }>('user.totpConfirm', { code: used, password }, token)
  for (const one of recovery_codes) {
    secret('recovery code', one)
    secret('recovery code', one.replace('-', ''))
  }
  await refused('second_factor_required', 'user.login', { username: email, password, device })
  await refused('second_factor_wrong', 'user.login', { username: email, password, device, totp: used })
  kept(await done<Opened>('user.login', { username: email, password, device, totp: recovery_codes[0]! }), 'a recovery code')
  await refused('second_factor_wrong', 'user.login', { username: email, password, device, totp: recovery_codes[0]! })

  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#06c' } })
    .png()
    .toBuffer()
  const hidden = await done<{ url: string }>('common.upload', { purpose: 'identity' }, token, picture)
  secret('address of a private picture', hidden.url.split('/').at(-1)!)
  await refused('file_type_refused', 'common.upload', {}, token, Buffer.from(`no picture, but ${password}`))
  await refused('not_found', 'user.uploadHeadPortrait', { url: hidden.url }, token)
  const shown = await done<{ url: string }>('common.upload', { purpose: 'avatar' }, token, picture)
  await done('user.uploadHeadPortrait', { url: shown.url }, token)
  await done('user.addOptional', { symbol: 'BTCUSDT' }, token)
  await refused('symbol_unknown', 'user.addOptional', { symbol: 'NOSUCH' }, token)
  await done('user.delOptional', { symbol: 'BTCUSDT' }, token)
  await done('user.editNickname', { nickname: 'ann' }, token)

  await done('user.smsSend', { mobile: number, type: 'bind_mobile' }, token)
  const bound = await code(`+86 ${number}`)
  await refused('password_wrong', 'user.safeMobile', { mobile: number, code: bound, password: wrong }, token)
  await done('user.safeMobile', { mobile: number, code: bound, password, totp: recovery_codes[1]! }, token)
  await later(api, 61_000)
  await done('user.emsSend', { event: 'change_pay_password' }, token)
  const newPay = secret('new pay password', '97531-of-ann')
  await done('user.resetmpwd', { password, newpassword: newPay, code: await code(email), totp: recovery_codes[2]! }, token)
  await later(api, 61_000)
  await done('user.emsSend', { event: 'change_password' }, token)
  const changed = secret('new password', 'green-horse-18-of-ann')
  const changing = { password, newpassword: changed, code: await code(email) }
  await refused('second_factor_required', 'user.resetpwd', changing, token)
  await done('user.resetpwd', { ...changing, totp: totp(key) }, token)
  await later(api, 61_000)
  await done('auth.smsMail', { user_string: email, scene: 'reset_password' })
  const last = secret('last password', 'white-horse-19-of-ann')
  const forgotten = { account: email, newpassword: last, code: await code(email) }
  await refused('second_factor_wrong', 'user.resetpwd', { ...forgotten, totp: '123123' })
  await done('user.resetpwd', { ...forgotten, totp: totp(key) })
  await refused('unauthorized', 'user.info', {}, token)
  await later(api, 61_000)
  const end = kept(await done<Opened>('user.login', { username: email, password: last, totp: totp(key) }), 'the last login')
  await later(api, 61_000)

  // A socket that sends a valid token, and some that send it wrongly.
  const server = createHttpServer(api.api.app)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  const feed = attachFeed(server, {
    market: api.api.market,
    sessions: api.api.accounts.sessions,
    clock: api.clock,
    log,
    origins: [],
    trusts: () => false,
  })
  await expect(openFeed(`ws://127.0.0.1:${port}/ws?token=${end.token}`)).rejects.toThrow('403')
  const client = await openFeed(`ws://127.0.0.1:${port}/ws`)
  client.send({ action: 'checkToken', token: end.token })
  expect(await client.next((message) => message.action === 'checkToken')).toHaveProperty('data')
  client.send(`{"action":"checkToken","token":"${end.token}"`)
  refusals.push(JSON.stringify(await client.next((message) => 'error' in message)))
  client.socket.terminate()
  await feed.stop()
  await new Promise((closed) => server.close(closed))

  for (const [path, body] of [
    [`/api/user/info?token=${end.token}`, undefined],
    [`/api/${end.token}`, undefined],
    ['/api/user/login', `{"username":"${email}","password":"${last}"}`],
    ['/api/user/login', `username=${email}&password=${last}&password=${last}`],
  ] as const) {
    const type = body?.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded'
    const headers = body === undefined ? undefined : { 'content-type': type, 'content-length': String(body.length) }
    const answer = await pool.ask({ method: body === undefined ? 'GET' : 'POST', path, body, headers })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    refusals.push(answer.text)
  }

  await done('user.logout', {}, end.token)

  const events = lines.map((line) => {
    expect(line.endsWith('\n') && line.indexOf('\n') === line.length - 1, line).toBe(true)
    return JSON.parse(line) as { event?: string; level: number; time: number; msg: string }
  })
  for (const { level, time, msg } of events) expect([typeof level, typeof time, typeof msg]).toEqual(['number', 'number', 'string'])
  const said = new Set(events.map(({ event }) => event))
  for (const event of [
    'registered',
    'login',
    'login_refused',
    'code_sent',
    'limit',
    'access_refused',
    'second_factor_on',
    'password_changed',
    'pay_password_changed',
  ])
    expect([...said], event).toContain(event)
  const locked = events.filter(({ event }) => event === 'access_refused') as unknown as Record<string, string>[]
  expect(locked).toContainEqual(expect.objectContaining({ route: 'user.info', problem: 'unauthorized' }))
  expect(locked).toContainEqual(
    expect.objectContaining({ route: 'user.uploadHeadPortrait', problem: 'not_found', subject: expect.stringMatching(/^user \d+$/) }),
  )
  expect(locked).toContainEqual(expect.objectContaining({ route: 'socket', problem: 'forbidden' }))
  expect(secrets.size).toBeGreaterThan(40)
  expect(refusals.length).toBeGreaterThan(20)
  const text = lines.join('')
  for (const [one, what] of secrets) {
    for (const form of new Set([one, encodeURIComponent(one), Buffer.from(one).toString('base64').replace(/=+$/, '')])) {
      // Six digits may be part of a time by chance, but not between characters other than digits.
      const found = /^\d{6}$/.test(form) ? new RegExp(`(?<!\\d)${form}(?!\\d)`) : undefined
      expect(found ? found.test(text) : text.includes(form), `log: ${what}`).toBe(false)
      for (const refusal of refusals) expect(found ? found.test(refusal) : refusal.includes(form), `${what} in ${refusal}`).toBe(false)
    }
  }
  for (const one of [email, number]) expect(text.includes(one), one).toBe(false)
})
