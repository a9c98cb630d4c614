import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { readAmount } from '#api-server/wallet/amount.rules.ts'
import type { CallRow } from '#contract/call.ts'
import { type CallName, contract } from '#contract/contract.ts'
import { nicknameOf, signatureOf } from '#contract/rules/nickname.rules.ts'
import { type BadInput, badInputs, nameOf } from '#tests/support/bad-inputs.ts'
import { type FieldStage, gistOf, mustBeClean, openFieldStage } from '#tests/support/browser/field-stage.ts'
import { allFields, callFields, type Field } from '#tests/support/call-fields.ts'
import type { TimedAnswer } from '#tests/support/databases/pool.ts'
import { everyNth, firstOf } from '#tests/support/house/sizes.ts'

/** Values tried in every field. */
const everywhere = ['text-control', 'text-length', 'sql', 'xss', 'log', 'regex', 'path'] as const
const numbers = ['num-sign', 'num-format', 'num-special', 'num-precision', 'num-range', 'num-unicode', 'num-type', 'int-id'] as const
const words = ['text-unicode', 'csv', 'url', 'lang'] as const

/** Additional values for fields of a sort. */
const bySort: Record<Field[0], readonly string[]> = {
  word: words,
  nickname: words,
  signature: words,
  url: ['url', 'filename'],
  key: ['auth-token', ...words],
  invite: ['enum', 'text-unicode'],
  login: ['email', 'phone', 'text-unicode', 'csv'],
  email: ['email', 'phone'],
  mobile: ['phone', 'email', 'num-unicode'],
  password: ['password', 'text-unicode'],
  newPassword: ['password', 'text-unicode'],
  code: ['otp', 'num-unicode'],
  factor: ['otp', 'num-unicode'],
  id: numbers,
  page: numbers,
  time: [...numbers, 'datetime'],
  area: ['phone', ...numbers],
  amount: numbers,
  wallet: ['wallet-address'],
  choice: ['enum', 'lang'],
  symbol: ['enum', 'int-id', 'lang'],
}

/** Kinds that do not apply to a field, and where they are tested instead. */
const elsewhere: Record<string, string> = {
  paging: 'several fields at once, below',
  login: 'several fields at once, below',
  'form-body': 'bad-inputs-wire',
  'json-body': 'bad-inputs-wire',
  'http-header': 'bad-inputs-wire',
  'http-method': 'bad-inputs-wire',
  'file-content': 'api-server/upload',
  multipart: 'api-server/upload',
  'ws-frame': 'feed-limits',
  expression: 'language',
  'config-doc': 'config-server, trust-documents',
  'bank-card': 'several fields at once, below',
  business: 'the modules: api-server/wallet, lever, spot, mic and follow',
}

/** In `npm test` every fortieth row, with another start for each field, so that every row is used somewhere. */
const linesFor = (lines: readonly BadInput[], start: number): readonly BadInput[] => everyNth(lines, 40, start)

let stage: FieldStage
beforeAll(async () => {
  stage = await openFieldStage()
})
afterAll(() => stage?.end())

type Pair = readonly [string, string]
/** The value as a form writes it: lists repeat the name, objects and lists of one item use brackets. */
function written(field: string, value: unknown): Pair[] {
  if (Array.isArray(value))
    return value.length > 1 ? value.map((one): Pair => [field, String(one)]) : [[`${field}[]`, String(value[0] ?? '')]]
  if (typeof value === 'object' && value !== null) return Object.entries(value).map(([key, one]): Pair => [`${field}[${key}]`, String(one)])
  return [[field, String(value)]]
}

interface Schema {
  enum?: string[]
}
const schemaOf = (call: CallName, field: string) =>
  (z.toJSONSchema((contract[call] as CallRow).input, { io: 'input', unrepresentable: 'any' }) as { properties: Record<string, Schema> })
    .properties[field]!

/** Values that must be refused, whatever the other fields are. */
function mustRefuse(call: CallName, field: string, sort: Field[0], { value, kind, note }: BadInput): boolean {
  if (Array.isArray(value) && value.length > 1) return true
  if (typeof value === 'object') return false
  const text = String(value)
  if (/[\0\uFFFD]/.test(text) || text.length > 2_000) return true
  if (['id', 'page', 'time'].includes(sort)) return !/^(0|[1-9]\d{0,13})$/.test(text)
  if (sort === 'choice' && schemaOf(call, field).enum) return !schemaOf(call, field).enum!.includes(text)
  if (sort === 'symbol') return !/^[A-Z0-9]{2,20}$/.test(text)
  if (sort === 'area') return !/^\+?[1-9]\d{0,3}$/.test(text)
  if (sort === 'code') return true
  if (sort === 'amount') return readAmount(text, 8) === undefined
  const own = kind === sort || (kind === 'phone' && sort === 'mobile') || (kind === 'password' && sort === 'newPassword')
  return own && note.startsWith('refuse;')
}

/** The text without characters that have a meaning in SQL. Names may have some of them, so there a letter takes the place of those. */
const harmless = (text: string, field: string) =>
  (field === 'real_name' ? text.replace(/[.,'&/@()-]/g, 'q') : text)
    .replace(/\p{L}/gu, 'q')
    .replace(/\p{N}/gu, '7')
    .replace(/[^q7 ]/gu, '~')

/** Limit of CPU time in this process, which runs the server, for one answer. Hashing a password takes about a tenth of it. */
const answerCoreMsMax = 1_000

/** Sends a value in a field and checks that the answer is clean and cheap. */
async function ask(call: CallName, field: string, value: unknown, what: string): Promise<TimedAnswer> {
  const before = process.cpuUsage()
  const answer = await stage.send(call, [...stage.pairs(call, { [field]: undefined }), ...written(field, value)])
  const { user, system } = process.cpuUsage(before)
  mustBeClean(answer, what)
  expect((user + system) / 1_000, what).toBeLessThan(answerCoreMsMax)
  return answer
}

const counted = { lines: new Set<string>(), fields: new Set<string>(), requests: 0 }

describe.each((Object.keys(contract) as CallName[]).filter((call) => Object.keys(callFields[call]).length > 0))('%s', (call) => {
  const fields = allFields.filter((one) => one.call === call)

  test('bad values in each of its fields get a clean answer and have no effect', async () => {
    const before = await stage.standing()
    let taken = 0
    for (const one of fields) {
      const { field, sort } = one
      for (const line of linesFor(badInputs(...new Set([...everywhere, ...bySort[sort]])), allFields.indexOf(one))) {
        const what = `${call} ${field}: ${nameOf(line)}`
        const answer = await ask(call, field, line.value, what)
        counted.lines.add(JSON.stringify(line.value) + line.kind)
        counted.fields.add(`${call} ${field}`)
        counted.requests++
        if (mustRefuse(call, field, sort, line)) expect(answer.status, what).not.toBe(200)
        if (answer.status !== 200) continue
        taken++
        const shown = answer.json<{ data: Record<string, unknown> }>().data[field]
        if (sort === 'nickname') expect(shown, what).toBe(nicknameOf(String(line.value)))
        if (sort === 'signature') expect(shown, what).toBe(signatureOf(String(line.value)))
      }
    }
    if (taken === 0) expect(await stage.standing()).toBe(before)
  })

  test('text with SQL is answered like any other text', async () => {
    for (const one of fields) {
      const { field } = one
      for (const line of linesFor(badInputs('sql'), allFields.indexOf(one))) {
        const value = String(line.value)
        const [bad, plain] = [
          await ask(call, field, value, `${call} ${field}: ${value}`),
          await ask(call, field, harmless(value, field), `${call} ${field}: ${harmless(value, field)}`),
        ]
        expect(gistOf(bad), `${call} ${field}: ${value}`).toBe(gistOf(plain))
      }
    }
  })

  test('JSON that nests too deep is refused in its fields, twice', async () => {
    const isGet = contract[call].method === 'GET'
    for (const { field } of firstOf(fields, 1)) {
      // HTTP itself refuses an address line that is much longer.
      for (const depth of isGet ? [33] : [33, 7_000, 50_000]) {
        for (const value of ['['.repeat(depth) + ']'.repeat(depth), `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`]) {
          for (let time = 0; time < 2; time++) {
            const said = gistOf(await stage.send(call, [...stage.pairs(call, { [field]: undefined }), [field, value]]))
            expect([`400 parameter_error ${field}`, '413 body_too_large'], `${field} ${depth}`).toContain(said.trim())
          }
        }
      }
    }
  })

  test('a repeated field is refused, for every field', async () => {
    for (const { field, right } of fields) {
      for (const again of [right, '', 'other']) {
        const answer = await stage.send(call, [...stage.pairs(call), [field, again]])
        expect(gistOf(answer), `${field}=${again}`).toBe(`400 parameter_error ${field}`)
      }
    }
  })
})

test('bad values that are several fields', async () => {
  let matched = 0
  for (const line of badInputs('paging', 'phone', 'login', 'datetime', 'bank-card')) {
    if (typeof line.value !== 'object' || line.value === null) continue
    const value = Object.entries(line.value).map(([key, one]): [string, unknown] => [key === 'account' ? 'username' : key, one])
    for (const call of Object.keys(contract) as CallName[]) {
      const own = value.filter(([key]) => Object.hasOwn(callFields[call], key))
      if (own.length < value.length) continue
      matched++
      const rest = stage.pairs(call, Object.fromEntries(own.map(([key]) => [key, undefined])))
      const answer = await stage.send(call, [...rest, ...own.flatMap(([key, one]) => written(key, one))])
      mustBeClean(answer, `${call} ${nameOf(line)}`)
      if (/^refuse/.test(line.note)) expect(answer.status, `${call} ${nameOf(line)}`).not.toBe(200)
    }
  }
  expect(matched).toBeGreaterThan(12)
})

test('every row was used, or is listed as tested elsewhere', () => {
  const lines = readFileSync('tests/data/bad-inputs.jsonl', 'utf8').trim().split('\n')
  const kinds = [...new Set(lines.map((line) => (JSON.parse(line) as BadInput).kind))]
  const asked = new Set<string>([...everywhere, ...Object.values(bySort).flat()])
  expect(kinds.filter((kind) => !asked.has(kind) && !Object.hasOwn(elsewhere, kind))).toEqual([])
  expect(allFields.length).toBe(
    Object.values(contract as Record<string, CallRow>).reduce((sum, row) => sum + Object.keys((row.input as z.ZodObject).shape).length, 0),
  )
  expect(counted.fields.size).toBe(allFields.length)
  const left = kinds.filter((kind) => !asked.has(kind)).map((kind) => `${kind} (${elsewhere[kind]})`)
  console.log(`${counted.lines.size} lines × ${counted.fields.size} fields = ${counted.requests} requests\nnot here: ${left.join(', ')}`)
})

test('the server has logged no error, still answers, and no object has a new member', async () => {
  expect(stage.logged).toEqual([])
  for (const key in {}) expect.fail(`every object has ${key}`)
  expect((await stage.api.get('/health')).json()).toMatchObject({ status: 'ok', database: 'up' })
})
