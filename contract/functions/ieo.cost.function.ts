import { amountOf, defineFunction, priceIn } from '#contract/functions/define.ts'
import { product, quotientUp } from '#contract/money.ts'

export const ieoCost = defineFunction({
  name: 'ieo.cost',
  about:
    'Amount of the paying coin that is frozen for a number of new tokens: tokens × issuance price / rate of the coin, rounded up at the decimals of the coin.',
  params: { tokens: amountOf('token'), price: priceIn('quote'), rate: priceIn('quote'), scale: 'integer' },
  result: amountOf('pay'),
  examples: [
    { args: { tokens: '600000', price: '0.05', rate: '1', scale: 8 }, gives: '30000' },
    { args: { tokens: '1000', price: '0.05', rate: '60000', scale: 8 }, gives: '0.00083334' },
  ],
  run: ({ tokens, price, rate, scale }) => quotientUp(product(tokens, price), rate, scale),
})
