import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { person, proposalShown } from '#contract/calls/office.rows.ts'
import { otcDeal, otcOrderStates, otcSides } from '#contract/calls/otc.calls.ts'
import { amountIn, amountText, coinCode, id, listOf, page, size, timeMs, words } from '#contract/fields.ts'
import { statusSet } from '#contract/status.ts'

/** Calls of the back office about OTC: offers of the house, and orders of customers that wait for review. */

const supervisor = ['reviewer', 'administrator'] as const
const reads = { method: 'GET', auth: 'operator', roles: supervisor, reads: true, problems: ['not_found'] } as const
const offers = { method: 'POST', auth: 'operator', roles: ['administrator'], keyed: 'money' } as const
const proposed = ['not_found', 'state_wrong', 'own_decision', 'fresh_login_required', 'key_reused'] as const
const reviews = { method: 'POST', auth: 'operator', roles: ['reviewer'], keyed: 'money' } as const
const reviewed = ['not_found', 'state_wrong', 'key_reused'] as const

/** proposed → open (agreed by a second administrator) → closed; or proposed → withdrawn by who proposed it | refused by another. */
export const otcOfferStates = ['proposed', 'open', 'closed', 'withdrawn', 'refused'] as const
export type OtcOfferState = (typeof otcOfferStates)[number]

const amount = amountIn('currency_code')
/** A day that may be left out: a form sends an empty text. */
const day = (about: string) =>
  z
    .union([z.literal(''), z.iso.date()])
    .optional()
    .transform((text) => (text ? Date.parse(`${text}T00:00:00Z`) : undefined))
    .describe(about)

export const otcOfferRow = z.object({
  id: z.int().positive(),
  ...otcDeal,
  amount_min: amount.describe('least of one order'),
  amount_max: amount.describe('most of one order'),
  whole: amount.describe('of all orders'),
  left: amount.describe('not ordered yet'),
  from: timeMs.nullable(),
  until: timeMs.nullable(),
  status: statusSet(otcOfferStates, 'office.offer_state', {
    proposed: 'warn',
    open: 'up',
    closed: 'quiet',
    withdrawn: 'quiet',
    refused: 'down',
  }),
  replaces: z.int().positive().nullable().describe('offer that closes when this one is agreed to'),
  proposed_by: z.string(),
  decided_by: z.string().describe('who agreed, refused or withdrew it; empty: nobody yet'),
  closed_by: z.string(),
  created: timeMs,
  changed: timeMs,
})
const offer = otcOfferRow.extend({
  first_day: z.iso.date().nullable().describe('UTC; null: at once'),
  last_day: z.iso.date().nullable().describe('UTC; null: until it is closed'),
  proposal: proposalShown.nullable().describe('while it waits for a second administrator'),
  waiting: z.int().nonnegative().describe('orders that wait for review'),
  settled: z.int().nonnegative().describe('orders that were settled'),
})
export const otcReviewRow = z.object({
  id: z.int().positive(),
  ...person,
  frozen: z.boolean().describe('the account is frozen: no order of it is approved'),
  offer_id: z.int().positive(),
  ...otcDeal,
  amount,
  total: amountIn('quote_code'),
  usd: amountIn('USD').nullable().describe('worth of the coin at the last price; null without one'),
  status: statusSet(otcOrderStates, 'office.state', { reviewing: 'warn', settled: 'up', rejected: 'down', cancelled: 'quiet' }),
  reason: z.string(),
  decided_by: z.string(),
  created: timeMs,
  changed: timeMs,
})

export const backOfficeOtcCalls = calls({
  'office.otcOffers': {
    ...reads,
    path: '/otcOffers',
    input: z.object({ page, size: size.default(20), status: z.enum(['all', ...otcOfferStates]).default('all') }),
    output: listOf(otcOfferRow, 'id'),
    summary: 'Offers of the house, newest first',
  },
  'office.otcOffer': {
    ...reads,
    path: '/otcOffer',
    input: z.object({ id }),
    output: offer,
    summary: 'One offer, and what became of it',
  },
  'office.otcCurrencies': {
    ...reads,
    path: '/otcCurrencies',
    input: z.object({}),
    output: z.object({ list: z.array(z.object({ id: coinCode, label: coinCode })).meta({ key: 'id' }) }),
    summary: 'Coins of which offers can be made',
  },
  'office.otcOfferSave': {
    ...offers,
    path: '/otcOfferSave',
    input: z.object({
      coin: z.string().min(1).max(20).describe('code, such as BTC'),
      side: z.enum(otcSides).describe('what the customer does'),
      price: amountText.describe('in USDT for one unit of the coin'),
      amount_min: amountText,
      amount_max: amountText,
      whole: amountText,
      from: day('first day, UTC; empty: at once'),
      until: day('last day, UTC; empty: until it is closed'),
      replaces: id.optional().describe('an open offer, which closes when this one is agreed to'),
    }),
    output: offer,
    problems: [...proposed, 'currency_unknown', 'price_wrong', 'amount_wrong', 'amount_too_small', 'amount_too_large', 'range_reversed'],
    summary: 'Proposes an offer; customers see it once another administrator has agreed. An offer never changes: another one replaces it',
  },
  'office.otcOfferClose': {
    ...offers,
    path: '/otcOfferClose',
    input: z.object({ id }),
    output: offer,
    problems: proposed,
    summary: 'Closes an offer at once; orders that wait for review stay as they are',
  },
  'office.otcOrders': {
    ...reads,
    roles: ['reviewer'],
    path: '/otcOrders',
    input: z.object({
      page,
      size: size.default(20),
      search: z.string().max(80).optional().describe('uid, nickname, address or number'),
      status: z.enum(['all', ...otcOrderStates]).default('reviewing'),
    }),
    output: listOf(otcReviewRow, 'id'),
    summary: 'OTC orders of customers; those that wait, oldest first',
  },
  'office.otcOrder': {
    ...reads,
    roles: ['reviewer'],
    path: '/otcOrder',
    input: z.object({ id }),
    output: otcReviewRow,
    summary: 'One OTC order',
  },
  'office.otcApprove': {
    ...reviews,
    path: '/otcApprove',
    input: z.object({ id, note: words(300).optional().describe('for the records') }),
    output: otcReviewRow,
    problems: [...reviewed, 'account_frozen'],
    summary: 'Settles an order at its price: both sides in one transaction',
  },
  'office.otcReject': {
    ...reviews,
    path: '/otcReject',
    input: z.object({ id, reason: words(300).trim().min(1).describe('the customer reads it') }),
    output: otcReviewRow,
    problems: reviewed,
    summary: 'Rejects an order with a reason; what was frozen is available to the customer again',
  },
})
