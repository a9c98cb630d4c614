import Big from 'big.js'
import { amountOf, defineFunction } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const walletExchangeReceived = defineFunction({
  name: 'wallet.exchangeReceived',
  about: 'The amount that an exchange pays out, rounded down at the decimals of the currency, so that a customer never gains by rounding.',
  params: {
    amount: amountOf('paid'),
    rate: { decimal: { unit: 'rate', coin: 'received', per: 'paid' } },
    scale: 'integer',
  },
  result: amountOf('received'),
  examples: [
    { args: { amount: '100', rate: '0.0000123456', scale: 8 }, gives: '0.00123456' },
    { args: { amount: '3', rate: '0.3333333333', scale: 2 }, gives: '0.99' },
  ],
  run: ({ amount, rate, scale }) => plain(new Big(amount).times(rate).round(scale, Big.roundDown)),
})
