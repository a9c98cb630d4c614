import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { functionOperators } from '#contract/functions/registry.ts'
import type { FormDoc, ValidationDoc } from '#language/documents/documents.ts'
import { parse } from '#language/documents/parse.ts'
import { compile, guard, learn } from '#language/expression/expression.ts'
import { cases } from '#tests/support/one-rule.ts'

learn(functionOperators)

const folder = join(import.meta.dirname, '../../schemas/validations')
const files = readdirSync(folder).map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
const documents = new Map(parse(files).documents.map(({ doc }): [string, ValidationDoc] => [doc.id, doc as ValidationDoc]))

/** Returns whether a form would accept the value; `undefined` where the rule cannot be checked. */
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
  ['password', ['12345678', '密码密码密码密码'], ['1234567', ''], { least: 8 }],
  ['pay-password', ['123456'], ['12345']],
  ['passwords-equal', ['abc'], ['abd', 'abc ', ''], { other: 'abc' }],
  ['verification-code', ['000000', '123456'], ['12345', '1234567', '１２３４５６', '12345a', ' 12345', '123456\n']],
  ['verification-code', ['1234'], ['123456'], { length: 4 }],
  [
    'nickname',
    ['ab', '小明', 'Ann Lee', 'สมชาย', 'น้ำผึ้งที่ดี', 'José', '10', ' ab ', 'a  b'],
    ['a', 'a'.repeat(11), 'กิ่งแก้วน้ำทิพย์ที่รัก', 'a_b', '<b>', 'a😀', 'a\u202eb', 'a\nb'],
  ],
  ['nickname-free', ['ab', 'Badminton', 'a_b'], ['admin', 'Adm1n', '小明客服']],
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
  ['mobile', ['51234567', '+86 13800138000'], ['1234', '1'.repeat(16), '+4479', 'ann'], { area: '852' }],
  ['login-name', ['ann@example.com', '13800138000'], ['ann', 'ann@', '12345678901'], { area: '86' }],
  ['person-name', ['Raj a/l Kumar'], ['R2', '']],
  ['document-number', ['k 1234567'], ['護照123456', ''], { type: 'passport' }],
  ['holder-name', ['3M & Co.'], ['<b>', '']],
  ['card-number', ['4111111111111111'], ['4111111111111112', '']],
  ['card-phone', ['+852 5555 0143'], ['call me', '']],
  ['routing-number', ['021000021'], ['021000022', '']],
  ['swift-code', ['harbhkhh'], ['HARB', '']],
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
  const covered = new Set([...table.map(([id]) => id), 'contacts-bound'])
  expect([...documents.keys()].filter((id) => !covered.has(id))).toEqual([])
})

describe('what the server takes, and nothing else, passes in the forms', () => {
  test.each(cases.emails)('e-mail $text', ({ text, stored }) => expect(judged('email', text)).toBe(stored !== ''))
  test.each(cases.mobiles)('mobile +$area $text', ({ area, text, stored }) => expect(judged('mobile', text, { area })).toBe(stored !== ''))
  test.each(cases.logins)('login $text', ({ area, text, stored }) => expect(judged('login-name', text, { area })).toBe(stored !== ''))
  test.each(cases.names)('name $text', ({ text, person, holder }) => {
    expect([judged('person-name', text), judged('holder-name', text)]).toEqual([person !== '', holder !== ''])
  })
  const ofCard = { bank_account: 'card-number', alipay_account: 'routing-number', swift_code: 'swift-code', phone: 'card-phone' }
  test.each(cases.cards)('$field $text', ({ field, text, stored }) => expect(judged(ofCard[field], text)).toBe(stored !== ''))

  const formOf = (id: string) => {
    const text = readFileSync(join(folder, `../forms/${id.replace('.', '/')}.json`), 'utf8')
    return parse([{ file: 'form.json', text }]).documents[0]!.doc as FormDoc
  }
  /** Messages of the rules of a field that refuse a value: keys of texts. */
  function refusing(form: FormDoc, name: string, value: string, entries: Record<string, string>): unknown[] {
    const roots: Record<string, unknown> = { value, form: { address: null, qrcode: null, tag: null, ...entries } }
    const rules = (form.fields.find((field) => field.name === name)?.rules ?? []).filter(
      (rule) => typeof rule === 'object' && 'test' in rule,
    )
    return rules.filter(({ test }) => !guard(compile(test), { get: (root) => roots[root] }).open).map(({ message }) => message)
  }
  const wallet = formOf('setting.addWallet')
  const words = (name: string) => ({ $t: `funding.${name}` })

  test.each(cases.codes)('code $code', ({ code, address, tag }) => {
    const unread = refusing(wallet, 'qrcode', code, {})
    expect(unread).toEqual(address ? [] : [words('qrcode_unread')])
    if (!address) return
    expect(refusing(wallet, 'qrcode', code, { address })).toEqual([])
    expect(refusing(wallet, 'qrcode', code, { address: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp' })).toEqual([words('qrcode_other')])
    expect(refusing(wallet, 'tag', '77', { qrcode: code })).toEqual(tag ? [words('qrcode_tag')] : [])
  })
  test.each(cases.destinations)('destination $address', ({ address, why }) => {
    expect(refusing(wallet, 'address', address, {})).toEqual(why ? [words(`address_${why}`)] : [])
  })

  test.each(cases.nicknames)('nickname $text', ({ text, problem }) => {
    expect([judged('nickname', text), judged('nickname-free', text)]).toEqual([
      problem !== 'nickname_wrong',
      problem !== 'nickname_reserved',
    ])
  })
  test.each(cases.amounts)('amount $text', ({ text, stored }) => {
    for (const id of ['amount', 'quantity', 'price']) expect(judged(id, text), id).toBe(stored !== '')
  })
  test.each(cases.documents)('number of $type $text', ({ type, text, stored }) =>
    expect(judged('document-number', text, { type })).toBe(stored !== ''),
  )
  test.each(cases.signatures)('signature $text', ({ text, stored }) => expect(judged('signature', text)).toBe(stored !== ''))

  test.each([
    ['setting.nickname', 'nickname', 'nickname'],
    ['setting.nickname', 'nickname', 'nickname-free'],
    ['follow.apply', 'nickname', 'nickname'],
    ['follow.apply', 'nickname', 'nickname-free'],
    ['setting.signature', 'signature', 'signature'],
    ['common.login', 'username', 'login-name'],
    ['common.forgot', 'account', 'login-name'],
    ['common.register', 'email', 'email'],
    ['common.register', 'mobile', 'mobile'],
    ['setting.bind_email', 'email', 'email'],
    ['setting.bind_mobile', 'mobile', 'mobile'],
    ['setting.real_basic', 'name', 'person-name'],
    ['setting.real_basic', 'card_id', 'document-number'],
    ['setting.real_advanced', 'idnumber', 'document-number'],
    ['setting.real_advanced', 'name', 'person-name'],
    ...['bank', 'bank_international'].flatMap((form) => [
      [`setting.${form}`, 'real_name', 'holder-name'],
      [`setting.${form}`, 'bank_account', 'card-number'],
      [`setting.${form}`, 'phone', 'card-phone'],
    ]),
    ['setting.bank_international', 'alipay_account', 'routing-number'],
    ['setting.bank_international', 'swift_code', 'swift-code'],
  ])('%s judges %s by %s', (id, name, rule) => {
    const rules = formOf(id).fields.find((field) => field.name === name)?.rules ?? []
    expect(rules.map((one) => (typeof one === 'string' ? one : 'use' in one ? one.use : ''))).toContain(rule)
  })
})

test('passwords are named to password managers by what they are: the one of the login, a new one for it, or none of these', () => {
  const forms = join(import.meta.dirname, '../../schemas/forms')
  const found = readdirSync(forms, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const { id, fields } = JSON.parse(readFileSync(join(forms, file), 'utf8')) as {
        id: string
        fields: { name: string; type: string; props?: { autoComplete?: string } }[]
      }
      return fields.filter(({ type }) => type === 'password').map(({ name, props }) => [`${id} ${name}`, props?.autoComplete ?? 'current'])
    })
  const login = [
    'common.login',
    'setting.bind_email',
    'setting.bind_mobile',
    'setting.password',
    'setting.payPassword',
    'setting.second_off',
    'setting.second_on',
    'setting.session_end',
    'setting.sessions_end',
  ]
  const named = (place: string) => {
    const [form = '', field] = place.split(' ')
    if (field === 'password') return form === 'common.register' ? 'new' : login.includes(form) ? 'current' : 'off'
    // The new password of this form is the fund password.
    return form !== 'setting.payPassword' && ['newpassword', 're_password'].includes(field ?? '') ? 'new' : 'off'
  }
  expect(found.length).toBeGreaterThan(14)
  expect(found).toEqual(found.map(([place = '']) => [place, named(place)]))
})
