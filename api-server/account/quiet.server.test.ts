import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#server-kit/ops/log.ts'
import { badTexts } from '#tests/support/bad-inputs.ts'
import { bearing, codeTo, dataOf, later, makeUser, wrongCode } from '#tests/support/people/accounts.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tessera-store-'))
const lines: string[] = []
let api: TestApi
beforeAll(async () => {
  const sink = new Writable({
    write(part: Buffer, _encoding, done) {
      lines.push(part.toString())
      done()
    },
  })
  api = await startApi({ place: { dataDir }, log: createLog('debug', sink) })
})
afterAll(async () => {
  await api?.close()
  rmSync(dataDir, { recursive: true, force: true })
})
const login = (username: string, password: string, more: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  api.post('/api/user/login', { username, password, ...more }, headers)

test('logins, refusals, limits and changes are one JSON line each, and none holds a secret or what was typed as a name', async () => {
  const user = await makeUser(api, { totp: '1' })
  const secrets = [user.token, user.password, user.device, user.totp_secret!, ...user.recovery_codes]
  const typed = 'My-password-in-the-wrong-field-91'
  for (const { value } of badTexts('log', 'text-control'))
    await login(value, value, {}, { 'agent-id': encodeURIComponent(value).slice(0, 50) })
  await login(typed, typed)
  await login('nobody@mail.example', 'wrong-one-31')
  await login(user.username, 'wrong-one-31')
  await login(user.username, user.password)
  await login(user.username, user.password, { totp: '000000' })
  const totp = generateSync({ secret: user.totp_secret!, epoch: Math.floor(api.clock.now() / 1_000) })
  const { token } = dataOf<{ token: string }>(await login(user.username, user.password, { totp }))
  for (let i = 0; i < 5; i++) await login(user.username, 'wrong-one-31')
  dataOf(await api.post('/api/ems/send', { event: 'change_password' }, bearing(token)))
  await api.post('/api/ems/send', { event: 'change_password' }, bearing(token))
  const code = await codeTo(api, user.username)
  const fields = { password: user.password, newpassword: 'green-horse-18', code }
  await api.post('/api/user/resetpwd', { ...fields, code: wrongCode(code) }, bearing(token))
  await later(api, 30_000)
  const next = generateSync({ secret: user.totp_secret!, epoch: Math.floor(api.clock.now() / 1_000) })
  dataOf(await api.post('/api/user/resetpwd', { ...fields, totp: next }, bearing(token)))
  dataOf(await api.get('/api/user/logout', bearing(token)))

  const events = lines.map((line) => {
    expect(line.endsWith('\n') && line.indexOf('\n') === line.length - 1, line).toBe(true)
    return JSON.parse(line) as { event?: string; reason?: string; limit?: string; time: number; ip?: string }
  })
  const said = events.map(({ event, reason, limit }) => [event, reason ?? limit].filter(Boolean).join(' '))
  for (const expected of [
    'login',
    'login_refused account',
    'login_refused name',
    'login_refused password',
    'login_refused second_factor_required',
    'login_refused second_factor_wrong',
    'limit login',
    'limit code_too_soon',
    'code_sent',
    'password_changed',
    'logout',
  ])
    expect(said, expected).toContain(expected)
  for (const { event, ip } of events.filter(({ event }) => event?.startsWith('login'))) expect(ip, event).toBe('127.0.0.1')
  const text = lines.join('')
  // Six digits may be a part of a time by chance.
  for (const secret of [...secrets, token, code, totp, typed, 'wrong-one-31', 'green-horse-18', user.username])
    expect(/^\d{6}$/.test(secret) ? new RegExp(`(?<!\\d)${secret}(?!\\d)`).test(text) : text.includes(secret), secret).toBe(false)
})

/** Chance that two samples as different as these come from one source (Mann–Whitney, normal approximation, two-sided). */
function rankChance(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((ms) => ({ ms, first: true })), ...b.map((ms) => ({ ms, first: false }))].sort((x, y) => x.ms - y.ms)
  const ranks = all.reduce((sum, { first }, i) => sum + (first ? i + 1 : 0), 0)
  const mean = (a.length * (a.length + b.length + 1)) / 2
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12)
  const z = Math.abs(ranks - mean) / deviation
  // Abramowitz and Stegun 7.1.26
  const t = 1 / (1 + 0.3275911 * (z / Math.SQRT2))
  return t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) * Math.exp((-z * z) / 2)
}
const median = (list: readonly number[]) => [...list].sort((x, y) => x - y)[Math.floor(list.length / 2)]!

test.each([
  ['login', (name: string) => login(name, 'wrong-password')],
  ['a code for a new password', (name: string) => api.post('/api/sms_mail', { user_string: name, scene: 'reset_password' })],
  ['a new password', (name: string) => api.post('/api/user/resetpwd', { account: name, newpassword: 'green-horse-18', code: '000000' })],
] as const)('%s takes as long for an account as for none', { tags: 'full' }, async (_name, ask) => {
  const rounds = 40
  const pairs = await Promise.all(Array.from({ length: rounds }, async () => (await makeUser(api)).username))
  const took = { known: [] as number[], unknown: [] as number[] }
  const time = async (into: number[], name: string) => {
    const before = performance.now()
    await ask(name)
    into.push(performance.now() - before)
  }
  for (const name of pairs.slice(0, 4)) await ask(`warm${name}`)
  for (const [i, name] of pairs.entries()) {
    const turns = [() => time(took.known, name), () => time(took.unknown, `n${name}`)]
    for (const turn of i % 2 ? turns : turns.reverse()) await turn()
  }
  const apart = Math.abs(median(took.known) - median(took.unknown))
  // A difference that an attacker could use is both plain and there every time; on a busy machine either alone is noise.
  expect(apart < 5 || rankChance(took.known, took.unknown) > 0.01, `medians ${apart.toFixed(2)} ms apart`).toBe(true)
})
test('the rank test itself tells five milliseconds from none', () => {
  const from = (start: number) => Array.from({ length: 40 }, (_, i) => start + i / 10)
  expect(rankChance(from(20), from(20.05))).toBeGreaterThan(0.5)
  expect(rankChance(from(20), from(25))).toBeLessThan(0.01)
})
