import Big from 'big.js'
import type { LedgerEvent, Posting } from '#api-server/ledger/ledger.ts'
import { release } from '#api-server/ledger/ledger.ts'
import { minus } from '#api-server/wallet/amount.rules.ts'
import { type Detail, fundingAccount, openDetails, type WalletContext } from '#api-server/wallet/context.ts'
import { tellRecord } from '#api-server/wallet/deposit/funding.handlers.ts'
import {
  type FundingAction,
  type FundingStatus,
  type FundingType,
  fundingMachines,
  needsFourEyes,
} from '#api-server/wallet/deposit/funding.rules.ts'
import type { Funding, SamePicture, Step } from '#api-server/wallet/deposit/funding.store.ts'
import { limitsOf } from '#api-server/wallet/withdraw/limits.reads.ts'
import { windowMs } from '#api-server/wallet/withdraw/withdraw.rules.ts'
import type { Notice } from '#contract/calls/notice.kinds.ts'
import { plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'

/** Interface of the wallet for the back office: deposits, withdrawals and decisions about them. */

export interface ReviewRow {
  id: number
  type: FundingType
  uid: number
  currency_id: number
  currency_code: string
  channel: string
  /** Empty for banks. */
  chain: string
  amount: string
  fee: string
  received: string
  /** Worth in USD at the time of the request; 0 when there was no price. */
  usd: string
  /** Number of vouchers. */
  images: number
  /** True when one of its vouchers came with another deposit too. */
  seen_before: boolean
  status: FundingStatus
  reason: string
  reference: string
  decided_by: string
  /** First of two approving operators; empty while nobody has approved. */
  approved_by: string
  approved_by_id: number | null
  created: number
  changed: number
}
export interface ReviewWhole extends ReviewRow {
  /** Where the money goes or should have arrived, in full. */
  to: Detail[]
  /** Addresses of the vouchers, as answered by common.upload. */
  pictures: string[]
  /** The latest other deposits with one of its vouchers. */
  same_picture: SamePicture[]
  history: Step[]
  /** Requested withdrawals of this customer within 24 hours, including this one, and their limit. */
  last_day_btc: string
  limit_btc: string
}
interface Decider {
  id: number
  name: string
}
interface ReviewList {
  type: FundingType
  /** Empty for all states. */
  statuses?: readonly FundingStatus[]
  /** Only requests of these customers. */
  uids?: readonly number[] | undefined
  page: number
  size: number
  oldestFirst?: boolean
}
export type Decision =
  | { action: 'approve'; note?: string | undefined; fourEyesUsd: string }
  | { action: 'reject'; reason: string }
  | { action: 'sent'; reference: string }
  | { action: 'done' }

export interface Review {
  counts(): Promise<{ recharges: number; withdrawals: number; to_send: number }>
  list(filter: ReviewList): Promise<{ list: ReviewRow[]; total: number }>
  /** @throws ApiProblem('not_found') */
  one(type: FundingType, id: number): Promise<ReviewWhole>
  /** Whether two operators must approve, and whether this operator still may. */
  eyes(
    row: Pick<ReviewRow, 'approved_by_id'> & { usd: string },
    operator: Decider,
    fourEyesUsd: string,
  ): { four_eyes: boolean; may_decide: boolean }
  /**
   * Carries out a decision in the caller's transaction. Of two concurrent decisions the second finds the state changed. The first of two
   * approvals is recorded and leaves the state unchanged.
   * @throws ApiProblem not_found, state_wrong, own_decision; account_frozen for a withdrawal that is approved or sent
   */
  decide(tx: Tx, operator: Decider, which: { type: FundingType; id: number }, decision: Decision): Promise<ReviewRow>
  /** Notifies the customer. Call it after the commit of the decision. */
  decided(uid: number, id: number): void
}

const text = (amount: string) => plain(new Big(amount))

/** The ledger event of a step. */
function eventOf(row: Funding, status: FundingStatus, at: number): LedgerEvent | undefined {
  const { id, uid, currency_id: currency, type } = row
  const amount = text(row.amount)
  const event = (kind: LedgerEvent['kind'], postings: Posting[]): LedgerEvent => ({ kind, source: `${type}:${id}`, uid, at, postings })
  if (status === 'credited')
    return event('recharge', [
      { account: { platform: 'external_in' }, currency, amount: `-${amount}` },
      { account: { uid, kind: fundingAccount, part: 'available' }, currency, amount },
    ])
  if (type === 'withdraw' && status === 'rejected') return event('withdraw_reject', release(uid, fundingAccount, currency, amount))
  if (status !== 'done') return undefined
  const fee = text(row.fee)
  return event('withdraw_done', [
    { account: { uid, kind: fundingAccount, part: 'frozen' }, currency, amount: `-${amount}` },
    { account: { platform: 'external_out' }, currency, amount: minus(amount, fee) },
    ...(fee === '0' ? [] : [{ account: { platform: 'fee' }, currency, amount: fee } as const]),
  ])
}

/** The notice to the customer about a new state. */
function noticeOf({ id, type, status, reason, amount }: Funding, before: FundingStatus, coin: string): Notice | undefined {
  const figures = { amount: text(amount), coin }
  if (status === before) return undefined
  if (status === 'credited') return { kind: 'recharge_credited', subject: id, figures }
  if (status === 'sent') return { kind: 'withdraw_sent', subject: id, figures }
  if (status !== 'rejected') return undefined
  return { kind: type === 'recharge' ? 'recharge_rejected' : 'withdraw_rejected', subject: id, figures: { ...figures, reason } }
}

export function createReview(context: WalletContext): Review {
  const { funding, coins, ledger, clock, secrets, database, proofs, notices, changed, queueChanged } = context

  async function shown(rows: readonly Funding[]): Promise<ReviewRow[]> {
    const list = new Map((await coins.list()).map(({ id, code }) => [id, code]))
    const same = await sameOf(rows)
    return rows.map((row) => rowOf(row, list.get(row.currency_id) ?? String(row.currency_id), same))
  }
  const sameOf = (rows: readonly Funding[], tx?: Tx) =>
    funding.samePictures(
      rows.flatMap(({ id, images }) => (images.length ? id : [])),
      tx,
    )
  const rowOf = (row: Funding, currency_code: string, same: ReadonlyMap<number, SamePicture[]>): ReviewRow => ({
    id: row.id,
    type: row.type,
    uid: row.uid,
    currency_id: row.currency_id,
    currency_code,
    channel: row.channel,
    chain: row.chain,
    amount: text(row.amount),
    fee: text(row.fee),
    received: text(row.received),
    usd: text(row.usd ?? '0'),
    images: row.images.length,
    seen_before: Boolean(same.get(row.id)?.length),
    status: row.status,
    reason: row.reason,
    reference: row.reference,
    decided_by: row.decided_by,
    approved_by: row.approved_by,
    approved_by_id: row.approved_by_id,
    created: row.created_at,
    changed: row.changed_at,
  })
  const known = (usd: string) => (new Big(usd).gt(0) ? usd : null)

  async function move(tx: Tx, operator: Decider, row: Funding, decision: Decision): Promise<Funding> {
    const at = clock.now()
    const { action } = decision
    const status = fundingMachines[row.type].next(row.status, action satisfies FundingAction)
    if (!status) throw new ApiProblem('state_wrong')
    const note = action === 'approve' ? (decision.note ?? '') : action === 'reject' ? decision.reason : ''
    const step = { at, by: operator.name, note }
    // After the first of two approvals a second is required, even when the rule has changed since.
    if (action === 'approve' && (row.approved_by_id !== null || needsFourEyes(row.usd, decision.fourEyesUsd))) {
      if (row.approved_by_id === null) return funding.move(tx, row, { approved_by: operator.name, approved_by_id: operator.id }, step)
      if (row.approved_by_id === operator.id) throw new ApiProblem('own_decision')
    }
    const after = await funding.move(
      tx,
      row,
      {
        status,
        decided_by: operator.name,
        ...(action === 'reject' && { reason: decision.reason }),
        ...(action === 'sent' && { reference: decision.reference }),
      },
      step,
    )
    const event = eventOf(row, status, at)
    if (event) await ledger.post(tx, event)
    return after
  }

  return {
    counts: funding.counts,
    async list({ page, size, oldestFirst, ...filter }) {
      const { rows, total } = await funding.find(filter, { page, size, oldestFirst })
      return { list: await shown(rows), total }
    },
    async one(type, id) {
      const row = await funding.one(id)
      if (row?.type !== type) throw new ApiProblem('not_found', { field: 'id' })
      const { level } = await proofs.standing(row.uid)
      const limits = await limitsOf(database, level)
      return {
        ...(await shown([row]))[0]!,
        to: openDetails(secrets, row),
        pictures: row.images,
        same_picture: (await sameOf([row])).get(row.id) ?? [],
        history: await funding.steps(id),
        last_day_btc: await funding.usedBtc(row.uid, clock.now() - windowMs),
        limit_btc: text(limits.limit_btc),
      }
    },
    eyes: ({ usd, approved_by_id }, operator, fourEyesUsd) => {
      const four_eyes = approved_by_id !== null || needsFourEyes(known(usd), fourEyesUsd)
      return { four_eyes, may_decide: !four_eyes || approved_by_id !== operator.id }
    },
    async decide(tx, operator, { type, id }, decision) {
      // Locks the customer first, as calls of customers do; another order could deadlock.
      const asked = await funding.one(id, tx)
      if (asked?.type !== type) throw new ApiProblem('not_found', { field: 'id' })
      const { status } = await proofs.lock(tx, asked.uid, true)
      // The account may have been frozen because of this withdrawal. It can be rejected, or continued when the account is released.
      const leaves = decision.action === 'approve' || decision.action === 'sent'
      if (type === 'withdraw' && leaves && status === 'frozen') throw new ApiProblem('account_frozen')
      const row = await funding.lock(tx, id)
      if (row?.type !== type) throw new ApiProblem('not_found', { field: 'id' })
      const { code } = await tx.selectFrom('currency').select('code').where('id', '=', row.currency_id).executeTakeFirstOrThrow()
      const after = await move(tx, operator, row, decision)
      const notice = noticeOf(after, row.status, code)
      if (notice) await notices.notify(tx, row.uid, notice)
      return rowOf(after, code, await sameOf([after], tx))
    },
    decided(uid, id) {
      changed(uid)
      void tellRecord(context, id, uid, 'update')
      queueChanged()
    },
  }
}
