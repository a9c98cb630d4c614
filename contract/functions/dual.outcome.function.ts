import Big from 'big.js'
import { defineFunction, priceIn } from '#contract/functions/define.ts'

export const dualOutcome = defineFunction({
  name: 'dual.outcome',
  about:
    'Coin in which a dual investment is paid back at a settlement price: base or quote. A call (base deposited) pays base below the linked price, otherwise quote; a put (quote deposited) pays quote above it, otherwise base.',
  params: { type: 'text', linked: priceIn('quote'), settle: priceIn('quote') },
  result: 'text',
  examples: [
    { args: { type: 'call', linked: '60000', settle: '59999.99' }, gives: 'base' },
    { args: { type: 'call', linked: '60000', settle: '60000' }, gives: 'quote' },
    { args: { type: 'put', linked: '60000', settle: '60000' }, gives: 'base' },
    { args: { type: 'put', linked: '60000', settle: '60000.01' }, gives: 'quote' },
  ],
  run: ({ type, linked, settle }): 'base' | 'quote' => {
    if (type !== 'call' && type !== 'put') throw new RangeError(`a dual investment is a call or a put, not ${type}`)
    const over = new Big(settle).cmp(linked)
    return (type === 'call' ? over < 0 : over <= 0) ? 'base' : 'quote'
  },
})
