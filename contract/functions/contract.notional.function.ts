import Big from 'big.js'
import { amountOf, defineFunction, lots, priceIn } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const contractNotional = defineFunction({
  name: 'contract.notional',
  about: 'Notional value of a position at a price: lots × size of a lot × price. Exact.',
  params: { lots, lot_size: 'decimal', price: priceIn('coin') },
  result: amountOf('coin'),
  examples: [{ args: { lots: '10', lot_size: '0.01', price: '50000' }, gives: '5000' }],
  run: ({ lots, lot_size, price }) => plain(new Big(lots).times(lot_size).times(price)),
})
