import type { TraderReviewState } from '#contract/calls/office.rows.ts'
import type { Tx } from '#server-kit/db/db.ts'

/** Door of copy trading: what the back office does with applications of traders. Times are ms UTC. */

export interface TraderReviewRow {
  id: number
  uid: number
  nickname: string
  /** Masked address or number. */
  contact: string
  level: number
  demo: boolean
  /** Name that is asked for. */
  trader_name: string
  introduction: string
  status: TraderReviewState
  /** These three are of the last decision. */
  reason: string
  decided_by: string
  changed: number
  created: number
}
/** What the customer has traded so far. */
export interface TraderReviewWhole extends TraderReviewRow {
  closed: number
  winning: number
  profit: string
  /** How often this customer was refused before. */
  earlier: number
  /** Who copies the trader now. */
  followers: number
}
export interface TraderReviewFilter {
  page: number
  size: number
  status: 'all' | TraderReviewRow['status']
  /** A uid, a part of the nickname, a whole address or number. */
  search?: string | undefined
}

export interface TraderReviews {
  waiting(): Promise<number>
  /** Those that wait oldest first, others newest first. */
  list(filter: TraderReviewFilter): Promise<{ list: TraderReviewRow[]; total: number }>
  /** @throws ApiProblem('not_found') */
  one(id: number): Promise<TraderReviewWhole>
  /** The customer is a trader from then on. @param by name of the operator @throws ApiProblem not_found, state_wrong */
  approve(tx: Tx, id: number, by: string, note?: string): Promise<TraderReviewRow>
  /** The customer reads the reason. @throws ApiProblem not_found, state_wrong, reason_missing */
  reject(tx: Tx, id: number, by: string, reason: string): Promise<TraderReviewRow>
  /**
   * Nobody can copy the trader any more, for good. All followings end, as if each follower had ended them: open copies stay copied. The trader reads
   * the reason; followers are told of the end alone.
   * @returns also the uids of who has copied the trader until now
   * @throws ApiProblem not_found, state_wrong, reason_missing
   */
  end(tx: Tx, id: number, by: string, reason: string): Promise<{ row: TraderReviewRow; followers: number[] }>
}
