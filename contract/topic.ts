/**
 * Topics on which a server reports changes of a customer's data over the socket, by the name that a source gives in `live`. A topic without
 * `rows` says that something changed, and sources that name it load again. One with `rows` carries the changed row of a call's list, and the
 * list is changed in place.
 */

export const rowChanges = ['insert', 'update', 'remove'] as const
export type RowChange = (typeof rowChanges)[number]
export type Row = Readonly<Record<string, unknown>>

/** Of which list the rows are. They read the same in every language. */
export interface RowsOf<Call extends string = string> {
  readonly call: Call
  /** Member that tells rows apart: the key of the list in the contract. */
  readonly key: string
  /** Member that grows with each change of a row: an older state never takes the place of a newer one. */
  readonly stamp?: string
  /** End of the list at which a new row stands. */
  readonly newest: 'first' | 'last'
  /** Arguments of the call that choose among the rows, and the member of a row that each is compared with. */
  readonly by: Readonly<Record<string, string>>
}
export interface Topic<Call extends string = string> {
  readonly about: string
  readonly rows?: RowsOf<Call>
}
/** The topics of a contract by name. */
export type TopicTable = Readonly<Record<string, Topic>>

/** The list whose rows a topic carries; undefined for a topic without rows, or one that the contract does not have. */
export const rowsOf = (topic: string, table: TopicTable): RowsOf | undefined =>
  Object.hasOwn(table, topic) ? table[topic]?.rows : undefined

/** A change of one row. Of a row that is gone the key alone is sent. */
export interface ChangedRow {
  readonly change: RowChange
  readonly row: Row
}
/** What a customer is told: without a row, that everything of the topic may have changed. */
export type Told = { readonly topic: string } & Partial<ChangedRow>
