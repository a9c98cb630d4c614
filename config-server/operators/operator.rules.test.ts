import { expect, test } from 'vitest'
import { locksOut, nameKey, readName, readRoles, type Standing } from '#config-server/operators/operator.rules.ts'

test.each<[typed: string, name: string | undefined]>([
  ['ann', 'ann'],
  ['  Ann   Miller ', 'Ann Miller'],
  ['ann.miller@example.com', 'ann.miller@example.com'],
  ['王小明', '王小明'],
  ['Анна', 'Анна'],
  ['ＡＮＮ', 'ANN'],
  ['a', undefined],
  ['x'.repeat(60), 'x'.repeat(60)],
  ['x'.repeat(61), undefined],
  ['аnn', undefined],
  ['-ann', undefined],
  ['ann-', undefined],
  ['ann\nmiller', 'ann miller'],
  ['ann\u0000', undefined],
  ['ann\u202Emiller', undefined],
  ['=cmd()', undefined],
  ['<b>ann</b>', undefined],
  ['System', undefined],
  ['guard', undefined],
  ['', undefined],
])('name %j', (typed, name) => {
  expect(readName(typed)).toBe(name)
})

test('names that differ in case, width or blanks are the same', () => {
  expect(nameKey('Ann  Miller')).toBe(nameKey(' ＡＮＮ miller'))
  expect(nameKey('ann')).not.toBe(nameKey('anna'))
})

test.each<[asked: string[], read: string[] | undefined]>([
  [['viewer'], ['viewer']],
  [
    ['publisher', 'editor', 'editor'],
    ['editor', 'publisher'],
  ],
  [[], undefined],
  [['owner'], undefined],
  [['viewer', '__proto__'], undefined],
])('roles %j', (asked, read) => {
  expect(readRoles(asked)).toEqual(read)
})

const who = (id: number, change: Partial<Standing> = {}): Standing => ({
  id,
  roles: ['administrator'],
  frozen: false,
  ready: true,
  ...change,
})
test.each<[name: string, all: Standing[], change: Partial<Standing> & { id: number }, locks: boolean]>([
  ['the last freezes himself', [who(1)], { id: 1, frozen: true }, true],
  ['the last demotes himself', [who(1)], { id: 1, roles: ['publisher'] }, true],
  ['the last is reset', [who(1)], { id: 1, ready: false }, true],
  ['the last takes a second role', [who(1)], { id: 1, roles: ['administrator', 'editor'] }, false],
  ['one of two freezes himself', [who(1), who(2)], { id: 1, frozen: true }, false],
  ['the other is frozen', [who(1), who(2, { frozen: true })], { id: 1, frozen: true }, true],
  ['the other has not set up', [who(1), who(2, { ready: false })], { id: 1, roles: ['viewer'] }, true],
  ['the other is no administrator', [who(1), who(2, { roles: ['publisher'] })], { id: 1, frozen: true }, true],
  ['somebody else is frozen', [who(1), who(2, { roles: ['editor'] })], { id: 2, frozen: true }, false],
  ['nobody could before', [who(1, { frozen: true })], { id: 1, roles: ['viewer'] }, false],
])('%s', (_name, all, change, locks) => {
  expect(locksOut(all, change)).toBe(locks)
})
