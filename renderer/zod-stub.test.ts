import { expect, test } from 'vitest'
import * as zod from 'zod'
import { z as stub } from '#renderer/zod-stub.ts'

type Schema = { def: { type: string; shape?: Record<string, Schema>; element?: Schema; innerType?: Schema } }
const kinds = new Set(['object', 'array', 'record', 'optional', 'nullable'])

/** Lists, objects and what may be absent; everything else is `any`. */
function outline({ def: { type, shape, element, innerType } }: Schema): unknown {
  if (!kinds.has(type)) return 'any'
  if (type === 'object') return Object.fromEntries(Object.entries(shape!).map(([name, part]) => [name, outline(part)]))
  return type === 'record' ? type : [type, outline((element ?? innerType)!)]
}

const passport = (z: typeof zod) =>
  z.object({
    title: z.string().min(1).meta({ text: true }),
    rows: z
      .array(z.union([z.int(), z.literal('a')]))
      .max(5)
      .optional()
      .describe('rows'),
    pair: z
      .object({ last: z.string().nullable(), more: z.lazy(() => z.string()) })
      .nullable()
      .optional(),
    words: z.record(z.string(), z.unknown()),
  })

test('has the lists, the objects and what may be absent, as zod has them', () => {
  const seen = outline(passport(stub as typeof zod) as never)
  expect(seen).toEqual({
    title: 'any',
    rows: ['optional', ['array', 'any']],
    pair: ['optional', ['nullable', { last: ['nullable', 'any'], more: 'any' }]],
    words: 'record',
  })
  expect(seen).toEqual(outline(passport(zod) as never))
})

test.each<[name: string, use: (z: typeof zod) => unknown]>([
  ['parse', (z) => z.string().parse('x')],
  ['safeParse', (z) => z.object({ a: z.string() }).safeParse({})],
  ['extend', (z) => z.object({ a: z.string() }).extend({ b: z.array(z.string()) })],
  ['default', (z) => z.array(z.string()).default([])],
  ['toJSONSchema', (z) => z.toJSONSchema(z.string())],
  ['strng', (z) => (z as unknown as Record<string, () => unknown>).strng?.()],
])('%s fails in development, with its name', (name, use) => {
  expect(() => use(stub as typeof zod)).toThrow(`does not know "${name}" of zod`)
})

test('takes the place of any chain of calls', () => {
  const z = stub as typeof zod
  const text = z.string()
  expect([text.min(1).meta({ text: true }), z.enum(['a']).exclude(['a']), z.string().regex(/a/)]).toEqual([text, text, text])
})

test('does not pretend to be a promise, an iterable or a component', () => {
  const symbols = stub as Record<PropertyKey, unknown>
  expect([symbols[Symbol.iterator], symbols[Symbol.toPrimitive], symbols[Symbol.asyncIterator]]).toEqual([undefined, undefined, undefined])
})
