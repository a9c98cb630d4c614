import Big from 'big.js'
import { amountOf, defineFunction } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const contractRiskRate = defineFunction({
  name: 'contract.riskRate',
  about:
    'The funds of a customer for contracts (available balance, margin of all positions and their profit) divided by that margin, rounded to four decimals.',
  params: { available: amountOf('coin'), margin: amountOf('coin'), unrealised: amountOf('coin') },
  result: { decimal: { unit: 'share' } },
  examples: [{ args: { available: '747.5', margin: '250', unrealised: '100' }, gives: '4.39' }],
  run: ({ available, margin, unrealised }) => plain(new Big(available).plus(margin).plus(unrealised).div(margin).round(4, Big.roundHalfUp)),
})
