import Big from 'big.js'
import { amountOf, defineFunction, share } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const spotFee = defineFunction({
  name: 'spot.fee',
  about:
    'The fee on what a fill brings, in the coin that it brings, rounded up at the decimals of that coin. Fees of one order are together at most the fee of a taker on all that it brings.',
  params: { amount: amountOf('coin'), rate: share, scale: 'integer' },
  result: amountOf('coin'),
  examples: [
    { args: { amount: '1.2', rate: '0.001', scale: 8 }, gives: '0.0012' },
    { args: { amount: '0.00000001', rate: '0.001', scale: 8 }, gives: '0.00000001' },
  ],
  run: ({ amount, rate, scale }) => plain(new Big(amount).times(rate).round(scale, Big.roundUp)),
})
