import type { AccountRow } from '#api-server/account/account.migration.ts'
import { withdrawHoldMs } from '#api-server/account/account.rules.ts'
import type { AccountStore } from '#api-server/account/account.store.ts'
import type { Codes } from '#api-server/account/codes/codes.ts'
import type { GuessLimits } from '#api-server/account/login/guess-limits.ts'
import type { SecondFactor } from '#api-server/account/second-factor/secondfactor.ts'
import type { Sessions } from '#api-server/account/sessions/sessions.ts'
import type { Notices } from '#api-server/notices/notice.ts'
import type { Notice } from '#contract/calls/notice.kinds.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Login } from '#contract/rules/contact.rules.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'
import type { Caller, UserCaller } from '#server-kit/http/http.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { Hasher } from '#server-kit/security/hasher.ts'

/** The services that the handlers of accounts share. */
export interface AccountContext {
  database: Database
  clock: Clock
  log: Log
  notices: Notices
  store: AccountStore
  sessions: Sessions
  codes: Codes
  hasher: Hasher
  guesses: GuessLimits
  factor: SecondFactor
  /** False: the account whose password is published is as good as absent. */
  demoOpen: boolean
  /** Least length of a new login password: PASSWORD_MIN. */
  passwordMin: number
}

/** The account of a name that was typed. The same work for one that there is not. */
export async function accountOf({ store, demoOpen }: AccountContext, login: Login): Promise<AccountRow | undefined> {
  const account = await store.byLogin(login)
  return account?.demo && !demoOpen ? undefined : account
}

/** @throws ApiProblem('unauthorized') when the account is gone */
export async function ownAccount({ store }: AccountContext, { user }: UserCaller): Promise<AccountRow> {
  const account = await store.byId(user.uid)
  if (!account) throw new ApiProblem('unauthorized')
  return account
}

/** The holder of a session also knows the login password. @throws ApiProblem password_wrong, too_many_tries */
export async function provePassword(context: AccountContext, account: AccountRow, password: string, caller: Caller): Promise<void> {
  const secret = { kind: 'password', who: String(account.id) } as const
  await context.guesses.take(secret, caller)
  if (!(await context.hasher.verify(account.password_hash, password))) {
    context.log.warn({ event: 'proof_refused', reason: 'password_wrong', uid: account.id, ip: caller.ip }, 'a login password was wrong')
    throw new ApiProblem('password_wrong', { field: 'password' })
  }
  await context.guesses.clear(secret)
}

/** The code of an address, as a visitor typed it. */
interface VisitorCode {
  scene: 'register' | 'reset_password'
  /** 0 for none. */
  account: number
  target: string
  /** As typed. */
  code: string
  ticket: string | undefined
  /** Name of the input. */
  field: string
}

/** Looks at the code that a visitor typed. @returns what `codes.use` takes @throws ApiProblem code_wrong, code_void, too_many_tries */
export async function proveVisitor({ guesses, codes }: AccountContext, { ticket, ...of }: VisitorCode, caller: Caller): Promise<string> {
  await guesses.codeTried(caller)
  let isWrong = false
  try {
    return await codes.check({ ...of, visitor: { ticket, ip: caller.ip } })
  } catch (error) {
    isWrong = error instanceof ApiProblem && (error.code === 'code_wrong' || error.code === 'code_void')
    throw error
  } finally {
    if (!isWrong) await guesses.codeRight(caller)
  }
}

interface SecurityChange {
  account: number
  caller: Caller
  notice: Notice
  /** Withdrawals wait from now on. */
  hold: boolean
  /** Other sessions end; this one stays, or none does. Absent: all go on. */
  endOthers?: { but: string | undefined }
}

/**
 * A change that decides who can use an account: all in one commit, with its notice to the addresses of before; then other nodes hear of it.
 * @param work only SQL; it may run more than once
 * @returns until when withdrawals wait, or null
 */
export async function changeSecurity(
  context: AccountContext,
  change: SecurityChange,
  work: (tx: Tx, account: AccountRow) => Promise<void>,
): Promise<number | null> {
  const { database, store, sessions, clock, notices, log } = context
  const { caller, notice, endOthers } = change
  const until = await database.transaction(async (tx) => {
    const before = await store.lock(tx, change.account)
    // Frozen a moment ago: its sessions have ended.
    if (before.status !== 'active') throw new ApiProblem('unauthorized')
    // Ended while the proofs were looked at, as by the owner's new password: what was proved no longer holds.
    const own = endOthers?.but
    if (own !== undefined && !(await sessions.store.isThere(tx, own))) throw new ApiProblem('unauthorized')
    const at = clock.now()
    // First, so that it goes to the addresses of before.
    await notices.notify(tx, before.id, notice)
    await work(tx, before)
    const holdUntil = change.hold ? at + withdrawHoldMs : before.withdraw_hold_until
    if (change.hold) await store.update(tx, before.id, { withdraw_hold_until: holdUntil })
    if (endOthers) await sessions.endOthers(tx, before.id, endOthers.but)
    return holdUntil !== null && holdUntil > at ? holdUntil : null
  })
  if (endOthers) sessions.tell(change.account)
  log.info({ event: notice.kind, uid: change.account, ip: caller.ip, agent: caller.agent, hold: change.hold }, 'an account was changed')
  return until
}
