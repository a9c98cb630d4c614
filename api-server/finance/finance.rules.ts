import Big from 'big.js'
import { type earningTerms, financeDays } from '#contract/calls/finance.calls.ts'
import { plain } from '#contract/money.ts'

export const dayMs = 86_400_000
const usdDecimals = 2

/** An amount of a coin, by the number of the coin. */
interface CoinAmount {
  currency: number
  /** Exact decimal text. */
  amount: string
}

/** Price of one unit of a coin in USD; undefined before the first. */
export type PriceOf = (currency: number) => string | undefined

/** Worth in USD, rounded down to cents once. A coin without a price counts as worth nothing. */
export function worthOf(amounts: readonly CoinAmount[], priceOf: PriceOf): string {
  const all = amounts.reduce((sum, { currency, amount }) => sum.plus(new Big(amount).times(priceOf(currency) ?? 0)), new Big(0))
  return plain(all.round(usdDecimals, Big.roundDown))
}

/** Income of each of the last days in USD, oldest first, with days without any. @param now ms UTC */
export function incomeByDay(rows: readonly (CoinAmount & { day: number })[], priceOf: PriceOf, now: number) {
  const today = Math.floor(now / dayMs)
  return Array.from({ length: financeDays }, (_, at) => {
    const day = today - financeDays + 1 + at
    const own = rows.filter((row) => row.day === day)
    return { at: day * dayMs, value: worthOf(own, priceOf) }
  })
}

/** The next payments of all orders, the earliest first. */
export const nextPayments = <Payment extends { at: number }, Order extends { id: number; payments: readonly Payment[] }>(
  orders: readonly Order[],
  most: number,
): { order: Order; payment: Order['payments'][number] }[] =>
  orders
    .flatMap((order) => order.payments.slice(0, most).map((payment) => ({ order, payment })))
    .sort((a, b) => a.payment.at - b.payment.at || a.order.id - b.order.id)
    .slice(0, most)

/** The group of a term. @param days at least 1 */
export const termOf = (days: number): (typeof earningTerms)[number] => (days <= 7 ? 'week' : days <= 31 ? 'month' : 'longer')
