import Big from 'big.js'
import { defineFunction, priceIn, share } from '#contract/functions/define.ts'
import { signOf } from '#contract/functions/side.ts'
import { plain } from '#contract/money.ts'

export const contractFillPrice = defineFunction({
  name: 'contract.fillPrice',
  about:
    'The price at which the market buys (long) or sells (short): half of the spread above or below the last price, rounded against the customer to a step of the price. Closing a long position sells, closing a short one buys.',
  params: { side: 'text', price: priceIn('coin'), spread: share, tick: priceIn('coin') },
  result: priceIn('coin'),
  examples: [
    { args: { side: 'long', price: '50000', spread: '0', tick: '0.01' }, gives: '50000' },
    { args: { side: 'long', price: '50000', spread: '0.0002', tick: '0.01' }, gives: '50005' },
    { args: { side: 'short', price: '50000', spread: '0.0002', tick: '0.01' }, gives: '49995' },
    { args: { side: 'long', price: '38005', spread: '0.0001', tick: '5' }, gives: '38010' },
  ],
  run: ({ side, price, spread, tick }) => {
    const sign = signOf(side)
    const moved = new Big(price).times(new Big(spread).div(2).times(sign).plus(1))
    return plain(
      moved
        .div(tick)
        .round(0, sign > 0 ? Big.roundUp : Big.roundDown)
        .times(tick),
    )
  },
})
