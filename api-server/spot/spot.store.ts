import type { Selectable } from 'kysely'
import type { SpotOrderTable } from '#api-server/spot/spot.migration.ts'
import { openSpotStates, type SpotReason, type SpotSide, type SpotState, type SpotStatus } from '#contract/calls/c2c.calls.ts'
import { insertMany, listsOf, nextIds } from '#server-kit/db/bulk.ts'
import { type Database, fixed, type Tables, type Tx, write, writeAny } from '#server-kit/db/db.ts'
import { pageOf } from '#server-kit/http/list-bounds.ts'

export type SpotOrder = Selectable<SpotOrderTable>
type SpotFill = Tables['spot_fill']
/** The columns that a cancellation needs. */
export type OrderState = Pick<SpotOrder, 'id' | 'uid' | 'symbol' | 'status'>
export type NewOrder = Pick<
  SpotOrder,
  | 'id'
  | 'uid'
  | 'symbol'
  | 'side'
  | 'kind'
  | 'time_in_force'
  | 'price'
  | 'quantity'
  | 'budget'
  | 'worst'
  | 'maker_rate'
  | 'taker_rate'
  | 'terms_version'
  | 'created_at'
>
/** The change that a batch has made to an order. `version` is the one before. */
interface OrderChange {
  id: number
  version: number
  /** Its limit, where the customer had asked for another one and is answered; without it, a request stays that came in meanwhile. */
  answered?: string
  status: SpotState
  reason: SpotReason
  filled: string
  value: string
  fee: string
  rank: number | null
  changed_at: number
}
interface OrderFilter {
  status?: SpotStatus | undefined
  symbol?: string | undefined
  type?: SpotSide | undefined
  from?: number | undefined
  to?: number | undefined
}
interface FillFilter {
  order_id?: number | undefined
  symbol?: string | undefined
  from?: number | undefined
  to?: number | undefined
}

/** One customer's open orders, of all markets. */
export const openOrdersMax = 200

const add = insertMany('spot_order', {
  bigint: ['id', 'uid', 'created_at', 'changed_at', 'rank'],
  int: ['terms_version'],
  text: ['symbol', 'side', 'kind', 'time_in_force', 'status', 'reason'],
  numeric: ['price', 'quantity', 'budget', 'worst', 'maker_rate', 'taker_rate', 'filled', 'value', 'fee'],
})
const counted = fixed<{ uid: number; count: number }>(`select uid, count(*)::int as count from spot_order
  where uid = any($1::bigint[]) and status in ('new', 'open', 'partial') group by uid`)

const stateColumns = 'id, uid, symbol, status'
const named = fixed<OrderState>(`select ${stateColumns} from spot_order where id = any($1::bigint[])`)
const open = fixed<OrderState>(
  `select ${stateColumns} from spot_order where uid = any($1::bigint[]) and status in ('new', 'open', 'partial') order by id`,
)
const cancelling = fixed(`update spot_order set cancelling = true where id in
  (select id from spot_order where id = any($1::bigint[]) and status in ('new', 'open', 'partial') order by id for update)`)
const waiting = fixed<SpotOrder>(
  `select * from spot_order where status = 'new' or cancelling or moving is not null order by created_at, id limit $1`,
)
const earlier = fixed<{ waits: boolean }>(
  `select exists (select from spot_order where status = 'new' and (symbol = any($1::text[]) or uid = any($2::bigint[]))) as waits`,
)
const current = fixed<{ epoch: number }>('select epoch from spot_engine where id = 1 for share')
const briefly = fixed('set local lock_timeout = 200')
/** Balances are locked before orders, and orders in the order of their numbers, so that no two transactions wait for each other. */
const inOrder = fixed<{ id: number }>('select id from spot_order where id = any($1::bigint[]) order by id for update')

// A request to cancel or to move that came in meanwhile stays, unless the order has ended. A request to move is answered once.
const changed =
  fixed<SpotOrder>(`update spot_order o set status = c.status, reason = c.reason, filled = c.filled, value = c.value, fee = c.fee, rank = c.rank,
    version = o.version + 1, changed_at = greatest(c.changed_at, o.changed_at), cancelling = o.cancelling and c.status in ('open', 'partial'),
    price = coalesce(c.answered, o.price), moving = case when c.answered is null and c.status in ('open', 'partial') then o.moving end,
    extra = case when c.answered is null then o.extra else 0 end
  from unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::numeric[], $6::numeric[], $7::numeric[], $8::bigint[], $9::bigint[],
      $10::numeric[]) as c (id, version, status, reason, filled, value, fee, rank, changed_at, answered)
  where o.id = c.id and o.version = c.version and o.status in ('new', 'open', 'partial')
    and (c.answered is null or o.moving is not null) returning o.*`)

const addFills = insertMany('spot_fill', {
  bigint: ['id', 'buy_id', 'buyer', 'sell_id', 'seller', 'at'],
  text: ['symbol', 'taker'],
  numeric: ['price', 'quantity', 'value', 'buyer_fee', 'seller_fee'],
})
const changeColumns = ['id', 'version', 'status', 'reason', 'filled', 'value', 'fee', 'rank', 'changed_at', 'answered'] as const

export type SpotStore = ReturnType<typeof createSpotStore>

export function createSpotStore(database: Database) {
  const { db } = database

  function matching(uid: number, { status, symbol, type, from, to }: OrderFilter) {
    let found = db.selectFrom('spot_order').where('uid', '=', uid)
    if (status === 'doing' || status === 'complete') found = found.where('status', status === 'doing' ? 'in' : 'not in', openSpotStates)
    else if (status) found = found.where('status', '=', status)
    if (symbol !== undefined) found = found.where('symbol', '=', symbol)
    if (type) found = found.where('side', '=', type)
    if (from !== undefined) found = found.where('created_at', '>=', from)
    if (to !== undefined) found = found.where('created_at', '<', to)
    return found
  }
  function fillsOf(uid: number, { order_id, symbol, from, to }: FillFilter) {
    let found = db.selectFrom('spot_fill').where(({ or, eb }) => or([eb('buyer', '=', uid), eb('seller', '=', uid)]))
    if (order_id !== undefined) found = found.where(({ or, eb }) => or([eb('buy_id', '=', order_id), eb('sell_id', '=', order_id)]))
    if (symbol !== undefined) found = found.where('symbol', '=', symbol)
    if (from !== undefined) found = found.where('at', '>=', from)
    if (to !== undefined) found = found.where('at', '<', to)
    return found
  }

  return {
    /** New numbers of orders; gaps stay where they are not used. */
    ids: (count: number): Promise<number[]> => nextIds(db, 'spot_order_id_seq', count),
    add,

    /** How many open orders each of these customers has; those without one are absent. */
    async openCounts(tx: Tx | undefined, uids: readonly number[]): Promise<Map<number, number>> {
      const rows = await counted(tx ?? db, [[...uids]]).execute()
      return new Map(rows.map(({ uid, count }) => [uid, count]))
    },

    /** Whether the database answers. */
    isReachable: (): Promise<boolean> =>
      counted(db, [[]])
        .execute()
        .then(
          () => true,
          () => false,
        ),

    one: (id: number, tx?: Tx): Promise<SpotOrder | undefined> =>
      (tx ?? db).selectFrom('spot_order').selectAll().where('id', '=', id).executeTakeFirst(),

    /** The same, and nobody else changes it before the transaction ends. */
    locked: (tx: Tx, id: number): Promise<SpotOrder | undefined> =>
      tx.selectFrom('spot_order').selectAll().where('id', '=', id).forUpdate().executeTakeFirst(),

    /** Notes that an order, which is locked, is to stand at another price, and what is frozen for it. */
    askMove: (tx: Tx, id: number, moving: string, extra: string) =>
      write(1, tx.updateTable('spot_order').set({ moving, extra, moved: true }).where('id', '=', id)),

    /** Orders by their numbers, in any state. */
    byIds: (tx: Tx, ids: readonly number[]): Promise<OrderState[]> => named(tx, [[...ids]]).execute(),

    /** All open orders of these customers. */
    openOf: (tx: Tx, uids: readonly number[]): Promise<OrderState[]> => open(tx, [[...uids]]).execute(),

    /** Notes that orders are to be cancelled; those that have ended meanwhile stay as they are. */
    askCancel: (tx: Tx, ids: readonly number[]) => writeAny(cancelling(tx, [[...ids]])),

    /** Returns the orders that wait to be matched, moved or cancelled, in the order of acceptance. */
    pending: (most: number): Promise<SpotOrder[]> => waiting(db, [most]).execute(),

    /**
     * Begins a new epoch, after every batch of an earlier one that is being committed.
     * @returns it, the orders that stand in the books in the order of priority, and the number of the last fill
     */
    takeOver: (): Promise<{ epoch: number; orders: SpotOrder[]; lastFill: number }> =>
      database.transaction(async (tx) => {
        const [row] = await write(
          1,
          tx
            .updateTable('spot_engine')
            .set(({ eb }) => ({ epoch: eb('epoch', '+', 1) }))
            .returning('epoch'),
        )
        const orders = await tx.selectFrom('spot_order').selectAll().where('status', 'in', ['open', 'partial']).orderBy('rank').execute()
        const last = await tx
          .selectFrom('spot_fill')
          .select(({ fn }) => fn.max('id').as('id'))
          .executeTakeFirst()
        return { epoch: row!.epoch, orders, lastFill: last?.id ?? 0 }
      }),

    /** Whether an order of these symbols or customers was accepted and is not matched yet. */
    async waits(tx: Tx, symbols: readonly string[], uids: readonly number[]): Promise<boolean> {
      const [row] = await earlier(tx, [[...symbols], [...uids]]).execute()
      return row?.waits === true
    },

    /** False once another node has begun to match. No other node begins before the transaction ends. */
    async isCurrent(tx: Tx, epoch: number): Promise<boolean> {
      const [row] = await current(tx, []).execute()
      return row?.epoch === epoch
    },

    /** From here on the transaction fails when it waits 200 ms for a lock. The embedded database has one node, and nobody else holds one. */
    async waitBriefly(tx: Tx): Promise<void> {
      if (database.engine === 'postgres') await briefly(tx, []).execute()
    },

    /** @returns the rows as they are now @throws RowCountError when one of them is no longer as it was read */
    async change(tx: Tx, changes: readonly OrderChange[]): Promise<SpotOrder[]> {
      const [, rows] = await Promise.all([
        inOrder(tx, [changes.map(({ id }) => id)]).execute(),
        write(
          changes.length,
          changed(
            tx,
            listsOf(
              changeColumns,
              changes.map((one) => ({ ...one, answered: one.answered ?? null })),
            ),
          ),
        ),
      ])
      return rows
    },

    addFills,

    async find(uid: number, filter: OrderFilter, page: { offset: number; size: number }): Promise<{ rows: SpotOrder[]; total: number }> {
      return pageOf(db, matching(uid, filter).selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
    },
    async fills(uid: number, filter: FillFilter, page: { offset: number; size: number }): Promise<{ rows: SpotFill[]; total: number }> {
      return pageOf(db, fillsOf(uid, filter).selectAll().orderBy('id', 'desc'), page)
    },
  }
}
