import Big from 'big.js'
import { defineFunction, lots } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

export const followCopyLots = defineFunction({
  name: 'follow.copyLots',
  about:
    'Lots of a copy. By a multiple: the lots of the trader times the number, two decimals toward zero, and 0 (not copied) where that is below 1. By lots: the number itself.',
  params: { type: 'text', number: lots, lots },
  result: lots,
  examples: [
    { args: { type: 'multiple', number: '0.5', lots: '10' }, gives: '5' },
    { args: { type: 'multiple', number: '1.5', lots: '1.11' }, gives: '1.66' },
    { args: { type: 'multiple', number: '0.1', lots: '10' }, gives: '1' },
    { args: { type: 'multiple', number: '0.5', lots: '1.99' }, gives: '0' },
    { args: { type: 'lots', number: '3', lots: '10' }, gives: '3' },
  ],
  run: ({ type, number, lots }) => {
    if (type === 'lots') return plain(new Big(number))
    const exact = new Big(lots).times(number)
    return exact.lt(1) ? '0' : plain(exact.round(2, Big.roundDown))
  },
})
