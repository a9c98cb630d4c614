import type { CallName } from '#contract/contract.ts'

/**
 * TopicTable on which the server reports changes of a customer's data over the socket, by the name that a source gives in `live`. A topic without `rows` says that
 * something changed, and sources that name it load again. One with `rows` carries the changed row of a call's list, and the list is changed in
 * place.
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
export type TopicTable = Readonly<Record<string, Topic>>

export const topics = {
  balance: { about: 'the balances or records of the customer have changed' },
  records: {
    about: 'a deposit or withdrawal was made, or its state has changed',
    rows: { call: 'wallet.getRecord', key: 'id', stamp: 'changed', newest: 'first', by: { type: 'type', currency_id: 'currency_id' } },
  },
  addresses: {
    about: 'an address for withdrawals was saved or removed',
    rows: { call: 'wallet.getAddressList', key: 'id', newest: 'first', by: { currency_id: 'currency_id', chain: 'chain' } },
  },
} as const satisfies Record<string, Topic<CallName>>
export type TopicName = keyof typeof topics
export const topicNames = Object.keys(topics) as readonly TopicName[]
/**
 * The list whose rows a topic carries.
 * @param known the topics of the contract that the app has been given; those of the product unless given
 */
export const rowsOf = (topic: string, known: TopicTable = topics): RowsOf | undefined =>
  Object.hasOwn(known, topic) ? known[topic]?.rows : undefined

/** A change of one row. Of a row that is gone the key alone is sent. */
export interface ChangedRow {
  readonly change: RowChange
  readonly row: Row
}
/** What a customer is told: without a row, that everything of the topic may have changed. */
export type Told = { readonly topic: TopicName } & Partial<ChangedRow>
