import Big from 'big.js'
import type { DualOrderState, DualOutcome, DualSale, DualSaleState, DualType } from '#contract/calls/dual.calls.ts'
import { dualCost } from '#contract/functions/dual.cost.function.ts'
import { dualDays } from '#contract/functions/dual.days.function.ts'
import { dualOutcome } from '#contract/functions/dual.outcome.function.ts'
import { dualPayout } from '#contract/functions/dual.payout.function.ts'
import { plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { machine } from '#contract/rules/machine.rules.ts'

export const dualOrderMachine = machine<DualOrderState, 'mature' | 'pay' | 'refund'>({
  purchased: { mature: 'settling' },
  settling: { pay: 'success', refund: 'fail' },
  success: {},
  fail: {},
})

/** The sale of a product, as operators decide. Only an open one sells; terms change while it has not ended. */
export const saleMachine = machine<DualSale, 'sell' | 'revise' | 'pause' | 'resume' | 'end'>({
  open: { sell: 'open', revise: 'open', pause: 'paused', end: 'ended' },
  paused: { revise: 'paused', resume: 'open', end: 'ended' },
  ended: {},
})

/** A price that is older than this at the maturity settles nothing: the deposit goes back with the agreed yield. */
export const priceBeforeMsMax = 60_000
const progressDecimals = 4

/** Terms of a product. Amounts and prices are exact text, times ms UTC. */
export interface DualTerms {
  type: DualType
  /** Price of one share in the deposited coin. */
  share: string
  linked: string
  yearly: string
  /** Shares of the product, and of one customer at most. */
  total: number
  limit_each: number
  starts_at: number
  ends_at: number
  matures_at: number
}
export interface DualStock extends Pick<DualTerms, 'total' | 'starts_at' | 'ends_at'> {
  sold: number
  sale: DualSale
}

export const dayMs = 86_400_000
/** Products mature at 08:00 UTC. */
export const maturityMs = 8 * 3_600_000
/** The sale ends so long before the maturity at least. */
export const saleEndsBeforeMs = dayMs

/** Terms as operators agree to them. */
export interface ProductTerms extends DualTerms {
  /** Symbol of the market. */
  market: string
  /** Level of risk, 1 to 5. */
  risk: number
}
/**
 * Compares the members of terms with each other.
 * @param at ms UTC: a sale that ends by then sells nothing
 * @returns the first member that is wrong
 */
export function wrongTerm(terms: ProductTerms, at: number): keyof ProductTerms | undefined {
  if (terms.limit_each > terms.total) return 'limit_each'
  if (terms.matures_at % dayMs !== maturityMs) return 'matures_at'
  if (terms.ends_at <= terms.starts_at || terms.ends_at <= at) return 'ends_at'
  return terms.ends_at > terms.matures_at - saleEndsBeforeMs ? 'ends_at' : undefined
}

/** Whether shares can be bought at a time: from the start of the sale on, and before its end. */
export function saleState({ sale, sold, total, starts_at, ends_at }: DualStock, now: number): DualSaleState {
  if (sale === 'ended' || now >= ends_at) return 'ended'
  if (now < starts_at) return 'soon'
  if (sale === 'paused') return 'paused'
  return sold < total ? 'on_sale' : 'sold_out'
}

export const leftOf = ({ total, sold }: Pick<DualStock, 'total' | 'sold'>): number => Math.max(0, total - sold)
/** Part of the shares that is sold, 0 to 1. */
export const progressOf = ({ total, sold }: Pick<DualStock, 'total' | 'sold'>): string =>
  plain(new Big(Math.min(sold, total)).div(total).round(progressDecimals, Big.roundDown))

/** Whole shares that an amount buys. */
export const sharesFor = (available: string, share: string): number =>
  Number(new Big(available).div(share).round(0, Big.roundDown).toFixed(0))

/** Decimals of the coins of a market. */
export interface DualScales {
  base: number
  quote: number
}

/** Amounts of a purchase at a time: the deposit, and what is paid back in each outcome. */
export function agreedAt(terms: DualTerms, num: number, scales: DualScales, now: number) {
  const { type, share, linked, yearly } = terms
  const amount = dualCost.run({ share, num })
  const days = dualDays.run({ bought: now, matures: terms.matures_at })
  const paid = (outcome: DualOutcome) => dualPayout.run({ type, outcome, amount, linked, yearly, days, scale: scales[outcome] })
  return { amount, days, base_amount: paid('base'), quote_amount: paid('quote') }
}

/** @throws ApiProblem sale_closed, sold_out */
export function mustBeOnSale(stock: DualStock, now: number): void {
  const state = saleState(stock, now)
  if (state === 'sold_out') throw new ApiProblem('sold_out', { field: 'id' })
  if (state !== 'on_sale') throw new ApiProblem('sale_closed', { field: 'id' })
}

export interface DualResult {
  status: Extract<DualOrderState, 'success' | 'fail'>
  /** Coin that is paid back. */
  outcome: DualOutcome
}
const deposited: Record<DualType, DualOutcome> = { call: 'base', put: 'quote' }

/**
 * How an order ends.
 * @param tick the last recorded one at or before the maturity; none: there was never any
 */
export function resultOf(
  { type, linked, due_at }: { type: DualType; linked: string; due_at: number },
  tick: { price: string; time: number } | undefined,
): DualResult {
  if (tick && tick.time > due_at) throw new Error('an order is never settled by a tick after its maturity')
  if (!tick || due_at - tick.time > priceBeforeMsMax) return { status: 'fail', outcome: deposited[type] }
  return { status: 'success', outcome: dualOutcome.run({ type, linked, settle: tick.price }) as DualOutcome }
}
