import { expect, test } from 'vitest'
import { liveAmounts, type OpenPosition } from '#widgets/parts/values/live.rules.ts'

const position = (over: Partial<OpenPosition>) =>
  ({ side: 'long', open_price: '50000', lots: '10', lot_size: '0.01', margin: '250', maintenance_rate: '0.005', ...over }) as OpenPosition

test.each<[string, Partial<OpenPosition>, string, ReturnType<typeof liveAmounts>]>([
  ['a gain', {}, '51000', { profit: '100', gain: '0.4', ratio: '13.7255' }],
  ['a loss of the other side', { side: 'short' }, '51000', { profit: '-100', gain: '-0.4', ratio: '5.8824' }],
  ['nothing yet', {}, '50000', { profit: '0', gain: '0', ratio: '10' }],
  ['a small position, a step below', { lots: '0.01', margin: '0.05' }, '49999.99', { profit: '-0.01', gain: '0', ratio: '2' }],
  ['at the price of liquidation', {}, '47738.69', { profit: '-226.14', gain: '-0.9045', ratio: '1' }],
  ['an order is worth nothing', { open_price: null }, '50000', undefined],
])('%s', (_, over, mark, amounts) => {
  expect(liveAmounts(position(over), mark)).toEqual(amounts)
})
