import type { Level } from '#api-server/identity/identity.rules.ts'
import type { IdType } from '#contract/rules/document.rules.ts'
import type { Tx } from '#server-kit/db/db.ts'

/** Interface of identity reviews for the back office. Times are ms UTC. */

export interface ReviewRow {
  id: number
  uid: number
  nickname: string
  /** Masked e-mail address or mobile number. */
  contact: string
  /** The level that the customer has. */
  level: number
  demo: boolean
  /** The requested level. */
  asked: Level
  id_type: IdType
  status: 'reviewing' | 'failed' | 'passed'
  /** True when another account has submitted a document with this number. */
  seen_before: boolean
  reason: string
  decided_by: string
  created: number
  changed: number
}
/** A submission in full. A caller that shows it must record which operator saw it. */
export interface ReviewWhole extends ReviewRow {
  name: string
  number: string
  /** Names of pictures for `uploads.readFor`: the front, then the reverse if there is one. */
  pictures: string[]
  /** Number of earlier rejections of this customer. */
  earlier: number
  /** The latest other customers with a document of this number, each with the latest submission. */
  same_document: { uid: number; id: number; status: ReviewRow['status'] }[]
}
export interface ReviewFilter {
  page: number
  size: number
  status: 'all' | ReviewRow['status']
  /** A uid, a part of the nickname, or a complete e-mail address or mobile number. */
  search?: string | undefined
}

export interface IdentityReviews {
  waiting(): Promise<number>
  /** Returns a page: waiting submissions oldest first, others newest first. */
  list(filter: ReviewFilter): Promise<{ list: ReviewRow[]; total: number }>
  /** @throws ApiProblem('not_found') */
  one(id: number): Promise<ReviewWhole>
  /**
   * Raises the customer's level and writes the notice, in the caller's transaction. Both an e-mail address and a mobile number must be bound.
   * @param by name of the operator
   * @throws ApiProblem not_found, state_wrong, contacts_unbound
   */
  approve(tx: Tx, id: number, by: string, note?: string): Promise<ReviewRow>
  /** Rejects a submission; the customer reads the reason. @throws ApiProblem not_found, state_wrong, reason_missing */
  reject(tx: Tx, id: number, by: string, reason: string): Promise<ReviewRow>
}
