import { expect, test } from 'vitest'
import { changesOf, hashOf, shasOf, withChanges } from '#config-server/publishing/drafts/sources.rules.ts'

const files = { 'schemas/a.json': '{}', 'schemas/b.json': '[]' }

test('the hash of a set is over paths and texts, whatever their order', () => {
  const hash = hashOf(shasOf(files))
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(hashOf(shasOf(Object.fromEntries(Object.entries(files).reverse())))).toBe(hash)
  const others = [
    { ...files, 'schemas/a.json': '{} ' },
    { 'schemas/a.json': '{}' },
    { ...files, 'schemas/c.json': '' },
    { 'schemas/a.json': '[]', 'schemas/b.json': '{}' },
  ]
  for (const other of others) expect(hashOf(shasOf(other))).not.toBe(hash)
})

const rows: [name: string, after: Record<string, string>, changes: [string, string | null][]][] = [
  ['nothing', files, []],
  ['another text', { ...files, 'schemas/a.json': '1' }, [['schemas/a.json', '1']]],
  ['a new file', { ...files, 'schemas/c.json': '' }, [['schemas/c.json', '']]],
  ['a file less', { 'schemas/b.json': '[]' }, [['schemas/a.json', null]]],
  ['a name that objects inherit', { ...files, constructor: 'x' }, [['constructor', 'x']]],
]
test.for(rows)('%s: what changed makes the one of the other, and back', ([, after, changes]) => {
  expect([...changesOf(files, after)]).toEqual(changes)
  expect(withChanges(files, changesOf(files, after))).toEqual(after)
  expect(withChanges(after, changesOf(after, files))).toEqual(files)
})

test('a set comes in the order of its paths', () => {
  expect(Object.keys(withChanges({ b: 1, d: 1 }, [['a', 1] as const, ['c', 1] as const]))).toEqual(['a', 'b', 'c', 'd'])
})
