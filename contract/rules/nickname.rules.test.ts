import { expect, test } from 'vitest'
import { lengthOf } from '#contract/characters.ts'
import { isReservedName, nicknameOf, nicknameProblem, signatureOf } from '#contract/rules/nickname.rules.ts'
import { badTexts, nameOf } from '#tests/support/bad-inputs.ts'
import { cases } from '#tests/support/one-rule.ts'

test.each(cases.nicknames)('nickname $text is stored as $stored, or refused: $problem', ({ text, stored, problem }) => {
  expect([nicknameOf(text) ?? '', nicknameProblem(text) ?? '']).toEqual([stored, problem])
})

test.each(cases.signatures)('signature $text is stored as $stored', ({ text, stored }) => {
  expect(signatureOf(text) ?? '').toBe(stored)
})

test.each<[text: string, nickname: string | undefined]>([
  ['Al', 'Al'],
  ['小明', '小明'],
  ['สมชาย', 'สมชาย'],
  ['น้ำผึ้งที่ดี', 'น้ำผึ้งที่ดี'],
  ['กิ่งแก้วน้ำทิพย์ที่รัก', undefined],
  ['Ann 2', 'Ann 2'],
  ['e\u0301le\u0300ve', 'élève'],
  ['1234567890', '1234567890'],
  ['', undefined],
  ['A', undefined],
  ['12345678901', undefined],
  [' Ann', 'Ann'],
  ['Ann  B ', 'Ann B'],
  ['Ann\tB', undefined],
  ['Ａｎｎ２', 'Ann2'],
  ['Ann\u3000B', 'Ann B'],
  ['小明Ann', '小明Ann'],
  ['かなカナー漢', 'かなカナー漢'],
  ['Анна', 'Анна'],
  ['Анна Lee', 'Анна Lee'],
  ['\u0410nn', undefined],
  ['Ann\u03bf', undefined],
  ['小明\u0410', undefined],
  ['สมא', undefined],
  ['Ann 1\u0662', undefined],
  ['Ann Ⅳ', 'Ann IV'],
  ['Ann ½', undefined],
  ['<b>Ann', undefined],
  ['Ann\u202Ebob', undefined],
  ['Ann\u200B', undefined],
  ['\u0301\u0301', undefined],
  ['Ann🐴', undefined],
  ['a_b', undefined],
])('nickname %j', (text, nickname) => {
  expect(nicknameOf(text)).toBe(nickname)
})
test.each(badTexts('xss', 'sql', 'log', 'text-control').map((line) => [nameOf(line), line.value] as const))(
  'nickname: %s',
  (_name, text) => {
    const name = nicknameOf(text)
    if (name === undefined) return
    expect(name).toMatch(/^[\p{L}\p{N}\p{M} ]+$/u)
    expect(lengthOf(name)).toBeLessThanOrEqual(10)
  },
)

test.each<[text: string, signature: string | undefined]>([
  ['', ''],
  ['慢就是快', '慢就是快'],
  ['slow is smooth', 'slow is smooth'],
  ['x', undefined],
  ['a'.repeat(30), 'a'.repeat(30)],
  ['a'.repeat(31), undefined],
  ['<script>', undefined],
])('signature %j', (text, signature) => {
  expect(signatureOf(text)).toBe(signature)
})

test.each<[nickname: string, reserved: boolean]>([
  ['admin', true],
  ['ADMIN', true],
  ['Ádmin', true],
  ['Adm1n', true],
  ['Admln', true],
  ['adrnin', true],
  ['Admin 7', true],
  ['007admin', true],
  ['The Admin', true],
  ['a d m i n', true],
  ['Support', true],
  ['5upp0rt', true],
  ['Tessera', true],
  ['T3ssera 1', true],
  ['Moderador', true],
  ['小明客服', true],
  ['官 方', true],
  ['관리자', true],
  ['админ', true],
  ['Badminton', false],
  ['Adam', false],
  ['Tess', false],
  ['Supporter', false],
  ['小明', false],
  ['12345', false],
])('%s is reserved: %s', (nickname, reserved) => {
  expect(isReservedName(nickname)).toBe(reserved)
})
