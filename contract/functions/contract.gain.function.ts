import Big from 'big.js'
import { amountOf, defineFunction } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const contractGain = defineFunction({
  name: 'contract.gain',
  about: 'A profit divided by the margin that earned it, negative for a loss, rounded towards zero at four decimals.',
  params: { profit: amountOf('coin'), margin: amountOf('coin') },
  result: { decimal: { unit: 'share' } },
  examples: [
    { args: { profit: '100', margin: '250' }, gives: '0.4' },
    { args: { profit: '-226.14', margin: '250' }, gives: '-0.9045' },
  ],
  run: ({ profit, margin }) => plain(new Big(profit).div(margin).round(4, Big.roundDown)),
})
