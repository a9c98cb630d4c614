import Big from 'big.js'
import { defineFunction, priceIn, share } from '#contract/functions/define.ts'
import { signOf } from '#contract/functions/side.ts'
import { plain } from '#contract/money.ts'

export const contractWorstPrice = defineFunction({
  name: 'contract.worstPrice',
  about:
    'The worst price that a market order accepts: the shown price, moved against the customer by a tolerance. Opening a long position buys, opening a short one sells. Rounded to a step of the price, never beyond the tolerance.',
  params: { side: 'text', price: priceIn('coin'), tolerance: share, tick: priceIn('coin') },
  result: priceIn('coin'),
  examples: [
    { args: { side: 'long', price: '50000', tolerance: '0.001', tick: '0.01' }, gives: '50050' },
    { args: { side: 'short', price: '50000', tolerance: '0.001', tick: '0.01' }, gives: '49950' },
    { args: { side: 'long', price: '38005', tolerance: '0.001', tick: '5' }, gives: '38040' },
    { args: { side: 'short', price: '38005', tolerance: '0.001', tick: '5' }, gives: '37970' },
  ],
  run: ({ side, price, tolerance, tick }) => {
    const sign = signOf(side)
    const moved = new Big(price).times(new Big(tolerance).times(sign).plus(1))
    return plain(
      moved
        .div(tick)
        .round(0, sign > 0 ? Big.roundDown : Big.roundUp)
        .times(tick),
    )
  },
})
