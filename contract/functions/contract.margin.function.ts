import Big from 'big.js'
import { amountOf, defineFunction } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const contractMargin = defineFunction({
  name: 'contract.margin',
  about: 'The margin that opens a position: its notional value divided by the leverage, rounded up at the decimals of the currency.',
  params: { notional: amountOf('coin'), multiple: 'integer', scale: 'integer' },
  result: amountOf('coin'),
  examples: [
    { args: { notional: '5000', multiple: 20, scale: 2 }, gives: '250' },
    { args: { notional: '100', multiple: 3, scale: 2 }, gives: '33.34' },
  ],
  run: ({ notional, multiple, scale }) => plain(new Big(notional).div(multiple).round(scale, Big.roundUp)),
})
