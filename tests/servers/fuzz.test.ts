import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import fc from 'fast-check'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CallName, contract } from '#contract/contract.ts'
import { canonicalEmail } from '#contract/rules/contact.rules.ts'
import { nicknameOf, signatureOf } from '#contract/rules/nickname.rules.ts'
import { bodyLimits } from '#server-kit/http/form-body.ts'
import { serverLimits } from '#server-kit/http/listen.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { faultOf, openPool, outcomeOf, type Pool } from '#tests/support/databases/pool.ts'
import { cheapHash, crowdPassword, forgetTries, type Member, makeCrowd, tokenFor } from '#tests/support/feed/crowd.ts'
import { type FuzzRequest, requests } from '#tests/support/fuzz.ts'
import { sized } from '#tests/support/house/sizes.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'

/** FUZZ_SEED=… repeats the same requests. */
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
const total = sized(800, 20_000)
const batch = 250
const atOnce = 16

const dataDir = mkdtempSync(join(tmpdir(), 'tessera-fuzz-'))
const logged: string[] = []
const broken: unknown[] = []
const onBroken = (error: unknown) => void broken.push(error)
let api: TestApi
let pool: Pool
let crowd: Member[]
/** An account whose token is never sent and whose codes and password are never known. */
let bystander: Member

beforeAll(async () => {
  process.on('unhandledRejection', onBroken)
  const sink = new Writable({
    write(part: Buffer, _encoding, done) {
      logged.push(part.toString())
      done()
    },
  })
  api = await startApi({ place: { dataDir }, log: createLog('error', sink) })
  pool = openPool(api.origin, atOnce)
  crowd = await makeCrowd(api, ['ann', 'bob', 'cat', 'dan', 'eve'])
  ;[bystander] = (await makeCrowd(api, ['quiet'], 'nobody-knows-this-one-58')) as [Member]
})
afterAll(async () => {
  pool?.close()
  await api?.close()
  rmSync(dataDir, { recursive: true, force: true })
  process.off('unhandledRejection', onBroken)
})

const show = ({ call, wire }: FuzzRequest) =>
  `${call} ${wire.method} ${JSON.stringify(wire.path)} ${JSON.stringify(wire.headers)} ${JSON.stringify(String(wire.body ?? '')).slice(0, 2_000)}`

/** Far above the limit; the answer may arrive while the request is still being sent, and the connection then ends. */
const isOversize = ({ wire: { path, headers, body = '' } }: FuzzRequest) =>
  path.length + JSON.stringify(headers ?? {}).length > serverLimits.headerBytesMax / 2 || Buffer.byteLength(body) > bodyLimits.bytesMax

/** All data of accounts that the test does not create, and the content, as one text. */
async function standing(): Promise<string> {
  const { db } = api.database
  const row = await db.selectFrom('account').selectAll().where('id', '=', bystander.id).executeTakeFirstOrThrow()
  const counts =
    await sql`select (select count(*) from article) as a, (select count(*) from content_text) as t, (select count(*) from setting) as s,
    (select count(*) from currency) as c`.execute(db)
  return JSON.stringify([row, counts.rows])
}

test(`${total} random requests: each gets a clean answer, and the accounts are unchanged (FUZZ_SEED=${seed})`, async () => {
  console.log(`FUZZ_SEED=${seed}: ${total} requests`)
  const file = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#06c' } })
    .png()
    .toBuffer()
  const before = await standing()
  const madeBefore = (await api.database.db.selectFrom('account').select('id').execute()).length
  const outcomes = new Map<CallName, Map<string, number>>()
  const faults: string[] = []
  const count = (call: CallName, outcome: string) => outcomes.get(call)?.get(outcome) ?? 0

  for (let done = 0; done < total && faults.length === 0; done += batch) {
    await forgetTries(api)
    const tokens = await Promise.all(crowd.map((one) => tokenFor(api, one)))
    const password_hash = await cheapHash(crowdPassword)
    await api.database.db
      .updateTable('account')
      .set({ password_hash })
      .where(
        'id',
        'in',
        crowd.map(({ id }) => id),
      )
      .execute()
    const { list } = (await api.get('/test/outbox')).json<{ data: { list: { to: string; code: string | null }[] } }>().data
    const letters = list.flatMap(({ to, code }) => (code && to !== bystander.email ? [{ to, code }] : [])).slice(0, 12)
    const texts = [...crowd.map(({ email }) => email), bystander.email, 'green-horse-18', crowd[0]!.invite, 'site_name', 'home']
    const known = { tokens, texts, letters, password: crowdPassword }
    const asked = fc.sample(requests(known, file), { seed: seed + done, numRuns: Math.min(batch, total - done) })
    const left = asked.values()
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const request of left) {
          try {
            const answer = await pool.ask(request.wire)
            const fault = faultOf(answer)
            if (fault) faults.push(`${fault}: ${answer.text.slice(0, 300)}\n  ${show(request)}`)
            // Only a handler names the field that was not found; an unknown path has none.
            const said = fault ?? outcomeOf(answer)
            const outcome = said === 'not_found' && answer.text.includes('"field"') ? 'not_found by the handler' : said
            const own = outcomes.get(request.call) ?? new Map<string, number>()
            own.set(outcome, (own.get(outcome) ?? 0) + 1)
            outcomes.set(request.call, own)
          } catch (error) {
            if (!isOversize(request)) faults.push(`no answer (${error}): ${show(request)}`)
          }
        }
      }),
    )
  }

  expect({ faults: faults.slice(0, 5), logged, broken }).toEqual({ faults: [], logged: [], broken: [] })
  for (const key in {}) expect.fail(`every object has ${key}`)
  expect((await api.get('/health')).json()).toMatchObject({ status: 'ok', database: 'up' })

  // Every call was reached: it was answered, or refused for a reason that only its handler gives.
  const boundary = new Set([
    'parameter_error',
    'parameter_missing',
    'text_too_long',
    'unauthorized',
    'method_not_allowed',
    'body_unreadable',
    'body_too_large',
  ])
  const deep = (call: CallName) =>
    [...(outcomes.get(call) ?? [])].reduce((sum, [outcome, n]) => sum + (boundary.has(outcome) || outcome === 'not_found' ? 0 : n), 0)
  const calls = Object.keys(contract) as CallName[]
  const summary = [...outcomes].map(([call, own]) => `${call}: ${[...own].map(([name, n]) => `${name} ${n}`).join(', ')}`).join('\n')
  for (const call of calls) if (total >= 10_000) expect(deep(call), `${call}\n${summary}`).toBeGreaterThan(10)
  const limited = calls.reduce((sum, call) => sum + (call === 'common.upload' ? 0 : count(call, 'too_many_requests')), 0)
  expect(limited).toBe(0)

  expect(await standing()).toBe(before)
  const accounts = await api.database.db.selectFrom('account').selectAll().execute()
  expect(accounts).toHaveLength(madeBefore + count('user.register', 'ok'))
  for (const one of accounts) {
    expect(one.email !== null || one.mobile !== null).toBe(true)
    if (one.email !== null) expect(canonicalEmail(one.email)).toBe(one.email)
    if (one.mobile !== null) expect(one.mobile).toMatch(/^\+[1-9]\d{0,3} \d{4,15}$/)
    for (const hash of [one.password_hash, one.pay_password_hash]) if (hash !== null) expect(hash).toMatch(/^\$argon2id\$v=19\$/)
    expect([nicknameOf(one.nickname), signatureOf(one.signature)]).toEqual([one.nickname, one.signature])
    expect([one.credit_score, one.level, one.status]).toEqual([100, one.demo ? 2 : 0, 'active'])
  }
  const { rows: loose } =
    await sql`select 'session' as kind, id::text as which from session where account_id not in (select id from account)
    or octet_length(token_hash) <> 32 union all select 'favourite', uid::text from favourite where uid not in (select id from account)
    union all select 'demo', id::text from account where demo and id > 1000000
    union all select 'crowded', account_id::text from session group by account_id having count(*) > 20
    union all select 'inviter', id::text from account where invited_by = id`.execute(api.database.db)
  expect(loose).toEqual([])
  await expectSoundMoney(api.database)
})
