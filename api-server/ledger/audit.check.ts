import { type RawBuilder, sql } from 'kysely'

/** What is frozen for somebody, and why: the sum of what open orders, withdrawals, bids and subscriptions hold. Rows uid, kind, currency, amount. */
export type Holds = RawBuilder<{ uid: number; kind: string; currency: number; amount: string }>

/** Numbers of rows: `from` itself is not among them, `to` is. */
export interface Range {
  readonly from: number
  readonly to: number
}
export const everything: Range = { from: -1, to: Number.MAX_SAFE_INTEGER }
/** True of the rows of a range. */
export const within = ({ from, to }: Range, column: string) =>
  sql<boolean>`${sql.ref(column)} > ${from}::bigint and ${sql.ref(column)} <= ${to}::bigint`

/** What the numbers of a range count; `all`: the check looks at everything at once, because it is quick or has no range. */
export type Space = 'all' | 'event' | 'account' | 'user' | 'funding' | 'position' | 'margin' | 'option' | 'order' | 'fill' | 'desk'

/** A promise about money: a query of its breaches, one text a row. */
export interface Check {
  /** Number of the promise, as reports of the audit give it: I1 to I10 are about money, D1 and D2 about the work of the back office. */
  readonly name: string
  readonly says: string
  readonly over: Space
  /** Part of the audit at each start: it finds tables that were cut, and reads no line of the ledger twice. */
  readonly quick?: boolean
  /** Counts whole tables: at a start and in the audit of everything, not while customers wait. */
  readonly counts?: boolean
  readonly breaches: (range: Range) => RawBuilder<{ breach: string }>
}
