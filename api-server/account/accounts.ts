import { accountHandlers } from '#api-server/account/account.handlers.ts'
import { accountHook } from '#api-server/account/account.hook.ts'
import { createAccountStore } from '#api-server/account/account.store.ts'
import { type Administration, createAdministration } from '#api-server/account/administration.ts'
import { bindingHandlers } from '#api-server/account/binding.handlers.ts'
import { codeHandlers } from '#api-server/account/codes/code.handlers.ts'
import { createCodes } from '#api-server/account/codes/codes.ts'
import type { AccountContext } from '#api-server/account/context.ts'
import { programAccount, seedDemoAccount } from '#api-server/account/demo.ts'
import { invitedHandlers } from '#api-server/account/invited/invited.handlers.ts'
import { type AddressLimits, createGuessLimits } from '#api-server/account/login/guess-limits.ts'
import { loginHandlers } from '#api-server/account/login/login.handlers.ts'
import { passwordHandlers } from '#api-server/account/login/password.handlers.ts'
import { registerHandlers } from '#api-server/account/login/register.handlers.ts'
import type { Proofs } from '#api-server/account/proof.ts'
import { createProofs } from '#api-server/account/proofs.ts'
import { secondFactorHandlers } from '#api-server/account/second-factor/secondfactor.handlers.ts'
import { createSecondFactor } from '#api-server/account/second-factor/secondfactor.ts'
import { checkKey } from '#api-server/account/sessions/key.store.ts'
import { createSessions, type Sessions } from '#api-server/account/sessions/sessions.ts'
import type { Notices } from '#api-server/notices/notice.ts'
import type { Post } from '#api-server/outbox/post.ts'
import type { authCalls } from '#contract/calls/auth.calls.ts'
import type { userCalls } from '#contract/calls/user.calls.ts'
import { passwordMin } from '#contract/credentials.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import type { Bus } from '#server-kit/ops/bus.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { PlannedJob } from '#server-kit/ops/every.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { TestHook } from '#server-kit/ops/test-hooks.ts'
import { createHasher } from '#server-kit/security/hasher.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

interface AccountsDeps {
  database: Database
  clock: Clock
  log: Log
  bus: Bus
  secrets: Secrets
  post: Post
  notices: Notices
  /** The account with the published password is made, and may log in. */
  demo: boolean
  /** PASSWORD_MIN; 8 by default. */
  passwordMin?: number | undefined
  limits?: AddressLimits | undefined
}

type UserHandlers = Handlers<typeof userCalls>
/** Calls of the same contract that other modules answer. */
type Elsewhere = 'user.uploadHeadPortrait' | 'user.addOptional' | 'user.delOptional' | 'user.getOptionalList'

export interface Accounts {
  readonly auth: Handlers<typeof authCalls>
  readonly user: Omit<UserHandlers, Elsewhere>
  readonly invited: ReturnType<typeof invitedHandlers>
  readonly sessions: Sessions
  /** Proofs that other modules ask of a customer before money moves. */
  readonly proofs: Proofs
  /** The actions of operators on an account. */
  readonly administration: Administration
  readonly hook: TestHook
  /**
   * Sets the address of the account's picture, one change after the other.
   * @param choose the new one, for the one before, which is empty when there was none; only SQL, it may run more than once
   */
  setPortrait(account: number, choose: (tx: Tx, before: string) => Promise<string>): Promise<void>
  /** The account of a program that trades with demonstration money; made when it is asked for first. */
  program(of: { email: string; nickname: string }): Promise<number>
  /** Removes sessions and codes that have ended. */
  readonly jobs: readonly PlannedJob[]
}

const purgeEveryMs = 3_600_000

/** Accounts, their sessions, and whatever proves whose they are. @throws Error when the database was written with another key */
export async function createAccounts(deps: AccountsDeps): Promise<Accounts> {
  const { database, clock, log, bus, secrets, post, notices, demo, limits } = deps
  await checkKey(database, secrets)
  const hasher = await createHasher()
  if (demo) await seedDemoAccount(database, hasher, clock.now())
  const guesses = createGuessLimits({ database, clock, log, secrets, limits })
  const factor = createSecondFactor({ database, clock, secrets, guesses })
  const sessions = createSessions({ database, clock, bus, log })
  const codes = createCodes({ database, clock, secrets, post })
  const store = createAccountStore(database)
  const context: AccountContext = {
    database,
    clock,
    log,
    notices,
    store,
    sessions,
    codes,
    hasher,
    guesses,
    factor,
    demoOpen: demo,
    passwordMin: deps.passwordMin ?? passwordMin.usual,
  }

  async function removeOld(): Promise<void> {
    for (const remove of [sessions.store.removeOver, codes.removeOld, guesses.removeOld]) await remove(clock.now())
  }
  const { 'user.checkMobile': checkMobile, ...registering } = registerHandlers(context)
  const { 'auth.smsMail': smsMail, 'auth.smsSend': smsSend, ...sending } = codeHandlers(context)

  return {
    auth: { ...registering, ...loginHandlers(context), 'auth.smsMail': smsMail, 'auth.smsSend': smsSend },
    user: {
      ...accountHandlers(context),
      ...passwordHandlers(context),
      ...bindingHandlers(context),
      ...secondFactorHandlers(context),
      ...sending,
      'user.checkMobile': checkMobile,
    },
    invited: invitedHandlers({ database, clock, secrets }),
    sessions,
    proofs: createProofs(context),
    administration: createAdministration(context),
    hook: accountHook(context, (account, secret) => factor.put(account, secret)),
    setPortrait: (account, choose) =>
      database.transaction(async (tx) => {
        const { head_portrait: before } = await store.lock(tx, account)
        await store.update(tx, account, { head_portrait: await choose(tx, before) })
      }),
    program: (of) => programAccount(database, hasher, clock.now(), of),
    jobs: [{ name: 'accounts', everyMs: purgeEveryMs, work: removeOld }],
  }
}
