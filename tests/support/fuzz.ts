import fc from 'fast-check'
import * as z from 'zod'
import type { CallRow } from '#contract/call.ts'
import { type CallName, contract } from '#contract/contract.ts'
import { badTexts } from '#tests/support/bad-inputs.ts'
import { callFields, type Field } from '#tests/support/call-fields.ts'
import { formOf, type Wire, wireOf } from '#tests/support/databases/pool.ts'

/** Real names, tokens and codes, which let requests pass the first checks. */
export interface Known {
  tokens: readonly string[]
  texts: readonly string[]
  password: string
  /** Sent codes with their addresses. */
  letters: readonly { to: string; code: string }[]
}
export interface FuzzRequest {
  call: CallName
  wire: Wire
}

interface Schema {
  const?: string
  enum?: string[]
  pattern?: string
  minLength?: number
  maxLength?: number
  default?: unknown
}
interface Shape {
  properties?: Record<string, Schema>
  required?: string[]
}

const names = Object.keys(contract) as CallName[]
const rows = contract as Record<CallName, CallRow>
const texts = badTexts(
  ...['num-sign', 'num-format', 'num-special', 'num-precision', 'num-range', 'num-unicode', 'int-id', 'enum', 'datetime', 'text-control'],
  ...[
    'text-unicode',
    'text-length',
    'xss',
    'url',
    'sql',
    'log',
    'csv',
    'path',
    'lang',
    'regex',
    'password',
    'otp',
    'email',
    'phone',
    'auth-token',
  ],
).map(({ value }) => value)
const bodies = badTexts('form-body', 'json-body').map(({ value }) => value)

const bad = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300 }) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom('', '\0', '[object Object]', '9'.repeat(5_000), '['.repeat(7_000), '('.repeat(3_000)) },
)

/** Fills in the parts in braces of the table of fields. */
const filled = (right: string, known: Known): fc.Arbitrary<string> => {
  if (right === '{mobile}') return fc.integer({ min: 13_000_000_000, max: 13_999_999_999 }).map(String)
  if (right === '{password}') return fc.constant(known.password)
  return right.startsWith('{') ? fc.nat(100_000).map((n) => `new${n}@mail.example`) : fc.constant(right)
}

/** A text that the schema of a field accepts. */
function good(schema: Schema, [, right]: Field, known: Known): fc.Arbitrary<string> {
  const own = filled(right, known)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.pattern)
    return fc.oneof(
      { weight: 3, arbitrary: own },
      { weight: 1, arbitrary: fc.stringMatching(new RegExp(schema.pattern), { size: 'small' }) },
    )
  const { minLength = 0, maxLength = 40 } = schema
  return fc.oneof(
    { weight: 5, arbitrary: own },
    { weight: 3, arbitrary: fc.constantFrom(...known.texts) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(40, maxLength) }) },
  )
}

type Pair = readonly [string, string]
const strangeName = fc.constantFrom(
  '__proto__',
  '__proto__[x]',
  'constructor[prototype][x]',
  'toString',
  'lang',
  'agent_id',
  'uid',
  'user',
  'token',
  '',
)

/** Fields of a call: in a third of the requests all of them valid, so that calls with many fields are reached too; else some bad, repeated or omitted. */
function pairsOf(call: CallName, known: Known): fc.Arbitrary<Pair[]> {
  const schema = z.toJSONSchema(rows[call].input, { io: 'input', unrepresentable: 'any' }) as Shape
  const none = fc.constant<Pair[]>([])
  const own = Object.entries(callFields[call] as Record<string, Field>).map(([name, field]) => {
    const fits = good(schema.properties?.[name] ?? {}, field, known).map((value): Pair[] => [[name, value]])
    const needed = schema.required?.includes(name)
    const mixed = fc.oneof(
      { weight: 60, arbitrary: fits },
      { weight: needed ? 3 : 30, arbitrary: none },
      { weight: 12, arbitrary: bad.map((value): Pair[] => [[name, value]]) },
      { weight: 2, arbitrary: fits.map((pairs) => [...pairs, ...pairs]) },
      { weight: 1, arbitrary: fits.map((pairs) => pairs.map(([key, value]): Pair => [`${key}[]`, value])) },
    )
    return { mixed, valid: needed ? fits : fc.oneof({ weight: 2, arbitrary: fits }, { weight: 1, arbitrary: none }) }
  })
  const fields = fc.oneof(
    { weight: 1, arbitrary: fc.tuple(...own.map(({ valid }) => valid)) },
    { weight: 2, arbitrary: fc.tuple(...own.map(({ mixed }) => mixed)) },
  )
  const more = fc.array(fc.tuple(strangeName, bad), { maxLength: 2 })
  return fc
    .tuple(fields, fc.oneof({ weight: 8, arbitrary: fc.constant<[string, string][]>([]) }, { weight: 1, arbitrary: more }))
    .map(([mine, others]) => [...mine.flat(), ...others])
    .chain((pairs) => fc.oneof({ weight: 2, arbitrary: fc.constant(pairs) }, { weight: 1, arbitrary: lettered(pairs, known) }))
}

const addressNames = new Set(['username', 'account', 'email', 'mobile'])
/** Uses a code that was sent to the address in the same call. */
function lettered(pairs: Pair[], { letters }: Known): fc.Arbitrary<Pair[]> {
  if (letters.length === 0 || !pairs.some(([name]) => name === 'code' || name === 'captcha')) return fc.constant(pairs)
  return fc.constantFrom(...letters).map(({ to, code }) =>
    pairs.map(([name, value]): Pair => {
      if (name === 'code' || name === 'captcha') return [name, code]
      return [name, addressNames.has(name) ? to.replace(/^\+\d+ /, '') : value]
    }),
  )
}

/** Characters that HTTP allows in a header. */
const headerText = (text: string) => text.replace(/[^\x20-\x7E\xA0-\xFF]/g, '').slice(0, 4_000)

function headersOf(known: Known): fc.Arbitrary<Record<string, string>> {
  const token = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...known.tokens, ...known.tokens.map((one) => `Bearer ${one}`)) },
    { weight: 3, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: bad.map(headerText) },
  )
  const extra = fc.dictionary(
    fc.constantFrom('lang', 'agent-id', 'user-agent', 'accept-language', 'x-forwarded-for', 'x-http-method-override', 'origin', 'cookie'),
    bad.map(headerText),
    { maxKeys: 2, noNullPrototype: true },
  )
  return fc
    .tuple(token, fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: extra }))
    .map(([authorization, others]) => ({ ...others, ...(authorization && { authorization }) }))
}

/** One request to any call: mostly according to its row, sometimes with another body, method or type. */
export function requests(known: Known, file: Buffer): fc.Arbitrary<FuzzRequest> {
  const perCall = names.map((call) => {
    const row = rows[call]
    const asRow = fc
      .tuple(pairsOf(call, known), headersOf(known), fc.constantFrom(undefined, file, Buffer.from('no picture'), Buffer.alloc(0)))
      .map(([pairs, headers, sent]): FuzzRequest => ({ call, wire: wireOf(row, formOf(pairs), headers, row.upload && sent) }))
    const otherBody = fc
      .tuple(
        fc.oneof(
          fc.constantFrom(...bodies),
          fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
        ),
        headersOf(known),
        fc.constantFrom('application/x-www-form-urlencoded', 'application/json', 'text/plain', 'multipart/form-data; boundary=x', ''),
      )
      .map(([body, headers, type]): FuzzRequest => {
        const length = { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }
        return { call, wire: { method: row.method, path: `/api${row.path}`, headers: { ...headers, ...length }, body } }
      })
    const otherMethod = fc
      .tuple(asRow, fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'), fc.constantFrom('', '/', '?a=%ff', '%00', '/../x'))
      .map(([{ wire }, method, end]): FuzzRequest => {
        const { body: _body, ...rest } = wire
        const { 'content-length': _length, ...headers } = wire.headers ?? {}
        return { call, wire: { ...rest, method, path: wire.path + end, headers: { ...headers, 'content-length': '0' } } }
      })
    return fc.oneof({ weight: 24, arbitrary: asRow }, { weight: 2, arbitrary: otherBody }, { weight: 1, arbitrary: otherMethod })
  })
  return fc.oneof(...perCall)
}
