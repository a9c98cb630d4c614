import Big from 'big.js'
import { defineFunction, priceIn, share } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const spotWorst = defineFunction({
  name: 'spot.worst',
  about:
    'The worst price at which a market order to buy or to sell trades: a share above or below a price, on the step of the price that is nearer to it.',
  params: { side: 'text', price: priceIn('quote'), tolerance: share, tick: priceIn('quote') },
  result: priceIn('quote'),
  examples: [
    { args: { side: 'buy', price: '50000.01', tolerance: '0.01', tick: '0.01' }, gives: '50500.01' },
    { args: { side: 'sell', price: '50000.01', tolerance: '0.01', tick: '0.01' }, gives: '49500.01' },
  ],
  run: ({ side, price, tolerance, tick }) => {
    if (side !== 'buy' && side !== 'sell') throw new RangeError(`an order is to buy or to sell, not ${JSON.stringify(side)}`)
    const bound = new Big(price).times(side === 'buy' ? new Big(1).plus(tolerance) : new Big(1).minus(tolerance))
    return plain(
      bound
        .div(tick)
        .round(0, side === 'buy' ? Big.roundDown : Big.roundUp)
        .times(tick),
    )
  },
})
