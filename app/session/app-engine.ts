import type { User } from '#app/session/session.rules.ts'
import type { Engine, Session, SessionRoot } from '#renderer/engine/types.ts'

/** Root `session` of expressions. `user` is absent for visitors and until the account is known. */
export interface AccountRoot extends SessionRoot {
  user: User | undefined
  kyc: number
}

/** Session of this device with the account from `user.info`. Changes reach all dependent data, in other tabs too. */
export interface AccountSession extends Session {
  root(): AccountRoot
  begin(token: string): void
  /** Removes token, account and all data loaded with them. Entered values stay. */
  end(): void
  /** Applies an answer of user.info; false when it is not an account. */
  adopt(answer: unknown): boolean
  /** Called when the account cannot be loaded now. */
  giveUp(): void
}

/** An engine with an account session. */
export interface AppEngine extends Omit<Engine, 'session'> {
  readonly session: AccountSession
}
