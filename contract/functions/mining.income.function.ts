import Big from 'big.js'
import { amountOf, defineFunction, share } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const miningIncome = defineFunction({
  name: 'mining.income',
  about: 'Income of locked mining for some days: days × the income of one day, which is rounded down at the decimals of the coin.',
  params: { amount: amountOf('coin'), daily: share, days: 'integer', scale: 'integer' },
  result: amountOf('coin'),
  examples: [
    { args: { amount: '1000', daily: '0.0035', days: 1, scale: 8 }, gives: '3.5' },
    { args: { amount: '10000', daily: '0.004', days: 5, scale: 8 }, gives: '200' },
    { args: { amount: '0.33333333', daily: '0.001', days: 3, scale: 8 }, gives: '0.00099999' },
  ],
  run: ({ amount, daily, days, scale }) => plain(new Big(amount).times(daily).round(scale, Big.roundDown).times(days)),
})
