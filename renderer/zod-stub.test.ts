import { expect, test } from 'vitest'
import { inert } from '#renderer/zod-stub.ts'

test('takes the place of any chain of calls', () => {
  const z = inert as typeof import('zod')
  const passport = z.object({ title: z.string().min(1).meta({ text: true }), rows: z.array(z.union([z.int(), z.literal('a')])).optional() })
  expect(passport).toBe(inert)
  expect(passport.extend({ more: z.lazy(() => passport) }).strict().shape.title).toBe(inert)
})

test('does not pretend to be a promise, an iterable or a component', () => {
  const stub = inert as Record<PropertyKey, unknown>
  expect(stub[Symbol.iterator]).toBeUndefined()
  expect(stub[Symbol.toPrimitive]).toBeUndefined()
  expect(stub[Symbol.asyncIterator]).toBeUndefined()
})
