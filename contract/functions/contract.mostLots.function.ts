import Big from 'big.js'
import { contractFee } from '#contract/functions/contract.fee.function.ts'
import { contractMargin } from '#contract/functions/contract.margin.function.ts'
import { contractNotional } from '#contract/functions/contract.notional.function.ts'
import { amountOf, defineFunction, lots, priceIn, share } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const contractMostLots = defineFunction({
  name: 'contract.mostLots',
  about: 'The most lots that a balance can open, including margin and fee, as a multiple of the step.',
  params: {
    available: amountOf('coin'),
    price: priceIn('coin'),
    lot_size: 'decimal',
    multiple: 'integer',
    fee_rate: share,
    step: lots,
    scale: 'integer',
  },
  result: lots,
  examples: [
    {
      args: { available: '1000', price: '50000', lot_size: '0.01', multiple: 20, fee_rate: '0.0005', step: '1', scale: 2 },
      gives: '39',
    },
    {
      args: { available: '252.5', price: '50000', lot_size: '0.01', multiple: 20, fee_rate: '0.0005', step: '0.1', scale: 2 },
      gives: '10',
    },
    {
      args: { available: '1', price: '50000', lot_size: '0.01', multiple: 20, fee_rate: '0.0005', step: '1', scale: 2 },
      gives: '0',
    },
  ],
  run: ({ available, price, lot_size, multiple, fee_rate, step, scale }) => {
    const costOf = (lots: Big) => {
      const notional = contractNotional.run({ lots: plain(lots), lot_size, price })
      return new Big(contractMargin.run({ notional, multiple, scale })).plus(contractFee.run({ notional, rate: fee_rate, scale }))
    }
    // One division, at the end: a rounded one before it would take a step from a balance that pays it exactly.
    const stepTimesMultiple = new Big(price).times(lot_size).times(step).times(new Big(fee_rate).times(multiple).plus(1))
    const mostOf = (sum: Big) => sum.times(multiple).div(stepTimesMultiple).round(0, Big.roundDown).times(step)
    const most = mostOf(new Big(available))
    // Margin and fee are each rounded up by less than one unit of the last decimal.
    const lots = costOf(most).lte(available) ? most : mostOf(new Big(available).minus(`2e-${scale}`))
    return lots.gt(0) ? plain(lots) : '0'
  },
})
