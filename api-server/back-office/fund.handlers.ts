import { type BackOfficeContext, decide, proven, searched, withPeople } from '#api-server/back-office/context.ts'
import { picturesOf } from '#api-server/back-office/picture.rules.ts'
import type { Decision, Review, ReviewRow } from '#api-server/wallet/review.ts'
import type { rechargeStates, withdrawStates } from '#contract/calls/funding.calls.ts'
import type { backOfficeCalls } from '#contract/calls/office.calls.ts'
import type { BackOfficeAction } from '#contract/calls/office.rows.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers, Operator, OperatorCaller } from '#server-kit/http/http.ts'

type Calls = Pick<
  Handlers<typeof backOfficeCalls>,
  | 'office.recharges'
  | 'office.recharge'
  | 'office.rechargeApprove'
  | 'office.rechargeReject'
  | 'office.withdrawals'
  | 'office.withdrawal'
  | 'office.withdrawApprove'
  | 'office.withdrawReject'
  | 'office.withdrawSent'
  | 'office.withdrawDone'
>
type RechargeStatus = (typeof rechargeStates)[number]
type WithdrawStatus = (typeof withdrawStates)[number]
type Queue = 'recharge' | 'withdraw'

const openStates: readonly WithdrawStatus[] = ['reviewing', 'approved', 'sent']
/** The oldest first where rows wait for somebody. */
const waiting = new Set<string>(['open', ...openStates])

/** Calls of the two queues of money. What each step may do is decided where the rows are; here it is done once, written down and told. */
export function fundHandlers(parts: BackOfficeContext): Calls {
  const { review, settings } = parts

  /** Rows as they are answered. */
  async function shown<S extends string, R extends ReviewRow>(rows: readonly R[], operator: Operator, tx?: Tx): Promise<Answered<S, R>[]> {
    const { four_eyes_usd } = await settings.read(tx)
    return (await withPeople(parts, rows, tx)).map((row) => ({
      ...row,
      ...review.eyes(row, operator, four_eyes_usd),
      status: row.status as S,
    })) as Answered<S, R>[]
  }

  /** A step on one row of a queue. */
  async function step<S extends string>(
    caller: OperatorCaller,
    input: { id: number },
    type: Queue,
    { call, text, decision }: { call: string; text: string; decision: (fourEyesUsd: string) => Decision },
  ): Promise<Answered<S, ReviewRow>> {
    const answer = await decide(parts, caller, call, input, async (tx) => {
      const { four_eyes_usd } = await settings.read(tx)
      const taken = decision(four_eyes_usd)
      const row = await review.decide(tx, caller.operator, { type, id: input.id }, taken)
      const [answered] = await shown<S, ReviewRow>([row], caller.operator, tx)
      // Here, so that a state which is wrong is told first; what was done is undone with the refusal.
      if (answered!.four_eyes) proven(caller.operator)
      const first = taken.action === 'approve' && row.status === 'reviewing'
      const action: BackOfficeAction = first ? `${type}.approve_first` : actionOf(type, taken.action)
      return { answer: answered!, note: { action, subject: `${type}:${input.id}`, detail: text } }
    })
    review.decided(answer.uid, input.id)
    return answer
  }
  const approve =
    (note: string | undefined) =>
    (fourEyesUsd: string): Decision => ({ action: 'approve', note, fourEyesUsd })
  const reject = (reason: string) => (): Decision => ({ action: 'reject', reason })

  async function list<S extends string>(
    type: Queue,
    { status, search, page, size }: { status: string; search?: string | undefined; page: number; size: number },
    operator: Operator,
  ) {
    const statuses = status === 'all' ? [] : status === 'open' ? openStates : [status as RechargeStatus | WithdrawStatus]
    const uids = await searched(parts, search)
    const found = await review.list({ type, statuses, uids, page, size, oldestFirst: waiting.has(status) })
    return { list: await shown<S, ReviewRow>(found.list, operator), total: found.total }
  }
  async function one<S extends string>(type: Queue, id: number, operator: Operator): Promise<Answered<S, Whole>> {
    const [row] = await shown<S, Whole>([await review.one(type, id)], operator)
    return row!
  }

  return {
    'office.recharges': (ask, { operator }) => list<RechargeStatus>('recharge', ask, operator),
    async 'office.recharge'({ id }, { operator }) {
      const row = await one<RechargeStatus>('recharge', id, operator)
      return { ...row, pictures: picturesOf(row.pictures), address: row.to.map(({ value }) => value).join(' ') }
    },
    'office.rechargeApprove': (input, caller) =>
      step(caller, input, 'recharge', { call: 'office.rechargeApprove', text: input.note ?? '', decision: approve(input.note) }),
    'office.rechargeReject': (input, caller) =>
      step(caller, input, 'recharge', { call: 'office.rechargeReject', text: input.reason, decision: reject(input.reason) }),
    'office.withdrawals': (ask, { operator }) => list<WithdrawStatus>('withdraw', ask, operator),
    async 'office.withdrawal'({ id }, { operator }) {
      const row = await one<WithdrawStatus>('withdraw', id, operator)
      return { ...row, history: row.history.map(({ at, ...taken }) => ({ ...taken, time: at })) }
    },
    'office.withdrawApprove': (input, caller) =>
      step(caller, input, 'withdraw', { call: 'office.withdrawApprove', text: input.note ?? '', decision: approve(input.note) }),
    'office.withdrawReject': (input, caller) =>
      step(caller, input, 'withdraw', { call: 'office.withdrawReject', text: input.reason, decision: reject(input.reason) }),
    'office.withdrawSent': (input, caller) => {
      const { reference } = input
      return step(caller, input, 'withdraw', {
        call: 'office.withdrawSent',
        text: reference,
        decision: () => ({ action: 'sent', reference }),
      })
    },
    'office.withdrawDone': (input, caller) =>
      step(caller, input, 'withdraw', { call: 'office.withdrawDone', text: '', decision: () => ({ action: 'done' }) }),
  }
}

type Whole = Awaited<ReturnType<Review['one']>>
type Answered<S extends string, R> = Omit<R, 'status'> & {
  status: S
  nickname: string
  contact: string
  level: number
  demo: boolean
  frozen: boolean
  four_eyes: boolean
  may_decide: boolean
}

function actionOf(type: Queue, action: Decision['action']): BackOfficeAction {
  if (action === 'approve' || action === 'reject') return `${type}.${action}`
  return `withdraw.${action}`
}
