import Big from 'big.js'
import { contractMargin } from '#contract/functions/contract.margin.function.ts'
import { contractNotional } from '#contract/functions/contract.notional.function.ts'
import { contractProfit } from '#contract/functions/contract.profit.function.ts'
import { amountOf, defineFunction, lots, priceIn } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const contractRemovable = defineFunction({
  name: 'contract.removable',
  about: 'The most margin that can be taken back from a position: what is above the initial margin, after losses at the last price.',
  params: {
    side: 'text',
    from: priceIn('coin'),
    to: priceIn('coin'),
    lots,
    lot_size: 'decimal',
    margin: amountOf('coin'),
    multiple: 'integer',
    scale: 'integer',
  },
  result: amountOf('coin'),
  examples: [
    {
      args: { side: 'long', from: '50000', to: '49500', lots: '10', lot_size: '0.01', margin: '350', multiple: 20, scale: 2 },
      gives: '50',
    },
    {
      args: { side: 'long', from: '50000', to: '51000', lots: '10', lot_size: '0.01', margin: '350', multiple: 20, scale: 2 },
      gives: '100',
    },
    {
      args: { side: 'short', from: '50000', to: '51000', lots: '10', lot_size: '0.01', margin: '350', multiple: 20, scale: 2 },
      gives: '0',
    },
  ],
  run: ({ side, from, to, lots, lot_size, margin, multiple, scale }) => {
    const initial = contractMargin.run({ notional: contractNotional.run({ lots, lot_size, price: from }), multiple, scale })
    const profit = new Big(contractProfit.run({ side, from, to, lots, lot_size, scale }))
    const free = new Big(margin).minus(initial).plus(profit.lt(0) ? profit : 0)
    return free.gt(0) ? plain(free) : '0'
  },
})
