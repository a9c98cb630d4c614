import type { Selectable } from 'kysely'
import type { OptionTable } from '#api-server/mic/mic.migration.ts'
import { optionMachine, type Result, runningStates } from '#api-server/mic/mic.rules.ts'
import type { OptionStatus } from '#contract/calls/mic.calls.ts'
import { insertMany, nextIds, updateMany } from '#server-kit/db/bulk.ts'
import { type Database, fixed, type Tx, write } from '#server-kit/db/db.ts'
import { type PageAsk, pageOf } from '#server-kit/http/list-bounds.ts'

export type OptionRow = Selectable<OptionTable>
const later = {
  status: 'holding',
  settle_tick_id: null,
  settle_price: null,
  settled_at: null,
  booked_at: null,
  log_end: null,
  payout: '0',
  version: 1,
} as const
/** An option as it is opened. */
export const holding = (agreed: Omit<OptionRow, keyof typeof later>): OptionRow => ({ ...later, ...agreed })

const add = insertMany('option_order', {
  bigint: ['uid', 'open_tick_id', 'opened_at', 'due_at'],
  int: ['id', 'match_id', 'currency_id', 'seconds', 'terms_version', 'version'],
  text: ['oid', 'symbol', 'type', 'status'],
  numeric: ['stake', 'rate', 'open_price', 'payout'],
})
const change = updateMany(
  'option_order',
  {
    bigint: ['settle_tick_id', 'settled_at', 'booked_at', 'log_end'],
    int: ['version'],
    text: ['status'],
    numeric: ['payout', 'settle_price'],
  },
  'version',
)
const named = fixed<OptionRow>(`select o.* from unnest($1::bigint[], $2::text[]) n (uid, oid)
  join option_order o on o.uid = n.uid and o.oid = n.oid`)

export interface OptionFilter {
  status: OptionStatus
  symbol?: string | undefined
  /** ms UTC; opened at or after, and before. */
  from?: number | undefined
  to?: number | undefined
}
export interface Settlement extends Result {
  tick: { id: number; price: string } | undefined
  log_end: number
  at: number
}

export type MicStore = ReturnType<typeof createMicStore>

export function createMicStore({ db }: Database) {
  function matching(uid: number, { status, symbol, from, to }: OptionFilter) {
    let found = db.selectFrom('option_order').where('uid', '=', uid)
    if (status === 'position') found = found.where('status', 'in', runningStates)
    else if (status === 'history') found = found.where('settled_at', 'is not', null)
    else found = found.where('status', '=', status)
    if (symbol !== undefined) found = found.where('symbol', '=', symbol)
    if (from !== undefined) found = found.where('opened_at', '>=', from)
    return to === undefined ? found : found.where('opened_at', '<', to)
  }

  return {
    /** New numbers of options; gaps stay where they are not used. */
    ids: (count: number): Promise<number[]> => nextIds(db, 'option_order_id_seq', count),

    /** @throws a unique violation when a customer has an option with the same key already */
    add,

    /** Options with these keys of their customers; those that are not there are absent. */
    byKeys: async (tx: Tx, keys: readonly { uid: number; oid: string }[]): Promise<OptionRow[]> =>
      keys.length ? named(tx, [keys.map(({ uid }) => uid), keys.map(({ oid }) => oid)]).execute() : [],

    one: (uid: number, id: number): Promise<OptionRow | undefined> =>
      db.selectFrom('option_order').selectAll().where('id', '=', id).where('uid', '=', uid).executeTakeFirst(),

    async find(uid: number, filter: OptionFilter, page: PageAsk) {
      let ordered = matching(uid, filter).selectAll()
      if (filter.status === 'history') ordered = ordered.orderBy('settled_at', 'desc')
      return pageOf(db, ordered.orderBy('id', 'desc'), page)
    },

    /** @param rows locked */
    expire: (tx: Tx, rows: readonly OptionRow[]): Promise<OptionRow[]> =>
      write(
        rows.length,
        tx
          .updateTable('option_order')
          .set((row) => ({ status: 'settling', version: row('version', '+', 1) }))
          .where(
            'id',
            'in',
            rows.map(({ id }) => id),
          )
          .where('status', '=', 'holding')
          .returningAll(),
      ),

    /** @param works locked orders, and what settles each */
    async settle(tx: Tx, works: readonly { row: OptionRow; found: Settlement }[]): Promise<OptionRow[]> {
      const after = works.map(({ row: order, found: { status, payout, tick, log_end, at } }): OptionRow => {
        if (!optionMachine.allows(order.status, status)) throw new Error(`an order does not go from ${order.status} to ${status}`)
        const by = status === 'void' ? undefined : tick
        const found = { settle_tick_id: by?.id ?? null, settle_price: by?.price ?? null, settled_at: order.due_at, booked_at: at, log_end }
        return { ...order, ...found, status, payout, version: order.version + 1 }
      })
      await change(
        tx,
        works.map(({ row: before }, at) => ({ before, after: after[at]! })),
      )
      return after
    },
  }
}
