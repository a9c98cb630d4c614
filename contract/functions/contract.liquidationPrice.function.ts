import Big from 'big.js'
import { amountOf, defineFunction, lots, priceIn, share } from '#contract/functions/define.ts'
import { signOf } from '#contract/functions/side.ts'
import { plain } from '#contract/money.ts'

export const contractLiquidationPrice = defineFunction({
  name: 'contract.liquidationPrice',
  about:
    'The price at which a long or short position is liquidated: where its margin and profit equal the maintenance margin. Rounded to the nearest price step; 0 for a long position that no price liquidates.',
  params: {
    side: 'text',
    price: priceIn('coin'),
    lots,
    lot_size: 'decimal',
    margin: amountOf('coin'),
    maintenance_rate: share,
    scale: 'integer',
  },
  result: priceIn('coin'),
  examples: [
    {
      args: { side: 'long', price: '50000', lots: '10', lot_size: '0.01', margin: '250', maintenance_rate: '0.005', scale: 2 },
      gives: '47738.69',
    },
    {
      args: { side: 'short', price: '50000', lots: '10', lot_size: '0.01', margin: '250', maintenance_rate: '0.005', scale: 2 },
      gives: '52238.81',
    },
    {
      args: { side: 'long', price: '50000', lots: '10', lot_size: '0.01', margin: '247.97', maintenance_rate: '0.005', scale: 2 },
      gives: '47759.1',
    },
    {
      args: { side: 'long', price: '100', lots: '1', lot_size: '1', margin: '150', maintenance_rate: '0.005', scale: 2 },
      gives: '0',
    },
  ],
  run: ({ side, price, lots, lot_size, margin, maintenance_rate, scale }) => {
    const [sign, quantity] = [signOf(side), new Big(lots).times(lot_size)]
    const limit = quantity.times(price).minus(new Big(margin).times(sign))
    const found = limit.div(quantity.times(new Big(1).minus(new Big(maintenance_rate).times(sign))))
    return found.lt(0) ? '0' : plain(found.round(scale, Big.roundHalfUp))
  },
})
