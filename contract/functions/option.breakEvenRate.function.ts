import Big from 'big.js'
import { defineFunction, share } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

/** Decimals of the answer: a hundredth of a percent. */
const scale = 4

export const optionBreakEvenRate = defineFunction({
  name: 'option.breakEvenRate',
  about: 'The share of won seconds options at which nothing is gained or lost, 1 / (1 + payout), rounded up at four decimals.',
  params: { rate: share },
  result: share,
  examples: [
    { args: { rate: '0.3' }, gives: '0.7693' },
    { args: { rate: '1' }, gives: '0.5' },
    { args: { rate: '0' }, gives: '1' },
  ],
  run: ({ rate }) => {
    const part = new Big(rate).plus(1)
    const near = new Big(1).div(part).round(scale, Big.roundDown)
    return plain(near.times(part).lt(1) ? near.plus(`1e-${scale}`) : near)
  },
})
