import type { Tx } from '#server-kit/db/db.ts'
import type { UserCaller } from '#server-kit/http/http.ts'

/** Interface of the accounts for other modules: the proofs that they may ask of a customer before money moves. */

/** How a customer stands just now. */
export interface Standing {
  uid: number
  /** Identity: 0 not proved, 1 basic, 2 advanced. */
  level: number
  /** Withdrawals wait until then (ms UTC); null: no wait. */
  holdUntil: number | null
  status: 'active' | 'frozen'
  /** An account whose password is published. */
  demo: boolean
  /** Masked address that a code goes to; empty when nothing is bound. */
  codeTo: string
  codeBy: 'mail' | 'sms' | 'none'
  emailBound: boolean
  mobileBound: boolean
  hasPayPassword: boolean
  /** A second factor is on. */
  totp: boolean
}

/** Something that was proved; it counts once, in the transaction of what it was proved for. */
export interface Proof {
  /** @throws ApiProblem('code_wrong') when it was used in the meantime */
  use(tx: Tx): Promise<void>
}

/** Each guess is counted before it is looked at, in a transaction of its own: call these outside of the one that moves money. */
export interface Proofs {
  /** @throws ApiProblem pay_password_missing, pay_password_wrong, too_many_tries */
  payPassword(caller: UserCaller, typed: string, field?: string): Promise<void>
  /** Looks at the code of a scene that went to an address of this account; `identity`: to its e-mail address. @throws ApiProblem code_wrong, code_void */
  code(caller: UserCaller, scene: 'withdraw' | 'identity', typed: string, field?: string): Promise<Proof>
  /** Nothing to do where there is none. A code of the authenticator is used up by this. @throws ApiProblem second_factor_required, second_factor_wrong, too_many_tries */
  secondFactor(caller: UserCaller, typed: string | undefined, field?: string): Promise<void>
  /** @throws ApiProblem('unauthorized') when there is no such account */
  standing(uid: number, tx?: Tx): Promise<Standing>
  /** Of several at once, by uid; those without an account are absent. */
  standings(uids: readonly number[], tx?: Tx): Promise<Map<number, Standing>>
  /**
   * As `standing`, and no other change of this customer that asks the same runs until the transaction ends. To be asked before balances are
   * locked; orders, which lock balances first, do not ask.
   * @param frozenToo a frozen account is no reason to stop: for what operators do
   * @throws ApiProblem account_frozen, unauthorized
   */
  lock(tx: Tx, uid: number, frozenToo?: boolean): Promise<Standing>
  /** Raises the level; never lowers it. */
  raise(tx: Tx, uid: number, level: 1 | 2): Promise<void>
}
