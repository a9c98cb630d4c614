import Big from 'big.js'
import { amountOf, defineFunction, priceIn } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const dualWorth = defineFunction({
  name: 'dual.worth',
  about:
    'Worth in the quote coin of an amount of base or quote at a price, rounded down at the decimals of the quote coin: of what a dual investment pays back, and of the deposit if it is only held.',
  params: { outcome: 'text', amount: amountOf('coin'), price: priceIn('quote'), scale: 'integer' },
  result: amountOf('quote'),
  examples: [
    { args: { outcome: 'base', amount: '0.50287671', price: '54000', scale: 2 }, gives: '27155.34' },
    { args: { outcome: 'quote', amount: '30172.60273972', price: '54000', scale: 2 }, gives: '30172.6' },
  ],
  run: ({ outcome, amount, price, scale }) => {
    if (outcome !== 'base' && outcome !== 'quote') throw new RangeError(`an amount is of base or quote, not ${outcome}`)
    const exact = outcome === 'base' ? new Big(amount).times(price) : new Big(amount)
    return plain(exact.round(scale, Big.roundDown))
  },
})
