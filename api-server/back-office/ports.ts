import type { AccountKind, EventKind } from '#contract/accounts.ts'

/**
 * The services that the back office needs from other modules, beside the reviews of wallet and identity; api-server/app.ts passes them.
 * Writes happen in the transaction of the back office, which also holds the answer and the row of the log. Times are ms UTC, amounts exact
 * decimal text.
 */

/** A kept picture, readable. */
interface ReviewPicture {
  uid: number
  /** image/jpeg, image/png or image/webp. */
  type: string
  bytes: Buffer
}
/** @returns undefined for a name that is not there, and for a picture that nobody is meant to review */
export type ReadPicture = (name: string) => Promise<ReviewPicture | undefined>

export interface Balance {
  account: AccountKind
  currency_code: string
  available: string
  frozen: string
  /** Worth of both; '0' where there is no price. */
  usd: string
}
interface Movement {
  id: number
  time: number
  kind: EventKind
  account: AccountKind
  currency_code: string
  amount: string
  balance: string
}
/** The books of customers, to read. */
export interface Books {
  /** Returns the balances of each customer, by uid; a customer without balances may be missing. */
  balances(uids: readonly number[]): Promise<Map<number, Balance[]>>
  /** The latest first. */
  movements(uid: number, count: number): Promise<Movement[]>
  /** Returns the holdings of the house from spot, exchanges and OTC, by currency; below 0 where it gave more than it got. */
  held(): Promise<{ currency_code: string; balance: string }[]>
}
