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

export type Outcome<A> = { readonly answer: A } | { readonly refused: unknown }

/** Work of several calls in one transaction. Each has its own outcome, and one that is refused costs the others nothing. */
export interface GroupedWork<W, R, A, E = never> {
  /** Name of the call. */
  readonly call: string
  /** So many are done together at most. */
  readonly most: number
  /** Runs each transaction: `work` commits, or throws and has done nothing. May run it again after a failure. */
  around?<T>(work: () => Promise<T>): Promise<T>
  /** Reads and locks what the decision needs, for all of them. @param isAround whether `around` runs the transaction */
  look(tx: Tx, works: readonly W[], isAround: boolean): Promise<R>
  /**
   * Decides, and begins to write what was accepted. May run more than once, so what it does beside SQL must be undone by `around`.
   * @returns an outcome for each, in their order; `written` resolves once all is written, with the effect of each, undefined where there is none
   */
  act(
    tx: Tx,
    works: readonly { readonly work: W; readonly key: NamedKey | undefined }[],
    looked: R,
  ): { outcomes: readonly Outcome<A>[]; written: Promise<readonly (E | undefined)[]> }
}
/** @property effect the change of this call, to be announced now; undefined for a call that was answered before */
export interface Did<A, E> {
  answer: A
  effect: E | undefined
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
  /**
   * As `run`, for calls that come often: those that arrive while others are being committed are committed together. A call that comes alone is
   * done at once. When a group cannot be committed, each of it is tried alone.
   */
  grouped<W, R, A, E>(grouped: GroupedWork<W, R, A, E>): (caller: Caller, input: unknown, work: W) => Promise<Did<A, E>>
}

/** Found before a transaction; throws inside of it what finding threw. */
export interface Ahead<T> {
  (): T
  /** Undefined where it was not found. */
  readonly found: T | undefined
}
/**
 * Finds out before a transaction what it needs, and refuses inside of it: a call that is repeated with its key gets its answer also where the
 * same could not be done again.
 */
export async function ahead<T>(find: () => Promise<T>): Promise<Ahead<T>> {
  try {
    const found = await find()
    return Object.assign(() => found, { found })
  } catch (error) {
    const refuse = (): T => {
      throw error
    }
    return Object.assign(refuse, { found: undefined })
  }
}

/** Canonical text of a call and its input. Equal fields give equal text, in whatever order they were sent. */
export function bodyText(call: string, input: unknown): string {
  return `${call}\n${JSON.stringify(sorted(JSON.parse(JSON.stringify(input ?? null))))}`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).sort()
  return names.map((name) => [name, sorted((value as Record<string, unknown>)[name])])
}

/** Owner of an idempotency key. Two customers, or a customer and an operator with the same number, never share a key. */
export function ownerOf(caller: { user?: { uid: number } | undefined; operator?: { id: number } | undefined }): string | undefined {
  if (caller.operator) return `operator:${caller.operator.id}`
  return caller.user && `user:${caller.user.uid}`
}
