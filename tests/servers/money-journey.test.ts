import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import type { CallRow } from '#contract/call.ts'
import { type CallName, contract } from '#contract/contract.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { dataOf, later } from '#tests/support/people/accounts.ts'
import { paperSecrets } from '#tests/support/people/identity-papers.ts'
import {
  allCalls,
  type Cast,
  cardNumber,
  gather,
  iban,
  otherwise,
  payPassword,
  type Step,
  sendAs,
  tellStory,
  wallet,
} from '#tests/support/people/money-story.ts'
import { inputs } from '#tests/support/right-inputs.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { type ConsoleStage, startConsole } from '#tests/support/servers/console-stage.ts'
import { refusal } from '#tests/support/servers/envelope.ts'

/** One scenario with every call that takes a key: its answer, its effect, who can see it, and its log lines. */

const dataDir = mkdtempSync(join(tmpdir(), 'tessera-journey-'))
const logged: string[] = []
let api: TestApi
let console_: ConsoleStage
let cast: Cast
let codes: string[]
/** Each step with its key and the bytes of its answer. */
const answered: (Step & { key: string; text: string })[] = []

async function start(): Promise<void> {
  const sink = new Writable({
    write(part: Buffer, _encoding, done) {
      logged.push(part.toString())
      done()
    },
  })
  api = await startApi({
    place: { dataDir },
    log: createLog('trace', sink),
    async operators(database) {
      console_ = await startConsole(database)
      return console_.console.gate
    },
  })
}
async function stop(): Promise<void> {
  await console_?.close()
  await api?.close()
}
beforeAll(start)
afterAll(async () => {
  await stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const fits = new Map<string, ValidateFunction>()
const ajv = new Ajv2020({ strict: false })
/** Checks that an answer has the members of its contract and no others, at any depth. */
function strictly(call: string, text: string): unknown {
  const { data } = JSON.parse(text) as { data: unknown }
  let check = fits.get(call)
  if (!check) {
    check = ajv.compile(z.toJSONSchema(allCalls[call]!.output, { io: 'output', unrepresentable: 'any' }))
    fits.set(call, check)
  }
  expect(check(data), `${call}: ${JSON.stringify(check.errors)}`).toBe(true)
  return data
}
const ask = (step: Step, key?: string) => sendAs(api, step, key === undefined ? {} : { 'idempotency-key': key })

/** All tables of the business as one text: neither a refusal nor a replayed answer changes them. */
async function standing(): Promise<string> {
  const own = ['account', 'session', 'ledger_account', 'ledger_event', 'ledger_posting', 'funding', 'funding_history', 'wallet_transfer']
  const more = ['wallet_exchange', 'wallet_quote', 'wallet_address', 'verification', 'bank_card', 'upload', 'favourite', 'second_factor']
  const { db } = api.database
  const { rows } = await sql<{
    name: string
  }>`select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db)
  const there = rows.map(({ name }) => name).filter((name) => [...own, ...more, 'terms', 'desk_audit', 'recovery_code'].includes(name))
  expect(there.length).toBeGreaterThan(14)
  const dumps = there.sort().map(async (name) => {
    const found = await sql<{ text: string }>`select (to_jsonb(t) - 'seen_at')::text as text from ${sql.table(name)} t order by 1`.execute(
      db,
    )
    return [name, found.rows.map(({ text }) => text)]
  })
  return JSON.stringify(await Promise.all(dumps))
}

const isReading = (row: CallRow, name: string) =>
  row.auth === 'user' && !row.keyed && !row.upload && !['user.logout', 'user.totpSetup'].includes(name)
const reading = (Object.entries(contract) as [CallName, CallRow][]).filter(([name, row]) => isReading(row, name)).map(([name]) => name)
/** All data that Bob can read, without values that are new each time or each month. */
async function seenByBob(): Promise<Record<string, string>> {
  const seen: Record<string, string> = {}
  for (const call of reading) {
    const answer = await ask({ call, who: cast.bob, fields: inputs[call] })
    if (answer.status === 200) strictly(call, answer.text)
    seen[call] = answer.text.replace(/"(quote_id|name|expires|seen|created|time|at|ts|saveTime|month)":("[^"]*"|\d+)/g, '"$1":0')
  }
  return seen
}

/**
 * Calls with tests of their own: proposals and their end (back-office-rules.test.ts), terms (back-office-trading.test.ts)
 * and their sale (dual.office.store.test.ts), allocations (ieo.office.store.test.ts),
 * rows that were given up (access.server.test.ts of the back office), copy trading (copy-trading.test.ts), OTC (back-office-otc.test.ts), and orders (the store tests of their modules).
 */
const elsewhere =
  /^(?:office\.(?:jobRetry|proposal(?:Agree|Drop)|terms(?:Save|Sale)|halt|resume|calendar\w+|trader\w+|otc\w+|ieo\w+)|(?:lever|c2c|mic|follow|otc|dual|ieo|mining)\.\w+)$/

test('every call that takes a key is in the scenario, has one effect, and is replayed with the same answer', async () => {
  cast = await gather(api, console_)
  const before = await seenByBob()
  expect(reading.length).toBeGreaterThan(20)
  codes = await tellStory(api, cast, async (step) => {
    // The maximum length of a key.
    const key = answered.length % 2 ? randomUUID() : `${randomUUID()}-`.padEnd(255, '~')
    const answer = await ask(step, key)
    expect(answer.status, `${step.call} ${answer.text}`).toBe(200)
    answered.push({ ...step, key, text: answer.text })
    return strictly(step.call, answer.text) as Record<string, unknown>
  })
  const keyed = Object.entries(allCalls).filter(([name, row]) => row.keyed && !elsewhere.test(name))
  expect([...new Set(answered.map(({ call }) => call))].sort()).toEqual(keyed.map(([name]) => name).sort())
  expect(await seenByBob()).toEqual(before)
  await expectSoundMoney(api.database)
})

test('the same key: the same bytes and no effect; other fields or another call: refused; another owner: another key', async () => {
  const before = await standing()
  expect(answered.length).toBeGreaterThan(30)
  for (const { key, text, ...step } of answered) {
    expect((await ask(step, key)).text, step.call).toBe(text)
    const other = otherwise(step.fields)
    if (other) expect(refusal(await ask({ ...step, fields: other }, key)), `${step.call} ${JSON.stringify(other)}`).toBe('409 key_reused')
    const isBackOffice = allCalls[step.call]!.auth === 'operator'
    const another: Step = isBackOffice
      ? { call: 'office.customerEndSessions', who: step.who, fields: { uid: String(cast.bob.uid), reason: 'mistaken' } }
      : { call: 'user.editNickname', who: step.who, fields: { nickname: 'mistaken' } }
    const mayAsk = step.who !== cast.chief
    if (mayAsk && another.call !== step.call) expect(refusal(await ask(another, key)), step.call).toBe('409 key_reused')
  }
  expect(await standing()).toBe(before)
  for (const { key } of answered.slice(0, 3)) {
    const answer = await ask({ call: 'user.editNickname', who: cast.bob, fields: { nickname: 'bobby' } }, key)
    expect(dataOf(answer).nickname).toBe('bobby')
  }
})

test('the outcome of each call of a customer is the data that was answered', async () => {
  const theirs = answered.filter(({ call }) => allCalls[call]!.auth === 'user')
  expect(theirs.length).toBeGreaterThan(20)
  for (const { call, who, key, text } of theirs) {
    const found = await ask({ call: 'user.outcome', who, fields: { key } })
    // Some of them have ended the session that sent them.
    if (found.status === 401) continue
    const { answer, ...rest } = dataOf<{ answer: string }>(found)
    expect({ ...rest, data: JSON.parse(answer) }, call).toEqual({ state: 'done', call, data: (JSON.parse(text) as { data: unknown }).data })
  }
})

test('an invalid key is refused before any work; an empty one counts as none', async () => {
  const before = await standing()
  for (const { call, who, fields } of answered)
    for (const key of ['k'.repeat(256), 'a b', 'é', ' k k '])
      expect(refusal(await ask({ call, who, fields }, key)), `${call} ${key.length}`).toMatch(/^400 parameter_error Idempotency-Key$|^401 /)
  expect(await standing()).toBe(before)
  const rename = (nickname: string) => ask({ call: 'user.editNickname', who: cast.bob, fields: { nickname } }, '')
  expect([dataOf(await rename('one')).nickname, dataOf(await rename('two')).nickname]).toEqual(['one', 'two'])
})

test('after a restart, almost a day later: the same bytes, and still no effect', async () => {
  const before = await standing()
  const ahead = api.clock.now() - Date.now()
  await stop()
  await start()
  await later(api, ahead + 60_000)
  for (const { key, text, ...step } of answered) {
    // Operators log in again after a restart of the console.
    if (allCalls[step.call]!.auth === 'operator') continue
    expect((await ask(step, key)).text, step.call).toBe(text)
  }
  expect(await standing()).toBe(before)
  await expectSoundMoney(api.database)
})

test('no log line contains a secret, a name, the number of a document or card, also when the database fails', async () => {
  const { db } = api.database
  await sql`alter table account add constraint breaks check (nickname <> 'breaker') not valid`.execute(db)
  await sql`alter table bank_card add constraint breaks check (uid <> ${sql.lit(cast.ann.uid)}) not valid`.execute(db)
  const card = { real_name: 'Ann Wintersmith', bank_account: cardNumber }
  const failing: Step[] = [
    { call: 'user.editNickname', who: cast.ann, fields: { nickname: 'breaker' } },
    { call: 'user.cashSave', who: cast.ann, fields: { ...card, bank_name: 'Another Bank' } },
  ]
  for (const step of failing) {
    const answer = await ask(step, randomUUID())
    expect(refusal(answer)).toBe('500 internal')
    expect(answer.text).not.toMatch(/breaks|constraint|row/)
  }
  const text = logged.join('')
  expect(logged.length).toBeGreaterThan(20)
  expect(text).toContain('api: a request failed; the client gets the problem code')
  expect(text).toContain('breaks')
  for (const line of logged) expect(() => JSON.parse(line), line).not.toThrow()
  const people = [cast.ann, cast.bob, cast.carol, cast.dan, cast.eve]
  const secrets = [
    ...[payPassword, '97531-of-dan', cardNumber, iban, wallet, '$argon2', ...paperSecrets, ...codes],
    ...people.flatMap(({ token, password, device, username }) => [token, password, device, username]),
    ...[cast.rita, cast.chief].flatMap(({ token, password, totpSecret }) => [token, password, totpSecret]),
    ...['13800137001', '13800137002', '13800137003', '13800137004', 'dan.again@mail.example'],
  ]
  // Separate digits only: six digits may be part of a time.
  const found = secrets.filter((one) => (/^\d+$/.test(one) ? new RegExp(`(?<!\\d)${one}(?!\\d)`).test(text) : text.includes(one)))
  expect(found).toEqual([])
})
