import { amountOf, defineFunction } from '#contract/functions/define.ts'
import { isLess, product, quotient, smallest, sum } from '#contract/money.ts'

export const ieoGets = defineFunction({
  name: 'ieo.gets',
  about:
    'Tokens that an application gets at the least if a sale ends as it stands: all of them where all applications together fit into the total, otherwise its share pro rata, never more than one customer may get, rounded down to the step. Customers who reach their most leave more to the others.',
  params: {
    tokens: amountOf('token'),
    others: amountOf('token'),
    total: amountOf('token'),
    limit: amountOf('token'),
    step: amountOf('token'),
  },
  result: amountOf('token'),
  examples: [
    { args: { tokens: '600000', others: '1400000', total: '1000000', limit: '1000000', step: '1' }, gives: '300000' },
    { args: { tokens: '600000', others: '100000', total: '1000000', limit: '500000', step: '1' }, gives: '500000' },
    { args: { tokens: '10', others: '20', total: '10', limit: '10', step: '1' }, gives: '3' },
    { args: { tokens: '0', others: '0', total: '10', limit: '10', step: '1' }, gives: '0' },
  ],
  run: ({ tokens, others, total, limit, step }) => {
    const all = sum(tokens, others)
    if (!isLess('0', all)) return '0'
    const fair = isLess(total, all) ? quotient(product(tokens, total), product(all, step), 0) : quotient(tokens, step, 0)
    return product(smallest([fair, quotient(limit, step, 0)]), step)
  },
})
