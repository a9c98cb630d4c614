import { expect, test } from 'vitest'
import type { DepthLevel } from '#contract/feed.ts'
import {
  balance,
  bookRows,
  type OwnOrder,
  ownRows,
  type Side,
  sizeDecimals,
  spreadOf,
  stepText,
} from '#widgets/order-book/order-book.rules.ts'

const bids: DepthLevel[] = [
  ['100.09', '0.1'],
  ['100.05', '0.2'],
  ['100.00', '0.3'],
  ['99.99', '1'],
]
const asks: DepthLevel[] = [
  ['100.10', '0.1'],
  ['100.11', '0.2'],
  ['100.20', '0.3'],
  ['100.21', '1'],
]

test.each<[string, readonly DepthLevel[], Side, string, number, [string, string, string][]]>([
  [
    'one tick: as it is',
    bids,
    'bids',
    '0.01',
    1,
    [
      ['100.09', '0.1', '0.1'],
      ['100.05', '0.2', '0.3'],
      ['100.00', '0.3', '0.6'],
      ['99.99', '1.0', '1.6'],
    ],
  ],
  [
    'ten ticks: bids go down to the step',
    bids,
    'bids',
    '0.01',
    10,
    [
      ['100.00', '0.6', '0.6'],
      ['99.90', '1.0', '1.6'],
    ],
  ],
  [
    'ten ticks: asks go up to the step',
    asks,
    'asks',
    '0.01',
    10,
    [
      ['100.10', '0.1', '0.1'],
      ['100.20', '0.5', '0.6'],
      ['100.30', '1.0', '1.6'],
    ],
  ],
  [
    'a step that is no power of ten',
    [
      ['101', '1'],
      ['100.5', '2'],
    ],
    'bids',
    '0.25',
    50,
    [['100.00', '3', '3']],
  ],
  ['steps above one', asks, 'asks', '0.01', 100, [['101.00', '1.6', '1.6']]],
  [
    'a whole tick',
    [
      ['38120', '4'],
      ['38100', '5'],
    ],
    'bids',
    '5',
    10,
    [['38100', '9', '9']],
  ],
  [
    '0.1 + 0.2 is 0.3',
    [
      ['1', '0.1'],
      ['1', '0.2'],
    ],
    'asks',
    '1',
    1,
    [['1', '0.3', '0.3']],
  ],
  [
    'more digits than a float holds',
    [
      ['0.00000001', '90071992547409.93'],
      ['0.00000002', '0.01'],
    ],
    'asks',
    '0.00000001',
    10,
    [['0.00000010', '90071992547409.94', '90071992547409.94']],
  ],
  ['prices finer than the tick are not cut before they are placed', [['1.005', '2']], 'bids', '0.01', 1, [['1.000', '2', '2']]],
  ['and asks of them go up', [['1.005', '2']], 'asks', '0.01', 1, [['1.010', '2', '2']]],
  [
    'what is no decimal is left out',
    [
      ['1e3', '2'],
      ['-1', '2'],
      ['7', 'x'],
      ['6', '1'],
    ],
    'bids',
    '1',
    1,
    [['6', '1', '1']],
  ],
  ['no levels, no rows', [], 'bids', '0.01', 1, []],
  ['a tick of zero gives no rows', bids, 'bids', '0', 1, []],
])('%s', (_, levels, side, tick, count, rows) => {
  expect(bookRows(levels, side, tick, count, 10).map(({ price, size, total }) => [price, size, total])).toEqual(rows)
})

test('a full row still gathers its own levels, later steps are cut off and do not count', () => {
  const rows = bookRows(bids, 'bids', '0.01', 10, 1)
  expect(rows.map(({ total, share }) => [total, share])).toEqual([['0.6', 1]])
})

const orders: OwnOrder[] = [
  { price: '100.050', side: 'buy' },
  { price: '99.99', side: 'buy' },
  { price: '100.11', side: 'sell' },
  { price: null, side: 'sell' },
  { price: '1e2', side: 'sell' },
]
test.each<[string, readonly DepthLevel[], Side, string, number, readonly OwnOrder[], number[]]>([
  ['buy orders lie among the bids', bids, 'bids', '0.01', 1, orders, [1, 3]],
  ['sell orders among the asks', asks, 'asks', '0.01', 1, orders, [1]],
  ['ten ticks: bids in the row of the step below', bids, 'bids', '0.01', 10, orders, [0, 1]],
  ['ten ticks: asks in the row of the step above', asks, 'asks', '0.01', 10, orders, [1]],
  ['a price without a row marks none', bids, 'bids', '0.01', 1, [{ price: '100.06', side: 'buy' }], []],
  ['a price beyond the rows marks none', asks, 'asks', '0.01', 1, [{ price: '101', side: 'sell' }], []],
  ['no orders', bids, 'bids', '0.01', 1, [], []],
  ['a tick of zero', bids, 'bids', '0', 1, orders, []],
])('own orders: %s', (_, levels, side, tick, count, own, marked) => {
  const rows = bookRows(levels, side, tick, count, 10)
  expect([...ownRows(rows, own, side, tick, count)]).toEqual(marked)
})

test('shares grow to one', () => {
  expect(bookRows(bids, 'bids', '0.01', 1, 10).map((row) => row.share)).toEqual([0.062, 0.187, 0.375, 1])
})

test('bars of both sides have one scale', () => {
  const deep = bookRows([['1', '4']], 'bids', '1', 1, 10)
  const flat = bookRows([['2', '1']], 'asks', '1', 1, 10)
  expect(balance(deep, flat)).toEqual({ bids: 1, asks: 0.25 })
  expect(balance(deep, [])).toEqual({ bids: 1, asks: 0 })
  expect(balance([], [])).toEqual({ bids: 0, asks: 0 })
})

test.each([
  ['0.01', 1, '0.01'],
  ['0.01', 10, '0.1'],
  ['0.01', 50, '0.5'],
  ['0.01', 100, '1'],
  ['0.25', 10, '2.5'],
  ['5', 100, '500'],
  ['0.00000001', 10, '0.0000001'],
  ['0.10', 1, '0.1'],
])('a tick of %s × %i is %s', (tick, count, text) => {
  expect(stepText(tick, count)).toBe(text)
})

test.each<[string, readonly DepthLevel[], readonly DepthLevel[], unknown]>([
  ['of two sides', [['99.9', '1']], [['100.10', '1']], { amount: '0.20', ratio: '0.002000' }],
  ['of a crossed book is negative', [['101', '1']], [['99', '1']], { amount: '-2', ratio: '-0.020000' }],
  ['none without bids', [], [['1', '1']], undefined],
  ['none without asks', [['1', '1']], [], undefined],
])('spread %s', (_, bid, ask, spread) => {
  expect(spreadOf(bid, ask)).toEqual(spread)
})

test.each<[string | undefined, string[], number]>([
  ['64000', ['0.12345', '1'], 4],
  ['64000', ['1', '2.5'], 1],
  ['12.5', ['0.12345'], 2],
  ['0.3', ['120.5'], 0],
  [undefined, ['1.5'], 0],
])('at a price of %s sizes %j have %i decimals', (price, sizes, decimals) => {
  expect(
    sizeDecimals(
      price,
      sizes.map((size) => ['1', size] as const),
    ),
  ).toBe(decimals)
})
