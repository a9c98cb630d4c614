import Big from 'big.js'
import { walletWithdrawReceived } from '#contract/functions/wallet.withdrawReceived.function.ts'
import { floorTo, plain, product, quotient, quotientUp, smallest } from '#contract/money.ts'

/** Window of the withdrawal limit: any 24 hours, independent of the calendar. */
export const windowMs = 24 * 3_600_000
/** A saved address can be used after this time. */
export const addressHoldMs = 24 * 3_600_000
const btcDecimals = 8

/** Worth in BTC, rounded up, so that rounding never exceeds a limit. */
export const btcWorth = (amount: string, coinUsd: string, btcUsd: string): string =>
  quotientUp(product(amount, coinUsd), btcUsd, btcDecimals)

/** Refusals of a withdrawal in order of precedence: the first that applies is returned. */
export const withdrawOutcomes = [
  'verification_required',
  'withdraw_on_hold',
  'currency_closed',
  'address_on_hold',
  'amount_too_small',
  'fee_changed',
  'insufficient_balance',
  'price_stale',
  'order_limit',
  'withdraw_limit',
] as const
type WithdrawOutcome = (typeof withdrawOutcomes)[number]

export interface WithdrawAsk {
  /** Amount that leaves the account, including the fee; above zero, at the scale of the currency. */
  amount: string
  /** The fee that the customer saw; undefined when the client sent none. */
  shownFee: string | undefined
  isBank: boolean
  /** Of the saved address, ms UTC; 0 for banks. */
  usableFrom: number
}
export interface WithdrawFacts {
  now: number
  level: number
  holdUntil: number | null
  isOpen: boolean
  min: string
  fee: string
  available: string
  /** USD for one unit of the currency and of BTC; undefined without a recent price. */
  coinUsd: string | undefined
  btcUsd: string | undefined
  limitBtc: string
  usedBtc: string
  orderLimitUsd: string
}
type WithdrawDecision = { outcome: WithdrawOutcome; waitMs?: number } | { outcome: 'asked'; received: string; btc: string; usd: string }

/** Decides on a withdrawal. An amount that does not exceed the fee is refused as too small. */
export function decideWithdraw(ask: WithdrawAsk, facts: WithdrawFacts): WithdrawDecision {
  const { now, holdUntil, coinUsd, btcUsd } = facts
  const amount = new Big(ask.amount)
  if (facts.level < 1) return { outcome: 'verification_required' }
  if (holdUntil !== null && holdUntil > now) return { outcome: 'withdraw_on_hold', waitMs: holdUntil - now }
  if (!facts.isOpen) return { outcome: 'currency_closed' }
  if (ask.usableFrom > now) return { outcome: 'address_on_hold', waitMs: ask.usableFrom - now }
  if (amount.lt(facts.min) || amount.lte(facts.fee)) return { outcome: 'amount_too_small' }
  if (ask.shownFee !== undefined && !new Big(ask.shownFee).eq(facts.fee)) return { outcome: 'fee_changed' }
  if (amount.gt(facts.available)) return { outcome: 'insufficient_balance' }
  if (coinUsd === undefined || btcUsd === undefined) return { outcome: 'price_stale' }
  const usd = product(ask.amount, coinUsd)
  if (ask.isBank && new Big(usd).gt(facts.orderLimitUsd)) return { outcome: 'order_limit' }
  const btc = btcWorth(ask.amount, coinUsd, btcUsd)
  if (new Big(facts.usedBtc).plus(btc).gt(facts.limitBtc)) return { outcome: 'withdraw_limit' }
  return { outcome: 'asked', received: walletWithdrawReceived.run({ amount: ask.amount, fee: facts.fee }), btc, usd }
}

interface Ceiling {
  available: string
  leftBtc: string
  coinUsd: string | undefined
  btcUsd: string | undefined
  /** null for no limit. */
  orderLimitUsd: string | null
  scale: number
}

/** Returns the rest of the 24-hour limit in the currency, and the withdrawable maximum. Without prices the maximum is 0. */
export function ceilingOf({ available, leftBtc, coinUsd, btcUsd, orderLimitUsd, scale }: Ceiling): { left: string; max: string } {
  if (coinUsd === undefined || btcUsd === undefined || new Big(coinUsd).lte(0)) return { left: '0', max: '0' }
  const left = quotient(product(leftBtc, btcUsd), coinUsd, scale)
  const order = orderLimitUsd === null ? [] : [quotient(orderLimitUsd, coinUsd, scale)]
  return { left, max: floorTo(smallest([available, left, ...order]), scale) }
}

/** Returns the rest of a limit; never below zero. */
export const leftOf = (limit: string, used: string): string => {
  const left = new Big(limit).minus(used)
  return left.gt(0) ? plain(left) : '0'
}
