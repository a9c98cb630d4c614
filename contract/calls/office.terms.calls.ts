import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { change, proposalShown, term, termVersions } from '#contract/calls/office.rows.ts'
import { id, listMost, listOf, page, size, timeMs } from '#contract/fields.ts'
import { statusSet } from '#contract/status.ts'

/** Terms of all products, and changes of any kind that wait for a second administrator. */

const supervisor = ['reviewer', 'administrator'] as const
const reads = { method: 'GET', auth: 'operator', roles: supervisor, reads: true, problems: ['not_found'] } as const
const decides = { method: 'POST', auth: 'operator', roles: ['administrator'], keyed: 'money' } as const

/** Members of terms as an operator types them, of all products. */
export const termFields = [
  ...['lot_size', 'lots_min', 'lots_max', 'multiples', 'fee_rate', 'maintenance_rate', 'overnight_rate', 'spread', 'tolerance'],
  ...['maker_rate', 'taker_rate', 'value_min', 'size_max', 'price_band', 'durations'],
  ...['market', 'type', 'linked', 'yearly', 'share', 'total', 'limit_each', 'starts_at', 'ends_at', 'matures_at', 'risk'],
  ...[
    'exchange',
    'exchange_min',
    'currency',
    'route',
    'list_place',
    'address_kind',
    'recharge',
    'recharge_min',
    'withdraw',
    'withdraw_min',
  ],
  ...['fee', 'limit_btc', 'order_limit_usd'],
  ...['token', 'token_name', 'issue_price', 'issue_total', 'issue_step', 'issue_least', 'issue_limit', 'pay_coins'],
  ...['lists_at', 'lock_days', 'releases'],
  ...['coin', 'locked_days', 'daily', 'least', 'most', 'kind', 'penalty', 'capacity'],
] as const
const typed = z.string().max(400).optional()
const product = z.string().min(1).max(40).describe('contract, option, spot, dual, ieo or another product with terms')
const key = z.string().min(1).max(60).describe('the symbol, or the number of the product')
const typedTerms = Object.fromEntries(termFields.map((name) => [name, typed])) as Record<(typeof termFields)[number], typeof typed>

/** Steps of a sale. They count at once, since they protect customers and the house. */
export const saleSteps = ['pause', 'resume', 'end'] as const
export type SaleStep = (typeof saleSteps)[number]
/** proposed: never agreed to · in_force: there is no sale. */
export const termStates = ['proposed', 'in_force', 'soon', 'on_sale', 'sold_out', 'paused', 'ended'] as const
export type TermState = (typeof termStates)[number]

const about = {
  key,
  version: z.int().nonnegative().describe('0: proposed, and never agreed to'),
  changed_by: z.string(),
  changed: timeMs,
  state: statusSet(termStates, 'office.terms_state', {
    proposed: 'warn',
    in_force: 'up',
    soon: 'quiet',
    on_sale: 'up',
    sold_out: 'quiet',
    paused: 'warn',
    ended: 'quiet',
  }),
}
const termsRow = z.object({
  ...about,
  about: z.string().describe('the members that name these terms'),
  choice: z.string().describe('stem of the text of the choice that names them too; empty: none'),
  chosen: z.string(),
  proposed: z.boolean().describe('a change waits for a second administrator'),
})
const shownTerms = z.object({
  ...about,
  product,
  steps: z
    .array(z.object({ step: z.enum(saleSteps) }))
    .max(saleSteps.length)
    .meta({ key: 'step' })
    .describe('of the sale, that an administrator can take now'),
  state_by: z.string().describe('operator who took the last step of the sale; empty: nobody'),
  facts: z.array(term).max(listMost.terms).meta({ key: 'name' }).describe('figures beside the terms, such as shares sold'),
  terms: z
    .array(term.extend({ unit: z.string() }))
    .max(listMost.terms)
    .meta({ key: 'name' }),
  proposal: proposalShown.nullable(),
  versions: termVersions,
})
const proposalDone = z.object({
  id: z.int().positive(),
  kind: z.string().describe('hours, offer, settings, or a product whose terms change'),
  subject: z.string(),
  state: z.enum(['open', 'agreed', 'refused', 'withdrawn', 'overtaken']),
})

export const backOfficeTermsCalls = calls({
  'office.termsProducts': {
    ...reads,
    path: '/termsProducts',
    input: z.object({}),
    output: z.object({
      list: z
        .array(
          z.object({
            product,
            proposed: z.int().nonnegative().describe('changes that wait for a second administrator'),
            has_new: z.boolean().describe('operators propose new terms, and not only changes'),
          }),
        )
        .max(100)
        .meta({ key: 'product' }),
    }),
    summary: 'Products with terms',
  },
  'office.terms': {
    ...reads,
    path: '/terms',
    input: z.object({ product, page, size: size.default(50) }),
    output: listOf(termsRow, 'key'),
    summary: 'Terms of a product: those with a change that waits first, then the newest or by name',
  },
  'office.termsOne': {
    ...reads,
    path: '/termsOne',
    input: z.object({ product, key }),
    output: shownTerms,
    summary: 'The terms of one key, the change that waits, the versions before, and the sale',
  },
  'office.termsPreview': {
    method: 'POST',
    auth: 'operator',
    roles: ['administrator'],
    reads: true,
    path: '/termsPreview',
    input: z.object({ product, key: key.optional().describe('absent: new terms'), ...typedTerms }),
    output: z.object({ changes: z.array(change).max(listMost.terms).meta({ key: 'name' }) }),
    problems: ['not_found', 'parameter_error'],
    summary: 'Members that a proposal would change, or the first one that is wrong; proposes nothing',
  },
  'office.termsSave': {
    ...decides,
    path: '/termsSave',
    input: z.object({
      product,
      key: key.optional().describe('absent: new terms'),
      version: id.optional().describe('that the page showed; refused when another one counts by now'),
      ...typedTerms,
    }),
    output: shownTerms,
    problems: ['not_found', 'state_wrong', 'fresh_login_required', 'key_reused', 'parameter_error', 'terms_changed'],
    summary: 'Proposes terms; they count once another administrator has agreed, for orders from then on',
  },
  'office.termsSale': {
    ...decides,
    path: '/termsSale',
    input: z.object({ product, key, step: z.enum(saleSteps) }),
    output: shownTerms,
    problems: ['not_found', 'state_wrong', 'key_reused'],
    summary: 'Pauses, resumes or ends the sale of a product at once; orders stay as they are',
  },
  'office.proposalAgree': {
    ...decides,
    path: '/proposalAgree',
    input: z.object({ id }),
    output: proposalDone,
    problems: ['state_wrong', 'own_decision', 'fresh_login_required', 'key_reused', 'parameter_error', 'currency_closed', 'range_reversed'],
    summary: 'Agrees to a change that another administrator has proposed; it counts from then on',
  },
  'office.proposalDrop': {
    ...decides,
    path: '/proposalDrop',
    input: z.object({ id }),
    output: proposalDone,
    problems: ['state_wrong', 'key_reused'],
    summary: 'Ends a proposal: its author withdraws it, another administrator refuses it',
  },
})
