import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { amountIn, coin, coinCode, integerText, listMost, share, timeMs } from '#contract/fields.ts'

/**
 * The finance tab: everything that pays an income, over all products. Each product tells its orders, payments, income and offers by itself; see
 * api-server/kit/earning.ts.
 */

/** Kinds of orders that pay an income. Each has its name in `finance.kind`, and its pages. */
export const earningKinds = ['dual_call', 'dual_put', 'lock', 'defi', 'cloud'] as const
export type EarningKind = (typeof earningKinds)[number]
/** income: paid while the order runs · all: principal and income together at the end · either: the same in one of two coins. */
export const paymentParts = ['income', 'all', 'either'] as const
export type PaymentPart = (typeof paymentParts)[number]

/** Days of the chart. */
export const financeDays = 30
/** Payments that the tab shows. */
export const financePayments = 5

const own = {
  key: z.string().describe('kind and number of the order'),
  kind: z.enum(earningKinds),
  id: z.int().positive().describe('number of the order'),
  link: z.string().describe('address of the order in the app'),
  ...coin,
}
const amount = amountIn('currency_code')
const usd = amountIn('USD').describe('at the last prices')

const offer = z.object({
  key: z.string().describe('kind and number of the product'),
  kind: z.enum(earningKinds),
  id: z.int().positive().describe('number of the product'),
  link: z.string().describe('address of the purchase in the app'),
  ...coin,
  days: z.int().positive().describe('days from a purchase now to its end'),
  yearly: share.describe('income of a year, simple'),
  rate: share.describe('income of the term'),
  risk: z.int().min(1).max(5).describe('risk level, 1 the lowest'),
  most: amount.describe('the most that one customer can pay in'),
  income: amount.describe('income of the term for that amount'),
  ends: timeMs.nullable().describe('the sale ends; null for one without an end'),
  simulated: z.boolean().describe('kept by a program of the demonstration'),
})
export type EarningOffer = z.output<typeof offer>

/** Groups of terms: up to a week, up to a month, longer. */
export const earningTerms = ['week', 'month', 'longer'] as const

export const financeCalls = calls({
  'finance.index': {
    method: 'GET',
    path: '/finance/index',
    auth: 'user',
    reads: true,
    input: z.object({}),
    output: z.object({
      held_usd: amountIn('USD').describe('worth of what runs, at the last prices'),
      today_usd: amountIn('USD').describe('income of this UTC day, at the last prices'),
      income_usd: amountIn('USD').describe('income in all, at the last prices'),
      days: z
        .array(z.object({ at: timeMs.describe('beginning of the UTC day'), value: usd }))
        .max(financeDays)
        .meta({ key: 'at' })
        .describe('income of the last days, oldest first'),
      total: z.int().nonnegative().describe('running orders'),
      orders: z
        .array(
          z.object({
            ...own,
            amount: amount.describe('paid in'),
            usd,
            income: amount.describe('income that was paid so far'),
            ends: timeMs.describe('the last payment'),
          }),
        )
        .max(listMost.page)
        .meta({ key: 'key' })
        .describe('running orders, those that end first'),
      payments: z
        .array(
          z.object({
            ...own,
            key: z.string().describe('order and time'),
            at: timeMs.describe('due'),
            part: z.enum(paymentParts),
            amount,
            other_code: coinCode.describe('the other coin, of a payment in one of two; otherwise the same'),
            other_amount: amountIn('other_code').nullable().describe('null for a payment in one coin'),
          }),
        )
        .max(financePayments)
        .meta({ key: 'key' })
        .describe('next payments, the earliest first'),
    }),
    problems: [],
    summary: "The customer's running orders that pay an income, what they have paid, and their next payments",
  },
  'finance.offers': {
    method: 'GET',
    path: '/finance/offers',
    auth: 'none',
    reads: true,
    input: z.object({
      coin: z.string().max(20).optional().describe('code of the coin that is paid in, USDT; left out: all'),
      term: z.enum(earningTerms).optional().describe('week: up to 7 days; month: 8 to 31; longer; left out: all'),
      risk: integerText(1, 5).optional().describe('the highest level of risk; left out: all'),
    }),
    output: z.object({
      coins: z
        .array(z.object({ code: coinCode, offers: z.int().positive() }))
        .max(listMost.currencies)
        .meta({ key: 'code' })
        .describe('coins of all offers'),
      list: z.array(offer).max(listMost.page).meta({ key: 'key' }),
    }),
    problems: [],
    summary: 'Products that can be bought now and pay an income, the lowest risk first, then by annual income',
  },
})
