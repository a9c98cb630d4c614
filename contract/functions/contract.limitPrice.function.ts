import Big from 'big.js'
import { defineFunction, priceIn } from '#contract/functions/define.ts'
import { signOf } from '#contract/functions/side.ts'

export const contractLimitPrice = defineFunction({
  name: 'contract.limitPrice',
  about:
    'The price at which a limit order is filled while the market is at `fill`: at its limit, or at the price of the market where that is better. A market that is beyond the limit already fills the order at once.',
  params: { side: 'text', limit: priceIn('coin'), fill: priceIn('coin') },
  result: priceIn('coin'),
  examples: [
    { args: { side: 'long', limit: '49000', fill: '50000' }, gives: '49000' },
    { args: { side: 'long', limit: '51000', fill: '50000' }, gives: '50000' },
    { args: { side: 'short', limit: '51000', fill: '50000' }, gives: '51000' },
    { args: { side: 'short', limit: '49000', fill: '50000' }, gives: '50000' },
  ],
  run: ({ side, limit, fill }) => (new Big(fill).minus(limit).times(signOf(side)).gt(0) ? limit : fill),
})
