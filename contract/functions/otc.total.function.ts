import Big from 'big.js'
import { amountOf, defineFunction, priceIn } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const otcTotal = defineFunction({
  name: 'otc.total',
  about:
    'The total of an OTC order at its price: rounded up at the decimals of the quote coin where the customer buys, rounded down where the customer sells.',
  params: { side: 'text', price: priceIn('quote'), amount: amountOf('base'), scale: 'integer' },
  result: amountOf('quote'),
  examples: [
    { args: { side: 'buy', price: '50000.5', amount: '0.00000001', scale: 6 }, gives: '0.000501' },
    { args: { side: 'sell', price: '50000.5', amount: '0.00000001', scale: 6 }, gives: '0.0005' },
    { args: { side: 'sell', price: '0.5', amount: '0.000001', scale: 6 }, gives: '0' },
  ],
  run: ({ side, price, amount, scale }) => plain(new Big(price).times(amount).round(scale, side === 'buy' ? Big.roundUp : Big.roundDown)),
})
