import Big from 'big.js'
import { amountOf, defineFunction, share } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const walletWithdrawFee = defineFunction({
  name: 'wallet.withdrawFee',
  about: 'The fee of a withdrawal: a fixed part and a share of the amount, rounded up at the decimals of the currency.',
  params: {
    amount: amountOf('coin'),
    fee: amountOf('coin'),
    fee_rate: share,
    scale: 'integer',
  },
  result: amountOf('coin'),
  examples: [
    { args: { amount: '250', fee: '1', fee_rate: '0.001', scale: 6 }, gives: '1.25' },
    { args: { amount: '0.12345678', fee: '0.0005', fee_rate: '0.001', scale: 8 }, gives: '0.00062346' },
  ],
  run: ({ amount, fee, fee_rate, scale }) => plain(new Big(amount).times(fee_rate).plus(fee).round(scale, Big.roundUp)),
})
