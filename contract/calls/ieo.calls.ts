import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { proposalShown } from '#contract/calls/office.rows.ts'
import {
  amountIn,
  amountText,
  coinCode,
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

/**
 * Sales of newly issued tokens: customers apply for an amount until the end of the sale, what they offer is frozen, and two operators agree to who
 * gets what. Nobody is served first. The tokens are locked and released on dates that are known before.
 */

/** warm-up → in progress → ended → allocated → unlocked. paused: nobody applies for more, and what is applied for can be lowered and cancelled. */
export const ieoStates = ['warm_up', 'in_progress', 'paused', 'ended', 'allocated', 'unlocked'] as const
export type IeoState = (typeof ieoStates)[number]
/** Groups of a list. */
export const ieoGroups = ['in_progress', 'warm_up', 'ended'] as const
export type IeoGroup = (typeof ieoGroups)[number]
/** applied → cancelled | locked | refunded; locked → unlocked. */
export const ieoOrderStates = ['applied', 'cancelled', 'locked', 'unlocked', 'refunded'] as const
export type IeoOrderState = (typeof ieoOrderStates)[number]
/** The decision that two operators take once, when they agree to an allocation. */
export const ieoStages = ['sale', 'allocated', 'unlocked'] as const
export type IeoStage = (typeof ieoStages)[number]
/** The sale of a project, as operators decide: open → paused → open; ended is final. */
export const ieoSales = ['open', 'paused', 'ended'] as const
export type IeoSale = (typeof ieoSales)[number]
/** Coins in which one may pay, and releases of one lock. */
export const ieoMost = { coins: 10, releases: 24 } as const

const tokens = amountIn('token')
const issuePrice = decimal({ unit: 'price', coin: 'quote', per: 'token' })
const priceText = amountText.meta({ decimal: true, unit: 'price' })
const pays = amountIn('pay_currency')
const rate = decimal({ unit: 'price', coin: 'quote', per: 'pay_currency' }).describe(
  'quote coins that one coin pays for: 1 for the quote coin, otherwise the market price less the margin of the sale',
)

const tones = { warm_up: 'accent', in_progress: 'up', paused: 'warn', ended: 'quiet', allocated: 'accent', unlocked: 'quiet' } as const
const projectRow = z.object({
  id: z.int().positive(),
  terms_version: z.int().positive().describe('version of the terms of the project'),
  name: z.string(),
  token: coinCode,
  token_scale: z.int().nonnegative().describe('decimals of the token'),
  quote: coinCode.describe('coin of the issuance price'),
  price: issuePrice.describe('issuance price'),
  total: tokens.describe('tokens on sale'),
  applied: tokens.describe('applied for by all customers'),
  customers: z.int().nonnegative().describe('customers who have applied'),
  passed: tokens.nullable().describe('tokens that were allocated; null until then'),
  fill: share.describe('part of the total that is applied for, 1 at most'),
  step: tokens.describe('an amount is a multiple of it'),
  least: tokens.describe('least amount of a customer'),
  limit: tokens.describe('tokens that one customer gets at most'),
  pay: z
    .array(z.object({ code: coinCode }))
    .max(ieoMost.coins)
    .meta({ key: 'code' })
    .describe('coins in which one may pay'),
  starts: timeMs.describe('the sale begins'),
  ends: timeMs.describe('the sale ends: one applies before this time'),
  lists: timeMs.describe('listing time: trading begins, and the lock'),
  listed: z.boolean().describe('the listing time is past and there is a market'),
  symbol: symbol.nullable().describe('market of the token; null until there is one'),
  lock_days: z.int().nonnegative().describe('days from the listing time to the last release'),
  state: statusSet(ieoStates, 'ieo.state', tones),
  risk: z.int().min(1).max(5).describe('risk level, 1 the lowest'),
  simulated: z.boolean().describe('kept by a program of the demonstration'),
})
export type IeoProjectRow = z.output<typeof projectRow>

const release = { number: z.int().positive(), at: timeMs }

const orderRow = z.object({
  id: z.int().positive(),
  project_id: z.int().positive(),
  terms_version: z.int().positive(),
  name: z.string(),
  token: coinCode,
  quote: coinCode,
  price: issuePrice,
  amount: tokens.describe('applied for'),
  pay_currency: coinCode,
  frozen: pays.describe('paid for the whole amount: frozen until the allocation'),
  rate: rate.describe('at which the last part was frozen'),
  passed: tokens.nullable().describe('tokens that passed; null until the allocation'),
  charged: pays.nullable().describe('paid for them'),
  refunded: pays.nullable().describe('returned in the commit of the allocation'),
  released: tokens.describe('tokens that are unlocked by now'),
  next: timeMs.nullable().describe('next release; null where none is left'),
  created: timeMs,
  changed: timeMs,
  status: statusSet(ieoOrderStates, 'ieo.order', {
    applied: 'accent',
    cancelled: 'quiet',
    locked: 'up',
    unlocked: 'up',
    refunded: 'quiet',
  }),
  version: z.int().positive().describe('grows with each change'),
})
export type IeoOrderRow = z.output<typeof orderRow>

const orderFilter = {
  status: z.enum(ieoOrderStates).optional().describe('left out: all'),
  ...timeRange('made'),
}
const keyed = ['key_reused', 'outcome_unknown', 'account_frozen', 'product_unknown', 'sale_closed'] as const

export const ieoCalls = calls({
  'ieo.projects': {
    method: 'GET',
    path: '/project',
    auth: 'none',
    reads: true,
    input: z.object({ page, size, state: z.enum(ieoGroups).optional().describe('left out: all') }),
    output: listOf(projectRow, 'id'),
    problems: [],
    summary: 'Sales of new tokens: those that end first in progress and in warm-up, ended ones newest first',
  },
  'ieo.detail': {
    method: 'GET',
    path: '/project/detail',
    auth: 'user',
    reads: true,
    input: z.object({ id }),
    output: projectRow.extend({
      margin: share.describe('by which rates of other coins lie under their market prices'),
      coins: z
        .array(
          z.object({
            pay_currency: coinCode,
            currency_id: z.int().positive(),
            scale: z.int().nonnegative(),
            rate: rate.nullable().describe('null while there is no fresh price'),
            available: pays.describe('in the change account'),
          }),
        )
        .max(ieoMost.coins)
        .meta({ key: 'pay_currency' }),
      releases: z
        .array(z.object({ ...release, share: share.describe('of the tokens that passed, rounded down at six decimals') }))
        .max(ieoMost.releases)
        .meta({ key: 'number' })
        .describe('lock calendar'),
      mine: z
        .object({
          id: z.int().positive(),
          amount: tokens,
          pay_currency: coinCode,
          frozen: pays,
        })
        .nullable()
        .describe('what the customer has applied for; null without a position'),
    }),
    problems: ['product_unknown'],
    summary: 'One sale: its rates of now, the lock calendar, and what the customer has applied for',
  },
  'ieo.order': {
    method: 'POST',
    path: '/project/order',
    auth: 'user',
    keyed: 'money',
    risk: true,
    input: z.object({
      project_id: id,
      amount: amountText.describe('tokens: the whole position of the customer, not what is added'),
      pay_currency: z.string().min(1).max(20).describe('code of a coin of the sale; the same as before where there is a position'),
      price: priceText.describe('issuance price that was shown'),
      rate: priceText.optional().describe('rate that was shown, for what is added; left out: the rate of now'),
      terms_version: shownTerms,
    }),
    output: orderRow,
    problems: [
      ...keyed,
      ...['terms_changed', 'price_changed', 'price_stale', 'amount_wrong', 'amount_too_small', 'amount_too_large', 'currency_unknown'],
      ...['currency_closed', 'insufficient_balance'],
    ] as const,
    summary:
      'Sets what a customer has applied for: the first call applies, a higher amount freezes more at the rate of now, a lower one gives back its part',
  },
  'ieo.cancel': {
    method: 'POST',
    path: '/project/cancel',
    auth: 'user',
    keyed: 'money',
    whileFrozen: true,
    input: z.object({ project_id: id }),
    output: orderRow,
    problems: [...keyed, 'order_unknown'],
    summary: 'Takes an application back before the sale ends; all that was frozen for it is available again',
  },
  'ieo.orders': {
    method: 'GET',
    path: '/user/project/order',
    auth: 'user',
    reads: true,
    input: z.object({ page, size, ...orderFilter }),
    output: listOf(orderRow, 'id'),
    problems: ['range_reversed'],
    summary: "The customer's applications, newest first",
  },
  'ieo.orderDetail': {
    method: 'GET',
    path: '/user/project/orderDetail',
    auth: 'user',
    reads: true,
    input: z.object({ id }),
    output: orderRow.extend({
      applied: tokens.describe('by all customers'),
      total: tokens.describe('on sale'),
      releases: z
        .array(z.object({ ...release, amount: tokens, done: z.boolean().describe('credited') }))
        .max(ieoMost.releases)
        .meta({ key: 'number' })
        .describe('empty until tokens have passed'),
    }),
    problems: ['order_unknown'],
    summary: 'One application with its lock calendar',
  },
})

const supervisor = ['reviewer', 'administrator'] as const
/** Operators read the states in the words of the back office. */
const officeRow = projectRow.extend({ state: statusSet(ieoStates, 'office.ieo_state', tones) })
const shows = { method: 'GET', auth: 'operator', roles: supervisor, reads: true } as const

/** Calls of the back office. Projects are proposed and agreed to as terms of `ieo`, see office.terms.calls.ts. */
export const backOfficeIeoCalls = calls({
  'office.ieoProjects': {
    ...shows,
    path: '/ieoProjects',
    input: z.object({ page, size }),
    output: listOf(officeRow, 'id'),
    problems: [],
    summary: 'Sales of new tokens, newest first',
  },
  'office.ieoAllocation': {
    ...shows,
    path: '/ieoAllocation',
    input: z.object({ id, page, size: size.default(50) }),
    output: officeRow.extend({
      digest: z.string().describe('SHA-256 of who gets what; the approval is bound to it'),
      passes: tokens.describe('would pass, or has passed'),
      remainder: tokens.describe('stays with the issuer'),
      may_propose: z.boolean().describe('the sale has ended and nothing is decided'),
      proposal: proposalShown.nullable(),
      list: z
        .array(
          z.object({
            id: z.int().positive().describe('of the application'),
            uid: z.int().positive(),
            token: coinCode,
            pay_currency: coinCode,
            amount: tokens,
            frozen: pays,
            passed: tokens,
            charged: pays,
            refunded: pays,
          }),
        )
        .max(listMost.page)
        .meta({ key: 'id' }),
      count: z.int().nonnegative().describe('applications'),
    }),
    problems: ['not_found'],
    summary: 'Who gets what: computed from the applications until two operators have agreed, as it was carried out afterwards',
  },
  'office.ieoAllocate': {
    method: 'POST',
    auth: 'operator',
    roles: ['administrator'],
    keyed: 'money',
    path: '/ieoAllocate',
    input: z.object({ id, digest: z.string().length(64).describe('of the preview that the page showed') }),
    output: z.object({ id: z.int().positive() }),
    problems: ['not_found', 'state_wrong', 'terms_changed', 'fresh_login_required', 'key_reused'],
    summary: 'Proposes the allocation of the preview; it is carried out once another administrator has agreed to the same one',
  },
  'office.ieoOwed': {
    ...shows,
    path: '/ieoOwed',
    input: z.object({}),
    output: z.object({
      days: z
        .array(
          z.object({
            key: z.string().describe('day and token'),
            day: z.string().describe('UTC date of the release: 2026-12-05'),
            orders: z.int().positive(),
            currency_code: coinCode,
            amount: amountIn('currency_code'),
          }),
        )
        .meta({ key: 'key' }),
      coins: z
        .array(
          z.object({
            currency_code: coinCode,
            owed: amountIn('currency_code').describe('tokens that are locked'),
            escrow: amountIn('currency_code').describe('held by the escrow account of the sales'),
            lacks: amountIn('currency_code'),
          }),
        )
        .max(listMost.currencies)
        .meta({ key: 'currency_code' }),
    }),
    problems: [],
    summary: 'Locked tokens by day of the next release, and the escrow account that covers them',
  },
})
