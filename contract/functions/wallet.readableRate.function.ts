import Big from 'big.js'
import { defineFunction } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const walletReadableRate = defineFunction({
  name: 'wallet.readableRate',
  about: 'A rate in readable form: a rate below 1 is inverted, to 20 decimals ("1 BTC = 81,000 USDT", not "1 USDT = 0.0000123 BTC").',
  params: { rate: { decimal: { unit: 'rate' } } },
  result: { decimal: { unit: 'rate' } },
  examples: [
    { args: { rate: '0.0000125' }, gives: '80000' },
    { args: { rate: '2.5' }, gives: '2.5' },
  ],
  run: ({ rate }) => plain(new Big(rate).lt(1) ? new Big(1).div(rate) : new Big(rate)),
})
