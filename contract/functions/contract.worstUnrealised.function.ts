import Big from 'big.js'
import { amountOf, defineFunction, share } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const contractWorstUnrealised = defineFunction({
  name: 'contract.worstUnrealised',
  about:
    'The worst unrealised profit at which closing a position at the market is accepted: less than now by the tolerance times its notional value, rounded to the side of the customer at the decimals of the currency.',
  params: { unrealised: amountOf('coin'), notional: amountOf('coin'), tolerance: share, scale: 'integer' },
  result: amountOf('coin'),
  examples: [
    { args: { unrealised: '10', notional: '5010', tolerance: '0.001', scale: 2 }, gives: '4.99' },
    { args: { unrealised: '0.5', notional: '333.33', tolerance: '0.01', scale: 2 }, gives: '-2.83' },
    { args: { unrealised: '7', notional: '333.33', tolerance: '0.01', scale: 2 }, gives: '3.67' },
    { args: { unrealised: '-5', notional: '5010', tolerance: '0', scale: 2 }, gives: '-5' },
  ],
  run: ({ unrealised, notional, tolerance, scale }) => {
    const worst = new Big(unrealised).minus(new Big(notional).times(tolerance))
    return plain(worst.round(scale, worst.lt(0) ? Big.roundDown : Big.roundUp))
  },
})
