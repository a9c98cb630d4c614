import Big from 'big.js'
import { amountOf, defineFunction, priceIn } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

/** Big divides at 20 decimals of its own; the quotient is cut, so that the most can always be paid. */
const Cut = Big()
Cut.RM = Big.roundDown

export const spotMost = defineFunction({
  name: 'spot.most',
  about: 'The most of the base coin that a balance of the quote coin buys at a price, as a multiple of the step.',
  params: { available: amountOf('quote'), price: priceIn('quote'), step: amountOf('base') },
  result: amountOf('base'),
  examples: [
    { args: { available: '1000', price: '50000', step: '0.00001' }, gives: '0.02' },
    { args: { available: '1000', price: '30000', step: '0.00001' }, gives: '0.03333' },
    { args: { available: '0.4', price: '50000', step: '0.00001' }, gives: '0' },
  ],
  run: ({ available, price, step }) =>
    plain(new Cut(new Cut(available).div(new Cut(price).times(step)).round(0, Big.roundDown)).times(step)),
})
