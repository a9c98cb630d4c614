import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { amount, leverClose, leverRow, leverStatuses, lots, market, price, side } from '#contract/calls/lever.rows.ts'
import { provenTick } from '#contract/calls/market.calls.ts'
import {
  amountText,
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
import { contractTerms } from '#contract/trading.ts'

const matchId = z.string().min(1).max(20).describe('number of the instrument, or its symbol')
const lotsText = z.string().min(1).max(41).meta({ decimal: true, unit: 'lots' }).describe('exact decimal as text')
const priceText = z.string().max(41).meta({ decimal: true, unit: 'price' })
/** As forms send it: nothing typed is an empty text. */
const optionalPrice = priceText.transform((text) => text || undefined).optional()
const shown = optionalPrice.describe('the price that the screen showed; one that has moved by more than the tolerance is refused')
const worst = optionalPrice.describe('the worst price at which the order may be filled; a limit order must not have a worse limit')

/** 0 all, 1 long, 2 short. */
const closeTypes = ['0', '1', '2'] as const

/** The products that the calendar of profits counts. */
const profitProducts = ['all', 'contract', 'option'] as const

const totals = {
  currency_code: coinCode,
  available: amount.describe('in lever'),
  frozen: amount.describe('held by orders'),
  margin: amount.describe('of all open positions'),
  unrealised: amount.describe('of all open positions'),
  equity: amount.describe('available, margin and unrealised'),
  risk_rate: decimal({ unit: 'share' }).nullable().describe('equity to margin; null without a position'),
}

const historyFilter = {
  match_id: matchId.optional(),
  side: side.optional(),
}
const closingFilter = { ...historyFilter, ...timeRange('closed'), position_id: id.optional().describe('closings of one position') }

/** Refusals of an order at the market. */
const marketProblems = [
  'symbol_unknown',
  'price_wrong',
  'price_stale',
  'price_moved',
  'market_halted',
  'market_closed',
  'insufficient_balance',
] as const
/** Refusals of a call that places or moves an order, at the market or at a limit. */
const orderProblems = ['account_frozen', 'currency_closed', 'multiple_wrong', 'stop_price_wrong', 'too_many_open'] as const
/** Fields of the specification's contract order that older apps send with each call about a position; the call ignores them. */
const ofOrder = ['match_id', 'currency_id', 'legal_id', 'status'] as const
/** Problems that every call that moves money may answer. */
const keyed = ['key_reused', 'outcome_unknown'] as const

export const leverCalls = calls({
  'lever.deal': {
    method: 'POST',
    path: '/lever/deal',
    auth: 'user',
    reads: true,
    input: z.object({ match_id: matchId, currency_id: currencyId.optional(), legal_id: currencyId.optional() }),
    output: z.object({
      ...market,
      currency_id: z.int().positive().nullable().describe('base coin; null for one that customers cannot hold'),
      legal_id: z.int().positive().describe('quote coin'),
      scale: z.int().nonnegative().describe('decimals of the quote coin'),
      tick: price.describe('price step'),
      price_scale: z.int().nonnegative().describe('decimals of a price'),
      lots_step: lots.describe('smallest step of a number of lots'),
      terms_version: z.int().positive(),
      terms: contractTerms.extend({ lot_size: decimal({ unit: 'amount', coin: 'base' }) }),
      mark: price.nullable().describe('last price; null before the first'),
      mark_time: timeMs.nullable(),
      stale: z.boolean().describe('the last price is too old for market orders'),
      open_price_long: price.nullable().describe('at which a market order would buy now'),
      open_price_short: price.nullable().describe('at which a market order would sell now'),
      open: z.boolean().describe('traded now'),
      halted: z.boolean().describe('stopped by an operator'),
      halt_reason: z.string(),
      next_change: timeMs.nullable().describe('next opening or closing; null for a market without hours'),
      available: amount.describe('in lever'),
      frozen: amount.describe('held by orders'),
      positions: z.int().nonnegative(),
      entrusts: z.int().nonnegative(),
    }),
    problems: ['symbol_unknown', 'currency_unknown'],
    summary: 'Values for the ticket of one symbol: terms, hours, prices, balance and counts',
  },
  'lever.orderOpen': {
    method: 'POST',
    path: '/lever/orderOpen',
    auth: 'user',
    keyed: 'money',
    input: z.object({
      match_id: matchId,
      currency_id: currencyId.optional().describe('base coin; only compared'),
      legal_id: currencyId.optional().describe('quote coin; only compared'),
      side,
      type: z.enum(['market', 'limit']).default('market'),
      lots: lotsText,
      multiple: integerText(1, 1_000),
      price: optionalPrice.describe('limit; for a market order the price that the screen showed'),
      worst_price: worst,
      terms_version: shownTerms,
      target_profit_price: optionalPrice,
      stop_loss_price: optionalPrice,
      outside_hours: z
        .enum(['refuse', 'queue'])
        .default('refuse')
        .describe('a market order while the market is closed: refused, or filled at the first price after the opening'),
    }),
    ignored: ['status', 'id'],
    output: leverRow,
    problems: [
      ...keyed,
      ...marketProblems,
      ...orderProblems,
      'currency_unknown',
      'size_wrong',
      'amount_too_small',
      'amount_too_large',
      'terms_changed',
    ],
    summary: 'Opens a position at the market, or places an order that waits for its price',
  },
  'lever.dealall': {
    method: 'POST',
    path: '/lever/dealall',
    auth: 'user',
    reads: true,
    input: z.object({}),
    output: z.object({
      ...totals,
      closings: z
        .array(
          z.object({
            type: z.enum(closeTypes),
            count: z.int().nonnegative(),
            unrealised: amount,
            result: amount.describe('of closing them now, after all costs'),
            worst_unrealised: amount.describe('with which lever.closeAll is accepted, by the tolerance of their markets'),
          }),
        )
        .max(closeTypes.length)
        .meta({ key: 'type' })
        .describe('what lever.closeAll would close, by its type'),
      list: z.array(leverRow).max(listMost.positions).meta({ key: 'id' }),
    }),
    problems: [],
    summary: 'All open positions, newest first, with their totals and the risk rate',
  },
  'lever.orderList': {
    method: 'POST',
    path: '/lever/orderList',
    auth: 'user',
    reads: true,
    input: z.object({
      page,
      size,
      status: z.enum(leverStatuses).default('position').describe('of the rows; position: open and closing, history: closed'),
      ...historyFilter,
      ...timeRange('ended, or else opened, or else placed'),
    }),
    output: listOf(leverRow, 'id'),
    problems: ['symbol_unknown', 'range_reversed', 'range_too_wide'],
    summary: 'Positions, waiting orders, closed positions or cancelled orders, by the time of their end, opening or placing, newest first',
  },
  'lever.order': {
    method: 'POST',
    path: '/lever/order',
    auth: 'user',
    reads: true,
    input: z.object({ id }),
    output: leverRow,
    problems: ['order_unknown'],
    summary: 'One order or position of the customer',
  },
  'lever.close': {
    method: 'POST',
    path: '/lever/close',
    auth: 'user',
    keyed: 'money',
    whileFrozen: true,
    input: z.object({
      id,
      lots: lotsText.optional().describe('a part of the position; absent: all of it'),
      price: shown,
      worst_price: worst,
    }),
    ignored: ofOrder,
    output: leverClose,
    problems: [...keyed, ...marketProblems, 'order_unknown', 'state_wrong', 'size_wrong'],
    summary: 'Closes a position, or some lots of it, at the market',
  },
  'lever.closeAll': {
    method: 'POST',
    path: '/lever/closeAll',
    auth: 'user',
    keyed: 'money',
    whileFrozen: true,
    input: z.object({
      type: z.enum(closeTypes).default('0').describe('0 all, 1 long, 2 short'),
      match_id: matchId.optional(),
      worst_unrealised: z
        .string()
        .regex(/^-?(0|[1-9]\d{0,14})(\.\d{1,18})?$/)
        .optional()
        .describe('unrealised profit of these positions together; when it is less by now, nothing is closed'),
    }),
    output: z.object({
      closed: z.array(leverClose).max(listMost.positions).meta({ key: 'position_id' }),
      failed: z
        .array(z.object({ id: z.int().positive(), symbol, problem: z.string().describe('name of the problem') }))
        .meta({ key: 'id' }),
    }),
    problems: [...keyed, 'symbol_unknown', 'price_moved'],
    summary: 'Closes all open positions at once; says which were closed and which were not, such as those of a closed market',
  },
  'lever.orderMove': {
    method: 'POST',
    path: '/lever/orderMove',
    auth: 'user',
    keyed: 'money',
    input: z.object({ id, price: priceText.min(1).describe('the new limit; where the market has passed it, the order is filled at once') }),
    output: leverRow,
    problems: [...keyed, ...orderProblems, 'order_unknown', 'state_wrong', 'price_wrong', 'price_stale', 'insufficient_balance'],
    summary: 'Moves a waiting limit order to another price; margin and fee that it holds are those of the new price',
  },
  'lever.setStopPrice': {
    method: 'POST',
    path: '/lever/setStopPrice',
    auth: 'user',
    keyed: 'data',
    whileFrozen: true,
    input: z.object({
      id,
      target_profit_price: priceText.optional().describe('empty: removed; absent: as it is'),
      stop_loss_price: priceText.optional().describe('empty: removed; absent: as it is'),
    }),
    ignored: ofOrder,
    output: leverRow,
    problems: [...keyed, 'order_unknown', 'state_wrong', 'price_wrong', 'stop_price_wrong', 'parameter_missing'],
    summary: 'Sets or removes take profit and stop loss of a position or of a waiting order',
  },
  'lever.closeAtOpening': {
    method: 'POST',
    path: '/lever/closeAtOpening',
    auth: 'user',
    keyed: 'data',
    whileFrozen: true,
    input: z.object({ id, wanted: z.enum(['0', '1']).describe('1: close it at the opening; 0: keep it open') }),
    output: leverRow,
    problems: [...keyed, 'order_unknown', 'state_wrong', 'market_halted'],
    summary: 'While the market is closed, has a position closed at the first price after the opening, or takes that back',
  },
  'lever.margin': {
    method: 'POST',
    path: '/lever/margin',
    auth: 'user',
    keyed: 'money',
    input: z.object({ id, action: z.enum(['add', 'remove']), amount: amountText }),
    output: leverRow,
    problems: [
      ...keyed,
      'order_unknown',
      'state_wrong',
      'amount_wrong',
      'amount_too_large',
      'insufficient_balance',
      'price_stale',
      'market_halted',
      'market_closed',
    ],
    summary: 'Adds margin to an open position, or takes back what is above the initial margin',
  },
  'lever.reverse': {
    method: 'POST',
    path: '/lever/reverse',
    auth: 'user',
    keyed: 'money',
    input: z.object({ id, price: shown, worst_price: worst, terms_version: shownTerms }),
    output: z.object({ closed: leverClose, opened: leverRow }),
    problems: [
      ...keyed,
      ...marketProblems,
      ...['order_unknown', 'state_wrong', 'multiple_wrong', 'size_wrong', 'amount_too_small', 'amount_too_large', 'terms_changed'],
    ] as const,
    summary: 'Closes a position and opens one of the same size on the other side, both or neither',
  },
  'lever.cancel': {
    method: 'POST',
    path: '/lever/cancel',
    auth: 'user',
    keyed: 'money',
    whileFrozen: true,
    input: z.object({ id }),
    output: leverRow,
    problems: [...keyed, 'order_unknown', 'state_wrong'],
    summary: 'Cancels a waiting order; all that it held is available again',
  },
  'lever.history': {
    method: 'POST',
    path: '/lever/history',
    auth: 'user',
    reads: true,
    input: z.object({ page, size, ...closingFilter }),
    output: listOf(leverClose, 'id'),
    problems: ['symbol_unknown', 'range_reversed', 'range_too_wide'],
    summary: 'Every closing of a position or a part of one, newest first',
  },
  'lever.closing': {
    method: 'POST',
    path: '/lever/closing',
    auth: 'user',
    reads: true,
    input: z.object({ id }),
    output: leverClose.extend({
      spread: share.describe('half of it lies between the price of the tick and the price of the opening or closing'),
      level: price.nullable().describe('take profit, stop loss or liquidation price that the tick reached; null for other reasons'),
      since: z.int().nonnegative().nullable().describe('the level counted for prices after this number; null without a level'),
      open_tick: provenTick.describe('that it was opened at'),
      tick: provenTick.describe('that it was closed at'),
    }),
    problems: ['order_unknown'],
    summary: 'One closing with the ticks that decided its prices; market.ticks has those around them',
  },
  'lever.exportHistory': {
    method: 'POST',
    path: '/lever/exportHistory',
    auth: 'user',
    reads: true,
    input: z.object(closingFilter),
    output: csvFile,
    problems: ['symbol_unknown', 'range_reversed'],
    summary: 'The closings as CSV, 5,000 rows at most; headings in the language of the request',
  },
  'lever.profit': {
    method: 'POST',
    path: '/lever/profit',
    auth: 'user',
    reads: true,
    input: z.object({
      month: z
        .string()
        .regex(/^20\d\d-(0[1-9]|1[0-2])$/)
        .optional()
        .describe('2026-11, in UTC; absent: this month'),
      product: z.enum(profitProducts).default('all'),
    }),
    output: z.object({
      month: z.string(),
      currency_code: coinCode,
      profit: amount,
      fee: amount,
      overnight: amount,
      result: amount,
      list: z
        .array(
          z.object({
            date: z.string().describe('2026-11-24, in UTC'),
            profit: amount,
            fee: amount,
            overnight: amount,
            result: amount,
            closes: z.int().nonnegative().describe('positions that were closed, and parts of them'),
            options: z.int().nonnegative().describe('options that were settled'),
          }),
        )
        .meta({ key: 'date' })
        .describe('days on which there was something, oldest first'),
    }),
    problems: [],
    summary:
      'The result of contracts, copied ones included, and of seconds options on each day of a month, after all costs; what a closing has cost counts for its day',
  },
})
