import Big from 'big.js'
import { contractNotional } from '#contract/functions/contract.notional.function.ts'
import { amountOf, defineFunction, lots, priceIn } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const contractAddable = defineFunction({
  name: 'contract.addable',
  about: 'The most margin that can be added to a position: its margin is never more than it is worth at the price at which it was opened.',
  params: { price: priceIn('coin'), lots, lot_size: 'decimal', margin: amountOf('coin') },
  result: amountOf('coin'),
  examples: [
    { args: { price: '50000', lots: '10', lot_size: '0.01', margin: '250' }, gives: '4750' },
    { args: { price: '50000', lots: '10', lot_size: '0.01', margin: '5000' }, gives: '0' },
  ],
  run: ({ price, lots, lot_size, margin }) => {
    const free = new Big(contractNotional.run({ lots, lot_size, price })).minus(margin)
    return free.gt(0) ? plain(free) : '0'
  },
})
