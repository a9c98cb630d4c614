import Big from 'big.js'
import { defineFunction, priceIn, share } from '#contract/functions/define.ts'
import { signOf } from '#contract/functions/side.ts'
import { plain } from '#contract/money.ts'

export const contractExitPrice = defineFunction({
  name: 'contract.exitPrice',
  about:
    'The price at which a position has gained a share of its margin, before fees; a negative share is a loss. Rounded to the nearest step of the price.',
  params: { side: 'text', price: priceIn('coin'), multiple: 'integer', gain: share, tick: priceIn('coin') },
  result: priceIn('coin'),
  examples: [
    { args: { side: 'long', price: '50000', multiple: 20, gain: '0.5', tick: '0.01' }, gives: '51250' },
    { args: { side: 'long', price: '50000', multiple: 20, gain: '-0.25', tick: '0.01' }, gives: '49375' },
    { args: { side: 'short', price: '50000', multiple: 20, gain: '0.5', tick: '0.01' }, gives: '48750' },
    { args: { side: 'long', price: '38005', multiple: 3, gain: '0.1', tick: '5' }, gives: '39270' },
  ],
  run: ({ side, price, multiple, gain, tick }) => {
    const moved = new Big(price).times(new Big(gain).times(signOf(side)).div(multiple).plus(1))
    return plain(moved.div(tick).round(0, Big.roundHalfUp).times(tick))
  },
})
