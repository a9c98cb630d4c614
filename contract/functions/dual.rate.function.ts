import Big from 'big.js'
import { defineFunction, share } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

/** Decimals of a rate on screen: a hundredth of a basis point. */
const decimals = 6

export const dualRate = defineFunction({
  name: 'dual.rate',
  about: 'Yield of a dual investment for its whole term: yearly yield × days / 365, rounded down at six decimals. For display only.',
  params: { yearly: share, days: 'integer' },
  result: share,
  examples: [
    { args: { yearly: '0.3', days: 7 }, gives: '0.005753' },
    { args: { yearly: '3.75', days: 1 }, gives: '0.010273' },
  ],
  run: ({ yearly, days }) => plain(new Big(yearly).times(days).div(365).round(decimals, Big.roundDown)),
})
