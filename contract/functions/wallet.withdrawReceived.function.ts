import Big from 'big.js'
import { amountOf, defineFunction } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const walletWithdrawReceived = defineFunction({
  name: 'wallet.withdrawReceived',
  about: 'The received amount of a withdrawal: the amount without the fee, never below zero.',
  params: { amount: amountOf('coin'), fee: amountOf('coin') },
  result: amountOf('coin'),
  examples: [
    { args: { amount: '250', fee: '1.25' }, gives: '248.75' },
    { args: { amount: '0.5', fee: '1' }, gives: '0' },
  ],
  run: ({ amount, fee }) => {
    const rest = new Big(amount).minus(fee)
    return rest.gt(0) ? plain(rest) : '0'
  },
})
