import { describe, expect, test } from 'vitest'
import { codeOf, found, moved, optionsOf } from '#widgets/parts/fields/search.rules.ts'

const options = [
  { id: 'a', label: 'Côte d’Ivoire +225', note: 'CI' },
  { id: 'b', label: 'China +86', note: 'CN' },
  { id: 'c', label: 'Hong Kong, China +852', note: 'HK' },
  { id: 'd', label: '日本 +81', note: 'JP' },
]

describe('searching', () => {
  test.each([
    ['', ['a', 'b', 'c', 'd']],
    ['   ', ['a', 'b', 'c', 'd']],
    ['china', ['b', 'c']],
    ['CHINA hong', ['c']],
    ['cote', ['a']],
    ['ｃｏ\u0302ｔｅ', ['a']],
    ['＋８５２', ['c']],
    ['๘๖', ['b']],
    ['+85', ['c']],
    ['86', ['b']],
    ['日', ['d']],
    ['hk', ['c']],
    ['.*', []],
    ['(', []],
    ['nowhere', []],
  ])('%j finds %j', (query, ids) => {
    expect(found(options, query).map(({ id }) => id)).toEqual(ids)
  })
})

test.each([
  ['ArrowDown', -1, 3, 0],
  ['ArrowDown', 2, 3, 2],
  ['ArrowUp', 0, 3, 0],
  ['ArrowUp', -1, 3, 0],
  ['PageDown', 0, 20, 8],
  ['PageUp', 3, 20, 0],
  ['a', 1, 3, undefined],
  ['ArrowDown', -1, 0, undefined],
])('%s at %d of %d moves to %j', (key, at, count, to) => {
  expect(moved(key, at, count)).toBe(to)
})

test('areas that share a code are told apart and send the code', () => {
  const areas = optionsOf([
    { id: 1, code: '1', iso: 'US', name: 'United States' },
    { id: 2, code: '1', iso: 'CA', name: 'Canada' },
    { id: '86', label: 'China +86' },
  ])
  expect(areas.map(({ id, label }) => [id, label, codeOf(id)])).toEqual([
    ['1:US', 'United States +1', '1'],
    ['1:CA', 'Canada +1', '1'],
    ['86', 'China +86', '86'],
  ])
})
