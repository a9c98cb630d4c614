import type { EarningKind, PaymentPart } from '#contract/calls/finance.calls.ts'

/** An amount of a coin, by the number of the coin. */
export interface CoinAmount {
  currency: number
  /** Exact decimal text. */
  amount: string
}
export interface EarningPayment extends CoinAmount {
  /** Due, ms UTC. */
  at: number
  part: PaymentPart
  /** The other outcome, of a payment in one of two coins. */
  other?: CoinAmount
}
/** A running order, with its coming payments in their order. There is one at least. */
export interface EarningOrder extends CoinAmount {
  kind: EarningKind
  id: number
  /** Address in the app. */
  link: string
  /** Income that was paid so far, in the coin of the order. */
  income: string
  payments: readonly EarningPayment[]
}
/** A product that can be bought now. */
export interface EarningSale {
  kind: EarningKind
  id: number
  link: string
  /** Number of the coin that is paid in. */
  currency: number
  /** From a purchase now to its end. */
  days: number
  /** Shares of the whole: of a year, simple, and of the term. */
  yearly: string
  rate: string
  /** Level of risk, 1 to 5. */
  risk: number
  /** The most that one customer can pay in, and its income. */
  most: string
  income: string
  /** End of the sale, ms UTC; null: it has none. */
  ends: number | null
  simulated: boolean
}
/** Reads of a product for the finance tab. */
export interface EarningReads {
  /** Running orders of a customer. */
  orders(uid: number): Promise<readonly EarningOrder[]>
  /** Income that was paid to a customer, by UTC day (number of days since 1970) and coin. */
  income(uid: number): Promise<readonly (CoinAmount & { day: number })[]>
  /** Products that can be bought now. */
  sales(): Promise<readonly EarningSale[]>
}
