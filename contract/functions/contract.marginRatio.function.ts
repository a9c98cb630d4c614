import Big from 'big.js'
import { contractNotional } from '#contract/functions/contract.notional.function.ts'
import { contractProfit } from '#contract/functions/contract.profit.function.ts'
import { amountOf, defineFunction, lots, priceIn, share } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const contractMarginRatio = defineFunction({
  name: 'contract.marginRatio',
  about:
    'Equity of a position (margin and profit) divided by its maintenance margin at a price, rounded to four decimals. At 1 it is liquidated.',
  params: {
    side: 'text',
    from: priceIn('coin'),
    to: priceIn('coin'),
    lots,
    lot_size: 'decimal',
    margin: amountOf('coin'),
    maintenance_rate: share,
    scale: 'integer',
  },
  result: { decimal: { unit: 'share' } },
  examples: [
    {
      args: { side: 'long', from: '50000', to: '51000', lots: '10', lot_size: '0.01', margin: '250', maintenance_rate: '0.005', scale: 2 },
      gives: '13.7255',
    },
  ],
  run: ({ side, from, to, lots, lot_size, margin, maintenance_rate, scale }) => {
    const equity = new Big(contractProfit.run({ side, from, to, lots, lot_size, scale })).plus(margin)
    return plain(equity.div(new Big(contractNotional.run({ lots, lot_size, price: to })).times(maintenance_rate)).round(4, Big.roundHalfUp))
  },
})
