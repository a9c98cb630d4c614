import Big from 'big.js'
import { floorTo, product, quotient, quotientUp, smallest } from '#api-server/wallet/amount.rules.ts'
import { walletWithdrawReceived } from '#contract/functions/wallet.withdrawReceived.function.ts'
import { plain } from '#contract/money.ts'

/** What a day of withdrawals is: any 24 hours, whatever the calendar says. */
export const windowMs = 24 * 3_600_000
/** A saved address can be used after so long. */
export const addressHoldMs = 24 * 3_600_000
const btcDecimals = 8

/** Worth in BTC, rounded up: a limit is never passed by rounding. */
export const btcWorth = (amount: string, coinUsd: string, btcUsd: string): string =>
  quotientUp(product(amount, coinUsd), btcUsd, btcDecimals)

/** Why a withdrawal cannot be asked for, in order of precedence: the first that applies is the answer. */
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
export type WithdrawOutcome = (typeof withdrawOutcomes)[number]

export interface WithdrawAsk {
  /** What leaves the account, fee included; above zero, at the scale of the coin. */
  amount: string
  /** As it was shown; undefined when nobody said. */
  shownFee: string | undefined
  isBank: boolean
  /** Of the saved address; 0 for banks. */
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
  /** USD for one unit, of the coin and of BTC; undefined when there is none, or it is too old. */
  coinUsd: string | undefined
  btcUsd: string | undefined
  limitBtc: string
  usedBtc: string
  orderLimitUsd: string
}
export type WithdrawDecision =
  | { outcome: WithdrawOutcome; waitMs?: number }
  | { outcome: 'asked'; received: string; btc: string; usd: string }

/** Decides on a withdrawal. Money that is not worth the fee is refused as too small. */
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

export interface Ceiling {
  available: string
  leftBtc: string
  coinUsd: string | undefined
  btcUsd: string | undefined
  /** null: none. */
  orderLimitUsd: string | null
  scale: number
}

/** What is left of the limit of 24 hours in the coin, and the most that can be withdrawn now; without prices nothing can. */
export function ceilingOf({ available, leftBtc, coinUsd, btcUsd, orderLimitUsd, scale }: Ceiling): { left: string; max: string } {
  if (coinUsd === undefined || btcUsd === undefined || new Big(coinUsd).lte(0)) return { left: '0', max: '0' }
  const left = quotient(product(leftBtc, btcUsd), coinUsd, scale)
  const order = orderLimitUsd === null ? [] : [quotient(orderLimitUsd, coinUsd, scale)]
  return { left, max: floorTo(smallest([available, left, ...order]), scale) }
}

/** What is left of a limit; never below zero. */
export const leftOf = (limit: string, used: string): string => {
  const left = new Big(limit).minus(used)
  return left.gt(0) ? plain(left) : '0'
}
