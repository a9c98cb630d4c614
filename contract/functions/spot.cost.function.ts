import Big from 'big.js'
import { amountOf, defineFunction, priceIn } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const spotCost = defineFunction({
  name: 'spot.cost',
  about: 'The cost or proceeds of a quantity of the base coin at a price, before the fee. Exact.',
  params: { price: priceIn('quote'), quantity: amountOf('base') },
  result: amountOf('quote'),
  examples: [{ args: { price: '50000', quantity: '1.2' }, gives: '60000' }],
  run: ({ price, quantity }) => plain(new Big(price).times(quantity)),
})
