import type { AccountKind, EventKind } from '#contract/accounts.ts'
import type { Tx } from '#server-kit/db/db.ts'

/** Door of the ledger: the only way in which a balance changes. */

export type Part = 'available' | 'frozen'
export const platformAccounts = [
  'fee',
  'pnl_contract',
  'pnl_option',
  'insurance',
  'pool_mining',
  'pool_dual',
  'escrow_ieo',
  'escrow_nft',
  'margin_nft',
  'convert',
  'external_in',
  'external_out',
  'coupon',
  'referral',
  'loan',
  'rounding',
] as const
export type PlatformAccount = (typeof platformAccounts)[number]
export type LedgerAccount =
  | { readonly uid: number; readonly kind: AccountKind; readonly part: Part }
  | { readonly position: number }
  | { readonly platform: PlatformAccount }

export interface Posting {
  readonly account: LedgerAccount
  /** Id of the currency. */
  readonly currency: number
  /** Exact decimal text with an optional minus, at the scale of the currency; never 0. */
  readonly amount: string
}
export interface LedgerEvent {
  readonly kind: EventKind
  /** What caused it, such as `recharge:12`; an event of one kind happens once for one source. */
  readonly source: string
  /** Whose event it is; null for the platform's own. */
  readonly uid: number | null
  /** ms UTC. */
  readonly at: number
  /** At least two; per currency they sum to zero. */
  readonly postings: readonly Posting[]
}

export interface Ledger {
  /**
   * Writes an event and its postings and moves the balances, in the caller's transaction.
   * @returns number of the event
   * @throws ApiProblem('insufficient_balance') when an account of a customer would fall below zero
   * @throws Error when the postings do not sum to zero, or the event has happened already: a fault of ours
   */
  post(tx: Tx, event: LedgerEvent): Promise<number>
}

/** From available to frozen of the same account; what an order or a withdrawal holds. */
export const freeze = (uid: number, kind: AccountKind, currency: number, amount: string): Posting[] => [
  { account: { uid, kind, part: 'available' }, currency, amount: `-${amount}` },
  { account: { uid, kind, part: 'frozen' }, currency, amount },
]
/** The way back. */
export const release = (uid: number, kind: AccountKind, currency: number, amount: string): Posting[] => [
  { account: { uid, kind, part: 'frozen' }, currency, amount: `-${amount}` },
  { account: { uid, kind, part: 'available' }, currency, amount },
]
