import { expect, test } from 'vitest'
import { stableKeys } from '#console/editor/kinds/stable-keys.rules.ts'

const steps = (...states: string[][]) => states.reduce((before, ids) => stableKeys(before, ids), stableKeys([], []))
const keys = (...states: string[][]) => steps(...states).map(({ key }) => key)

test.for([
  [
    'another id',
    [
      ['a', 'b'],
      ['a', 'bc'],
      ['a', 'bcd'],
    ],
    ['a', 'b'],
  ],
  [
    'an id that becomes the one of another for a moment',
    [
      ['a', 'b'],
      ['a', 'a'],
      ['a', 'ab'],
    ],
    ['a', 'b'],
  ],
  [
    'an order',
    [
      ['a', 'b', 'c'],
      ['c', 'a', 'b'],
    ],
    ['c', 'a', 'b'],
  ],
  [
    'one that is added',
    [
      ['a', 'b'],
      ['a', 'n', 'b'],
    ],
    ['a', 'n', 'b'],
  ],
  [
    'one that is taken out',
    [
      ['a', 'b', 'c'],
      ['a', 'c'],
    ],
    ['a', 'c'],
  ],
  [
    'a name that a renamed one had',
    [
      ['a', 'b'],
      ['a', 'c'],
      ['a', 'c', 'b'],
    ],
    ['a', 'b', 'b 2'],
  ],
] as const)('%s', ([, states, wanted]) => {
  expect(keys(...states.map((ids) => [...ids]))).toEqual(wanted)
})
