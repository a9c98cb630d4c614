import { expect, test } from 'vitest'
import { barsOf } from '#widgets/deal-card/bars.rules.ts'

const item = (get: string, hold: string) => ({ id: get, label: get, get: { value: get, text: get }, hold: { value: hold, text: hold } })

test.each<[string, [get: string, hold: string][], [get: number, hold: number][]]>([
  [
    'the longest of all bars is 1',
    [
      ['27', '30'],
      ['30', '40'],
    ],
    [
      [0.675, 0.75],
      [0.75, 1],
    ],
  ],
  ['nothing is drawn for nothing', [['0', '5']], [[0, 1]]],
  ['nothing at all', [['0', '0']], [[0, 0]]],
  [
    'what is no number has no length',
    [
      ['x', '-3'],
      ['NaN', '2'],
    ],
    [
      [0, 0],
      [0, 1],
    ],
  ],
  ['no examples', [], []],
])('%s', (_says, given, lengths) => {
  expect(barsOf(given.map(([get, hold]) => item(get, hold)))).toEqual(lengths.map(([get, hold]) => ({ get, hold })))
})
