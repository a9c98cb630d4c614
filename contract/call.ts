import type * as z from 'zod'
import type { ProblemCode } from '#contract/problem.ts'

/**
 * One row of the contract. Handler, client, OpenAPI and document checks are all derived from it.
 * `input` reads a form-encoded body or a query string: every field arrives as text.
 */
export interface CallRow<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Under /api, as the specification writes it. */
  readonly path: `/${string}`
  /** none: open to visitors · user: needs a token. */
  readonly auth: 'none' | 'user'
  readonly input: I
  /** The body is multipart/form-data: the fields of `input` and one file in the field `file`. */
  readonly upload?: true
  readonly output: O
  /** Codes of its own, beside those that every call may answer. */
  readonly problems: readonly ProblemCode[]
  readonly summary: string
}

/** Keeps the literal types of a table of rows. */
export function calls<const T extends Record<string, CallRow>>(rows: T): T {
  return rows
}
