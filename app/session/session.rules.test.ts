import { describe, expect, test } from 'vitest'
import { userOf } from '#app/session/session.rules.ts'

describe('an account', () => {
  const good = { uid: 7, nickname: 'Ann', level: 1, email: 'a@b', withdraw_hold_until: null, demo: false }
  test('is one', () => expect(userOf(good)).toBe(good))
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a list', [good]],
    ['text', 'Ann'],
    ['without a number', { ...good, uid: undefined }],
    ['number 0', { ...good, uid: 0 }],
    ['a number as text', { ...good, uid: '7' }],
    ['an unknown level', { ...good, level: 3 }],
    ['no name', { ...good, nickname: 5 }],
    ['a member that is an object', { ...good, email: { a: 1 } }],
    ['a member that is too long', { ...good, signature: 'x'.repeat(3_000) }],
    ['too many members', { ...good, ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`m${i}`, 1])) }],
  ])('%s is none', (_name, value) => expect(userOf(value)).toBeUndefined())
})
