import Big from 'big.js'
import type { MiningKind, MiningRenewal, MiningSale, MiningSaleState, MiningState } from '#contract/calls/earning/mining.calls.ts'
import { miningIncome } from '#contract/functions/mining.income.function.ts'
import { miningPenalty } from '#contract/functions/mining.penalty.function.ts'
import { exact, less, parseAmount, plain, product, sum } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { machine } from '#contract/rules/machine.rules.ts'

/** A running order pays each day, and the customer may choose its renewal; it is redeemed once. */
export const miningMachine = machine<MiningState, 'pay' | 'choose' | 'remind' | 'redeem'>({
  running: { pay: 'running', choose: 'running', remind: 'running', redeem: 'redeemed' },
  redeemed: {},
})
/** The sale of a product, as operators decide. Terms change while it has not ended. */
export const miningSaleMachine = machine<MiningSale, 'revise' | 'pause' | 'resume' | 'end'>({
  open: { revise: 'open', pause: 'paused', end: 'ended' },
  paused: { revise: 'paused', resume: 'open', end: 'ended' },
  ended: {},
})

export const dayMs = 86_400_000
/** The customer is reminded of the renewal so long before the maturity. */
export const reminderMs = dayMs
const progressDecimals = 4

/** Terms of a product. Amounts and shares are exact text. */
export interface MiningTerms {
  kind: MiningKind
  /** Code of the coin that is locked, and in which the income is paid. */
  coin: string
  /** Days of 24 hours. */
  locked_days: number
  /** Income of a day, as a share of the amount. */
  daily: string
  /** Cost of an early redemption for each remaining day, as a share of the amount. */
  penalty: string
  /** Of one order. */
  least: string
  most: string
  /** Of all running orders together. */
  capacity: string
  /** Level of risk, 1 to 5. */
  risk: number
}
/** Income of a day, rounded down. @param scale decimals of the coin */
export const incomeOf = (amount: string, daily: string, scale: number): string => miningIncome.run({ amount, daily, days: 1, scale })

/** The first member of proposed terms that does not fit the others. */
export function wrongTerm({ least, most, capacity }: MiningTerms): keyof MiningTerms | undefined {
  if (new Big(most).lt(least)) return 'most'
  return new Big(capacity).lt(most) ? 'capacity' : undefined
}

export interface MiningStock {
  sale: MiningSale
  /** Amount of the running orders. */
  locked: string
  capacity: string
  least: string
}
export const leftOf = ({ locked, capacity }: Pick<MiningStock, 'locked' | 'capacity'>): string => {
  const left = new Big(capacity).minus(locked)
  return left.gt(0) ? plain(left) : '0'
}
/** Whether an amount can be locked. Where less is left than an order has at least, nothing can. */
export function saleState(stock: MiningStock): MiningSaleState {
  if (stock.sale !== 'open') return stock.sale
  return new Big(leftOf(stock)).lt(stock.least) ? 'sold_out' : 'on_sale'
}
/** Part of the capacity that is locked, 0 to 1. */
export const progressOf = ({ locked, capacity }: Pick<MiningStock, 'locked' | 'capacity'>): string => {
  const part = new Big(locked).div(capacity)
  return plain((part.gt(1) ? new Big(1) : part).round(progressDecimals, Big.roundDown))
}

/**
 * Agrees on an order of a typed amount.
 * @param at ms UTC
 * @throws ApiProblem amount_wrong, amount_too_small, amount_too_large
 */
export function agreedBy(terms: Pick<MiningTerms, 'least' | 'most' | 'daily' | 'locked_days'>, typed: string, scale: number, at: number) {
  const read = parseAmount(typed, scale)
  if (!read?.gt(0)) throw new ApiProblem('amount_wrong', { field: 'amount' })
  if (read.lt(terms.least)) throw new ApiProblem('amount_too_small', { field: 'amount' })
  if (read.gt(terms.most)) throw new ApiProblem('amount_too_large', { field: 'amount' })
  const amount = plain(read)
  const ends_at = at + terms.locked_days * dayMs
  return {
    amount,
    income: incomeOf(amount, terms.daily, scale),
    bought_at: at,
    due_at: at + dayMs,
    ends_at,
    remind_at: ends_at - reminderMs,
  }
}

/** Members of an order that its times depend on. */
export interface MiningTime {
  bought_at: number
  locked_days: number
}
/** Whole days since the purchase, at most all of them. A clock that was set back counts none. */
export const daysBy = ({ bought_at, locked_days }: MiningTime, at: number): number =>
  Math.min(locked_days, Math.max(0, Math.floor((at - bought_at) / dayMs)))
/** When the income of a day is due: day 1 is due 24 hours after the purchase. */
export const dueOf = ({ bought_at }: Pick<MiningTime, 'bought_at'>, day: number): number => bought_at + day * dayMs

/** Days of which income is due by a time and not paid. */
export function dueDays(order: MiningTime & { paid_days: number }, at: number): number[] {
  const last = daysBy(order, at)
  return Array.from({ length: Math.max(0, last - order.paid_days) }, (_, index) => order.paid_days + index + 1)
}

/** Amounts that an early redemption keeps and pays back. @param paid days whose income was paid, all that were due among them */
export function redeemed(order: { amount: string; penalty: string; locked_days: number }, paid: number, scale: number) {
  const { amount, penalty: ratio, locked_days } = order
  const penalty = miningPenalty.run({ amount, ratio, remaining: locked_days - paid, scale })
  return { penalty, returned: less(amount, penalty) }
}

/** The amount that a matured order is locked again with; undefined where it is paid out. */
export function renewedAmount({
  renewal,
  amount,
  income,
  locked_days,
}: {
  renewal: MiningRenewal
  amount: string
  income: string
  locked_days: number
}) {
  if (renewal === 'none') return undefined
  return renewal === 'all' ? sum(amount, product(income, String(locked_days))) : exact(amount)
}
/** Whether terms are no worse than those of the order that ends. */
export const isNoWorse = (
  now: Pick<MiningTerms, 'daily' | 'locked_days' | 'penalty'>,
  before: Pick<MiningTerms, 'daily' | 'locked_days' | 'penalty'>,
): boolean => new Big(now.daily).gte(before.daily) && now.locked_days <= before.locked_days && new Big(now.penalty).lte(before.penalty)
