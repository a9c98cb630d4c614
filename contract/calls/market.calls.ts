import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { coinCode, decimal, integerText, listMost, share, symbol, timeMs, timeText } from '#contract/fields.ts'

/** The nine periods of candles, with their length. `1M` is a calendar month in UTC, `1w` begins on Monday. */
export const periods = ['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M'] as const
export type Period = (typeof periods)[number]

/** Price of one unit of the base currency in the quote currency; the instrument names both. */
const price = decimal({ unit: 'price', coin: 'quote', per: 'base' })
const quantity = decimal({ unit: 'amount', coin: 'base' })

/** Fields that change with every tick. Decimals as text; `change` is a ratio ("0.0123" is 1.23 %) relative to open24h. */
export const quote = z.object({
  symbol,
  last: price,
  open24h: price,
  high24h: price,
  low24h: price,
  volume24h: quantity,
  change: share,
  ts: timeMs,
  seq: z.int().nonnegative(),
})
export type Quote = z.infer<typeof quote>

/** Fields that do not change with ticks. `tick` is the price step and `step` the quantity step. `source` names the source of the prices. */
export const instrument = z.object({
  match_id: z.int().positive(),
  symbol,
  name: z.string().describe('as shown: BTC/USDT'),
  title: z.string().describe('long name in the language of the request'),
  base: coinCode,
  quote: coinCode,
  group: z.enum(['currency', 'stock', 'metal', 'index']),
  tick: price,
  step: quantity,
  source: z.enum(['simulator', 'binance', 'manual']),
  hot: z.boolean(),
})
export type Instrument = z.infer<typeof instrument>

export const listing = instrument.extend({ quote24h: quote, spark: z.array(price).describe('last 24 hourly closes, oldest first') })
export type Listing = z.infer<typeof listing>

/** `time` is the start of the candle in milliseconds UTC. */
export const candle = z.object({ time: timeMs, open: price, high: price, low: price, close: price, volume: quantity })
export type Candle = z.infer<typeof candle>

const tickId = z.int().positive().describe('number in the log of prices')
/** Number of a price in the log, as text. */
const tickNumber = integerText(1, 999_999_999_999_999)

/** A price as the log has it, by which anybody can check what was decided at it. `contract/tick-chain.ts` has the rule of the hashes. */
export const provenTick = z.object({
  tick_id: tickId,
  symbol,
  price: z.string(),
  size: z.string().describe('as the log has it'),
  time: timeMs,
  source: z.string(),
  prev_hash: z.string().describe('hash of the tick before'),
  hash: z.string(),
})
export type ProvenTick = z.infer<typeof provenTick>

export const marketCalls = calls({
  'market.getHomeQuotaList': {
    method: 'GET',
    path: '/market/getHomeQuotaList',
    auth: 'none',
    reads: true,
    input: z.object({}),
    output: z.object({ list: z.array(listing).max(listMost.instruments).meta({ key: 'symbol' }) }),
    problems: [],
    summary: 'Hot instruments with their quotes, for the home screen',
  },
  'market.quotation': {
    method: 'GET',
    path: '/market/quotation',
    auth: 'none',
    reads: true,
    input: z.object({}),
    output: z.object({ list: z.array(listing).max(listMost.instruments).meta({ key: 'symbol' }) }),
    problems: [],
    summary: 'Every instrument with its quote',
  },
  'market.getQuota': {
    method: 'POST',
    path: '/market/getQuota',
    auth: 'none',
    reads: true,
    input: z.object({ match_id: z.string().max(20).describe('number of the instrument, or its symbol') }),
    output: listing,
    problems: ['symbol_unknown', 'price_stale'],
    summary: 'One instrument with its quote',
  },
  'market.kline': {
    method: 'POST',
    path: '/market/kline',
    auth: 'none',
    reads: true,
    input: z.object({
      symbol,
      period: z.enum(periods),
      from: timeText.optional().describe('ms UTC; up to ten digits are seconds'),
      to: timeText.optional().describe('ms UTC; up to ten digits are seconds'),
      limit: integerText(1, 1_000).default(300),
    }),
    output: z.object({ symbol, period: z.enum(periods), list: z.array(candle).meta({ key: 'time' }) }),
    problems: ['symbol_unknown', 'range_reversed'],
    summary: 'Candles, oldest first; the last one may still be open',
  },
  'market.ticks': {
    method: 'GET',
    path: '/market/ticks',
    auth: 'none',
    reads: true,
    input: z.object({ from: tickNumber.describe('number of the first one'), limit: integerText(1, 500).default(100) }),
    output: z.object({ list: z.array(provenTick).meta({ key: 'tick_id' }) }),
    problems: [],
    summary:
      'Prices of the log by number, of all instruments, without a gap; fewer than asked for at its end. hash is SHA-256 over prev_hash, tick_id, symbol, price, size, time and source, one a line',
  },
  'market.dayEnds': {
    method: 'GET',
    path: '/market/dayEnds',
    auth: 'none',
    reads: true,
    input: z.object({
      from: timeText.default(0).describe('days from this time on; ms UTC, up to ten digits are seconds'),
      limit: integerText(1, 366).default(31),
    }),
    output: z.object({
      list: z
        .array(z.object({ day: timeMs.describe('its first instant, UTC'), tick_id: tickId, hash: z.string() }))
        .meta({ key: 'day' })
        .describe('the last price of the log on each UTC day that is over, the oldest first; a day without prices has none'),
      last: z.object({ tick_id: tickId, hash: z.string() }).nullable().describe('the end of the log now; null before the first price'),
    }),
    problems: [],
    summary: 'The end of the log of prices on each day. A copy of it proves later that nothing before it was changed',
  },
})
