import { expect, test } from 'vitest'
import { type Share, slicesOf } from '#widgets/share-chart/share.rules.ts'

const shares = (...sizes: string[]): Share[] => sizes.map((share, i) => ({ id: `${i}`, label: `${i}`, share }))
const drawn = (most: number, ...sizes: string[]) => {
  const { slices, rest } = slicesOf(shares(...sizes), most)
  return [slices.map(({ id, from, length }) => [id, Math.round(from), Math.round(length)]), rest && [Math.round(rest.length), rest.count]]
}

test.each([
  ['nothing', [4], [[], undefined]],
  ['zeros and what is no number are not drawn', [4, '0', '0.0', 'much', '-1'], [[], undefined]],
  ['one is the whole ring', [4, '0.3'], [[['0', 0, 100]], undefined]],
  [
    'the largest comes first',
    [4, '0.25', '0.75'],
    [
      [
        ['1', 0, 75],
        ['0', 75, 25],
      ],
      undefined,
    ],
  ],
  [
    'shares that are more than all still make one ring',
    [4, '3', '1'],
    [
      [
        ['0', 0, 75],
        ['1', 75, 25],
      ],
      undefined,
    ],
  ],
  [
    'as many as fit stand alone',
    [3, '0.5', '0.3', '0.2'],
    [
      [
        ['0', 0, 50],
        ['1', 50, 30],
        ['2', 80, 20],
      ],
      undefined,
    ],
  ],
  [
    'the others are one',
    [3, '0.5', '0.2', '0.2', '0.1'],
    [
      [
        ['0', 0, 50],
        ['1', 50, 20],
      ],
      [30, 2],
    ],
  ],
] as [string, [number, ...string[]], unknown][])('%s', (_, args, result) => {
  expect(drawn(...args)).toEqual(result)
})
