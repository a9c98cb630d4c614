import type { NamedKey } from '#api-server/idempotency/idempotency.ts'
import type { AccountKind, EventKind } from '#contract/accounts.ts'
import type { Tx } from '#server-kit/db/db.ts'

/** Public interface of the ledger. Balances change through `post` only. */

export type Part = 'available' | 'frozen'
const platformAccounts = [
  'fee',
  'pnl_contract',
  'pnl_option',
  'insurance',
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
/** A product holds in `pool_<product>` all that its customers have paid in. */
export type PlatformAccount = (typeof platformAccounts)[number] | `pool_${string}`
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
  /** Cause of the event, such as `recharge:12`. One source has at most one event of a kind. */
  readonly source: string
  /** Customer of the event; null for events of the platform. */
  readonly uid: number | null
  /** ms UTC. */
  readonly at: number
  /** At least two lines, whose amounts sum to zero per currency. */
  readonly postings: readonly Posting[]
  /** Idempotency key of the event, where it is not that of the transaction. */
  readonly key?: NamedKey | undefined
}

export interface Ledger {
  /**
   * Writes an event with its lines and moves the balances, in the caller's transaction.
   * @returns number of the event
   * @throws ApiProblem('insufficient_balance') when a balance of a customer would fall below zero
   * @throws Error for a bug of the caller: lines that do not sum to zero, or an event that has already happened
   */
  post(tx: Tx, event: LedgerEvent): Promise<number>
  /** The same for several events in one statement, each in its place. @returns their numbers; all of them are written, or none */
  postAll(tx: Tx, events: readonly LedgerEvent[]): Promise<number[]>
}

/** Lines that move an amount from available to frozen of the same account, for an order or a withdrawal. */
export const freeze = (uid: number, kind: AccountKind, currency: number, amount: string): Posting[] => [
  { account: { uid, kind, part: 'available' }, currency, amount: `-${amount}` },
  { account: { uid, kind, part: 'frozen' }, currency, amount },
]
/** Lines that move an amount from frozen back to available. */
export const release = (uid: number, kind: AccountKind, currency: number, amount: string): Posting[] => [
  { account: { uid, kind, part: 'frozen' }, currency, amount: `-${amount}` },
  { account: { uid, kind, part: 'available' }, currency, amount },
]
