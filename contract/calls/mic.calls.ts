import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { moneyProblems } from '#contract/calls/funding.calls.ts'
import { provenTick } from '#contract/calls/market.calls.ts'
import {
  amountIn,
  amountText,
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
  size,
  symbol,
  timeMs,
  timeRange,
} from '#contract/fields.ts'
import { statusSet } from '#contract/status.ts'
import { optionDuration } from '#contract/trading.ts'

/** Seconds options: the customer says whether the price will be higher or lower after some seconds, and the house pays a fixed rate on the stake. */

const optionTypes = ['up', 'down'] as const
export type OptionType = (typeof optionTypes)[number]
/** holding → settling → one of the others. `void`: there was no price in the last seconds, and the stake went back. */
export const optionStates = ['holding', 'settling', 'won', 'lost', 'draw', 'void'] as const
export type OptionState = (typeof optionStates)[number]
export const optionLists = ['position', 'history'] as const
/** Words by which orders are asked for: those that they carry, and the lists. */
const optionStatuses = [...optionLists, ...optionStates] as const
export type OptionStatus = (typeof optionStatuses)[number]

const price = decimal({ unit: 'price', coin: 'quote', per: 'base' })
const market = {
  match_id: z.int().positive(),
  symbol,
  name: z.string().describe('as shown: BTC/USDT'),
  base: coinCode,
  quote: coinCode,
  tick: price.describe('step of the price'),
}
const orderRow = z.object({
  id: z.int().positive(),
  oid: z.string().describe('key that the customer gave; empty: none'),
  ...market,
  ...coin,
  type: z.enum(optionTypes),
  seconds: z.int().positive().meta({ unit: 's' }),
  number: amountIn('currency_code').describe('stake'),
  rate: share.describe('what a won order earns on its stake'),
  open_price: price,
  opened: timeMs,
  expires: timeMs,
  status: statusSet(optionStates, 'widget.option', {
    holding: 'accent',
    settling: 'accent',
    won: 'up',
    lost: 'down',
    draw: 'quiet',
    void: 'quiet',
  }),
  list: z.enum(optionLists).describe('the list that it stands in: position until it is settled'),
  settle_price: price.nullable().describe('null until it is settled, and of an order without a price'),
  settled: timeMs.nullable().describe('when the result was decided: the expiry; null until then'),
  booked: timeMs.nullable().describe('when the payout was booked; later than settled where no server ran at the expiry'),
  payout: amountIn('currency_code').describe('credited at the settlement, stake included; 0 until then'),
  profit: amountIn('currency_code').describe('payout less stake; 0 until it is settled'),
  version: z.int().positive().describe('grows with each change'),
})
export type OptionOrder = z.infer<typeof orderRow>
const listFilter = {
  status: z.enum(optionStatuses).default('position').describe('of the rows; position: until they are settled, history: settled'),
  symbol: symbol.optional(),
  ...timeRange('opened'),
}
const none = z.object({})

export const micCalls = calls({
  'mic.payableCurrencies': {
    method: 'GET',
    path: '/microtrade/payable_currencies',
    auth: 'user',
    reads: true,
    input: none,
    output: z.object({
      list: z
        .array(z.object({ ...coin, name: z.string(), available: amountIn('currency_code'), frozen: amountIn('currency_code') }))
        .meta({ key: 'currency_id' }),
    }),
    problems: [],
    summary: 'Coins that stakes are paid in, with what the customer has of them in the micro account',
  },
  'mic.getSeconds': {
    method: 'GET',
    path: '/mic/getSeconds',
    auth: 'none',
    reads: true,
    input: z.object({ match_id: z.string().max(20).optional().describe('number of the instrument, or its symbol; left out: all') }),
    output: z.object({
      list: z
        .array(
          z.object({
            ...market,
            currency_id: z.int().positive(),
            scale: z.int().nonnegative().describe('decimals of the stake'),
            trading: z.enum(['open', 'halted', 'closed']),
            changes: timeMs.nullable().describe('next opening or closing by the calendar; null: none'),
            tolerance: share.describe('how far the price may move between the question and the order'),
            durations: z
              .array(optionDuration.extend({ break_even: share.describe('share of won orders at which nothing is gained or lost') }))
              .max(listMost.durations)
              .meta({ key: 'seconds' }),
          }),
        )
        .max(listMost.instruments)
        .meta({ key: 'symbol' }),
    }),
    problems: ['symbol_unknown'],
    summary: 'Durations of seconds options by symbol, with payout, least and largest stake, and the rate of wins that breaks even',
  },
  'mic.orderOpen': {
    method: 'POST',
    path: '/mic/orderOpen',
    auth: 'user',
    keyed: 'money',
    input: z.object({
      match_id: z.string().min(1).max(20).describe('number of the instrument, or its symbol'),
      currency_id: currencyId,
      type: z.enum(optionTypes),
      seconds: integerText(1, 86_400).describe('one of the durations of mic.getSeconds'),
      number: amountText.describe('stake'),
      price: amountText
        .meta({ unit: 'price' })
        .optional()
        .describe('that the screen showed; refused when the last price is further away than the tolerance'),
      rate: amountText.meta({ unit: 'share' }).optional().describe('payout that the screen showed; refused when another one counts now'),
      oid: z
        .string()
        .regex(/^[\x21-\x7e]{1,60}$/)
        .optional()
        .describe('key of the order, chosen by the customer; the same key again gives the same order'),
    }),
    output: orderRow.extend({ open_tick_id: z.int().positive() }),
    problems: [
      ...moneyProblems,
      'currency_unknown',
      'amount_too_large',
      'duration_unknown',
      'symbol_unknown',
      'price_wrong',
      'price_stale',
      'price_moved',
      'terms_changed',
      'market_halted',
      'market_closed',
    ],
    summary: 'Opens a seconds option at the last price, which the answer names',
  },
  'mic.orderList': {
    method: 'POST',
    path: '/mic/orderList',
    auth: 'user',
    reads: true,
    input: z.object({ page, size, ...listFilter }),
    output: listOf(orderRow, 'id'),
    problems: ['range_reversed'],
    summary: 'Running orders, the newest first, or settled ones, the last settled first',
  },
  'mic.exportList': {
    method: 'POST',
    path: '/mic/exportList',
    auth: 'user',
    reads: true,
    input: z.object({ ...listFilter, status: z.enum(optionStatuses).default('history') }),
    output: csvFile,
    problems: ['range_reversed'],
    summary: 'Orders as CSV, 5,000 rows at most; headings in the language of the request',
  },
  'mic.getOrderDetail': {
    method: 'POST',
    path: '/mic/getOrderDetail',
    auth: 'user',
    reads: true,
    input: z.object({ id }),
    output: orderRow.extend({
      open_tick: provenTick,
      settle_tick: provenTick
        .nullable()
        .describe('the last recorded tick at or before the expiry; null until it is settled, and of an order without a price'),
      log_end: z.int().positive().nullable().describe('the last number in the log of prices at the settlement; later ones could not count'),
    }),
    problems: ['order_unknown'],
    summary: 'One order with the ticks that it was opened and settled by; market.ticks has those around them',
  },
})
