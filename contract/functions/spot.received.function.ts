import Big from 'big.js'
import { amountOf, defineFunction, share } from '#contract/functions/define.ts'
import { spotFee } from '#contract/functions/spot.fee.function.ts'
import { plain } from '#contract/money.ts'

export const spotReceived = defineFunction({
  name: 'spot.received',
  about: 'The proceeds of a fill after the fee.',
  params: { amount: amountOf('coin'), rate: share, scale: 'integer' },
  result: amountOf('coin'),
  examples: [
    { args: { amount: '1.2', rate: '0.001', scale: 8 }, gives: '1.1988' },
    { args: { amount: '19996', rate: '0.001', scale: 8 }, gives: '19976.004' },
    { args: { amount: '30000', rate: '0.001', scale: 8 }, gives: '29970' },
  ],
  run: ({ amount, rate, scale }) => plain(new Big(amount).minus(spotFee.run({ amount, rate, scale }))),
})
