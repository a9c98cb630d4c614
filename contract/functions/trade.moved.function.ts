import Big from 'big.js'
import { defineFunction, priceIn, share } from '#contract/functions/define.ts'

export const tradeMoved = defineFunction({
  name: 'trade.moved',
  about:
    'Whether a price has moved away from the shown one, up or down, by more than a tolerance: an order that was confirmed at the shown price is then refused.',
  params: { shown: priceIn('coin'), price: priceIn('coin'), tolerance: share },
  result: 'boolean',
  examples: [
    { args: { shown: '50000', price: '50050', tolerance: '0.001' }, gives: false },
    { args: { shown: '50000', price: '50050.01', tolerance: '0.001' }, gives: true },
    { args: { shown: '50000', price: '49949.99', tolerance: '0.001' }, gives: true },
    { args: { shown: '50000', price: '50000', tolerance: '0' }, gives: false },
  ],
  run: ({ shown, price, tolerance }) => new Big(price).minus(shown).abs().gt(new Big(shown).times(tolerance)),
})
