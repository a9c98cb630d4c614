import Big from 'big.js'
import { defineFunction, priceIn } from '#contract/functions/define.ts'

export const optionOutcome = defineFunction({
  name: 'option.outcome',
  about: 'The outcome of a seconds option at a price: won, lost, or draw when the price is the one that it was opened at.',
  params: { type: 'text', open: priceIn('coin'), settle: priceIn('coin') },
  result: 'text',
  examples: [
    { args: { type: 'up', open: '50000', settle: '50000.01' }, gives: 'won' },
    { args: { type: 'down', open: '50000', settle: '50000.01' }, gives: 'lost' },
    { args: { type: 'up', open: '50000', settle: '50000' }, gives: 'draw' },
  ],
  run: ({ type, open, settle }): 'won' | 'lost' | 'draw' => {
    if (type !== 'up' && type !== 'down') throw new RangeError(`an option is up or down, not ${type}`)
    const moved = new Big(settle).cmp(open)
    if (moved === 0) return 'draw'
    return moved > 0 === (type === 'up') ? 'won' : 'lost'
  },
})
