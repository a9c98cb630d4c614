import { amountOf, defineFunction, lots, priceIn, share } from '#contract/functions/define.ts'
import { signOf } from '#contract/functions/side.ts'
import { settlementOf } from '#contract/rules/closing.rules.ts'

export const contractResult = defineFunction({
  name: 'contract.result',
  about:
    'The result of closing some lots of a position at a price, after all costs: their profit less the fee of closing and their part of the fee of opening and of the overnight fees. A loss takes no more than their margin.',
  params: {
    side: 'text',
    from: priceIn('coin'),
    to: priceIn('coin'),
    lots,
    open: lots,
    lot_size: 'decimal',
    margin: amountOf('coin'),
    fee_rate: share,
    overnight: amountOf('coin'),
    scale: 'integer',
  },
  result: amountOf('coin'),
  examples: [
    {
      args: {
        side: 'long',
        from: '50000',
        to: '51000',
        lots: '10',
        open: '10',
        lot_size: '0.01',
        margin: '250',
        fee_rate: '0.0005',
        overnight: '0',
        scale: 2,
      },
      gives: '94.95',
    },
    {
      args: {
        side: 'short',
        from: '50000',
        to: '51000',
        lots: '4',
        open: '10',
        lot_size: '0.01',
        margin: '247.97',
        fee_rate: '0.0005',
        overnight: '2.03',
        scale: 2,
      },
      gives: '-42.83',
    },
    {
      args: {
        side: 'long',
        from: '50000',
        to: '45000',
        lots: '10',
        open: '10',
        lot_size: '0.01',
        margin: '250',
        fee_rate: '0.0005',
        overnight: '0',
        scale: 2,
      },
      gives: '-252.5',
    },
  ],
  run: ({ side, from, to, lots, open, lot_size, margin, fee_rate, overnight, scale }) => {
    const held = signOf(side) > 0 ? ('long' as const) : ('short' as const)
    return settlementOf({ side: held, lots: open, lot_size, open_price: from, margin, fee_rate, overnight }, { lots, price: to, scale })
      .result
  },
})
