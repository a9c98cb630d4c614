import Big from 'big.js'
import { defineFunction } from '#contract/functions/define.ts'
import { maxDecimals, plain } from '#contract/money.ts'

export const moneyStep = defineFunction({
  name: 'money.step',
  about: 'The smallest amount of a currency with 0 to 20 decimals, as the step of an amount field.',
  params: { scale: 'integer' },
  result: { decimal: { unit: 'amount' } },
  examples: [
    { args: { scale: 8 }, gives: '0.00000001' },
    { args: { scale: 0 }, gives: '1' },
  ],
  run: ({ scale }) => {
    if (scale < 0 || scale > maxDecimals) throw new RangeError(`no coin has ${scale} decimals`)
    return plain(new Big(`1e-${scale}`))
  },
})
