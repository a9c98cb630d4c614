import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { CallRow } from '#contract/call.ts'
import { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { termFields } from '#contract/calls/office.terms.calls.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { type BadInput, badInputs, badTexts, nameOf } from '#tests/support/bad-inputs.ts'
import { faultOf, formOf, openPool, outcomeOf, type Pool, type TimedAnswer } from '#tests/support/databases/pool.ts'
import { everyNth, isFull } from '#tests/support/house/sizes.ts'
import { type Made, makeUser } from '#tests/support/people/accounts.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { type ConsoleStage, startConsole, type TestOperator } from '#tests/support/servers/console-stage.ts'

/** Inputs of operators are tested like those of customers. */

type Call = keyof typeof backOfficeCalls
type Pair = readonly [string, string]
const calls = Object.keys(backOfficeCalls) as Call[]
const rowOf = (call: Call): CallRow => backOfficeCalls[call]
const fieldsOf = (call: Call) => Object.keys((rowOf(call).input as z.ZodObject).shape)

const numbers = ['num-sign', 'num-format', 'num-special', 'num-precision', 'num-range', 'num-unicode', 'num-type', 'int-id'] as const
const texts = ['text-control', 'text-length', 'text-unicode', 'sql', 'log', 'regex', 'path', 'csv'] as const
const choices = ['enum', 'lang', 'text-control', 'sql'] as const
/** Valid fields for every call, naming nobody. */
const right: Record<string, string> = {
  id: '1999999999',
  uid: '99',
  page: '1',
  size: '20',
  search: 'nobody',
  status: 'all',
  reason: 'x',
  note: 'x',
  reference: 'x',
  operator: 'nobody',
  action: 'none',
  subject: 'none',
  digest: '0'.repeat(64),
  frozen: '1',
  four_eyes_usd: '10000',
  product: 'spot',
  key: 'NOSUCHUSDT',
  symbol: 'NOSUCHUSDT',
  group: 'stock',
  zone: 'Mars/Olympus',
  sessions: '1-5 09:00-17:00',
  holidays: '2026-12-25',
  days: '2026-11-27 09:30-13:00',
  version: '1',
  halted_at: '1',
  state: 'all',
  coin: 'NOSUCH',
  side: 'buy',
  price: '1',
  amount_min: '1',
  amount_max: '2',
  whole: '3',
  from: '2027-01-01',
  until: '2027-02-01',
  replaces: '1999999999',
  step: 'pause',
  ...Object.fromEntries(termFields.map((name) => [name, '0.001'])),
}
const integers = new Set(['id', 'uid', 'page', 'size', 'replaces', 'version', 'halted_at'])

/** Their bad values may be right by chance: another amount, no time zone, and the number of what was proposed by that. */
const mayBeTaken: Call[] = ['office.settingsSave', 'office.calendarSave', 'office.proposalDrop']

const dataDir = mkdtempSync(join(tmpdir(), 'tessera-back-office-bad-'))
const logged: string[] = []
let api: TestApi
let console_: ConsoleStage
let pool: Pool
let boss: TestOperator
let eve: Made

beforeAll(async () => {
  const sink = new Writable({
    write(part: Buffer, _encoding, done) {
      logged.push(part.toString())
      done()
    },
  })
  api = await startApi({
    place: { dataDir },
    log: createLog('error', sink),
    async operators(database) {
      console_ = await startConsole(database)
      return console_.console.gate
    },
  })
  pool = openPool(api.origin, 8)
  boss = await console_.operator('boss', ['reviewer', 'administrator'])
  eve = await makeUser(api, { email: 'eve@mail.example', nickname: 'eve' })
})
afterAll(async () => {
  pool?.close()
  await console_?.close()
  await api?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function send(call: Call, text: string, type = 'application/x-www-form-urlencoded'): Promise<TimedAnswer> {
  const row = rowOf(call)
  const path = `/console/back-office/api${row.path}`
  const own = { 'x-console': '1', origin: api.origin, 'sec-fetch-site': 'same-origin', cookie: boss.cookie }
  if (row.method === 'GET') return pool.ask({ method: 'GET', path: text ? `${path}?${text}` : path, headers: own })
  const headers = { ...own, 'content-type': type, 'content-length': String(Buffer.byteLength(text)) }
  return pool.ask({ method: row.method, path, headers, body: text })
}
const pairs = (call: Call, without?: string): Pair[] =>
  fieldsOf(call).flatMap((name): Pair[] => (name === without ? [] : [[name, right[name]!]]))
/** The value as a form writes it: lists repeat the name, objects and lists of one item use brackets. */
function written(field: string, value: unknown): Pair[] {
  if (Array.isArray(value))
    return value.length > 1 ? value.map((one): Pair => [field, String(one)]) : [[`${field}[]`, String(value[0] ?? '')]]
  if (typeof value === 'object' && value !== null) return Object.entries(value).map(([key, one]): Pair => [`${field}[${key}]`, String(one)])
  return [[field, String(value)]]
}
const clean = (answer: TimedAnswer, what: string): TimedAnswer => {
  const fault = faultOf(answer)
  if (fault) throw new Error(`${fault}: ${what}\n${answer.text.slice(0, 400)}`)
  return answer
}
const gist = (answer: TimedAnswer): string =>
  answer.status === 200 ? answer.text : `${answer.status} ${outcomeOf(answer)} ${answer.json<{ field?: string }>().field ?? ''}`.trim()

/** Slow requests among concurrent ones. */
let asked = 0
async function ask(call: Call, field: string, value: unknown, what: string): Promise<TimedAnswer> {
  const answer = await send(call, formOf([...pairs(call, field), ...written(field, value)]))
  asked++
  // A file that is written as it is read is no envelope.
  return rowOf(call).streams && answer.status === 200 ? answer : clean(answer, what)
}
/** Runs several at a time; a server that hangs fails by the timeout of the pool. */
async function each<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = list.values()
  const lane = async () => {
    for (const one of left) await work(one)
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}

interface Schema {
  enum?: string[]
}
const choicesOf = (call: Call, field: string) =>
  (z.toJSONSchema(rowOf(call).input, { io: 'input', unrepresentable: 'any' }) as { properties: Record<string, Schema> }).properties[field]!
    .enum

function mustRefuse(call: Call, field: string, { value }: BadInput): boolean {
  if (Array.isArray(value) && value.length > 1) return true
  if (typeof value === 'object') return !rowOf(call).input.safeParse(Object.fromEntries(pairs(call, field))).success
  const text = String(value)
  if (/[\0\uFFFD]/.test(text) || text.length > 2_000) return true
  if (integers.has(field)) return !/^[1-9]\d{0,14}$/.test(text)
  // Trailing zeros give the same amount.
  if (field === 'four_eyes_usd') return !/^(0|[1-9]\d{0,19})(\.\d{1,2}0*)?$/.test(text)
  const list = choicesOf(call, field)
  return list ? !list.includes(text) : false
}
/** Data that a refusal must not change. */
async function standing(): Promise<string> {
  const { db } = api.database
  const rows = [
    'account',
    'funding',
    'verification',
    'ledger_event',
    'terms',
    'office_proposal',
    'trading_halt',
    'trading_calendar',
    'otc_offer',
    'otc_order',
  ].map(async (name) => {
    const found = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t order by 1`.execute(db)
    return found.rows
  })
  return JSON.stringify(await Promise.all(rows))
}

test('every field of every call is covered', () => {
  const unknown = calls.flatMap((call) => fieldsOf(call).flatMap((name) => (right[name] === undefined ? [`${call} ${name}`] : [])))
  expect(unknown).toEqual([])
  expect(calls.length).toBeGreaterThan(20)
})

describe.each(
  everyNth(
    calls.filter((call) => fieldsOf(call).length > 0),
    12,
  ),
)('%s', (call) => {
  test('bad values in each of its fields get a clean answer and have no effect; a repeated field is refused', async () => {
    const before = await standing()
    let taken = 0
    for (const field of fieldsOf(call)) {
      const isNumber = integers.has(field) || field === 'four_eyes_usd'
      const kinds = isNumber ? numbers : choicesOf(call, field) ? choices : texts
      await each(badInputs(...kinds), async (line) => {
        const answer = await ask(call, field, line.value, `${call} ${field}: ${nameOf(line)}`)
        if (mustRefuse(call, field, line)) expect(answer.status, `${call} ${field}: ${nameOf(line)}`).not.toBe(200)
        if (rowOf(call).method !== 'GET' && answer.status === 200) taken++
      })
      for (const again of [right[field]!, '', 'other'])
        expect(gist(await send(call, formOf([...pairs(call), [field, again]]))), field).toBe(`400 parameter_error ${field}`)
    }
    if (taken === 0) expect(await standing()).toBe(before)
    else expect(mayBeTaken).toContain(call)
  })

  test('JSON that nests too deep is refused in each of its fields, twice', async () => {
    for (const field of fieldsOf(call))
      for (const depth of [33, 7_000, 50_000])
        for (const value of ['['.repeat(depth) + ']'.repeat(depth), `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`])
          for (let time = 0; time < 2; time++) {
            // HTTP itself refuses an address line that is far too long.
            if (rowOf(call).method === 'GET' && depth > 33) continue
            const said = gist(await ask(call, field, value, `${call} ${field}: ${depth} deep`))
            expect(said, `${field} ${depth}`).toMatch(new RegExp(`^400 parameter_error ${field}$|^413 body_too_large$`))
          }
  })

  if (rowOf(call).method !== 'GET')
    test('invalid bodies get a clean answer, twice', async () => {
      const before = await standing()
      const [first = 'id'] = fieldsOf(call)
      await each(badTexts('form-body'), async (line) => {
        const renamed = line.value.replaceAll('amount', first)
        for (const body of [renamed, `${formOf(pairs(call, first))}&${renamed}`]) clean(await send(call, body), nameOf(line))
      })
      for (const line of badInputs('json-body') as BadInput[])
        for (let time = 0; time < 2; time++)
          expect(gist(clean(await send(call, String(line.value), 'application/json'), nameOf(line))), nameOf(line)).toMatch(
            /^(400 body_unreadable|413 body_too_large)$/,
          )
      for (const key in {}) expect.fail(`every object has ${key}`)
      if (!mayBeTaken.includes(call)) expect(await standing()).toBe(before)
    })
})

test('a search finds matching rows only, whatever characters it contains', async () => {
  const found = async (search: string) =>
    (await send('office.customers', formOf([['search', search]]))).json<{ data: { total: number } }>().data
  expect(await found('eve')).toMatchObject({ total: 1 })
  for (const trick of [...badTexts('sql', 'regex').map(({ value }) => value), '%', '_', '%%', 'e_e', '.*', '\\', "'", '\\%'])
    if (trick.length <= 80) expect([trick, (await found(trick))?.total]).toEqual([trick, 0])
})

test('texts of operators are logged as typed, and are not evaluated in a CSV file', async () => {
  const lines = badTexts('xss', 'sql', 'csv', 'log', 'text-unicode').filter(({ value }) => value.trim() && value.length <= 300)
  let frozen = 0
  let stored = 0
  for (const { value } of lines) {
    frozen = 1 - frozen
    const answer = clean(
      await send(
        'office.customerFreeze',
        formOf([
          ['uid', String(eve.uid)],
          ['frozen', String(frozen)],
          ['reason', value],
        ]),
      ),
      value,
    )
    if (answer.status !== 200) {
      frozen = 1 - frozen
      continue
    }
    stored++
    const { list } = (await send('office.audit', formOf([['size', '1']]))).json<{ data: { list: { detail: string }[] } }>().data
    expect(list[0]?.detail).toBe(value.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD').trim())
  }
  expect(stored).toBeGreaterThan(20)
  const { text } = await send('office.auditCsv', '')
  expect(text).toContain('customer.f')
  for (const line of text.split('\r\n')) for (const cell of line.split(',')) expect(cell).not.toMatch(/^"?[=+@\t]|^"?-(?!\d)/)
})

test('the server has logged no error', async () => {
  expect(asked).toBeGreaterThan(isFull ? 3_000 : 500)
  expect(logged).toEqual([])
  expect((await api.get('/health')).json()).toMatchObject({ status: 'ok', database: 'up' })
})
