import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { amountIn, amountText, coinCode, csvFile, decimal, id, listOf, page, size, timeMs, timeRange } from '#contract/fields.ts'
import { statusSet } from '#contract/status.ts'

/** The customer's side of the trade: the house takes the other side. */
export const otcSides = ['buy', 'sell'] as const
export type OtcSide = (typeof otcSides)[number]
/** reviewing → settled | rejected by the house | cancelled by the customer. */
export const otcOrderStates = ['reviewing', 'settled', 'rejected', 'cancelled'] as const
export type OtcOrderState = (typeof otcOrderStates)[number]

/** The terms of a trade: a coin against the quote coin at a fixed price. */
export const otcDeal = {
  side: z.enum(otcSides).describe('what the customer does'),
  currency_code: coinCode,
  quote_code: coinCode,
  price: decimal({ unit: 'price', coin: 'quote_code' }).describe('fixed'),
}
const amount = amountIn('currency_code')
const offerRow = z.object({
  id: z.int().positive(),
  ...otcDeal,
  scale: z.int().nonnegative().describe('decimals of the coin'),
  quote_scale: z.int().nonnegative(),
  amount_min: amount.describe('least of one order'),
  amount_max: amount.describe('most of one order, as far as so much is left'),
  left: amount.describe('not ordered yet'),
  until: timeMs.nullable().describe('null: until it is closed'),
  simulated: z.boolean().describe('made by a program of the demonstration, near a simulated price'),
  coin_available: amount.describe('balance of the customer'),
  quote_available: amountIn('quote_code').describe('balance of the customer'),
})
const orderRow = z.object({
  id: z.int().positive(),
  offer_id: z.int().positive(),
  ...otcDeal,
  amount,
  total: amountIn('quote_code').describe('paid by who buys, rounded up; received by who sells, rounded down'),
  status: statusSet(otcOrderStates, 'otc.state', { reviewing: 'accent', settled: 'up', rejected: 'down', cancelled: 'quiet' }),
  reason: z.string().describe('why it was rejected; empty otherwise'),
  created: timeMs,
  changed: timeMs,
  version: z.int().positive().describe('increases with each change'),
})
export type OtcOrderRow = z.output<typeof orderRow>

const orderFilter = {
  status: z.enum(otcOrderStates).optional().describe('left out: all'),
  side: z.enum(otcSides).optional().describe('left out: both'),
  ...timeRange('placed'),
}
const keyed = ['key_reused', 'outcome_unknown'] as const

export const otcCalls = calls({
  'otc.offers': {
    method: 'GET',
    path: '/otc/offers',
    auth: 'user',
    reads: true,
    input: z.object({ page, size, side: z.enum(otcSides).default('buy') }),
    output: listOf(offerRow, 'id'),
    problems: [],
    summary: 'Offers of the house at fixed prices that can be taken now: by coin, the best price first',
  },
  'otc.order': {
    method: 'POST',
    path: '/otc/order',
    auth: 'user',
    keyed: 'money',
    input: z.object({ offer_id: id, amount: amountText.describe('of the coin') }),
    output: orderRow,
    problems: [
      ...keyed,
      ...['account_frozen', 'offer_closed', 'currency_closed', 'amount_wrong', 'amount_too_small', 'amount_too_large'],
      ...['insufficient_balance', 'list_full', 'verification_required', 'order_limit', 'price_stale'],
    ] as const,
    summary:
      'Orders from an offer: freezes what the customer pays until the house has reviewed the order; one order is worth what the identity level allows at most',
  },
  'otc.orders': {
    method: 'GET',
    path: '/otc/orders',
    auth: 'user',
    reads: true,
    input: z.object({ page, size, id: id.optional().describe('only this order'), ...orderFilter }),
    output: listOf(orderRow, 'id'),
    problems: ['range_reversed'],
    summary: "The customer's orders, newest first",
  },
  'otc.exportOrders': {
    method: 'POST',
    path: '/otc/exportOrders',
    auth: 'user',
    reads: true,
    input: z.object(orderFilter),
    output: csvFile,
    problems: ['range_reversed'],
    summary: 'The orders as CSV, 5,000 rows at most; headings in the language of the request',
  },
  'otc.cancel': {
    method: 'POST',
    path: '/otc/cancel',
    auth: 'user',
    keyed: 'money',
    whileFrozen: true,
    input: z.object({ id }),
    output: orderRow,
    problems: [...keyed, 'order_unknown', 'state_wrong'],
    summary: 'Cancels an order that waits for review; what was frozen is available again',
  },
})
