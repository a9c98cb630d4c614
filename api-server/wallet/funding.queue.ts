import { type RawBuilder, sql } from 'kysely'
import type { Standing } from '#api-server/account/proof.ts'
import { type Decision, proven } from '#api-server/kit/decision.ts'
import { picturesOf } from '#api-server/kit/picture.rules.ts'
import { defineQueue } from '#api-server/kit/queue.ts'
import { within } from '#api-server/ledger/audit/audit.check.ts'
import type { LedgerEvent, Posting } from '#api-server/ledger/ledger.ts'
import { release } from '#api-server/ledger/ledger.ts'
import { codesOf, fundingAccount, openDetails, type WalletContext } from '#api-server/wallet/context.ts'
import { tellRecord } from '#api-server/wallet/deposit/funding.handlers.ts'
import {
  type FundingAction,
  type FundingStatus,
  type FundingType,
  fundingMachines,
  needsFourEyes,
} from '#api-server/wallet/deposit/funding.rules.ts'
import type { Funding, FundingChange } from '#api-server/wallet/deposit/funding.store.ts'
import { limitsOf } from '#api-server/wallet/withdraw/limits.reads.ts'
import { windowMs } from '#api-server/wallet/withdraw/withdraw.rules.ts'
import type { rechargeStates, withdrawStates } from '#contract/calls/funding.calls.ts'
import type { Notice } from '#contract/calls/notice.kinds.ts'
import { exact, less } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

/** Deposits and withdrawals at the back office. */

type Recharge = Funding & { status: (typeof rechargeStates)[number] }
type Withdrawal = Funding & { status: (typeof withdrawStates)[number] }

/** The ledger event of a step. */
function eventOf(row: Funding, status: FundingStatus, at: number): LedgerEvent | undefined {
  const { id, uid, currency_id: currency, type } = row
  const amount = exact(row.amount)
  const event = (kind: LedgerEvent['kind'], postings: Posting[]): LedgerEvent => ({ kind, source: `${type}:${id}`, uid, at, postings })
  if (status === 'credited')
    return event('recharge', [
      { account: { platform: 'external_in' }, currency, amount: `-${amount}` },
      { account: { uid, kind: fundingAccount, part: 'available' }, currency, amount },
    ])
  if (type === 'withdraw' && status === 'rejected') return event('withdraw_reject', release(uid, fundingAccount, currency, amount))
  if (status !== 'done') return undefined
  const fee = exact(row.fee)
  return event('withdraw_done', [
    { account: { uid, kind: fundingAccount, part: 'frozen' }, currency, amount: `-${amount}` },
    { account: { platform: 'external_out' }, currency, amount: less(amount, fee) },
    ...(fee === '0' ? [] : [{ account: { platform: 'fee' }, currency, amount: fee } as const]),
  ])
}

/** The notice to the customer about a new state. */
function noticeOf({ id, type, status, reason, amount }: Funding, before: FundingStatus, coin: string): Notice | undefined {
  const figures = { amount: exact(amount), coin }
  if (status === before) return undefined
  if (status === 'credited') return { kind: 'recharge_credited', subject: id, figures }
  if (status === 'sent') return { kind: 'withdraw_sent', subject: id, figures }
  if (status !== 'rejected') return undefined
  return { kind: type === 'recharge' ? 'recharge_rejected' : 'withdraw_rejected', subject: id, figures: { ...figures, reason } }
}

interface Deal<Row extends Funding> {
  context: WalletContext
  decision: Decision
  row: Row
  standing: Standing
}

/**
 * Takes a step on a row. Of two approvals the first is recorded and leaves the state as it is.
 * @throws ApiProblem state_wrong, own_decision, fresh_login_required; account_frozen for a withdrawal that is approved or sent
 */
async function move<Row extends Funding>(
  { context, decision, row, standing }: Deal<Row>,
  action: FundingAction,
  change: Pick<FundingChange, 'reason' | 'reference'>,
  note: string,
) {
  const { funding, ledger } = context
  const { tx, operator, by, at } = decision
  // The account may have been frozen because of this withdrawal. It can be rejected, or continued when the account is released.
  const leaves = action === 'approve' || action === 'sent'
  if (row.type === 'withdraw' && leaves && standing.status === 'frozen') throw new ApiProblem('account_frozen')
  const status = fundingMachines[row.type].next(row.status, action)
  if (!status) throw new ApiProblem('state_wrong')
  const { four_eyes, may_decide } = eyesOf(row, operator, await context.fourEyesUsd(tx))
  const isFirst = action === 'approve' && four_eyes && row.approved_by_id === null
  if (action === 'approve' && !may_decide) throw new ApiProblem('own_decision')
  const set = isFirst ? { approved_by: by, approved_by_id: operator.id } : { ...change, status, decided_by: by }
  const after = await funding.move(decision, row, set, note)
  const event = isFirst ? undefined : eventOf(row, status, at)
  if (event) await ledger.post(tx, event)
  // Here, so that a state which is wrong is the answer first; with the refusal everything is undone.
  if (four_eyes) proven(operator)
  const { code } = await tx.selectFrom('currency').select('code').where('id', '=', row.currency_id).executeTakeFirstOrThrow()
  return {
    row: after as Row,
    notice: noticeOf(after, row.status, code),
    ...(isFirst && { action: `${row.type}.approve_first` as const }),
  }
}

/** Whether two operators must approve, and whether this operator still may. After the first of two approvals a second is needed, even when the rule has changed since. */
export function eyesOf(
  { usd, approved_by_id }: Pick<Funding, 'usd' | 'approved_by_id'>,
  { id }: Pick<Operator, 'id'>,
  fourEyesUsd: string,
) {
  const four_eyes = approved_by_id !== null || needsFourEyes(usd, fourEyesUsd)
  return { four_eyes, may_decide: !four_eyes || approved_by_id !== id }
}

const picturesIn = ({ funding }: WalletContext, rows: readonly Funding[], tx?: Tx) =>
  funding.samePictures(
    rows.flatMap(({ id, images }) => (images.length ? id : [])),
    tx,
  )

/** Rows as both queues show them. */
async function shownRows<Row extends Funding>(context: WalletContext, rows: readonly Row[], operator: Operator, tx?: Tx) {
  const codes = tx ? await codesIn(tx) : await codesOf(context.coins)
  const same = await picturesIn(context, rows, tx)
  const fourEyesUsd = await context.fourEyesUsd(tx)
  return rows.map((row) => ({
    id: row.id,
    currency_code: codes(row.currency_id),
    channel: row.channel,
    chain: row.chain,
    amount: exact(row.amount),
    fee: exact(row.fee),
    received: exact(row.received),
    usd: exact(row.usd ?? '0'),
    images: row.images.length,
    seen_before: Boolean(same.get(row.id)?.length),
    status: row.status as Row['status'],
    reason: row.reason,
    reference: row.reference,
    decided_by: row.decided_by,
    approved_by: row.approved_by,
    ...eyesOf(row, operator, fourEyesUsd),
    created: row.created_at,
    changed: row.changed_at,
  }))
}
/** The embedded database has one connection, so a transaction reads the codes itself. */
async function codesIn(tx: Tx): Promise<(id: number) => string> {
  const list = new Map((await tx.selectFrom('currency').select(['id', 'code']).execute()).map(({ id, code }) => [id, code]))
  return (id) => list.get(id) ?? String(id)
}

const rowsOf = <Row extends Funding>(type: FundingType): RawBuilder<Row> => sql<Row>`select * from funding where type = ${sql.lit(type)}`
function announce(context: WalletContext, { id, uid }: { id: number; uid: number }): void {
  context.changed(uid)
  tellRecord(context, id, uid, 'update')
}
/** Each step by an operator. Demonstration records have no decision. */
const auditOf = (type: FundingType, about: string) =>
  ({
    about,
    over: 'funding',
    range: 'id',
    decisions: (range) => sql`select f.type || ':' || f.id as subject, f.type || '.%' as acts, s.by as operator, count(*) as times
      from funding_step s join funding f on f.id = s.funding_id
      where f.type = ${sql.lit(type)} and ${within(range, 'f.id')} and s.by <> 'customer'
        and not (s.by = 'demo' and exists (select from wallet_demo w where w.uid = f.uid)) group by f.type, f.id, s.by`,
  }) satisfies Parameters<typeof defineQueue>[0]['audit']

export const rechargeQueue = defineQueue<WalletContext, Recharge, 'office.recharges', 'office.recharge'>({
  subject: 'recharge',
  list: 'office.recharges',
  one: 'office.recharge',
  rows: rowsOf('recharge'),
  table: 'funding',
  waiting: ['reviewing'],
  counts: { recharges: ['reviewing'] },
  shown: shownRows,
  async whole(context, row) {
    return {
      pictures: picturesOf(row.images),
      address: openDetails(context.secrets, row)
        .map(({ value }) => value)
        .join(' '),
      same_picture: (await picturesIn(context, [row])).get(row.id) ?? [],
    }
  },
  steps: {
    'office.rechargeApprove': { action: 'recharge.approve', work: (deal) => move(deal, 'approve', {}, deal.input.note ?? '') },
    'office.rechargeReject': {
      action: 'recharge.reject',
      work: (deal) => move(deal, 'reject', { reason: deal.input.reason }, deal.input.reason),
    },
  },
  announce,
  audit: auditOf('recharge', 'a deposit'),
})

export const withdrawalQueue = defineQueue<WalletContext, Withdrawal, 'office.withdrawals', 'office.withdrawal'>({
  subject: 'withdraw',
  list: 'office.withdrawals',
  one: 'office.withdrawal',
  rows: rowsOf('withdraw'),
  table: 'funding',
  waiting: ['reviewing', 'approved', 'sent'],
  counts: { withdrawals: ['reviewing'], to_send: ['approved'] },
  shown: shownRows,
  async whole(context, row) {
    const { proofs, database, funding, secrets, clock } = context
    const { level } = await proofs.standing(row.uid)
    return {
      to: openDetails(secrets, row),
      history: (await funding.steps(row.id)).map(({ at, status, ...taken }) => ({
        ...taken,
        status: status as Withdrawal['status'],
        time: at,
      })),
      last_day_btc: await funding.usedBtc(row.uid, clock.now() - windowMs),
      limit_btc: exact((await limitsOf(database, level)).limit_btc),
    }
  },
  steps: {
    'office.withdrawApprove': { action: 'withdraw.approve', work: (deal) => move(deal, 'approve', {}, deal.input.note ?? '') },
    'office.withdrawReject': {
      action: 'withdraw.reject',
      work: (deal) => move(deal, 'reject', { reason: deal.input.reason }, deal.input.reason),
    },
    'office.withdrawSent': { action: 'withdraw.sent', work: (deal) => move(deal, 'sent', { reference: deal.input.reference }, '') },
    'office.withdrawDone': { action: 'withdraw.done', work: (deal) => move(deal, 'done', {}, '') },
  },
  announce,
  audit: auditOf('withdraw', 'a withdrawal'),
})
