import { expect, test } from 'vitest'
import { found, literalOf, operatorsFor, subjectsFrom } from '#console/editor/conditions/subjects.rules.ts'
import { createWords } from '#console/io/words.ts'
import type { Types } from '#language/types/types.ts'

const record = (properties: Record<string, object>) => ({ type: 'object', properties })
const types = {
  session: record({
    logged_in: { type: 'boolean' },
    kyc: { type: 'integer' },
    language: { type: 'string', enum: ['en', 'th'] },
    user: record({ created: { type: 'integer', unit: 'ms' }, frozen: { type: 'boolean' } }),
  }),
  form: record({ amount: { type: 'string', decimal: true } }),
  data: record({ info: record({ fee_rate: { type: 'string', decimal: true }, rows: { type: 'array' } }) }),
  device: record({ theme: { type: 'string', enum: ['dark', 'light'] } }),
  feed: { type: 'object' },
} as unknown as Types
const names = { segments: { verified: 'Verified customers' }, fields: { amount: 'Amount' }, languages: { en: 'English', th: 'ไทย' } }
const { say } = await createWords('en')
const subjects = subjectsFrom(types, names, say)
const paths = (typed: string) => found(subjects, typed).map(({ path }) => path)

test('subjects are segments, answers, the customer, the device and the data of the page, in this order', () => {
  expect(subjects.map(({ path, label, kind }) => [path, label, kind])).toEqual([
    ['segment.verified', 'Verified customers', 'flag'],
    ['form.amount', 'Amount', 'number'],
    ['session.logged_in', 'Logged in', 'flag'],
    ['session.kyc', 'Identity verification', 'level'],
    ['session.user.created', 'Customer since', 'time'],
    ['session.language', 'Language', 'choice'],
    ['session.user.frozen', 'Account frozen', 'flag'],
    ['device.theme', 'Theme', 'choice'],
    ['data.info.fee_rate', 'Info: fee rate', 'number'],
    ['data.info.rows', 'Info: rows', 'list'],
  ])
  expect(subjects.find(({ path }) => path === 'session.language')?.options).toEqual([
    { value: 'en', label: 'English' },
    { value: 'th', label: 'ไทย' },
  ])
})

test.for([
  ['verified', ['segment.verified', 'session.kyc']],
  ['kyc', ['session.kyc']],
  ['new customer', ['session.user.created']],
  ['fee', ['data.info.fee_rate']],
  ['session.lang', ['session.language']],
  ['nothing at all', []],
] as const)('"%s" finds %j', ([typed, wanted]) => {
  expect(paths(typed)).toEqual(wanted)
})

test('"verified" finds the identity level in every language of the console', async () => {
  for (const [language, word] of [
    ['zh', '已认证'],
    ['hk', '已認證'],
    ['th', 'ยืนยันแล้ว'],
    ['ja', '確認済み'],
    ['ko', '인증'],
    ['fr', 'vérifié'],
    ['es', 'verificado'],
  ] as const) {
    const words = await createWords(language)
    expect(
      found(subjectsFrom(types, names, words.say), word).map(({ path }) => path),
      language,
    ).toContain('session.kyc')
  }
})

test('a subject has the comparisons of its kind, and keeps the present one', () => {
  const kyc = subjects.find(({ path }) => path === 'session.kyc')
  expect(operatorsFor(kyc, 'at_least')).toEqual(['at_least', 'is', 'less', 'is_not'])
  expect(operatorsFor(kyc, 'filled')).toContain('filled')
  expect(operatorsFor(undefined, 'yes')).toContain('yes')
})

test.for([
  ['12', 'number', 12],
  ['0.5', 'number', 0.5],
  ['1.50', 'number', '1.50'],
  ['12345678901234567890', 'number', '12345678901234567890'],
  ['12', 'text', '12'],
  ['x', 'any', 'x'],
] as const)('%s of a %s is %j', ([typed, kind, value]) => {
  expect(literalOf(typed, kind)).toBe(value)
})
