import { expect, test } from 'vitest'
import { placesOf } from '#widgets/candle-chart/lines.rules.ts'

test.for<[string, number[], number[]]>([
  ['none', [], []],
  ['far apart', [10, 100, 50], [10, 100, 50]],
  ['two close lines, the lower one given first', [15, 10], [38, 10]],
  ['equal lines in their order', [10, 10], [10, 38]],
  ['one moves the next', [10, 20, 40], [10, 38, 66]],
])('handles of %s', ([, lines, places]) => expect(placesOf(lines, 28)).toEqual(places))
