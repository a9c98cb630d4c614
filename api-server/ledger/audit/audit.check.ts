import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '#server-kit/db/db.ts'

/** Query of what open orders, withdrawals, bids and subscriptions hold frozen. Rows: uid, kind, currency, amount. */
export type Holds = RawBuilder<{ uid: number; kind: string; currency: number; amount: string }>

/** A range of row numbers: `from` exclusive, `to` inclusive. */
export interface Range {
  readonly from: number
  readonly to: number
}
export const everything: Range = { from: -1, to: Number.MAX_SAFE_INTEGER }
/** Condition that is true for the rows of a range. */
export const within = ({ from, to }: Range, column: string) =>
  sql<boolean>`${sql.ref(column)} > ${from}::bigint and ${sql.ref(column)} <= ${to}::bigint`

/**
 * The numbers in a range: `event` of the ledger, `user`, or the ids of a table. `all`: the check looks at everything at once, because it is quick or has
 * no range.
 */
export type Space = 'all' | 'event' | 'user' | (keyof Tables & string)

/** Name of a promise in reports of the audit: I1 to I10 are about money, P1 about the log of prices, D1 and D2 about decisions of the back office. */
export type PromiseName = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9' | 'I10' | 'P1' | 'D1' | 'D2'

/** A promise about money, as a query that returns its breaches, one text a row. */
export interface Check {
  readonly name: PromiseName
  readonly says: string
  readonly over: Space
  /** Runs at each start of the server. It finds tables that were cut off and reads no line of the ledger twice. */
  readonly quick?: boolean
  /** Counts whole tables: runs at a start and in the full audit, not while the server answers customers. */
  readonly counts?: boolean
  readonly breaches: (range: Range) => RawBuilder<{ breach: string }>
}
