import Big from 'big.js'
import { amountOf, defineFunction } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const dualCost = defineFunction({
  name: 'dual.cost',
  about: 'Amount that a number of shares of a dual investment costs, in the deposited coin. Exact.',
  params: { share: amountOf('coin'), num: 'integer' },
  result: amountOf('coin'),
  examples: [{ args: { share: '0.01', num: 50 }, gives: '0.5' }],
  run: ({ share, num }) => plain(new Big(share).times(num)),
})
