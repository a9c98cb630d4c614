/**
 * Topics on which a server reports changes of a customer's data over the socket, by the name that a source gives in `live`. For a topic
 * without `rows`, sources that name it load again. A topic with `rows` carries the changed row of a call's list, and the list is updated in
 * place.
 */

export const rowChanges = ['insert', 'update', 'remove'] as const
export type RowChange = (typeof rowChanges)[number]
export type Row = Readonly<Record<string, unknown>>

/** The list of which the rows are part. Rows must not depend on the language. */
export interface RowsOf<Call extends string = string> {
  readonly call: Call
  /** Member that identifies a row: the key of the list in the contract. */
  readonly key: string
  /** Member that increases with each change of a row, so that an older state never replaces a newer one. */
  readonly stamp?: string
  /** End of the list where a new row is inserted. */
  readonly newest: 'first' | 'last'
  /** Arguments of the call that filter the rows, and the member of a row with which each is compared, or the members any of which it may be. */
  readonly by: Readonly<Record<string, string | readonly string[]>>
}
/** Whether a row is among those that a filter lets through. @param members those of `by` @param value of the filter */
export const isAmong = (row: Row, members: string | readonly string[], value: unknown): boolean =>
  [members].flat().some((member) => String(row[member]) === String(value))

export interface Topic<Call extends string = string> {
  readonly about: string
  readonly rows?: RowsOf<Call>
}
/** Topics of a contract by name. */
export type TopicTable = Readonly<Record<string, Topic>>

/** The list whose rows a topic carries; undefined for a topic without rows and for an unknown topic. */
export const rowsOf = (topic: string, table: TopicTable): RowsOf | undefined =>
  Object.hasOwn(table, topic) ? table[topic]?.rows : undefined

/** A change of one row. For a removed row only the key is sent. */
export interface ChangedRow {
  readonly change: RowChange
  readonly row: Row
}
/** Notification to a customer. Without a row it means that anything of the topic may have changed. */
export type TopicMessage = { readonly topic: string } & Partial<ChangedRow>
