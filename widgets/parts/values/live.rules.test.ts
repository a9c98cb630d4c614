import { expect, test } from 'vitest'
import { liveAmounts, type OpenPosition } from '#widgets/parts/values/live.rules.ts'

const position = (over: Partial<OpenPosition>) =>
  ({
    side: 'long',
    open_price: '50000',
    lots: '10',
    lot_size: '0.01',
    multiple: 20,
    margin: '250',
    maintenance_rate: '0.005',
    fee_rate: '0.0005',
    spread: '0',
    overnight_open: '0',
    ...over,
  }) as OpenPosition

test.each<[string, Partial<OpenPosition>, string, ReturnType<typeof liveAmounts>]>([
  ['a gain', {}, '51000', { profit: '100', result: '94.95', gain: '0.3798', ratio: '13.7255' }],
  ['a loss of the other side', { side: 'short' }, '51000', { profit: '-100', result: '-105.05', gain: '-0.4202', ratio: '5.8824' }],
  ['nothing yet', {}, '50000', { profit: '0', result: '-5', gain: '-0.02', ratio: '10' }],
  [
    'a small position, a step below',
    { lots: '0.01', margin: '0.05' },
    '49999.99',
    { profit: '-0.01', result: '-0.01', gain: '-0.02', ratio: '2' },
  ],
  ['at the price of liquidation', {}, '47738.69', { profit: '-226.14', result: '-231.02', gain: '-0.924', ratio: '1' }],
  [
    'nights, and half of the spread',
    { overnight_open: '2.03', margin: '247.97', spread: '0.0002' },
    '51000',
    { profit: '100', result: '92.41', gain: '0.3696', ratio: '13.6459' },
  ],
  ['added margin changes no share', { margin: '500' }, '51000', { profit: '100', result: '94.95', gain: '0.3798', ratio: '23.5294' }],
  ['an order is worth nothing', { open_price: null }, '50000', undefined],
])('%s', (_, over, mark, amounts) => {
  expect(liveAmounts(position(over), mark)).toEqual(amounts)
})
