import type * as z from 'zod'
import type { AnyProblemCode } from '#contract/problem.ts'

/**
 * One row of the contract. Handlers, clients, OpenAPI and the checks of documents are derived from it.
 * `input` reads a form-encoded body or a query string, where every field is text. Calls of the console read JSON bodies and paths with
 * parameters, see contract/console/console.calls.ts.
 */
export interface CallRow<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path under /api, as in the specification. `:name` stands for one segment, `:id` for a number of at most 15 digits. */
  readonly path: `/${string}`
  /** none: open to visitors · user: requires the token of a customer · operator: requires a session of the console. */
  readonly auth: 'none' | 'user' | 'operator'
  /** Roles of operators who may call; only for auth 'operator'. Default: all operators in the console, none in the back office. */
  readonly roles?: readonly ('viewer' | 'editor' | 'approver' | 'publisher' | 'reviewer' | 'administrator')[]
  /** Requires that the operator has entered password and code within the last minutes. */
  readonly fresh?: true
  /** An open page repeats the call without a user, so the call does not prolong the operator's session. */
  readonly passive?: true
  /** The call could be used to guess a secret, so it has a low rate limit per address. */
  readonly guessable?: true
  /** The handler writes the answer itself: a file or an event stream. */
  readonly streams?: true
  /**
   * The call changes something and accepts an idempotency key: the same key with the same fields gets the stored answer, with other fields
   * a refusal. money: the answer is stored in the transaction that moves the money · data: it is stored after the change. Absent for calls
   * that only read, and for calls such as a login whose answer must not be stored.
   */
  readonly keyed?: 'money' | 'data'
  /**
   * Of a call with `keyed: 'money'`: it moves none at once, such as an application or a saved card. A document may call it without a prompt.
   */
  readonly unprompted?: true
  /** It buys a product whose worst case is a loss: a screen that sends it shows the risk of the product before. */
  readonly risk?: true
  /**
   * A customer whose account is frozen may call it, as all that only reads: it takes risk back, ends something, or gives back what is held. Money
   * goes nowhere else.
   */
  readonly whileFrozen?: true
  /** The account of the session, as user.info answers it, is another one afterwards. */
  readonly changesSession?: true
  /** The call changes and sends nothing, so a screen may use it as a source: it is called on opening, on refresh, and in previews. */
  readonly reads?: true
  /** No server answers it yet; see contract/planned.ts. */
  readonly planned?: true
  readonly input: I
  /**
   * Of a keyed call: names that older apps send with it, the specification among them, and that mean nothing here. A keyed call refuses every
   * other name that its input lacks, so that a misspelt field is never dropped. A field that leaves an input stays here while apps send it.
   */
  readonly ignored?: readonly string[]
  /** The body is multipart/form-data: the fields of `input` and one file in the field `file`. */
  readonly upload?: true
  readonly output: O
  /** Problems besides those that every call may answer. */
  readonly problems: readonly AnyProblemCode[]
  readonly summary: string
}

/** Keeps the literal types of a table of calls. */
export function calls<const T extends Record<string, CallRow>>(rows: T): T {
  return rows
}
