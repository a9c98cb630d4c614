import Big from 'big.js'
import { amountOf, defineFunction, share } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const optionPayout = defineFunction({
  name: 'option.payout',
  about: 'The amount that a won seconds option credits: the stake and its gain, rounded down at the decimals of the coin.',
  params: { stake: amountOf('coin'), rate: share, scale: 'integer' },
  result: amountOf('coin'),
  examples: [
    { args: { stake: '100', rate: '0.3', scale: 8 }, gives: '130' },
    { args: { stake: '10.01', rate: '0.25', scale: 2 }, gives: '12.51' },
  ],
  run: ({ stake, rate, scale }) => plain(new Big(stake).times(rate).round(scale, Big.roundDown).plus(stake)),
})
