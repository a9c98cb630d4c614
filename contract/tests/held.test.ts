import { expect, test } from 'vitest'
import * as z from 'zod'
import { AnswerDiffers, differenceOf } from '#contract/held.ts'

const schema = z.object({ list: z.array(z.object({ id: z.int(), rate: z.string(), note: z.string().nullable() })) })
const row = { id: 1, rate: '1', note: null }

test.each<[name: string, value: unknown, exact: boolean, difference: object | undefined]>([
  ['what fits', { list: [row] }, true, undefined],
  [
    'a number for a text',
    { list: [row, { ...row, rate: 1 }] },
    false,
    { path: 'list.1.rate', expected: expect.stringContaining('expected string') },
  ],
  [
    'a missing member',
    { list: [{ id: 1, rate: '1' }] },
    false,
    { path: 'list.0.note', expected: expect.stringContaining('expected string') },
  ],
  ['nothing', null, false, { path: '', expected: expect.stringContaining('expected object') }],
  ['a further member, which is cut', { list: [{ ...row, more: 1 }] }, false, undefined],
  [
    'a further member of what is sent as it is',
    { list: [row, { ...row, more: 1 }] },
    true,
    { path: 'list.1.more', expected: 'the contract has no such member' },
  ],
])('%s', (_, value, exact, difference) => {
  expect(differenceOf(schema, value, exact)).toEqual(difference)
})
test('says call, place and rule in one sentence', () => {
  expect(new AnswerDiffers('dual.index', { path: 'list.0.rate', expected: 'expected string' }).message).toBe(
    'dual.index answers other than the contract says, at list.0.rate: expected string',
  )
})
