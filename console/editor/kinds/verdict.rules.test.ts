import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { typedValue, verdictOf } from '#console/editor/kinds/verdict.rules.ts'
import type { Logic, ValidationDoc } from '#language/documents/documents.ts'
import { parse } from '#language/documents/parse.ts'

const folder = join(import.meta.dirname, '../../../schemas/validations')
const files = readdirSync(folder).map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
const shipped = new Map(parse(files).documents.map(({ doc }) => [doc.id, doc as ValidationDoc]))

describe('validations of the product', () => {
  /** A value that is accepted and one that is refused, with the same parameters as they are typed. */
  const rows: [id: string, right: string, wrong: string, given?: Record<string, string>][] = [
    ['alphanumeric', 'ab1', 'a-b'],
    ['amount', '0.5', '0'],
    ['bid-above', '2.5', '2.4', { current: '2.4' }],
    ['card-number', '4111111111111111', '4111111111111112'],
    ['card-phone', '+852 55550143', 'x'],
    ['digits', '0123', '12a'],
    ['document-number', 'k 1234567', '護照123456', { type: 'passport' }],
    ['email', 'ann@example.com', 'ann'],
    ['end-after-start', '2026-02-02', '2026-01-31', { start: '2026-02-01' }],
    ['filled', 'x', ''],
    ['holder-name', '3M & Co.', '<b>'],
    ['letters', 'ann', 'ann1'],
    ['login-name', 'ann@example.com', 'ann@', { area: '86' }],
    ['mobile', '13800138000', 'x', { area: '86' }],
    ['mobile-cn', '13800138000', '12'],
    ['nickname', 'ann', 'a'],
    ['nickname-free', 'ann', 'Adm1n'],
    ['password', 'seven77', 'sixsix'],
    ['password', 'eight888', 'seven77', { least: '8' }],
    ['passwords-equal', 'same', 'other', { other: 'same' }],
    ['pay-password', '123456', '12345'],
    ['person-name', 'Raj a/l Kumar', 'R2'],
    ['price', '1.5', '-1'],
    ['quantity', '3', 'x'],
    ['resale-increment', '1', '0'],
    ['resale-price', '1', '0'],
    ['routing-number', '021000021', '021000022'],
    ['signature', 'Ann Lee', 'A'],
    ['swift-code', 'HARBHKHH', 'HARB'],
    ['url', 'https://example.com', 'example'],
    ['verification-code', '123456', '12345'],
    ['verification-code', '1234', '123456', { length: '4' }],
    ['voucher', 'x', ''],
    ['wallet-address', 'a'.repeat(20), 'a'.repeat(19)],
    ['wallet-qrcode', 'x', ''],
    ['whole-number', '3', '0'],
    ['withdraw-minimum', '10', '9', { least: '9.5' }],
    ['within-balance', '9.5', '10', { available: '9.5' }],
  ]
  test.for(rows)('%s accepts %j and refuses %j', ([id, right, wrong, given = {}]) => {
    const rule = shipped.get(id)!
    expect([verdictOf(rule, right, given), verdictOf(rule, wrong, given)]).toEqual([{ kind: 'right' }, { kind: 'wrong' }])
  })
  test('yes and no are given as words', () => {
    const rule = shipped.get('contacts-bound')!
    expect(verdictOf(rule, 'x', { email: 'true', mobile: 'true' })).toEqual({ kind: 'right' })
    expect(verdictOf(rule, 'x', { email: 'true', mobile: 'false' })).toEqual({ kind: 'wrong' })
  })
  test('one without a parameter that it needs is not decided', () => {
    expect(verdictOf(shipped.get('withdraw-minimum')!, '9', { least: '' })).toEqual({ kind: 'unsure', missing: ['params.least'] })
  })
  test('all are tried here', () => {
    expect([...shipped.keys()].sort()).toEqual([...new Set([...rows.map(([id]) => id), 'contacts-bound'])].sort())
  })
})

test('a rule may use the functions of the product', () => {
  const test: Logic = { '===': [{ 'spot.cost': ['2', '3'] }, '6'] }
  expect(verdictOf({ test }, 'x', {}).kind).toBe('right')
})

test.for<Logic>([{ '==': [1, 1] }, { nothing: [] }, { var: 'window.x' }])('a rule that may not be is told, not thrown: %j', (rule) => {
  expect(verdictOf({ test: rule }, 'x', {}).kind).toBe('broken')
})

test('what is typed is held as a form holds it', () => {
  expect(typedValue('1', 'text')).toBe('1')
  expect(typedValue('a, b,', 'list')).toEqual(['a', 'b'])
  expect(typedValue('true', 'switch')).toBe(true)
})
