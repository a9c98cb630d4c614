import Big from 'big.js'
import { amountOf, defineFunction, lots, priceIn } from '#contract/functions/define.ts'
import { signOf } from '#contract/functions/side.ts'
import { plain } from '#contract/money.ts'

export const contractProfit = defineFunction({
  name: 'contract.profit',
  about:
    'Profit of a long or short position between two prices, negative for a loss, rounded against the customer at the decimals of the currency.',
  params: { side: 'text', from: priceIn('coin'), to: priceIn('coin'), lots, lot_size: 'decimal', scale: 'integer' },
  result: amountOf('coin'),
  examples: [
    { args: { side: 'long', from: '50000', to: '51000', lots: '10', lot_size: '0.01', scale: 2 }, gives: '100' },
    { args: { side: 'short', from: '50000', to: '51000', lots: '10', lot_size: '0.01', scale: 2 }, gives: '-100' },
    { args: { side: 'long', from: '1', to: '1.001', lots: '1', lot_size: '5', scale: 2 }, gives: '0' },
    { args: { side: 'short', from: '1', to: '1.001', lots: '1', lot_size: '5', scale: 2 }, gives: '-0.01' },
  ],
  run: ({ side, from, to, lots, lot_size, scale }) => {
    const moved = new Big(to).minus(from).times(lots).times(lot_size).times(signOf(side))
    return plain(moved.round(scale, moved.lt(0) ? Big.roundUp : Big.roundDown))
  },
})
