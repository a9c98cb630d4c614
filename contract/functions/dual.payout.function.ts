import Big from 'big.js'
import { amountOf, defineFunction, priceIn, share } from '#contract/functions/define.ts'
import { plain } from '#contract/money.ts'

const yearDays = 365
/** More decimals than any coin has, so that the quotient is cut only once, and down. */
const Exact = Big()
Exact.DP = 60
Exact.RM = Big.roundDown

export const dualPayout = defineFunction({
  name: 'dual.payout',
  about:
    'Amount that a dual investment pays back in base or quote: the deposit, converted at the linked price where that is not the deposited coin, × (1 + days × yearly yield / 365), rounded down at the decimals of the paid coin.',
  params: {
    type: 'text',
    outcome: 'text',
    amount: amountOf('coin'),
    linked: priceIn('quote'),
    yearly: share,
    days: 'integer',
    scale: 'integer',
  },
  result: amountOf('paid'),
  examples: [
    {
      args: { type: 'call', outcome: 'base', amount: '0.5', linked: '60000', yearly: '0.3', days: 7, scale: 8 },
      gives: '0.50287671',
    },
    {
      args: { type: 'call', outcome: 'quote', amount: '0.5', linked: '60000', yearly: '0.3', days: 7, scale: 8 },
      gives: '30172.60273972',
    },
    {
      args: { type: 'put', outcome: 'quote', amount: '30000', linked: '60000', yearly: '0.3', days: 7, scale: 8 },
      gives: '30172.60273972',
    },
    {
      args: { type: 'put', outcome: 'base', amount: '30000', linked: '60000', yearly: '0.3', days: 7, scale: 8 },
      gives: '0.50287671',
    },
  ],
  run: ({ type, outcome, amount, linked, yearly, days, scale }) => {
    if (type !== 'call' && type !== 'put') throw new RangeError(`a dual investment is a call or a put, not ${type}`)
    if (outcome !== 'base' && outcome !== 'quote') throw new RangeError(`a dual investment pays base or quote, not ${outcome}`)
    const grown = new Exact(amount).times(new Exact(yearly).times(days).plus(yearDays))
    const isKept = (outcome === 'base') === (type === 'call')
    const numerator = isKept || type === 'put' ? grown : grown.times(linked)
    const divisor = isKept || type === 'call' ? new Exact(yearDays) : new Exact(linked).times(yearDays)
    return plain(numerator.div(divisor).round(scale, Big.roundDown))
  },
})
