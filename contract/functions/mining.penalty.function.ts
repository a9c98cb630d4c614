import Big from 'big.js'
import { amountOf, defineFunction, share } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const miningPenalty = defineFunction({
  name: 'mining.penalty',
  about:
    'What an early redemption of locked mining costs: ratio × remaining days × amount, rounded down at the decimals of the coin, and never more than the amount.',
  params: { amount: amountOf('coin'), ratio: share, remaining: 'integer', scale: 'integer' },
  result: amountOf('coin'),
  examples: [
    { args: { amount: '1000', ratio: '0.004', remaining: 3, scale: 8 }, gives: '12' },
    { args: { amount: '1000', ratio: '0.4', remaining: 3, scale: 8 }, gives: '1000' },
    { args: { amount: '33.33', ratio: '0.001', remaining: 1, scale: 2 }, gives: '0.03' },
    { args: { amount: '1000', ratio: '0.004', remaining: 0, scale: 8 }, gives: '0' },
  ],
  run({ amount, ratio, remaining, scale }) {
    const cost = new Big(amount).times(ratio).times(remaining).round(scale, Big.roundDown)
    return plain(cost.gt(amount) ? new Big(amount) : cost)
  },
})
