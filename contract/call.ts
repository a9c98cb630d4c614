import type * as z from 'zod'
import type { AnyProblemCode } from '#contract/problem.ts'

/**
 * One row of the contract. Handler, client, OpenAPI and document checks are all derived from it.
 * `input` reads a form-encoded body or a query string: every field arrives as text. Calls of the console read JSON bodies and paths with
 * parameters, see contract/console.calls.ts.
 */
export interface CallRow<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Under /api, as the specification writes it. `:name` stands for one segment, and `:id` for a number of at most 15 digits. */
  readonly path: `/${string}`
  /** none: open to visitors · user: needs a customer's token · operator: needs a session of the console. */
  readonly auth: 'none' | 'user' | 'operator'
  /** Operators who may call; only for auth 'operator'. Absent: the console lets in everybody who is logged in, the back office nobody. */
  readonly roles?: readonly ('viewer' | 'editor' | 'approver' | 'publisher' | 'reviewer' | 'administrator')[]
  /** The operator must have given password and code within the last minutes. */
  readonly fresh?: true
  /** An open page repeats the call by itself, so the call does not prolong the session of the operator. */
  readonly passive?: true
  /** A secret may be guessed with it, so the limit of calls of one address is low. */
  readonly guessable?: true
  /** The handler writes the answer itself: a file or a stream of events. */
  readonly streams?: true
  /**
   * It changes something, and takes an idempotency key: the same key with the same fields gives the stored answer, with others a refusal.
   * money: the answer is stored in the transaction that moves the money · data: it is stored when the change is done. Absent: it only reads,
   * or, as a login, is never answered from a store.
   */
  readonly keyed?: 'money' | 'data'
  /** It changes nothing and sends nothing, so a screen may use it as data: it is called on opening, again on refresh, and in previews. */
  readonly reads?: true
  readonly input: I
  /** The body is multipart/form-data: the fields of `input` and one file in the field `file`. */
  readonly upload?: true
  readonly output: O
  /** Codes of its own, beside those that every call may answer. */
  readonly problems: readonly AnyProblemCode[]
  readonly summary: string
}

/** Keeps the literal types of a table of rows. */
export function calls<const T extends Record<string, CallRow>>(rows: T): T {
  return rows
}
