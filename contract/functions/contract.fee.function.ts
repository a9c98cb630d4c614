import Big from 'big.js'
import { amountOf, defineFunction, share } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const contractFee = defineFunction({
  name: 'contract.fee',
  about: 'The fee of opening or closing a position: a share of its notional value, rounded up at the decimals of the currency.',
  params: { notional: amountOf('coin'), rate: share, scale: 'integer' },
  result: amountOf('coin'),
  examples: [
    { args: { notional: '5000', rate: '0.0005', scale: 2 }, gives: '2.5' },
    { args: { notional: '5100.01', rate: '0.0005', scale: 2 }, gives: '2.56' },
  ],
  run: ({ notional, rate, scale }) => plain(new Big(notional).times(rate).round(scale, Big.roundUp)),
})
