import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { leverRow } from '#contract/calls/lever.rows.ts'
import { unitsMax } from '#contract/characters.ts'
import {
  amountIn,
  amountText,
  coinCode,
  csvFile,
  decimal,
  id,
  integerText,
  listMost,
  listOf,
  page,
  share,
  size,
  symbol,
  timeMs,
  timeRange,
} from '#contract/fields.ts'
import { statusSet } from '#contract/status.ts'

/** How a copy is sized: lots of the trader times a number, or that number of lots. */
const followTypes = ['multiple', 'lots'] as const
export type FollowType = (typeof followTypes)[number]
/** active → cancelled: by the customer, or because the trader has ended | lost: the losses have reached the stop. */
export const followStates = ['active', 'cancelled', 'lost'] as const
export type FollowState = (typeof followStates)[number]
/** none → reviewing → passed | failed; after a refusal another application may be sent. passed → ended, for good. */
const applicationStates = ['none', 'reviewing', 'passed', 'failed', 'ended'] as const
const traderSorts = ['profit', 'accuracy', 'followers'] as const
export type TraderSort = (typeof traderSorts)[number]
/**
 * Why a position of a trader was not copied: the balance did not suffice, less than one lot would have come out, the symbol has other limits, too
 * many positions were open, the market was closed, it could not be copied in time, or the account was frozen.
 */
const skipReasons = ['balance', 'below_one', 'size', 'too_many_open', 'market', 'late', 'frozen'] as const
export type SkipReason = (typeof skipReasons)[number]
const skipReason = statusSet(skipReasons, 'follow.skip', {
  balance: 'warn',
  below_one: 'warn',
  size: 'warn',
  too_many_open: 'warn',
  market: 'warn',
  late: 'warn',
  frozen: 'warn',
})

const uid = integerText(1, 9_007_199_254_740_991)
const trader = z.int().positive().describe('number of the trader')
const amount = amountIn('currency_code')
const point = z.object({ at: timeMs, value: amount })
const number = decimal({ unit: 'lots' }).describe('factor on the lots of the trader, or the lots of each copy')

const traderRow = z.object({
  trader_user_id: trader,
  nickname: z.string(),
  introduction: z.string(),
  since: timeMs.describe('accepted as a trader'),
  currency_code: coinCode,
  followers: z.int().nonnegative(),
  closed: z.int().nonnegative().describe('closed positions'),
  winning: z.int().nonnegative().describe('those that brought something after all costs'),
  accuracy: share.nullable().describe('winning to closed; null before the first'),
  profit: amount.describe('realised by closed positions, after all costs'),
  open_profit: amount.describe('what open positions would have brought at the prices of `refreshed`, before the costs of closing'),
  curve: z.array(point).max(listMost.curve).meta({ key: 'at' }).describe('realised so far at the end of each day (UTC), oldest first'),
  equity: z
    .array(point)
    .meta({ key: 'at' })
    .describe('`profit` and `open_profit` together, as last taken on each day (UTC), oldest first; since it is kept'),
  refreshed: timeMs.describe('when these figures were taken; they are taken hourly'),
})
export type TraderRow = z.infer<typeof traderRow>

const closedPosition = leverRow.pick({
  id: true,
  match_id: true,
  symbol: true,
  name: true,
  base: true,
  currency_code: true,
  side: true,
  multiple: true,
  lots: true,
  lot_size: true,
  open_price: true,
  close_price: true,
  close_reason: true,
  fee: true,
  overnight: true,
  result: true,
  opened: true,
  ended: true,
})

const following = z.object({
  id: z.int().positive(),
  trader_user_id: trader,
  follow_user_id: z.int().positive().describe('number of the customer who follows'),
  nickname: z.string(),
  type: z.enum(followTypes),
  number,
  currency_code: coinCode,
  stop_loss: amount.nullable().describe('the following ends when it has lost so much'),
  state: statusSet(followStates, 'follow.state', { active: 'up', cancelled: 'quiet', lost: 'down' }),
  created: timeMs,
  ended: timeMs.nullable(),
  open: z.int().nonnegative().describe('copied positions that are open'),
  closed: z.int().nonnegative(),
  winning: z.int().nonnegative(),
  skipped: z.int().nonnegative().describe('positions of the trader that were not copied'),
  result: amount.describe('what the copies have brought so far, after all costs; positions that were taken over do not count'),
})
export type Following = z.infer<typeof following>

const application = z.object({
  status: z.enum(applicationStates),
  nickname: z.string().describe('empty where nothing was sent'),
  introduction: z.string(),
  reason: z.string().describe('why it failed, or why the trader has ended; empty otherwise'),
  submitted: timeMs.nullable(),
  reviewed: timeMs.nullable().describe('the last decision: accepted, failed or ended'),
  trader: traderRow.nullable().describe('figures as others see them; null for who is no trader'),
})

const copyFilter = {
  status: z.enum(['open', 'closing', 'closed']).default('open').describe('of the rows; open includes closing'),
  trader_user_id: uid.optional().describe('left out: of all traders'),
  ...timeRange('opened, or closed if it is closed'),
}
/** Problems that every call that changes something may answer. */
const keyed = ['key_reused', 'outcome_unknown', 'account_frozen'] as const

export const followCalls = calls({
  'follow.index': {
    method: 'GET',
    path: '/follow/index',
    auth: 'none',
    reads: true,
    input: z.object({
      page,
      size,
      sort: z.enum(traderSorts).default('profit').describe('the greatest first; profit with what open positions would bring'),
      gaining: z.enum(['0', '1']).default('0').describe('1: only traders with a profit, open positions counted'),
      accuracy: integerText(0, 100).default(0).describe('least accuracy in percent'),
      closed: integerText(0, 1_000_000).default(0).describe('least number of closed positions'),
      search: z.string().max(80).optional().describe('part of the name'),
    }),
    output: listOf(traderRow, 'trader_user_id'),
    problems: ['range_too_wide'],
    summary: 'Traders that can be copied, with their results',
  },
  'follow.traderDetail': {
    method: 'GET',
    path: '/follow/traderDetail',
    auth: 'none',
    reads: true,
    input: z.object({ trader_user_id: uid }),
    output: traderRow.extend({
      losing: z.int().nonnegative(),
      best: amount.describe('greatest result of one position; 0 where none has won'),
      worst: amount.describe('least result of one position; 0 where none has lost'),
      open: z.int().nonnegative().describe('positions that are open; of who has ended, those opened before'),
      open_profit: amount.describe('what these would bring at the last prices, before the costs of closing; of who has ended, at the end'),
      ended: timeMs.nullable().describe('can no longer be copied since then; the figures are those of that time'),
    }),
    problems: ['trader_unknown'],
    summary: 'One trader: results, followers, open positions and the curves of both',
  },
  'follow.historyTrade': {
    method: 'GET',
    path: '/follow/historyTrade',
    auth: 'none',
    reads: true,
    input: z.object({ trader_user_id: uid, page, size }),
    output: listOf(closedPosition, 'id'),
    problems: ['trader_unknown', 'range_too_wide'],
    summary: 'Closed positions of a trader, newest first; of who has ended, those closed before',
  },
  'follow.follow': {
    method: 'POST',
    path: '/follow/follow',
    auth: 'user',
    keyed: 'money',
    input: z.object({
      trader_user_id: uid,
      number: z.string().min(1).max(41).meta({ decimal: true, unit: 'lots' }).describe('factor or lots, two decimals at most'),
      type: z.enum(followTypes),
      stop_loss: z
        .union([z.literal(''), amountText])
        .optional()
        .transform((text) => text || undefined)
        .describe('a loss in the quote coin that ends the following; empty: none'),
      agree_en: z.literal('1').describe('1: the customer accepts the English copy trading agreement'),
      agree_zh: z.literal('1').describe('1: the customer accepts the Chinese copy trading agreement'),
    }),
    ignored: ['follow_user_id', 'transaction_id'],
    output: following,
    problems: [
      ...keyed,
      ...['trader_unknown', 'trader_ended', 'trader_self', 'trader_follows', 'trader_followed', 'size_wrong', 'amount_wrong', 'list_full'],
    ] as const,
    summary: 'Begins to copy a trader: each position that the trader opens from now on',
  },
  'follow.cancel': {
    method: 'POST',
    path: '/follow/cancel',
    auth: 'user',
    keyed: 'money',
    whileFrozen: true,
    input: z.object({ trader_user_id: uid }),
    ignored: ['follow_user_id', 'number', 'type', 'transaction_id'],
    output: following,
    problems: [...keyed, 'trader_unknown'],
    summary: 'Ends the copying of new positions; open copies stay copied until they are closed',
  },
  'follow.selfHolding': {
    method: 'POST',
    path: '/follow/selfHolding',
    auth: 'user',
    keyed: 'money',
    input: z.object({ transaction_id: id.describe('number of the copied position') }),
    ignored: ['trader_user_id', 'follow_user_id', 'number', 'type'],
    output: leverRow.pick({ id: true, status: true }).extend({ copied: z.boolean() }),
    problems: [...keyed, 'order_unknown', 'state_wrong'],
    summary: 'Takes a copied position over: the trader no longer closes it',
  },
  'follow.mine': {
    method: 'GET',
    path: '/follow/mine',
    auth: 'user',
    reads: true,
    input: z.object({}),
    output: z.object({
      currency_code: coinCode,
      result: amount.describe('what all copies have brought so far, after all costs'),
      active: z.int().nonnegative(),
      open: z.int().nonnegative(),
      closed: z.int().nonnegative(),
      winning: z.int().nonnegative(),
      list: z.array(following).max(listMost.followings).meta({ key: 'id' }).describe('the latest, those that go on first'),
      skipped: z
        .array(
          z.object({
            id: z.int().positive(),
            trader_user_id: trader,
            nickname: z.string(),
            symbol,
            name: z.string(),
            reason: skipReason,
            time: timeMs,
          }),
        )
        .meta({ key: 'id' })
        .describe('positions that were not copied, the latest 20'),
    }),
    problems: [],
    summary: 'The traders that the customer copies or has copied, and what it has brought',
  },
  'follow.copies': {
    method: 'GET',
    path: '/follow/copies',
    auth: 'user',
    reads: true,
    input: z.object({ page, size, ...copyFilter }),
    output: listOf(
      leverRow.extend({
        trader_user_id: trader,
        nickname: z.string().describe('of the trader'),
        copied: z.boolean().describe('false once the customer holds it alone'),
      }),
      'id',
    ),
    problems: ['range_too_wide', 'range_reversed'],
    summary: 'Positions that were opened by copying, newest first',
  },
  'follow.exportCopies': {
    method: 'POST',
    path: '/follow/exportCopies',
    auth: 'user',
    reads: true,
    input: z.object(copyFilter),
    output: csvFile,
    problems: ['range_reversed'],
    summary: 'Positions that were opened by copying as CSV, 5,000 rows at most; headings in the language of the request',
  },
  'follow.application': {
    method: 'GET',
    path: '/follow/application',
    auth: 'user',
    reads: true,
    input: z.object({}),
    output: application,
    problems: [],
    summary: 'Where the application as a trader stands, and the figures of who is one',
  },
  'follow.apply': {
    method: 'POST',
    path: '/follow/apply',
    auth: 'user',
    keyed: 'money',
    unprompted: true,
    input: z.object({ nickname: z.string().max(unitsMax(10)), introduction: z.string().max(unitsMax(200)) }),
    output: application,
    problems: [
      ...keyed,
      'trader_already',
      'trader_ended',
      'trader_name_taken',
      'trader_follows',
      'nickname_wrong',
      'nickname_reserved',
      'parameter_missing',
      'text_too_long',
    ],
    summary: 'Asks to become a trader; it is reviewed',
  },
})
