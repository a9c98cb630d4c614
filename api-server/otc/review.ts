import type * as z from 'zod'
import type { OfferAction } from '#api-server/otc/otc.rules.ts'
import type { backOfficeOtcCalls, OtcOfferState, otcOfferRow, otcReviewRow } from '#contract/calls/office.otc.calls.ts'
import type { OtcOrderState } from '#contract/calls/otc.calls.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

/** Door of OTC for the back office: offers that operators keep, and orders that wait for review. Times are ms UTC. */

export type OtcOfferRow = z.output<typeof otcOfferRow>
export type OtcOfferWhole = z.output<(typeof backOfficeOtcCalls)['office.otcOffer']['output']>
type TypedOtcOffer = z.output<(typeof backOfficeOtcCalls)['office.otcOfferSave']['input']>
type Reviewed = z.output<typeof otcReviewRow>
/** An order, without what is known of the customer. */
export type OtcReviewRow = Omit<Reviewed, 'nickname' | 'contact' | 'level' | 'demo' | 'frozen'>

/** A proposal of an offer, or a decision about one, as it stands in the audit log. */
export interface OfferDone {
  id: number
  action: OfferAction | 'propose'
  detail: string
}
interface Page {
  page: number
  size: number
}

export interface OtcReviews {
  waiting(): Promise<number>
  /** Coins of which offers can be made. */
  currencies(): Promise<{ id: string; label: string }[]>
  offers(filter: Page & { status: 'all' | OtcOfferState }): Promise<{ list: OtcOfferRow[]; total: number }>
  /** @throws ApiProblem('not_found') */
  offer(id: number, operator: Operator): Promise<OtcOfferWhole>
  /**
   * This and the next three write their row of the audit log, which must be the last statement of the transaction.
   * @throws ApiProblem not_found, state_wrong, and for what was typed wrong
   */
  propose(tx: Tx, typed: TypedOtcOffer, by: Operator): Promise<OfferDone>
  /** Customers see the offer from then on; the one that it replaces is closed. @throws ApiProblem not_found, state_wrong, own_decision, currency_closed, range_reversed */
  agree(tx: Tx, id: number, by: Operator): Promise<OfferDone>
  /** @throws ApiProblem not_found, state_wrong */
  drop(tx: Tx, id: number, by: Operator): Promise<OfferDone>
  /** @throws ApiProblem not_found, state_wrong */
  close(tx: Tx, id: number, by: Operator): Promise<OfferDone>

  /** @param filter.uids absent: of all customers */
  orders(filter: Page & { status: 'all' | OtcOrderState; uids?: readonly number[] | undefined }): Promise<{
    list: OtcReviewRow[]
    total: number
  }>
  /** @throws ApiProblem('not_found') */
  order(id: number): Promise<OtcReviewRow>
  /** Settles the order. @throws ApiProblem not_found, state_wrong, account_frozen */
  approve(tx: Tx, id: number, by: string, note: string): Promise<OtcReviewRow>
  /** The customer reads the reason. @throws ApiProblem not_found, state_wrong */
  reject(tx: Tx, id: number, by: string, reason: string): Promise<OtcReviewRow>
  /** After the commit of a decision: tells the customer. */
  decided(id: number): Promise<void>
}
