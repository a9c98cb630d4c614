import Big from 'big.js'
import { amountOf, defineFunction, share } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const spotPart = defineFunction({
  name: 'spot.part',
  about: 'A share of an amount, rounded down to a multiple of the step.',
  params: { amount: amountOf('coin'), share, step: amountOf('coin') },
  result: amountOf('coin'),
  examples: [
    { args: { amount: '0.03333', share: '0.5', step: '0.00001' }, gives: '0.01666' },
    { args: { amount: '1000', share: '1', step: '0.01' }, gives: '1000' },
  ],
  run: ({ amount, share, step }) => plain(new Big(amount).times(share).div(step).round(0, Big.roundDown).times(step)),
})
