import type { Tx } from '#server-kit/db/db.ts'
import type { Caller } from '#server-kit/http/http.ts'

/** Public interface of the idempotency keys. */

/** An idempotency key and its owner. */
export interface NamedKey {
  readonly owner: string
  readonly key: string
}
const keys = new WeakMap<Tx, NamedKey>()
/** Records the idempotency key of a transaction, so that rows written in the transaction can store it. */
export const setKeyOf = (tx: Tx, { owner, key }: NamedKey): void => void keys.set(tx, { owner, key })
/** Returns the idempotency key of a transaction, for tables that the audit compares with the stored keys. */
export const keyOf = (tx: Tx): NamedKey | undefined => keys.get(tx)

export interface IdempotencyOptions {
  /** Name of the call. */
  call: string
  /** Input of the call, as the handler received it. */
  input: unknown
  /**
   * Work outside the transaction that must not be repeated for an answered key: checking passwords and codes, hashing. Runs only when the
   * key is new.
   */
  prove?: () => Promise<void>
}

export interface Idempotency {
  /**
   * Runs `work` once for the caller's idempotency key, in one transaction that also stores the answer. Without a key it runs a plain
   * transaction.
   * `work` may run more than once when the database asks for a retry, so it must contain SQL only.
   * @returns the answer of this call, or the stored answer of the first call with the key; both as parsed from JSON
   * @throws the error of `caller.admit`, unless an answer is stored
   * @throws ApiProblem('key_reused') when the key was used before with another call or other fields
   */
  run<A>(caller: Caller, options: IdempotencyOptions, work: (tx: Tx) => Promise<A>): Promise<A>
}
