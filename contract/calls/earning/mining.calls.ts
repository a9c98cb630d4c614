import * as z from 'zod'
import { calls } from '#contract/call.ts'
import {
  amountIn,
  amountText,
  coin,
  coinCode,
  id,
  listMost,
  listOf,
  page,
  share,
  shownTerms,
  size,
  timeMs,
  timeRange,
} from '#contract/fields.ts'
import { statusSet } from '#contract/status.ts'

/** Locked mining: an amount is locked for some days of 24 hours, earns an income each day, and comes back with the last one. */

/** lock: the house pays · defi, cloud: the house pays what such a product would, simulated. */
export const miningKinds = ['lock', 'defi', 'cloud'] as const
export type MiningKind = (typeof miningKinds)[number]
/** running → redeemed */
export const miningStates = ['running', 'redeemed'] as const
export type MiningState = (typeof miningStates)[number]
/** How an order was redeemed. */
export const miningEnds = ['early', 'matured', 'renewed'] as const
export type MiningEnd = (typeof miningEnds)[number]
/** Choice at maturity: paid out, the principal is locked again, or the principal with the income. */
export const miningRenewals = ['none', 'principal', 'all'] as const
export type MiningRenewal = (typeof miningRenewals)[number]
/** Sale of a product, as operators decide: open → paused → open; ended is final. */
export const miningSales = ['open', 'paused', 'ended'] as const
export type MiningSale = (typeof miningSales)[number]
/** Whether an amount can be locked now, and if not, why. */
export const miningSaleStates = ['on_sale', 'sold_out', 'paused', 'ended'] as const
export type MiningSaleState = (typeof miningSaleStates)[number]

const amount = amountIn('currency_code')
const day = z.int().positive()

/** Members that products and orders have. */
const deal = {
  kind: z.enum(miningKinds),
  terms_version: z.int().positive().describe('version of the terms of the product'),
  ...coin,
  daily: share.describe('income of a day of 24 hours, as a share of the amount'),
  days: day.describe('the amount is locked for so many times 24 hours'),
  penalty: share.describe('early redemption costs this share of the amount for each remaining day'),
  risk: z.int().min(1).max(5).describe('risk level, 1 the lowest'),
  simulated: z.boolean().describe('kept by a program of the demonstration'),
}

const productRow = z.object({
  id: z.int().positive(),
  ...deal,
  least: amount.describe('an order has at least this amount'),
  most: amount.describe('an order has at most this amount'),
  total: amount.describe('most that all running orders may have together'),
  remaining: amount.describe('what can still be locked'),
  progress: share.describe('part of the total that is locked'),
  state: statusSet(miningSaleStates, 'mining.sale', { on_sale: 'up', sold_out: 'quiet', paused: 'quiet', ended: 'quiet' }),
})
export type MiningProductRow = z.output<typeof productRow>

const orderRow = z.object({
  id: z.int().positive(),
  mid: z.int().positive().describe('number of the product'),
  ...deal,
  amount: amount.describe('the principal'),
  income: amount.describe('paid for each day'),
  estimate: amount.describe('income of all days'),
  paid_days: z.int().nonnegative().describe('days whose income was paid'),
  earned: amount.describe('income that was paid'),
  remaining_days: z.int().nonnegative().describe('locked days less the whole days since the purchase'),
  bought: timeMs,
  next_payment: timeMs.nullable().describe('null for a redeemed order'),
  ends: timeMs.describe('the last income and the principal are paid at this time'),
  renewal: z.enum(miningRenewals).describe('what happens at the maturity; none unless the customer chose another'),
  status: statusSet(miningStates, 'mining.state', { running: 'accent', redeemed: 'quiet' }),
  how: statusSet(miningEnds, 'mining.how', { early: 'warn', matured: 'up', renewed: 'up' }).nullable().describe('null while it runs'),
  closed: timeMs.nullable().describe('null while it runs'),
  penalty_paid: amount.nullable().describe('kept of the principal; null while it runs'),
  returned: amount.nullable().describe('paid back of the principal; null while it runs'),
  next_id: z.int().positive().nullable().describe('the order that this one was renewed as'),
  version: z.int().positive().describe('grows with each change'),
})
export type MiningOrderRow = z.output<typeof orderRow>

const payment = z.object({ day, at: timeMs.describe('when the income is due'), amount })

export const miningCalls = calls({
  'mining.productList': {
    method: 'GET',
    path: '/mining/productList',
    auth: 'none',
    reads: true,
    input: z.object({ page, size, kind: z.enum(miningKinds).default('lock') }),
    output: listOf(productRow, 'id'),
    problems: [],
    summary: 'Products of a kind whose sale has not ended, by coin and days',
  },
  'mining.product': {
    method: 'GET',
    path: '/mining/product',
    auth: 'user',
    reads: true,
    input: z.object({ mid: id }),
    output: productRow.extend({
      available: amount.describe('in the change account of the customer'),
      most_now: amount.describe('most that the customer can lock by the limit of an order and by what is left'),
      first: timeMs.describe('when the first income of an order of now is due'),
      last: timeMs.describe('when the last income of an order of now is due, with the principal'),
      seen: z.boolean().describe('the customer has ordered before'),
      payments: z
        .array(z.object({ day, at: timeMs }))
        .max(listMost.page * 10)
        .meta({ key: 'day' })
        .describe('when each income of an order of now is due'),
    }),
    problems: ['product_unknown'],
    summary: 'One product, what the customer can lock, and when an order of now pays',
  },
  'mining.orderList': {
    method: 'GET',
    path: '/mining/orderList',
    auth: 'user',
    reads: true,
    input: z.object({ page, size, status: z.enum(miningStates).optional().describe('left out: both'), ...timeRange('bought') }),
    output: listOf(orderRow, 'id'),
    problems: ['range_reversed'],
    summary: "The customer's orders, newest first",
  },
  'mining.order': {
    method: 'GET',
    path: '/mining/order',
    auth: 'user',
    reads: true,
    input: z.object({ id }),
    output: orderRow.extend({
      incomes: z
        .array(payment.extend({ booked: timeMs.describe('when it was paid; later than due where no server ran') }))
        .meta({ key: 'day' })
        .describe('income that was paid, the last first'),
      coming: z.array(payment).meta({ key: 'day' }).describe('income that is due later, the next first'),
    }),
    problems: ['order_unknown'],
    summary: 'One order with its rows of income and the calendar of the coming ones',
  },
  'mining.deposit': {
    method: 'POST',
    path: '/mining/deposit',
    auth: 'user',
    keyed: 'money',
    risk: true,
    input: z.object({
      mid: id.describe('of the product'),
      amount: amountText.describe('of the coin of the product'),
      terms_version: shownTerms,
    }),
    output: orderRow,
    problems: [
      ...['key_reused', 'outcome_unknown', 'account_frozen', 'product_unknown', 'sale_closed', 'sold_out', 'terms_changed'],
      ...['currency_unknown', 'currency_closed', 'amount_wrong', 'amount_too_small', 'amount_too_large', 'insufficient_balance'],
    ] as const,
    summary: 'Locks an amount of the change account; income and principal are paid to that account',
  },
  'mining.close': {
    method: 'POST',
    path: '/mining/close',
    auth: 'user',
    keyed: 'money',
    input: z.object({ id: id.describe('of the order') }),
    output: orderRow,
    problems: ['key_reused', 'outcome_unknown', 'account_frozen', 'order_unknown', 'state_wrong'],
    summary: 'Redeems an order: due income is paid first, then the principal less the penalty; from the maturity on nothing is kept',
  },
  'mining.renewal': {
    method: 'POST',
    path: '/mining/renewal',
    auth: 'user',
    keyed: 'data',
    input: z.object({ id: id.describe('of the order'), renewal: z.enum(miningRenewals) }),
    output: orderRow,
    problems: ['key_reused', 'account_frozen', 'order_unknown', 'state_wrong'],
    summary: 'Chooses what happens at the maturity of a running order',
  },
})

const supervisor = ['reviewer', 'administrator'] as const

/** Calls of the back office. Products are proposed and agreed to as terms of `mining`, see office.terms.calls.ts. */
export const backOfficeMiningCalls = calls({
  'office.miningOwed': {
    method: 'GET',
    auth: 'operator',
    roles: supervisor,
    reads: true,
    path: '/miningOwed',
    input: z.object({}),
    output: z.object({
      days: z
        .array(
          z.object({
            key: z.string().describe('day and coin'),
            day: z.string().describe('UTC date on which it is due: 2026-12-05'),
            currency_code: coinCode,
            payments: z.int().positive(),
            income: amount,
            principal: amount,
          }),
        )
        .meta({ key: 'key' })
        .describe('the next 31 days'),
      coins: z
        .array(
          z.object({
            currency_code: coinCode,
            income: amount.describe('owed for all running orders'),
            principal: amount.describe('owed for all running orders'),
            pool: amount.describe('held by the pool'),
            lacks: amount.describe('what the pool lacks to pay everything that is owed'),
          }),
        )
        .max(listMost.currencies)
        .meta({ key: 'currency_code' }),
    }),
    problems: [],
    summary: 'Amounts owed for running orders, by day and coin, and the pool that covers them',
  },
})
