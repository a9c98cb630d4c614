import * as z from 'zod'
import { decimal, listMost, share } from '#contract/fields.ts'

/**
 * The terms on which a symbol is traded. Each change of them is a new version; an order keeps the version that it was accepted under.
 * Shares lie between 0 and 1: a fee of 0.0005 is 0.05 %.
 */

export const tradeProducts = ['contract', 'option', 'spot'] as const
export type TradeProduct = (typeof tradeProducts)[number]
/** Groups of symbols; trading hours belong to a group. */
export const tradedGroups = ['currency', 'stock', 'metal', 'index'] as const
export type TradedGroup = (typeof tradedGroups)[number]

/** An amount of the quote coin of the symbol. */
const quoteAmount = decimal({ unit: 'amount', coin: 'quote' })
const lots = decimal({ unit: 'lots' })

/** Contracts: the house is the counterparty, margin and fees are in the quote coin. */
export const contractTerms = z.object({
  lot_size: decimal({ unit: 'amount', coin: 'base' }).describe('base coin in one lot'),
  lots_min: lots,
  lots_max: lots.describe('most lots of one order'),
  multiples: z.array(z.int().positive()).min(1).max(listMost.multiples).describe('ascending'),
  fee_rate: share.describe('of the notional value, at the opening and at the closing'),
  maintenance_rate: share.describe('of the notional value; liquidation where the equity falls to it'),
  overnight_rate: share.describe('of the notional value, each day at 00:00 UTC'),
  spread: share.describe('part of the price; a buyer pays half of it above the mark, a seller gets half of it below'),
  tolerance: share.describe('how far the price may move between the question and the order'),
})
export type ContractTerms = z.infer<typeof contractTerms>

/** One duration of a seconds option. */
export const optionDuration = z.object({
  seconds: z.int().positive(),
  payout_rate: share.describe('what a won order earns on its stake'),
  stake_min: quoteAmount,
  stake_max: quoteAmount,
})
/** Seconds options: the stake is in the quote coin. */
const optionTerms = z.object({
  durations: z.array(optionDuration).min(1).max(listMost.durations).meta({ key: 'seconds' }),
  tolerance: share.describe('how far the price may move between the question and the order'),
})
export type OptionTerms = z.infer<typeof optionTerms>
export type OptionDuration = z.infer<typeof optionDuration>

/** Spot: base and quote coin change hands in the order book. */
const spotTerms = z.object({
  maker_rate: share.describe('fee on what the order that stood in the book receives'),
  taker_rate: share.describe('fee on what the order that met it receives'),
  value_min: quoteAmount.describe('least value of an order'),
  size_max: decimal({ unit: 'amount', coin: 'base' }).describe('most of one order'),
  price_band: share.describe('how far from the last price a limit may stand'),
  // Terms that were stored before it was one of them have the default.
  tolerance: share
    .default('0.01')
    .describe('how much worse than the last price a market order trades at most, unless it says a worst price'),
})
export type SpotTerms = z.infer<typeof spotTerms>

export const termsOf = { contract: contractTerms, option: optionTerms, spot: spotTerms } as const
export interface TermsByProduct {
  contract: ContractTerms
  option: OptionTerms
  spot: SpotTerms
}

/** Times of the day in the zone of the calendar, HH:MM. */
const sessionTimes = z.object({
  from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  to: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/),
})
export type SessionTimes = z.infer<typeof sessionTimes>
/** 1 is Monday, 7 is Sunday. */
const tradingSession = sessionTimes.extend({ day: z.int().min(1).max(7) })
/** A day with hours of its own, in place of those of its weekday: an early close, or an extra session. */
const tradingDay = z.object({ date: z.iso.date(), sessions: z.array(sessionTimes).min(1) })
/** When the symbols of a group are traded. A group without a calendar is traded at all times. */
export const tradingCalendar = z.object({
  zone: z.string().describe('IANA time zone: America/New_York'),
  sessions: z.array(tradingSession),
  holidays: z.array(z.iso.date()).describe('days without a session, in the zone'),
  // Calendars that were stored before there were such days have none.
  days: z.array(tradingDay).default([]).describe('days with hours of their own, in the zone'),
})
export type TradingCalendar = z.infer<typeof tradingCalendar>

/** Members of a calendar as an operator types them. */
export const calendarFields = ['zone', 'sessions', 'holidays', 'days'] as const
/** Why typed hours are refused: no such form or date; sessions of a day that overlap; a close before the usual opening; a date twice; the past. */
export const calendarFaults = ['unreadable', 'overlap', 'early', 'twice', 'past'] as const

/** Without a newer price for so long, market orders are refused. */
export const priceAgeMsMax = 10_000
