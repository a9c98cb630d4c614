import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ValidationDoc } from '#language/documents/documents.ts'
import { parse } from '#language/documents/parse.ts'
import { compile, guard } from '#language/expression/expression.ts'

const folder = join(import.meta.dirname, '../../schemas/validations')
const files = readdirSync(folder).map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
const documents = new Map(parse(files).documents.map(({ doc }): [string, ValidationDoc] => [doc.id, doc as ValidationDoc]))

/** What a form would say of the value; `undefined` where the rule cannot be checked. */
function judged(id: string, value: unknown, given: Record<string, unknown> = {}): boolean | undefined {
  const doc = documents.get(id)
  if (!doc) throw new Error(`there is no validation ${id}`)
  const defaults = Object.entries(doc.params ?? {}).flatMap(([name, param]) => (param.default === undefined ? [] : [[name, param.default]]))
  const roots: Record<string, unknown> = { value, params: { ...Object.fromEntries(defaults), ...given } }
  const { open, missing } = guard(compile(doc.test), { get: (root) => roots[root] })
  return missing.length > 0 ? undefined : open
}

type Row = [id: string, accepted: readonly unknown[], refused: readonly unknown[], given?: Record<string, unknown>]
const table: Row[] = [
  ['password', ['1234567', '       ', '密码密码密码密', 'x'.repeat(64)], ['', '123456', '😀😀😀😀😀😀']],
  ['password-strong', ['12345678'], ['1234567']],
  ['pay-password', ['123456'], ['12345']],
  ['passwords-equal', ['abc'], ['abd', 'abc ', ''], { other: 'abc' }],
  ['verification-code', ['000000', '123456'], ['12345', '1234567', '１２３４５６', '12345a', ' 12345', '123456\n']],
  ['verification-code', ['1234'], ['123456'], { length: 4 }],
  [
    'nickname',
    ['ab', '小明', 'Ann Lee', 'สมชาย', 'José', '10'],
    ['a', 'a'.repeat(11), 'a_b', '<b>', 'a😀', ' ab', 'ab ', 'a  b', 'a\u202eb', 'a\nb'],
  ],
  ['signature', ['ab', 'x'.repeat(30), '今天也是好天气'], ['a', 'x'.repeat(31), 'a!', 'a;drop', 'a\0b']],
  ['whole-number', ['1', '42'], ['0', '00012', '1.0', '-1', '1e3', '+1', ' 1', '١']],
  ['quantity', ['1', '0.00000001', '123.4567890123'.slice(0, 14)], ['0', '0.0', '-1', '1e3', '1,5', '.5', '5.', '01', '', '+1']],
  ['price', ['0.1', '99999999999999999999'], ['0', 'NaN', 'Infinity', '1_000', '0x10']],
  ['amount', ['1.0123456789', '0.00000000000000000001'], ['1.01234567891', '0.000000000000000000001', '−1', '１', '1 ']],
  ['filled', ['x', ' '], ['']],
  [
    'wallet-address',
    ['0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe', 'TJYeasTPa6gpBZUiQR7D8wEq4vhTqnQz8Z'],
    ['', '0x12', 'a b'.repeat(10), '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BА' + 'е'],
  ],
  ['wallet-qrcode', ['/uploads/x.png'], ['']],
  ['voucher', ['/uploads/x.png'], ['']],
  ['withdraw-minimum', ['10', '10.0', '11'], ['9.99999999', '0'], { least: '10' }],
  ['within-balance', ['0.3', '0.30', '0'], ['0.30000000000000000001', '1'], { available: '0.3' }],
  ['bid-above', ['100.01'], ['100', '100.0', '99'], { current: '100' }],
  ['resale-price', ['1'], ['0', '-1', 'x']],
  ['resale-increment', ['0.1'], ['0', '']],
  ['end-after-start', ['2026-01-02'], ['2026-01-01', '2025-12-31', 'tomorrow'], { start: '2026-01-01' }],
  ['email', ['a@b.co', 'first.last+tag@sub.example.com'], ['a@b', '@b.co', 'a@b..co', 'a b@c.de', 'a@b.co\nBcc: x@y.z', 'a@b.co,c@d.ef']],
  ['mobile-cn', ['13800138000', '19912345678'], ['12800138000', '1380013800', '138001380001', '+8613800138000', '１３８00138000']],
  ['mobile', ['91234567', '612345678'], ['1234', '1'.repeat(16), '+4479', '91 234 567']],
  ['url', ['https://example.com/a?b=1#c'], ['http://example.com', 'javascript:alert(1)', 'https://', '//example.com', 'https://a b']],
  ['digits', ['0', '007'], ['1.0', '-1', '', '٣']],
  ['letters', ['abcXYZ'], ['a1', 'é', '']],
  ['alphanumeric', ['a1Z'], ['a-1', 'a b', '']],
]

describe.each(table)('%s', (id, accepted, refused, given) => {
  test.each(accepted)('accepts %j', (value) => expect(judged(id, value, given)).toBe(true))
  test.each(refused)('refuses %j', (value) => expect(judged(id, value, given)).toBe(false))
})

test('verification wants both ways to reach the customer', () => {
  const both = [true, false].flatMap((email) => [true, false].map((mobile) => ({ email, mobile })))
  expect(both.filter((given) => judged('contacts-bound', 'x', given))).toEqual([{ email: true, mobile: true }])
})

test('a rule whose inputs are missing cannot be checked', () => {
  expect(judged('withdraw-minimum', '5')).toBeUndefined()
  expect(judged('within-balance', '5')).toBeUndefined()
  expect(judged('passwords-equal', 'abc')).toBeUndefined()
})

test('every validation has a row', () => {
  const told = new Set([...table.map(([id]) => id), 'contacts-bound'])
  expect([...documents.keys()].filter((id) => !told.has(id))).toEqual([])
})
