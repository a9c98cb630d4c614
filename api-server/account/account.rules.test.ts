import { expect, test } from 'vitest'
import { canonicalInviteCode, holdUntil, inviteCodeFrom, nicknameOf, signatureOf } from '#api-server/account/account.rules.ts'
import { lengthOf } from '#contract/text.ts'
import { badTexts, nameOf } from '#tests/support/bad-inputs.ts'

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

test('invite codes have no letters that are taken for each other, and are found however they are typed', () => {
  const code = inviteCodeFrom(new Uint8Array(Array.from({ length: 256 }, (_, i) => i)))
  expect(code).not.toMatch(/[01IO]/)
  expect(new Set(code).size).toBe(32)
  expect(canonicalInviteCode(' p8l6-7vnu\n')).toBe('P8L67VNU')
})

test.each<[until: number | null, now: number, shown: number | null]>([
  [null, 5, null],
  [5, 5, null],
  [6, 5, 6],
])('a hold until %s at %i', (until, now, shown) => {
  expect(holdUntil(until, now)).toBe(shown)
})
