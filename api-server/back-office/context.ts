import type { People, Person } from '#api-server/account/people.reads.ts'
import type { BackOfficeAuditStore, BackOfficeNote } from '#api-server/back-office/audit.store.ts'
import type { AccountDoor, Books } from '#api-server/back-office/ports.ts'
import type { BackOfficeSettingStore } from '#api-server/back-office/setting.store.ts'
import type { Counts } from '#api-server/back-office/stream.ts'
import type { TraderReviews } from '#api-server/follow/review.ts'
import type { Idempotency } from '#api-server/idempotency/idempotency.ts'
import type { IdentityReviews } from '#api-server/identity/review.ts'
import type { LeverReads } from '#api-server/lever/lever.reads.ts'
import type { MicReads } from '#api-server/mic/mic.reads.ts'
import type { OtcReviews } from '#api-server/otc/review.ts'
import type { TradingReview } from '#api-server/trading/review.ts'
import type { Review } from '#api-server/wallet/review.ts'
import type { BackOfficeAction } from '#contract/calls/office.rows.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { TopicName } from '#contract/topics.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'
import type { Operator, OperatorCaller } from '#server-kit/http/http.ts'
import type { Clock } from '#server-kit/ops/clock.ts'

/** What the handlers of the back office share. */
export interface BackOfficeContext {
  database: Database
  clock: Clock
  once: Idempotency
  audit: BackOfficeAuditStore
  settings: BackOfficeSettingStore
  people: People
  review: Review
  identity: IdentityReviews
  trading: TradingReview
  traders: TraderReviews
  otc: OtcReviews
  /** What the house has at stake in contracts. */
  exposure: LeverReads
  /** The same in seconds options. */
  options: Pick<MicReads, 'exposure'>
  books: Books
  accounts: AccountDoor
  /** How much waits in each queue. */
  counts(): Promise<Counts>
  /** A queue is another than before: tell whoever watches. */
  queueChanged(): void
  /** Something of this customer is another than before: balances or records, unless a topic is given. */
  changed(uid: number, topic?: TopicName): void
}

/** What a step did: the row that is answered, and what is written down. */
interface Done<A> {
  answer: A
  note: BackOfficeNote
}
/** @param at ms UTC */
export type Work<A> = (tx: Tx, at: number) => Promise<Done<A>>

/**
 * Does a step once for the key of the operator: the step, the row of the log and the answer in one transaction. What is refused leaves no row.
 */
export function decide<A>(
  { once, audit, clock }: BackOfficeContext,
  caller: OperatorCaller,
  call: string,
  input: object,
  work: Work<A>,
): Promise<A> {
  return once.run(caller, { call, input }, async (tx) => {
    const at = clock.now()
    const { answer, note } = await work(tx, at)
    await audit.append(tx, caller.operator, note, at)
    return answer
  })
}

/**
 * For what two must decide: a session that somebody left open is no proof of who sits there.
 * @throws ApiProblem('fresh_login_required')
 */
export function proven({ fresh }: Operator): void {
  if (!fresh) throw new ApiProblem('fresh_login_required')
}

/** Writes down that something was looked at. */
export const look = (
  { database, audit, clock }: BackOfficeContext,
  { operator }: OperatorCaller,
  action: BackOfficeAction,
  subject: string,
  detail = '',
) => database.transaction((tx) => audit.append(tx, operator, { action, subject, detail }, clock.now()))

/** Numbers of the customers that a search is about; undefined: all. */
export const searched = async ({ people }: BackOfficeContext, search: string | undefined): Promise<number[] | undefined> =>
  search?.trim() ? people.find(search) : undefined

/** @throws ApiProblem('not_found') */
export async function personOf({ people }: BackOfficeContext, uid: number, tx?: Tx): Promise<Person> {
  const person = (await people.byIds([uid], tx)).get(uid)
  if (!person) throw new ApiProblem('not_found', { field: 'uid' })
  return person
}

/** Adds to rows of a queue whose they are. */
export async function withPeople<T extends { uid: number }>(
  { people }: BackOfficeContext,
  rows: readonly T[],
  tx?: Tx,
): Promise<(T & Pick<Person, 'nickname' | 'contact' | 'level' | 'demo'> & { frozen: boolean })[]> {
  const known = await people.byIds(
    rows.map(({ uid }) => uid),
    tx,
  )
  return rows.map((row) => {
    const { nickname, contact, level, demo, status } = known.get(row.uid)!
    return { ...row, nickname, contact, level, demo, frozen: status === 'frozen' }
  })
}
