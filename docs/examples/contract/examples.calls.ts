import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { authCalls } from '#contract/calls/auth.calls.ts'
import { uploadCalls } from '#contract/calls/common.calls.ts'
import { identityCalls } from '#contract/calls/identity.calls.ts'
import { marketCalls } from '#contract/calls/market.calls.ts'
import { userCalls } from '#contract/calls/user.calls.ts'
import { walletCalls } from '#contract/calls/wallet.calls.ts'
import {
  amountIn,
  amountText,
  coinCode,
  decimal,
  id,
  integerText,
  listOf,
  page,
  rowsText,
  share,
  size,
  symbol,
  timeMs,
} from '#contract/fields.ts'
import type { Topic } from '#contract/topic.ts'

/** Calls of the examples. No server answers them: `cfg test` and `cfg flow` answer with samples made from these rows. */

const none = z.object({})
/** The price of one unit of the base coin. */
const price = decimal({ unit: 'price', coin: 'currency_code', per: 'base' })
const lots = decimal({ unit: 'lots' })
/** An entry of a form, as it was typed. */
const typed = (unit: 'lots' | 'price') => z.string().min(1).max(41).meta({ decimal: true, unit })
const side = z.enum(['long', 'short'])
const kind = z.enum(['market', 'limit'])

const orderCalls = calls({
  'order.instrument': {
    method: 'GET',
    path: '/order/instrument',
    auth: 'none',
    reads: true,
    input: z.object({ symbol }),
    output: z.object({
      symbol,
      name: z.string().meta({ examples: ['BTC/USDT'] }),
      base: coinCode,
      currency_code: coinCode.meta({ examples: ['USDT'] }),
      scale: z.int(),
      tick: price,
      lot_size: decimal()
        .describe('of the base coin in one lot')
        .meta({ examples: ['0.001'] }),
      step: lots.meta({ examples: ['1'] }),
      multiple_max: z.int().meta({ examples: [50] }),
      fee_rate: share.meta({ examples: ['0.0005'] }),
      maintenance_rate: share.meta({ examples: ['0.005'] }),
    }),
    problems: ['symbol_unknown'],
    summary: 'Terms of one contract',
  },
  'order.price': {
    method: 'GET',
    path: '/order/price',
    auth: 'none',
    reads: true,
    input: z.object({ symbol }),
    output: z.object({ symbol, base: coinCode, currency_code: coinCode.meta({ examples: ['USDT'] }), last: price, ts: timeMs }),
    problems: ['symbol_unknown', 'price_stale'],
    summary: 'The price of one contract now',
  },
  'order.balance': {
    method: 'GET',
    path: '/order/balance',
    auth: 'user',
    reads: true,
    input: z.object({ symbol }),
    output: z.object({ currency_code: coinCode.meta({ examples: ['USDT'] }), available: amountIn('currency_code') }),
    problems: ['symbol_unknown'],
    summary: 'The amount that the customer may put into positions of one contract',
  },
  'order.place': {
    method: 'POST',
    path: '/order/place',
    auth: 'user',
    keyed: 'money',
    input: z.object({
      symbol,
      side,
      kind,
      lots: typed('lots'),
      multiple: integerText(1, 100),
      price: typed('price').optional().describe('of a limit order'),
      take_profits: rowsText(
        z.object({ price: typed('price'), share: integerText(1, 100).describe('of the lots, in percent') }),
        5,
      ).optional(),
      stop_loss: typed('price').optional(),
    }),
    output: z.object({ id: z.int().positive(), state: z.enum(['filled', 'open']), lots, price, base: coinCode, currency_code: coinCode }),
    problems: ['insufficient_balance', 'price_stale', 'symbol_unknown'],
    summary: 'Opens a position now, or when the market comes to a price',
  },
})

const pictures = ['/covers/book.svg', '/covers/candles.svg', '/covers/depth.svg']

const auctionCalls = calls({
  'auction.lot': {
    method: 'GET',
    path: '/auction/lot',
    auth: 'none',
    reads: true,
    input: z.object({ id }),
    output: z.object({
      id: z.int().positive(),
      title: z.string().meta({ examples: ['Market studies, three screen prints'] }),
      text: z.string().meta({ examples: ['Signed, number 3 of 25, on cotton paper of 50 × 50 cm. Framed, with papers.'] }),
      pictures: z
        .array(
          z.object({
            id: z.string(),
            src: z.string().meta({ examples: pictures }),
          }),
        )
        .meta({ key: 'id' }),
      currency_code: coinCode.meta({ examples: ['USDT'] }),
      scale: z.int(),
      start: amountIn('currency_code').meta({ examples: ['900'] }),
      step: amountIn('currency_code')
        .describe('the least by which a bid is higher than the one before')
        .meta({ examples: ['25'] }),
      premium_rate: share.describe('of the highest bid, paid by the buyer').meta({ examples: ['0.02'] }),
      until: timeMs,
    }),
    problems: ['not_found'],
    summary: 'One lot of an auction',
  },
  'auction.bids': {
    method: 'GET',
    path: '/auction/bids',
    auth: 'none',
    reads: true,
    input: z.object({ page, size, lot: id }),
    output: listOf(
      z.object({
        id: z.int().positive(),
        lot: z.int().positive(),
        currency_code: coinCode.meta({ examples: ['USDT'] }),
        amount: amountIn('currency_code').meta({ examples: ['1450', '1400', '1325'] }),
        bidder: z.string().meta({ examples: ['Paddle 17', 'Paddle 8', 'Paddle 23'] }),
        at: timeMs,
        mine: z.boolean().meta({ examples: [false, true, false] }),
      }),
      'id',
    ),
    problems: ['not_found'],
    summary: 'Bids for one lot, newest first',
  },
  'auction.balance': {
    method: 'GET',
    path: '/auction/balance',
    auth: 'user',
    reads: true,
    input: none,
    output: z.object({
      currency_code: coinCode.meta({ examples: ['USDT'] }),
      available: amountIn('currency_code').meta({ examples: ['4250'] }),
    }),
    problems: [],
    summary: 'The amount that the customer may bid',
  },
  'auction.bid': {
    method: 'POST',
    path: '/auction/bid',
    auth: 'user',
    keyed: 'money',
    input: z.object({ lot: id, amount: amountText }),
    output: z.object({ id: z.int().positive(), amount: decimal({ unit: 'amount' }) }),
    problems: ['outbid', 'insufficient_balance', 'state_wrong', 'not_found'],
    summary: 'A bid, which holds the amount and the premium until somebody bids more',
  },
})

const message = z.object({
  id: z
    .string()
    .describe('chosen by the device that sends it')
    .meta({ examples: ['c3', 'c2', 'c1'] }),
  at: timeMs,
  mine: z.boolean().meta({ examples: [true, false, true] }),
  name: z.string().meta({ examples: ['', 'Mira', ''] }),
  text: z.string().meta({
    examples: ['Thank you, that was quick!', 'It has arrived. Twelve of twelve confirmations.', 'Has my deposit of 500 USDT arrived?'],
  }),
  picture: z.string().describe('address of a picture, empty where there is none'),
  state: z
    .enum(['sent', 'seen'])
    .describe('of an own message')
    .meta({ examples: ['sent', 'seen', 'seen'] }),
})

const chatCalls = calls({
  'chat.messages': {
    method: 'GET',
    path: '/chat/messages',
    auth: 'user',
    reads: true,
    input: z.object({ page, size }),
    output: listOf(message, 'id'),
    problems: [],
    summary: 'The conversation with customer service, newest first',
  },
  'chat.send': {
    method: 'POST',
    path: '/chat/send',
    auth: 'user',
    keyed: 'data',
    input: z.object({
      id: z.string().min(1).max(60),
      text: z.string().max(500).optional(),
      picture: z.string().max(200).optional(),
    }),
    output: message,
    problems: ['text_too_long'],
    summary: 'Sends a text, a picture or both',
  },
})

/** Of the product's own calls those that the engine makes, and that widgets of the examples need. */
export const examplesContract = {
  'user.info': userCalls['user.info'],
  'user.logout': authCalls['user.logout'],
  'user.getOptionalList': userCalls['user.getOptionalList'],
  'user.outcome': identityCalls['user.outcome'],
  'wallet.getRateCurrency': walletCalls['wallet.getRateCurrency'],
  'market.quotation': marketCalls['market.quotation'],
  'common.upload': uploadCalls['common.upload'],
  ...orderCalls,
  ...auctionCalls,
  ...chatCalls,
} as const

export const examplesTopics = {
  balance: { about: 'the balances of the customer have changed' },
  bids: {
    about: 'somebody has bid for a lot, or has taken a bid back',
    rows: { call: 'auction.bids', key: 'id', newest: 'first', by: { lot: 'lot' } },
  },
  messages: {
    about: 'a message has come, or has been seen',
    rows: { call: 'chat.messages', key: 'id', newest: 'first', by: {} },
  },
} as const satisfies Record<string, Topic<keyof typeof examplesContract>>
