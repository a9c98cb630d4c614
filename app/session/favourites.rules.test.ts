import { describe, expect, test } from 'vitest'
import { accepted, applied, changes, met, nobody, parted, recordOf, type SyncRecord } from '#app/session/favourites.rules.ts'

const of = (uid: number, more: Partial<SyncRecord> = {}): SyncRecord => ({ ...nobody, uid, ...more })

describe('lists', () => {
  test.each([
    [['A', 'B'], ['B', 'C'], { add: ['C'], del: ['A'] }],
    [['A', 'B'], ['B', 'A'], { add: [], del: [] }],
    [[], ['A'], { add: ['A'], del: [] }],
    [['A'], [], { add: [], del: ['A'] }],
  ])('from %j to %j', (from, to, between) => expect(changes(from, to)).toEqual(between))
  test('an empty change keeps the list', () => {
    const list = ['A', 'B']
    expect(applied(list, { add: ['A'], del: ['Z'] })).toBe(list)
    expect(applied(list, { add: ['C'], del: ['A'] })).toEqual(['B', 'C'])
  })
})

describe('a login', () => {
  const rows: [string, SyncRecord, string[], string[], string[], Partial<SyncRecord>][] = [
    [
      'transfers the list of the device',
      nobody,
      ['A', 'B'],
      ['B', 'C'],
      ['B', 'C', 'A'],
      { uid: 7, base: ['B', 'C'], own: ['A', 'B'], moved: ['A', 'B'] },
    ],
    ['transfers nothing twice', of(0, { moved: ['A'] }), ['A', 'D'], ['C'], ['C', 'D'], { own: ['A', 'D'], moved: ['A', 'D'] }],
    ['shows only the account’s list when the device has none', nobody, [], ['C'], ['C'], { own: [], moved: [] }],
    [
      'sends what could not be sent before',
      of(0, { left: { uid: 7, add: ['N'], del: ['C'] } }),
      [],
      ['B', 'C'],
      ['B', 'N'],
      { base: ['B', 'C'] },
    ],
    ['sends nothing of another customer', of(0, { left: { uid: 8, add: ['N'], del: ['C'] } }), [], ['B', 'C'], ['B', 'C'], {}],
    [
      'of another customer transfers nothing of the previous one',
      of(8, { base: ['X'], own: ['A'], moved: ['A'] }),
      ['X', 'Y'],
      ['C'],
      ['C'],
      { own: ['A'] },
    ],
  ]
  test.each(rows)('%s', (_name, record, device, account, shown, expected) => {
    const [next, list] = met(record, 7, device, account)
    expect(list).toEqual(shown)
    expect(next).toMatchObject({ uid: 7, ...expected })
    expect(next).not.toHaveProperty('left')
  })
  test('after a reload keeps local changes and takes those of others', () => {
    const [next, list] = met(of(7, { base: ['A', 'B'], own: ['O'] }), 7, ['B', 'C'], ['A', 'B', 'D'])
    expect(list).toEqual(['B', 'D', 'C'])
    expect(next).toMatchObject({ base: ['A', 'B', 'D'], own: ['O'] })
  })
})

describe('an answer', () => {
  const add = { add: ['C'], del: [] }
  test.each([
    ['as expected, in any order', ['A', 'B', 'C'], ['A', 'C', 'B'], ['A', 'B', 'C']],
    ['with another that came from elsewhere', ['A', 'B', 'C'], ['A', 'B', 'Z', 'C'], ['A', 'B', 'C', 'Z']],
    ['without a symbol that was removed elsewhere', ['A', 'B', 'C'], ['B', 'C'], ['B', 'C']],
    ['while another symbol was pressed', ['A', 'B', 'C', 'D'], ['A', 'B', 'C'], ['A', 'B', 'C', 'D']],
    ['while the change was reverted', ['A', 'B'], ['A', 'B', 'C'], ['A', 'B']],
  ])('%s', (_name, device, account, shown) => {
    const [next, list] = accepted(of(7, { base: ['A', 'B'] }), add, device, account)
    expect(list).toEqual(shown)
    expect(next.base).toEqual(account)
  })
})

describe('the end of a session', () => {
  const record = of(7, { base: ['A', 'B'], own: ['O'], moved: ['O'] })
  test('restores the list of the device', () => {
    expect(parted(record, ['A', 'B'], true)).toEqual([{ ...nobody, moved: ['O'] }, ['O']])
  })
  test('by the server keeps unsent changes; a logout discards them', () => {
    expect(parted(record, ['B', 'C'], true)[0].left).toEqual({ uid: 7, add: ['C'], del: ['A'] })
    expect(parted(record, ['B', 'C'], false)[0]).not.toHaveProperty('left')
  })
  test('without a customer changes nothing', () => expect(parted(nobody, ['A'], false)).toEqual([nobody, ['A']]))
})

describe('a kept record', () => {
  test.each([null, '', '{', '[]', '{"uid":"7"}', '{"uid":-1}', 'null', '5'])('%j is nobody', (text) =>
    expect(recordOf(text)).toEqual(nobody),
  )
  test('is read back unchanged, without unknown members', () => {
    const record = { uid: 7, base: ['A'], own: ['B'], moved: ['C'], left: { uid: 8, add: ['D'], del: [] } }
    expect(recordOf(JSON.stringify({ ...record, base: ['A', 5, null], more: 1 }))).toEqual(record)
  })
})
