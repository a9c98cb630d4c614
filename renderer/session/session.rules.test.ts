import { describe, expect, test } from 'vitest'
import { type Entry, entryOf, pathOf, userOf, type Visitor } from '#renderer/session/session.rules.ts'

const visitor: Visitor = { loggedIn: false, level: undefined, asking: true }
const known = (level: number): Visitor => ({ loggedIn: true, level, asking: true })
const unknown: Visitor = { loggedIn: true, level: undefined, asking: true }
const unheard: Visitor = { loggedIn: true, level: undefined, asking: false }

describe('who may enter', () => {
  const rows: [string, { auth?: boolean; kyc?: number }, Visitor, Entry][] = [
    ['an open page for a visitor', {}, visitor, 'open'],
    ['a closed page for a visitor', { auth: true }, visitor, 'login'],
    ['a page with a level for a visitor: first the login', { kyc: 1 }, visitor, 'login'],
    ['a closed page for a customer', { auth: true }, known(0), 'open'],
    ['a closed page while the account is asked for', { auth: true }, unknown, 'open'],
    ['a level that is not reached', { auth: true, kyc: 2 }, known(1), 'verify'],
    ['a level that is reached', { auth: true, kyc: 2 }, known(2), 'open'],
    ['a level that nobody knows yet', { auth: true, kyc: 1 }, unknown, 'wait'],
    ['a level that cannot be had: the server judges', { auth: true, kyc: 1 }, unheard, 'open'],
  ]
  test.each(rows)('%s', (_name, route, who, entry) => expect(entryOf(route, who)).toBe(entry))
})

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
    ['a level that there is not', { ...good, level: 3 }],
    ['no name', { ...good, nickname: 5 }],
    ['a member with parts', { ...good, email: { a: 1 } }],
    ['a member without end', { ...good, signature: 'x'.repeat(3_000) }],
    ['too many members', { ...good, ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`m${i}`, 1])) }],
  ])('%s is none', (_name, value) => expect(userOf(value)).toBeUndefined())
})

describe('addresses', () => {
  test.each([
    ['/', ''],
    ['/pages/a?b=/c', 'pages/a'],
    ['pages/a/', 'pages/a'],
  ])('%s has the path %s', (address, path) => expect(pathOf(address)).toBe(path))
})
