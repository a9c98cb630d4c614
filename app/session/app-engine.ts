import type { User } from '#app/session/session.rules.ts'
import type { Engine, Session, SessionRoot } from '#renderer/engine/types.ts'

/** What the session gives to root `session`. `user` is absent for visitors and until it is known. */
export interface AccountRoot extends SessionRoot {
  user: User | undefined
  kyc: number
}

/** Who is logged in on this device, with the account that `user.info` answers. Everything that depends on it follows, in other tabs too. */
export interface AccountSession extends Session {
  root(): AccountRoot
  begin(token: string): void
  /** Token, account and everything that was loaded with it are gone; what people entered is not. */
  end(): void
  /** Takes what user.info answered; false when it is no account. */
  adopt(answer: unknown): boolean
  /** The account cannot be had now. */
  giveUp(): void
}

/** An engine with such a session. */
export interface AppEngine extends Omit<Engine, 'session'> {
  readonly session: AccountSession
}
