import type { IdType, Level } from '#api-server/identity/identity.rules.ts'
import type { Tx } from '#server-kit/db/db.ts'

/** Door of the identity room: what the back office does with proofs of identity. Times are ms UTC. */

export interface ReviewRow {
  id: number
  uid: number
  nickname: string
  /** Masked address or number. */
  contact: string
  /** That the customer has. */
  level: number
  demo: boolean
  /** That is asked for. */
  asked: Level
  id_type: IdType
  status: 'reviewing' | 'failed' | 'passed'
  /** Another account has sent a document with this number. */
  seen_before: boolean
  reason: string
  decided_by: string
  created: number
  changed: number
}
/** For reviewers' eyes: whoever shows it writes down who looked. */
export interface ReviewWhole extends ReviewRow {
  name: string
  number: string
  /** Names of pictures for `uploads.readFor`: front, then reverse where there is one. */
  pictures: string[]
  /** How often this customer failed before. */
  earlier: number
  /** The latest other customers with a document of this number, and their latest proof with it. */
  same_document: { uid: number; id: number; status: ReviewRow['status'] }[]
}
export interface ReviewFilter {
  page: number
  size: number
  status: 'all' | ReviewRow['status']
  /** A uid, a part of the nickname, a whole address or number. */
  search?: string | undefined
}

export interface IdentityReviews {
  waiting(): Promise<number>
  /** Those that wait oldest first, others newest first. */
  list(filter: ReviewFilter): Promise<{ list: ReviewRow[]; total: number }>
  /** @throws ApiProblem('not_found') */
  one(id: number): Promise<ReviewWhole>
  /**
   * Raises the customer to the level and writes the news, in the caller's transaction.
   * @param by name of the operator
   * @throws ApiProblem not_found, state_wrong
   */
  approve(tx: Tx, id: number, by: string, note?: string): Promise<ReviewRow>
  /** Sends it back; the customer reads the reason. @throws ApiProblem not_found, state_wrong, reason_missing */
  reject(tx: Tx, id: number, by: string, reason: string): Promise<ReviewRow>
}
