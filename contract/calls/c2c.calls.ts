import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { moneyProblems } from '#contract/calls/funding.calls.ts'
import {
  amountIn,
  amountText,
  coinCode,
  csvFile,
  currencyId,
  decimal,
  id,
  listMost,
  listOf,
  page,
  share,
  shownTerms,
  size,
  symbol,
  timeMs,
  timeRange,
} from '#contract/fields.ts'
import { statusSet } from '#contract/status.ts'

const spotSides = ['buy', 'sell'] as const
export type SpotSide = (typeof spotSides)[number]
export const spotKinds = ['limit', 'market'] as const
/** gtc: until it is cancelled · ioc: at once, the rest is cancelled · fok: at once and whole, or not at all · post_only: only into the book. */
const timesInForce = ['gtc', 'ioc', 'fok', 'post_only'] as const
export type TimeInForce = (typeof timesInForce)[number]
/** new → open → partial → filled | cancelled | rejected. */
export const spotStates = ['new', 'open', 'partial', 'filled', 'cancelled', 'rejected'] as const
export type SpotState = (typeof spotStates)[number]
/** Words by which orders are asked for: those that they carry, and the lists. */
const spotStatuses = ['doing', 'complete', ...spotStates] as const
export type SpotStatus = (typeof spotStatuses)[number]
export const openSpotStates = ['new', 'open', 'partial'] as const satisfies readonly SpotState[]
/** Why the rest of an order was cancelled, or the order rejected; '' for neither. */
const spotReasons = [
  '',
  'customer',
  'expired',
  'self_trade',
  'order_would_match',
  'order_not_filled',
  'order_unmatched',
  'price_moved',
] as const
export type SpotReason = (typeof spotReasons)[number]

const price = decimal({ unit: 'price', coin: 'quote', per: 'base' })
const baseAmount = amountIn('base')
const quoteAmount = amountIn('quote')
const side = z.enum(spotSides)
const priceText = amountText.meta({ decimal: true, unit: 'price' })

const market = { symbol, name: z.string().describe('as shown: BTC/USDT'), base: coinCode, quote: coinCode }
const orderRow = z.object({
  id: z.int().positive(),
  ...market,
  currency_id: z.int().positive(),
  legal_id: z.int().positive(),
  type: side,
  tradeType: z.enum(spotKinds),
  time_in_force: z.enum(timesInForce),
  price: price.nullable().describe('limit; null: none'),
  worst_price: price.nullable().describe('a market order trades at no worse price; null: a limit'),
  quantity: baseAmount.nullable().describe('null: a market order that spends a budget'),
  budget: quoteAmount.nullable().describe('what a market order to buy spends at most'),
  filled: baseAmount,
  value: quoteAmount.describe('what the fills cost or brought, before the fee'),
  average: price.nullable().describe('of the fills, rounded to the step of the price; null: none'),
  progress: share.describe('part that is filled'),
  fee: amountIn('fee_code'),
  received: amountIn('fee_code').describe('after the fee'),
  fee_code: coinCode,
  taker_rate: share.describe('fee of a fill that meets the order book, as a share of what it brings; agreed when the order was placed'),
  frozen: amountIn('frozen_code').describe('what the order still holds'),
  frozen_code: coinCode,
  status: statusSet(spotStates, 'spot.state', {
    new: 'accent',
    open: 'accent',
    partial: 'accent',
    filled: 'up',
    cancelled: 'quiet',
    rejected: 'quiet',
  }),
  list: z.enum(['doing', 'complete']),
  reason: z.enum(spotReasons),
  can_cancel: z.boolean(),
  can_move: z.boolean().describe('its limit may be moved now'),
  version: z.int().positive().describe('grows with each change'),
  created: timeMs,
  changed: timeMs,
})
export type SpotOrderRow = z.infer<typeof orderRow>

const fillRow = z.object({
  id: z.int().positive(),
  order_id: z.int().positive(),
  ...market,
  type: side,
  price,
  quantity: baseAmount,
  value: quoteAmount,
  fee: amountIn('fee_code'),
  fee_code: coinCode,
  role: z.enum(['maker', 'taker']),
  simulated: z.boolean().describe('the other side was an order of the house'),
  time: timeMs,
})

export type SpotFillRow = z.infer<typeof fillRow>

const orderProblems = [
  ...moneyProblems,
  ...(['symbol_unknown', 'price_wrong', 'size_wrong', 'amount_too_large', 'list_full', 'market_halted', 'market_closed'] as const),
  ...(['price_stale', 'price_moved', 'price_out_of_band', 'order_would_match', 'order_not_filled', 'order_unmatched'] as const),
] as const

const orderFilter = {
  status: z.enum(spotStatuses).optional().describe('of the rows; doing: may still trade, complete: ended; left out: all'),
  symbol: symbol.optional(),
  type: side.optional(),
  ...timeRange('placed'),
}

export const c2cCalls = calls({
  'c2c.detail': {
    method: 'POST',
    path: '/c2c/detail',
    auth: 'user',
    reads: true,
    input: z.object({ symbol }),
    output: z.object({
      ...market,
      currency_id: z.int().positive(),
      legal_id: z.int().positive(),
      base_scale: z.int().nonnegative(),
      quote_scale: z.int().nonnegative(),
      tick: price.describe('step of the price'),
      step: baseAmount.describe('step of the quantity'),
      price_scale: z.int().nonnegative(),
      size_scale: z.int().nonnegative(),
      maker_rate: share,
      taker_rate: share,
      value_min: quoteAmount.describe('least value of an order'),
      size_max: baseAmount.describe('most of one order'),
      price_band: share.describe('how far from the last price a limit may stand'),
      price_low: price.nullable().describe('lowest limit that is taken now; null: there is no price yet'),
      price_high: price.nullable().describe('highest limit that is taken now'),
      last: price.nullable(),
      base_available: baseAmount,
      base_frozen: baseAmount,
      quote_available: quoteAmount,
      quote_frozen: quoteAmount,
      open: z.boolean().describe('orders are taken now'),
      halted: z.boolean(),
      changes_at: timeMs.nullable().describe('next opening or closing; null: traded at all times'),
      terms_version: z.int().positive(),
      tolerance: share.describe('how much worse than the last price a market order trades at most, unless it says a worst price'),
      simulated: z.boolean().describe('the house offers to buy and to sell in the book'),
      open_orders: z.int().nonnegative(),
      markets: z.array(z.object(market)).max(listMost.instruments).meta({ key: 'symbol' }),
    }),
    problems: ['symbol_unknown'],
    summary: 'The cost of an order of this market, and the balance that the customer has for it',
  },
  'c2c.trade': {
    method: 'POST',
    path: '/c2c/trade',
    auth: 'user',
    keyed: 'money',
    input: z.object({
      amount: amountText.describe('base coin; for a market order to buy the quote coin that it spends at most'),
      target_price: priceText.optional().describe('limit; a market order has none'),
      currency_id: currencyId.describe('base coin'),
      legal_id: currencyId.describe('quote coin'),
      type: side,
      tradeType: z.enum(spotKinds),
      time_in_force: z.enum(timesInForce).optional().describe('left out: gtc for a limit, ioc for a market order, which may be ioc or fok'),
      worst_price: priceText
        .optional()
        .describe('a market order trades at no worse price; left out: by the tolerance; a limit order must not have a worse limit'),
      terms_version: shownTerms,
    }),
    output: orderRow,
    problems: ['account_frozen', 'currency_unknown', 'terms_changed', ...orderProblems],
    summary: 'Buys or sells in the order book; answers with the order as it stands after it was matched',
  },
  'c2c.cancel': {
    method: 'POST',
    path: '/c2c/cancel',
    auth: 'user',
    keyed: 'money',
    whileFrozen: true,
    input: z.object({ id }),
    output: orderRow,
    problems: ['order_unknown', 'state_wrong', 'key_reused'],
    summary: 'Takes an open order out of the book; what it holds is available again',
  },
  'c2c.move': {
    method: 'POST',
    path: '/c2c/move',
    auth: 'user',
    keyed: 'money',
    input: z.object({ id, price: priceText.describe('the new limit') }),
    output: orderRow,
    problems: [
      ...moneyProblems,
      ...(['order_unknown', 'state_wrong', 'price_wrong', 'size_wrong', 'amount_too_large', 'market_halted', 'market_closed'] as const),
      ...(['price_stale', 'price_out_of_band', 'order_would_match'] as const),
    ],
    summary:
      'Moves an open limit order to another price, behind the orders that stand there; answers with the order as it stands after it was matched',
  },
  'c2c.cancelAll': {
    method: 'POST',
    path: '/c2c/cancelAll',
    auth: 'user',
    keyed: 'money',
    whileFrozen: true,
    input: z.object({ symbol: symbol.optional().describe('left out: of every market') }),
    output: z.object({ cancelled: z.int().nonnegative() }),
    problems: ['symbol_unknown', 'key_reused'],
    summary: 'Cancels all open orders of the customer',
  },
  'c2c.orderList': {
    method: 'POST',
    path: '/c2c/orderList',
    auth: 'user',
    reads: true,
    input: z.object({ page, size, ...orderFilter }),
    output: listOf(orderRow, 'id'),
    problems: ['range_reversed', 'range_too_wide'],
    summary: 'Orders, newest first',
  },
  'c2c.exportOrders': {
    method: 'POST',
    path: '/c2c/exportOrders',
    auth: 'user',
    reads: true,
    input: z.object(orderFilter),
    output: csvFile,
    problems: ['range_reversed'],
    summary: 'The orders as CSV, 5,000 rows at most; headings in the language of the request',
  },
  'c2c.order': {
    method: 'POST',
    path: '/c2c/order',
    auth: 'user',
    reads: true,
    input: z.object({ id }),
    output: orderRow,
    problems: ['order_unknown'],
    summary: 'One order',
  },
  'c2c.fills': {
    method: 'POST',
    path: '/c2c/fills',
    auth: 'user',
    reads: true,
    input: z.object({
      page,
      size,
      order_id: id.optional(),
      symbol: symbol.optional(),
      ...timeRange('traded'),
    }),
    output: listOf(fillRow, 'id'),
    problems: ['range_reversed', 'range_too_wide'],
    summary: 'Fills of the own orders, newest first',
  },
})
