import type { Administration } from '#api-server/account/administration.ts'
import type { Person } from '#api-server/account/people.reads.ts'
import type { BackOfficeAuditStore } from '#api-server/back-office/audit.store.ts'
import type { Books } from '#api-server/back-office/ports.ts'
import type { Counts } from '#api-server/back-office/stream.ts'
import type { OfficePorts } from '#api-server/kit/decision.ts'
import type { LeverReads } from '#api-server/lever/lever.reads.ts'
import type { MicReads } from '#api-server/mic/mic.reads.ts'
import type { Offers } from '#api-server/otc/offers.ts'
import type { TradingReview } from '#api-server/trading/review.ts'
import type { BackOfficeAction } from '#contract/calls/office.rows.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { OperatorCaller } from '#server-kit/http/http.ts'

/** The services that the handlers of the back office share. */
export interface BackOfficeContext extends OfficePorts {
  audit: BackOfficeAuditStore
  trading: TradingReview
  offers: Offers
  /** The stakes of the house in contracts. */
  exposure: LeverReads
  /** The same in seconds options. */
  options: Pick<MicReads, 'exposure'>
  books: Books
  accounts: Administration
  /** Rows that wait in each queue. */
  counts(): Promise<Counts>
}

/** Writes down that something was looked at. */
export const look = (
  { database, audit, clock }: Pick<BackOfficeContext, 'database' | 'audit' | 'clock'>,
  { operator }: OperatorCaller,
  action: BackOfficeAction,
  subject: string,
  detail = '',
) => database.transaction((tx) => audit.append(tx, operator, { action, subject, detail }, clock.now()))

/** @throws ApiProblem('not_found') */
export async function personOf({ people }: Pick<BackOfficeContext, 'people'>, uid: number, tx?: Tx): Promise<Person> {
  const person = (await people.byIds([uid], tx)).get(uid)
  if (!person) throw new ApiProblem('not_found', { field: 'uid' })
  return person
}
