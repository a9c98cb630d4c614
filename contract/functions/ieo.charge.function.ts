import { amountOf, defineFunction } from '#contract/functions/define.ts'
import { product, quotientUp } from '#contract/money.ts'

export const ieoCharge = defineFunction({
  name: 'ieo.charge',
  about:
    'Part of what is frozen for an application that is paid for a smaller number of tokens: frozen × tokens / tokens applied for, rounded up at the decimals of the coin. The rest is given back.',
  params: { frozen: amountOf('pay'), tokens: amountOf('token'), applied: amountOf('token'), scale: 'integer' },
  result: amountOf('pay'),
  examples: [
    { args: { frozen: '30000', tokens: '300000', applied: '600000', scale: 8 }, gives: '15000' },
    { args: { frozen: '0.00083334', tokens: '333', applied: '1000', scale: 8 }, gives: '0.00027751' },
    { args: { frozen: '0.00083334', tokens: '0', applied: '1000', scale: 8 }, gives: '0' },
  ],
  run: ({ frozen, tokens, applied, scale }) => quotientUp(product(frozen, tokens), applied, scale),
})
