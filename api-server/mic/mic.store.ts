import { type Insertable, type Selectable, sql } from 'kysely'
import type { OptionTable } from '#api-server/mic/mic.migration.ts'
import { canMove, type Result, runningStates } from '#api-server/mic/mic.rules.ts'
import type { optionLists } from '#contract/calls/mic.calls.ts'
import { type Database, type Tx, write } from '#server-kit/db/db.ts'

export type OptionRow = Selectable<OptionTable>
const later = { settle_tick_id: null, settle_price: null, settled_at: null, log_end: null, payout: '0', version: 1 }
type NewOption = Omit<Insertable<OptionTable>, 'id' | 'status' | keyof typeof later>

export interface OptionFilter {
  list: (typeof optionLists)[number]
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
  function matching(uid: number, { list, symbol, from, to }: OptionFilter) {
    let found = db.selectFrom('option_order').where('uid', '=', uid)
    found = list === 'position' ? found.where('status', 'in', runningStates) : found.where('settled_at', 'is not', null)
    if (symbol !== undefined) found = found.where('symbol', '=', symbol)
    if (from !== undefined) found = found.where('opened_at', '>=', from)
    return to === undefined ? found : found.where('opened_at', '<', to)
  }

  return {
    /** @returns undefined when the customer has an order with this key already */
    open: (tx: Tx, row: NewOption): Promise<OptionRow | undefined> =>
      tx
        .insertInto('option_order')
        .values({ ...later, ...row, status: 'holding' })
        .onConflict((on) => on.columns(['uid', 'oid']).doNothing())
        .returningAll()
        .executeTakeFirst(),

    byKey: (tx: Tx | undefined, uid: number, oid: string): Promise<OptionRow | undefined> =>
      (tx ?? db).selectFrom('option_order').selectAll().where('uid', '=', uid).where('oid', '=', oid).executeTakeFirst(),

    one: (uid: number, id: number): Promise<OptionRow | undefined> =>
      db.selectFrom('option_order').selectAll().where('id', '=', id).where('uid', '=', uid).executeTakeFirst(),

    async find(uid: number, filter: OptionFilter, { page, size }: { page: number; size: number }) {
      let ordered = matching(uid, filter).selectAll()
      if (filter.list === 'history') ordered = ordered.orderBy('settled_at', 'desc')
      const rows = await ordered
        .orderBy('id', 'desc')
        .offset((page - 1) * size)
        .limit(size)
        .execute()
      const { total } = await matching(uid, filter).select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
      return { rows, total }
    },

    /** Moves orders that expired before `now` to `settling`, those that waited longest first. What another node is moving is left to it. */
    async takeDue(tx: Tx, now: number, most: number): Promise<OptionRow[]> {
      const due = await tx
        .selectFrom('option_order')
        .select('id')
        .where('status', '=', 'holding')
        .where('due_at', '<', now)
        .orderBy('due_at')
        .orderBy('id')
        .limit(most)
        .forUpdate()
        .skipLocked()
        .execute()
      if (!due.length) return []
      const ids = due.map(({ id }) => id)
      return write(
        ids.length,
        tx
          .updateTable('option_order')
          .set((row) => ({ status: 'settling', version: row('version', '+', 1) }))
          .where('id', 'in', ids)
          .returningAll(),
      )
    },

    /** Orders whose settlement has begun, on whichever node, those that waited longest first. */
    settling: (most: number): Promise<OptionRow[]> =>
      db.selectFrom('option_order').selectAll().where('status', '=', 'settling').orderBy('due_at').orderBy('id').limit(most).execute(),

    /** @returns undefined when another node settles it, or has done so */
    lock: (tx: Tx, id: number): Promise<OptionRow | undefined> =>
      tx
        .selectFrom('option_order')
        .selectAll()
        .where('id', '=', id)
        .where('status', '=', 'settling')
        .forUpdate()
        .skipLocked()
        .executeTakeFirst(),

    async settle(tx: Tx, order: OptionRow, { status, payout, tick, log_end, at }: Settlement): Promise<OptionRow> {
      if (!canMove(order.status, status)) throw new Error(`an order does not go from ${order.status} to ${status}`)
      const settled = status === 'void' ? undefined : tick
      const [after] = await write(
        1,
        tx
          .updateTable('option_order')
          .set({
            ...{ status, payout, log_end, version: order.version + 1 },
            ...{ settle_tick_id: settled?.id ?? null, settle_price: settled?.price ?? null, settled_at: at },
          })
          .where('id', '=', order.id)
          .where('status', '=', order.status)
          .returningAll(),
      )
      return after!
    },
  }
}
