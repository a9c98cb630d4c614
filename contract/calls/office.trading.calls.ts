import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { closeReasons, leverSides } from '#contract/calls/lever.rows.ts'
import { proposalShown, term, termVersions } from '#contract/calls/office.rows.ts'
import {
  amountIn,
  coinCode,
  decimal,
  integerText,
  listMost,
  listOf,
  page,
  size,
  symbol,
  timeMs,
  timeText,
  words,
} from '#contract/fields.ts'
import { statusSet } from '#contract/status.ts'
import { calendarFaults, calendarFields, tradedGroups, tradeProducts } from '#contract/trading.ts'

/**
 * Calls of the back office about trading: terms of symbols, halts, trading hours, and the open exposure of the house. Nothing here changes
 * what a single customer has.
 */

const administrator = ['administrator'] as const
const supervisor = ['reviewer', 'administrator'] as const
const reads = { method: 'GET', auth: 'operator', roles: supervisor, reads: true, problems: ['not_found'] } as const
const decides = { method: 'POST', auth: 'operator', roles: administrator, keyed: 'money' } as const
const proposed = ['not_found', 'state_wrong', 'own_decision', 'fresh_login_required', 'key_reused'] as const

const instrumentRow = z.object({
  key: z.string().describe('product and symbol'),
  product: z.enum(tradeProducts),
  symbol,
  base: coinCode,
  quote: coinCode,
  group: z.enum(tradedGroups),
  version: z.int().positive(),
  changed_by: z.string(),
  changed: timeMs,
  trading: statusSet(['open', 'closed', 'halted'], 'office.trading', { open: 'up', closed: 'quiet', halted: 'down' }).describe(
    'now; closed: outside the trading hours',
  ),
  halted: z.boolean(),
  halt_reason: z.string(),
  halted_by: z.string(),
  halted_at: timeMs.nullable(),
  proposed: z.boolean().describe('a change waits for a second administrator'),
})
export const instrumentTerms = instrumentRow.extend({
  terms: z.array(term).max(listMost.terms).meta({ key: 'name' }),
  proposal: proposalShown.nullable(),
  versions: termVersions,
})
const calendarRow = z.object({
  group: z.enum(tradedGroups),
  always: z.boolean().describe('traded at all times'),
  zone: z.string(),
  sessions: z.string().describe('1-5 09:30-16:00; days from Monday, 1, to Sunday, 7'),
  holidays: z.string().describe('2026-12-25, 2027-01-01'),
  days: z.string().describe('days with hours of their own: 2026-11-27 09:30-13:00'),
  version: z.int().nonnegative().describe('0: never had hours'),
  changed_by: z.string(),
  changed: timeMs.nullable(),
  proposed: z.boolean().describe('a change waits for a second administrator'),
})
const nextDays = z
  .array(
    z.object({
      date: z.iso.date().describe('in the time zone of the hours'),
      day: z.int().min(1).max(7).describe('1 is Monday'),
      hours: z.string().describe('09:30–13:00, in that time zone'),
      opens: timeMs,
      closes: timeMs,
      own: z.boolean().describe('it has hours of its own'),
    }),
  )
  .meta({ key: 'date' })
  .describe('the next ten trading days')
export const groupHours = calendarRow.extend({
  next: nextDays,
  proposal: proposalShown
    .extend({
      always: z.boolean().describe('traded at all times'),
      past: z.boolean().describe('a date or close that it adds is over by now: nobody can agree to it'),
      next: nextDays.describe('as the proposed hours would give them'),
    })
    .nullable(),
  versions: termVersions,
})
const typedHours = {
  group: z.enum(tradedGroups),
  zone: z.string().max(60).describe('IANA time zone; empty: traded at all times'),
  sessions: z.string().max(400).describe('1-5 09:30-16:00'),
  holidays: z.string().max(2_000).describe('2026-12-25, 2027-01-01; today or later, if new'),
  days: z.string().max(2_000).describe('early closes and extra sessions: 2026-11-27 09:30-13:00; not over yet, if new'),
}
const amount = amountIn('currency_code')
const exposureRow = z.object({
  symbol,
  base: coinCode,
  currency_code: coinCode.describe('quote coin'),
  positions: z.int().positive(),
  long: amountIn('base').describe('held by customers'),
  short: amountIn('base').describe('held by customers'),
  net: amount.nullable().describe('worth of long less short at the last price; null before the first'),
  margin: amount,
  unrealised: amount.nullable().describe('of all customers at the last price: the house loses what they win'),
})
const optionRow = z.object({
  symbol,
  currency_code: coinCode.describe('quote coin'),
  orders: z.int().positive(),
  up_stake: amount,
  down_stake: amount,
  up_payout: amount.describe('credited if all that say up win, stakes included'),
  down_payout: amount.describe('credited if all that say down win, stakes included'),
})
const closeReason = statusSet(closeReasons, 'office.close', {
  user: 'default',
  reversed: 'default',
  take_profit: 'default',
  stop_loss: 'default',
  liquidated: 'down',
  copied: 'default',
})
const liquidationRow = z.object({
  id: z.int().positive(),
  position_id: z.int().positive(),
  uid: z.int().positive(),
  symbol,
  currency_code: coinCode,
  side: z.enum(leverSides),
  lots: decimal({ unit: 'lots' }),
  price: decimal({ unit: 'price', coin: 'currency_code' }).describe('at which it was closed'),
  margin: amount,
  insurance: amount.describe('left to the insurance fund, or below 0 what the fund paid'),
  reason: closeReason,
  time: timeMs,
})

export const backOfficeTradingCalls = calls({
  'office.instruments': {
    ...reads,
    path: '/instruments',
    input: z.object({
      page,
      size: size.default(50),
      product: z.enum(['all', ...tradeProducts]).default('all'),
      state: z.enum(['all', 'closed', 'halted', 'proposed']).default('all').describe('proposed: a change waits'),
      search: z.string().max(40).optional(),
    }),
    output: listOf(instrumentRow, 'key'),
    summary: 'Traded symbols by product, with halts and waiting changes',
  },
  'office.instrument': {
    ...reads,
    path: '/instrument',
    input: z.object({ product: z.enum(tradeProducts), symbol }),
    output: instrumentTerms,
    summary: 'The terms of one symbol, the change that waits, and the versions before',
  },
  'office.halt': {
    ...decides,
    path: '/halt',
    input: z.object({ product: z.enum(tradeProducts), symbol, reason: words(200).trim().min(1).describe('customers read it') }),
    output: instrumentTerms,
    problems: proposed,
    summary: 'Stops trading in a symbol at once, in every product',
  },
  'office.resume': {
    ...decides,
    path: '/resume',
    input: z.object({ product: z.enum(tradeProducts), symbol, halted_at: timeText.describe('of the halt that the page showed') }),
    output: instrumentTerms,
    problems: proposed,
    summary: 'Lets a halted symbol be traded again',
  },
  'office.calendars': {
    ...reads,
    path: '/calendars',
    input: z.object({}),
    output: z.object({ list: z.array(calendarRow).max(listMost.instruments).meta({ key: 'group' }) }),
    summary: 'Trading hours by group of symbols',
  },
  'office.calendar': {
    ...reads,
    path: '/calendar',
    input: z.object({ group: z.enum(tradedGroups) }),
    output: groupHours,
    summary: 'The hours of one group, the change that waits, and the versions before',
  },
  'office.calendarPreview': {
    ...reads,
    path: '/calendarPreview',
    input: z.object(typedHours),
    output: z.object({
      always: z.boolean().describe('traded at all times'),
      list: nextDays,
      wrong: z.enum(['', ...calendarFields]).describe('the field that would be refused'),
      why: z
        .enum(['', ...calendarFaults])
        .describe('unreadable; sessions of a day overlap; it closes before the usual opening; a date comes twice; the day is over'),
    }),
    summary: 'The next ten trading days as typed hours would give them; changes nothing',
  },
  'office.calendarSave': {
    ...decides,
    path: '/calendarSave',
    input: z.object({
      ...typedHours,
      version: integerText(0, 2_000_000_000).optional().describe('that the page showed; refused when another one counts by now'),
    }),
    output: groupHours,
    problems: [...proposed, 'parameter_error', 'terms_changed'],
    summary: 'Proposes other hours, holidays, early closes and extra sessions of a group; they count once another administrator has agreed',
  },
  'office.exposure': {
    ...reads,
    path: '/exposure',
    input: z.object({}),
    output: z.object({
      list: z.array(exposureRow).meta({ key: 'symbol' }),
      options: z.array(optionRow).meta({ key: 'symbol' }).describe('open seconds options'),
      held: z
        .array(z.object({ currency_code: coinCode, balance: amount }))
        .meta({ key: 'currency_code' })
        .describe('what the house has from spot, exchanges and OTC; below 0 where it gave more than it got'),
      insurance: z
        .array(z.object({ currency_code: coinCode, balance: amount }))
        .meta({ key: 'currency_code' })
        .describe('the insurance fund; below 0 when it has paid more than it received'),
    }),
    summary: 'Exposure of the house in open contracts and seconds options, by symbol, and its holdings',
  },
  'office.liquidationsCsv': {
    ...reads,
    path: '/liquidationsCsv',
    streams: true,
    input: z.object({}),
    output: z.object({}),
    summary: 'Liquidations as CSV, newest first, 200,000 rows at most; that they were taken is logged',
  },
  'office.liquidations': {
    ...reads,
    path: '/liquidations',
    input: z.object({ page, size: size.default(50) }),
    output: listOf(liquidationRow, 'id'),
    summary: 'Liquidations, and closings that the insurance fund paid for, newest first',
  },
})
