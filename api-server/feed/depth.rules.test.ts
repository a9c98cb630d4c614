import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sideDelta } from '#api-server/feed/depth.rules.ts'
import type { DepthLevel } from '#contract/feed.ts'
import { applySide } from '#tests/support/feed/feed-client.ts'

test.each<[string, DepthLevel[], DepthLevel[], DepthLevel[]]>([
  ['nothing changed', [['10', '1']], [['10', '1']], []],
  ['a size changed', [['10', '1']], [['10', '2']], [['10', '2']]],
  [
    'a level came',
    [['10', '1']],
    [
      ['11', '3'],
      ['10', '1'],
    ],
    [['11', '3']],
  ],
  [
    'a level went',
    [
      ['11', '3'],
      ['10', '1'],
    ],
    [['10', '1']],
    [['11', '0']],
  ],
  [
    'all went',
    [
      ['11', '3'],
      ['10', '1'],
    ],
    [],
    [
      ['11', '0'],
      ['10', '0'],
    ],
  ],
  ['from nothing', [], [['10', '1']], [['10', '1']]],
])('%s', (_name, before, after, delta) => {
  expect(sideDelta(before, after)).toEqual(delta)
})

const side = (isBids: boolean) =>
  fc
    .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 9 })), { selector: ([price]) => price, maxLength: 20 })
    .map((levels) => levels.sort(([a], [b]) => (isBids ? b - a : a - b)).map(([price, size]): DepthLevel => [String(price), String(size)]))

test.each([true, false])('applying a delta to the old side gives the new side, bids %s', (isBids) => {
  fc.assert(
    fc.property(side(isBids), side(isBids), (before, after) => {
      expect(applySide(before, sideDelta(before, after), isBids)).toEqual(after)
    }),
  )
})
