import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { CallRow } from '#contract/call.ts'
import { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { contract } from '#contract/contract.ts'
import { badTexts } from '#tests/support/bad-inputs.ts'
import { inputs } from '#tests/support/right-inputs.ts'

/** Members that a row does not name are neither read nor answered. */

const rows: [string, CallRow][] = Object.entries({ ...contract, ...backOfficeCalls })

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  items?: Schema | Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
}

/** Places of a schema that accept unnamed members. */
function loose(schema: Schema, place: string): string[] {
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => list ?? [])
  if (parts.length) return parts.flatMap((part) => loose(part, place))
  if (schema.type === 'array') {
    const items = Array.isArray(schema.items) ? schema.items : schema.items ? [schema.items] : [{}]
    return items.flatMap((item) => loose(item, `${place}[]`))
  }
  if (schema.type === 'object') {
    const open = schema.additionalProperties === false ? [] : [`${place}: whatever name`]
    return [...open, ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => loose(one, `${place}.${name}`))]
  }
  return schema.type || schema.enum || schema.const !== undefined ? [] : [`${place}: whatever value`]
}
/** All member names of a schema, with their places. */
const names = (schema: Schema, place: string): string[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => [`${place}.${name}`, ...names(one, `${place}.${name}`)]),
  ...[schema.anyOf, schema.oneOf, schema.allOf, schema.items].flatMap((list) => list ?? []).flatMap((one) => names(one, place)),
]
const answerOf = (row: CallRow) => z.toJSONSchema(row.output, { io: 'output', unrepresentable: 'any' }) as Schema

test.each<[what: string, schema: z.ZodType, found: string[]]>([
  ['named fields', z.object({ a: z.object({ b: z.array(z.string()) }) }), []],
  ['whatever comes beside them', z.object({ a: z.array(z.looseObject({})) }), ['x.a[]: whatever name']],
  ['names that the data gives', z.object({ a: z.record(z.string(), z.string()).nullable() }), ['x.a: whatever name']],
  ['anything', z.object({ a: z.unknown() }), ['x.a: whatever value']],
])('found in an answer: %s', (_what, schema, found) => {
  expect(loose(z.toJSONSchema(schema, { io: 'output' }) as Schema, 'x')).toEqual(found)
})

describe.each(rows)('%s', (name, row) => {
  test('its answer has named members only, at every depth', () => {
    expect(loose(answerOf(row), name)).toEqual([])
  })

  test('unknown fields are not read', () => {
    const own = (row.input as z.ZodObject).shape
    const strange = ['uid', 'user_id', 'status', 'level', 'demo', 'admin', 'balance', 'decided_by', 'constructor', 'toString', 'valueOf']
    const lines = badTexts('form-body').flatMap(({ value }) => [...new URLSearchParams(value).keys()])
    const extra = [...strange, ...lines].filter((key) => key !== '__proto__' && !Object.hasOwn(own, key))
    const sent: Record<string, string> = Object.create(null)
    for (const key of extra) sent[key] = '1'
    // A member name that an object literal would ignore.
    Object.defineProperty(sent, '__proto__', { value: '1', enumerable: true, configurable: true, writable: true })
    const right = (inputs as Record<string, Record<string, string>>)[name] ?? {
      id: '1',
      uid: '100001',
      reason: 'x',
      reference: 'x',
      frozen: '1',
      halted_at: '1',
      product: 'spot',
      symbol: 'BTCUSDT',
      key: 'BTCUSDT',
      group: 'stock',
      zone: 'UTC',
      sessions: '1-5 09:00-17:00',
      holidays: '',
      days: '',
      coin: 'BTC',
      side: 'buy',
      price: '1',
      amount_min: '1',
      amount_max: '1',
      whole: '1',
      step: 'pause',
      digest: '0'.repeat(64),
    }
    for (const [key, text] of Object.entries({ four_eyes_usd: '1', ...right })) if (Object.hasOwn(own, key)) sent[key] = text
    const read = row.input.parse(sent) as Record<string, unknown>
    expect(Object.keys(read).filter((key) => !Object.hasOwn(own, key))).toEqual([])
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
  })
})

test('no answer has a member for data that only the server may know', () => {
  const secret =
    /(?:^|_)(?:hash|salt|password_hash|pay_password_hash|token_hash|sealed|answer_hash|key_hash)$|^(?:password|pay_password|mpassword)$/
  const found = rows
    .flatMap(([name, row]) => names(answerOf(row), name))
    // Hashes of ticks are published, so that anybody can check them.
    .filter(
      (place) =>
        !/(?:[_.]tick|^market\.ticks\.list|^market\.dayEnds\.(?:list|last))\.(prev_)?hash$/.test(place) &&
        secret.test(place.slice(place.lastIndexOf('.') + 1)),
    )
  expect(found).toEqual([])
})
