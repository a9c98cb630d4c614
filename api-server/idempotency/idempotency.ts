import type { Tx } from '#server-kit/db/db.ts'
import type { Caller } from '#server-kit/http/http.ts'

/** Door of the idempotency keys. */

/** A key and whose it is. */
export interface NamedKey {
  readonly owner: string
  readonly key: string
}
const keys = new WeakMap<Tx, NamedKey>()
/** Notes that the work of a transaction is done under a key, so that what it writes can name the key. */
export const setKeyOf = (tx: Tx, { owner, key }: NamedKey): void => void keys.set(tx, { owner, key })
/** The key of a transaction, for tables that the audit compares with the keys. */
export const keyOf = (tx: Tx): NamedKey | undefined => keys.get(tx)

export interface IdempotencyOptions {
  /** Name of the call. */
  call: string
  /** What was sent, as the handler got it. */
  input: unknown
  /** Work outside of the transaction that must not be done again for an answered key: proofs, hashing, codes. Runs only when the key is new. */
  prove?: () => Promise<void>
}

export interface Idempotency {
  /**
   * Does `work` once for the key of the caller, in one transaction in which the answer is stored too. Without a key it is just a transaction.
   * `work` may run more than once when the database asks for it, and does nothing but SQL.
   * @returns the answer of this call, or the stored one of the first; both as JSON gives them back
   * @throws what `caller.admit` throws, unless an answer is stored
   * @throws ApiProblem('key_reused') when the key came with another call or other fields
   */
  run<A>(caller: Caller, options: IdempotencyOptions, work: (tx: Tx) => Promise<A>): Promise<A>
}
