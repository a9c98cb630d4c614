import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { provenTick } from '#contract/calls/market.calls.ts'
import {
  amountIn,
  coin,
  coinCode,
  csvFile,
  currencyId,
  decimal,
  id,
  integerText,
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

/**
 * Dual investment: a coin is deposited until a date, and paid back with a yield in one of two coins. The price at the maturity decides in
 * which. call: the base coin is deposited · put: the quote coin is deposited.
 */

export const dualTypes = ['call', 'put'] as const
export type DualType = (typeof dualTypes)[number]
/** Coin that is paid back: base or quote of the market. */
export const dualOutcomes = ['base', 'quote'] as const
export type DualOutcome = (typeof dualOutcomes)[number]
/** purchased → settling → success | fail. fail: there was no price at the maturity; the deposit is paid back with the agreed yield. */
export const dualOrderStates = ['purchased', 'settling', 'success', 'fail'] as const
export type DualOrderState = (typeof dualOrderStates)[number]
/** Whether shares can be bought now, and if not, why. */
export const dualSaleStates = ['soon', 'on_sale', 'sold_out', 'paused', 'ended'] as const
export type DualSaleState = (typeof dualSaleStates)[number]

const price = decimal({ unit: 'price', coin: 'quote', per: 'base' })
const amount = amountIn('currency_code')
const shares = z.int().nonnegative()

/** Members that products and orders have. */
const deal = {
  terms_version: z.int().positive().describe('version of the terms of the product'),
  type: z.enum(dualTypes).describe('call: the base coin is deposited; put: the quote coin'),
  symbol,
  name: z.string().describe('as shown: BTC/USDT'),
  base: coinCode,
  quote: coinCode,
  tick: price.describe('step of the price'),
  base_scale: z.int().nonnegative().describe('decimals of the base coin'),
  quote_scale: z.int().nonnegative().describe('decimals of the quote coin'),
  ...coin,
  share: amount.describe('price of one share in the deposited coin'),
  linked: price.describe('linked reference price: the price at the maturity is compared with it'),
  yearly: share.describe('annual yield, simple, over 365 days'),
  days: z.int().positive().describe('holding days: UTC dates from the purchase to the maturity, at least 1'),
  rate: share.describe('yield for these days, rounded down'),
  matures: timeMs.describe('maturity, 08:00 UTC'),
  day: z.string().describe('UTC date of the maturity: 2026-12-05'),
}

const productRow = z.object({
  id: z.int().positive(),
  ...deal,
  starts: timeMs.describe('the sale begins'),
  ends: timeMs.describe('the sale ends: shares are sold before this time'),
  total: shares.describe('shares of the product'),
  remaining: shares.describe('shares that are left'),
  progress: share.describe('part of the shares that is sold'),
  limit: z.int().positive().describe('shares that one customer may buy at most'),
  state: statusSet(dualSaleStates, 'invest.sale', {
    soon: 'accent',
    on_sale: 'up',
    sold_out: 'quiet',
    paused: 'quiet',
    ended: 'quiet',
  }),
  risk: z.int().min(1).max(5).describe('risk level, 1 the lowest'),
  simulated: z.boolean().describe('kept by a program of the demonstration'),
})
export type DualProductRow = z.output<typeof productRow>

const orderRow = z.object({
  id: z.int().positive(),
  product_id: z.int().positive(),
  ...deal,
  num: z.int().positive().describe('shares'),
  number: amount.describe('deposit: shares × price of a share'),
  bought: timeMs,
  status: statusSet(dualOrderStates, 'invest.state', { purchased: 'quiet', settling: 'accent', success: 'up', fail: 'warn' }),
  base_amount: amountIn('base').describe('paid back if the base coin is'),
  quote_amount: amountIn('quote').describe('paid back if the quote coin is'),
  outcome: z.enum(dualOutcomes).nullable().describe('coin that was paid back; null until it is settled'),
  settle_price: price.nullable().describe('null until it is settled, and for an order without a price'),
  settled: timeMs.nullable().describe('when the result was decided: the maturity; null until then'),
  booked: timeMs.nullable().describe('when it was paid back; later than settled where no server ran at the maturity'),
  version: z.int().positive().describe('grows with each change'),
})
export type DualOrderRow = z.output<typeof orderRow>

/** Sale of a product, as operators decide: open → paused → open; ended is final. */
export const dualSales = ['open', 'paused', 'ended'] as const
export type DualSale = (typeof dualSales)[number]

const orderFilter = {
  status: z.enum(dualOrderStates).optional().describe('left out: all'),
  ...timeRange('bought'),
}

export const dualCalls = calls({
  'dual.index': {
    method: 'GET',
    path: '/dual/index',
    auth: 'none',
    reads: true,
    input: z.object({
      page,
      size,
      base: z.string().max(20).optional().describe('code of the base coin, BTC; left out: all'),
      type: z.enum(dualTypes).optional().describe('left out: both'),
    }),
    output: listOf(productRow, 'id'),
    problems: [],
    summary: 'Products that have not matured: those on sale first, by maturity and annual yield',
  },
  'dual.coins': {
    method: 'GET',
    path: '/dual/coins',
    auth: 'none',
    reads: true,
    input: z.object({}),
    output: z.object({
      list: z
        .array(z.object({ base: coinCode, products: z.int().positive() }))
        .max(listMost.currencies)
        .meta({ key: 'base' }),
    }),
    problems: [],
    summary: 'Base coins of the products of dual.index, with the number of products of each',
  },
  'dual.detail': {
    method: 'GET',
    path: '/dual/detail',
    auth: 'user',
    reads: true,
    input: z.object({ id }),
    output: productRow.extend({
      available: amount.describe('of the deposited coin in the change account of the customer'),
      held: shares.describe('shares that the customer has bought'),
      most: shares.describe('shares that the customer may buy now, by what is left and by the limit of a customer'),
      affords: shares.describe('shares that the balance of the customer pays for'),
    }),
    problems: ['product_unknown'],
    summary: 'One product, and how many of its shares the customer can buy',
  },
  'dual.buyDual': {
    method: 'POST',
    path: '/dual/buyDual',
    auth: 'user',
    keyed: 'money',
    risk: true,
    input: z.object({
      id: id.describe('of the product'),
      num: integerText(1, 1_000_000_000).describe('shares, a whole number'),
      currency_id: currencyId.describe('the deposited coin'),
      type: z.enum(dualTypes).default('call'),
      terms_version: shownTerms,
    }),
    output: orderRow,
    problems: [
      ...['key_reused', 'outcome_unknown', 'account_frozen', 'product_unknown', 'sale_closed', 'sold_out', 'purchase_limit'],
      ...['terms_changed', 'currency_unknown', 'currency_closed', 'insufficient_balance'],
    ] as const,
    summary: 'Buys shares of a product; the deposit is taken from the change account and paid back to it at the maturity',
  },
  'dual.dualList': {
    method: 'POST',
    path: '/dual/dual_list',
    auth: 'user',
    reads: true,
    input: z.object({ page, size, ...orderFilter }),
    output: listOf(orderRow, 'id'),
    problems: ['range_reversed'],
    summary: "The customer's orders, newest first",
  },
  'dual.exportList': {
    method: 'POST',
    path: '/dual/exportList',
    auth: 'user',
    reads: true,
    input: z.object(orderFilter),
    output: csvFile,
    problems: ['range_reversed'],
    summary: 'The orders as CSV, 5,000 rows at most; headings in the language of the request',
  },
  'dual.getOrderDetail': {
    method: 'POST',
    path: '/dual/getOrderDetail',
    auth: 'user',
    reads: true,
    input: z.object({ id }),
    output: orderRow.extend({
      settle_tick: provenTick
        .nullable()
        .describe('the last recorded tick at or before the maturity; null until it is settled, and for an order without a price'),
      log_end: z.int().positive().nullable().describe('the last number in the log of prices at the settlement; later ones could not count'),
    }),
    problems: ['order_unknown'],
    summary: 'One order with the tick that it was settled by; market.ticks has those around it',
  },
})

const owed = {
  currency_code: coinCode,
  above: amount.describe('owed in this coin if prices end above the linked prices'),
  below: amount.describe('owed in this coin if prices end below the linked prices'),
}
const supervisor = ['reviewer', 'administrator'] as const
const shows = { method: 'GET', auth: 'operator', roles: supervisor, reads: true } as const

/** Calls of the back office. Products are proposed and agreed to as terms of `dual`, see office.terms.calls.ts. */
export const backOfficeDualCalls = calls({
  'office.dualOwed': {
    ...shows,
    path: '/dualOwed',
    input: z.object({}),
    output: z.object({
      days: z
        .array(
          z.object({
            key: z.string().describe('day and coin'),
            day: z.string().describe('UTC date of the maturity: 2026-12-05'),
            orders: z.int().positive(),
            ...owed,
          }),
        )
        .meta({ key: 'key' }),
      coins: z
        .array(
          z.object({
            ...owed,
            pool: amount.describe('held by the pool: the deposits'),
            lacks: amount.describe('what the pool lacks if all orders are paid back in this coin'),
          }),
        )
        .max(listMost.currencies)
        .meta({ key: 'currency_code' }),
    }),
    problems: [],
    summary: 'Amounts owed for orders that are not paid back, by day of maturity and coin, and the pool that covers them',
  },
})
