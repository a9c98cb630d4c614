import { expect, test } from 'vitest'
import { heightOf, linePath } from '#console/review/chart.rules.ts'

test.each([
  ['nothing', [], 1, ''],
  ['one value is a line across', [0.5], 1, 'M0 20L100 20'],
  ['from bottom to top', [0, 1], 1, 'M0 38L100 2'],
  ['what is over the top touches it', [0, 9], 1, 'M0 38L100 2'],
  ['a gap', [1, null, 1], 1, 'M0 2M100 2'],
])('a line through %s', (_what, values, max, path) => expect(linePath(values, max)).toBe(path))

test('nothing is measured against nothing', () => expect(heightOf(0, 0)).toBe(38))
