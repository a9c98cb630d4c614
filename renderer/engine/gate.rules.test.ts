import { describe, expect, test } from 'vitest'
import { type Entry, entryOf, isShut, pathOf, type Visitor } from '#renderer/engine/gate.rules.ts'

const visitor: Visitor = { loggedIn: false, level: undefined, asking: true }
const known = (level: number): Visitor => ({ loggedIn: true, level, asking: true })
const unknown: Visitor = { loggedIn: true, level: undefined, asking: true }
const unheard: Visitor = { loggedIn: true, level: undefined, asking: false }

describe('who may enter', () => {
  const rows: [string, { auth?: boolean; kyc?: number; off?: boolean }, Visitor, Entry][] = [
    ['an open page for a visitor', {}, visitor, 'open'],
    ['a closed page for a visitor', { auth: true }, visitor, 'login'],
    ['a page with a level for a visitor: first the login', { kyc: 1 }, visitor, 'login'],
    ['a closed page for a customer', { auth: true }, known(0), 'open'],
    ['a closed page while the account is asked for', { auth: true }, unknown, 'open'],
    ['a level that is not reached', { auth: true, kyc: 2 }, known(1), 'verify'],
    ['a level that is reached', { auth: true, kyc: 2 }, known(2), 'open'],
    ['a level that nobody knows yet', { auth: true, kyc: 1 }, unknown, 'wait'],
    ['a page that is left out, for a visitor', { auth: true, off: true }, visitor, 'off'],
    ['a page that is left out, for a customer', { off: true }, known(2), 'off'],
    ['a level that cannot be had: the server judges', { auth: true, kyc: 1 }, unheard, 'open'],
  ]
  test.each(rows)('%s', (_name, route, who, entry) => expect(entryOf(route, who)).toBe(entry))
})

describe('addresses', () => {
  test.each([
    ['/', ''],
    ['/pages/a?b=/c', 'pages/a'],
    ['pages/a/', 'pages/a'],
  ])('%s has the path %s', (address, path) => expect(pathOf(address)).toBe(path))
})

test.each<[Parameters<typeof isShut>[0], object, boolean]>([
  ['login', { loginRoute: 'login' }, false],
  ['login', {}, true],
  ['login', { loginRoute: 'nowhere' }, true],
  ['verify', { loginRoute: 'login' }, true],
  ['verify', { verifyRoute: 'login' }, false],
  ['wait', {}, false],
  ['open', {}, false],
])('a page that asks for %s in an app with %j is shut: %j', (entry, constants, shut) => {
  expect(isShut(entry, constants as Record<string, unknown>, (path) => (path === 'login' ? {} : undefined))).toBe(shut)
})
