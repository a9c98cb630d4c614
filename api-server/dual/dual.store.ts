import { type Insertable, type Selectable, sql } from 'kysely'
import type { DualOrderTable, DualProductTable } from '#api-server/dual/dual.migration.ts'
import { type DualResult, dualOrderMachine } from '#api-server/dual/dual.rules.ts'
import type { Decision } from '#api-server/kit/decision.ts'
import type { DualOrderState, DualSale, DualType } from '#contract/calls/dual.calls.ts'
import { listMost } from '#contract/fields.ts'
import { ApiProblem } from '#contract/problem.ts'
import { updateMany } from '#server-kit/db/bulk.ts'
import { type Database, type Tx, write } from '#server-kit/db/db.ts'
import { type PageAsk, pageOf } from '#server-kit/http/list-bounds.ts'

export type DualProduct = Selectable<DualProductTable>
export type DualOrder = Selectable<DualOrderTable>
const bought = {
  status: 'purchased',
  outcome: null,
  settle_tick_id: null,
  settle_price: null,
  booked_at: null,
  log_end: null,
  version: 1,
} as const
export type NewOrder = Omit<Insertable<DualOrderTable>, 'id' | keyof typeof bought>

export interface OrderFilter {
  status?: DualOrderState | undefined
  /** ms UTC; bought at or after, and before. */
  from?: number | undefined
  to?: number | undefined
}
/** Result of an order, and the price that decided it. */
export interface Settlement extends DualResult {
  tick: { id: number; price: string } | undefined
  log_end: number
  at: number
}

const change = updateMany(
  'dual_order',
  {
    bigint: ['settle_tick_id', 'booked_at', 'log_end'],
    int: ['version'],
    text: ['status', 'outcome'],
    numeric: ['settle_price'],
  },
  'version',
)

/** Terms that a product has now. */
type NewTerms = Omit<Insertable<DualProductTable>, 'id' | 'sold' | 'sale' | 'sale_by' | 'simulated'>

/** A market with the coins in which its base and its quote are kept; undefined where there is none, or one of them is no coin. */
export const marketOf = (tx: Tx, symbol: string) =>
  tx
    .selectFrom('instrument as i')
    .innerJoin('currency as b', 'b.code', 'i.base')
    .innerJoin('currency as q', 'q.code', 'i.quote')
    .select(['i.tick', 'b.id as base_id', 'b.scale as base_scale', 'q.id as quote_id', 'q.scale as quote_scale'])
    .where('i.symbol', '=', symbol)
    .where('i.enabled', '=', true)
    .executeTakeFirst()
/** The number of a product that is proposed. A number whose proposal is dropped stays unused. */
export const nextProduct = async (tx: Tx): Promise<number> =>
  (await sql<{ id: number }>`select nextval(pg_get_serial_sequence('dual_product', 'id'))::int as id`.execute(tx)).rows[0]!.id

const count = sql<number>`count(*)::int`.as('n')

export type DualStore = ReturnType<typeof createDualStore>

/** All SQL of dual investment. */
export function createDualStore({ db }: Database) {
  const unmatured = (now: number) => db.selectFrom('dual_product as p').where('p.matures_at', '>', now)
  function matching(uid: number, { status, from, to }: OrderFilter) {
    let found = db.selectFrom('dual_order').where('uid', '=', uid)
    if (status) found = found.where('status', '=', status)
    if (from !== undefined) found = found.where('bought_at', '>=', from)
    return to === undefined ? found : found.where('bought_at', '<', to)
  }

  return {
    /** Products that have not matured: those on sale first, by maturity and yield. */
    async products(now: number, { base, type }: { base?: number | undefined; type?: DualType | undefined }, page: PageAsk) {
      let found = unmatured(now)
      if (base !== undefined) found = found.where('p.base_id', '=', base)
      if (type) found = found.where('p.type', '=', type)
      const isOnSale = sql`p.sale = 'open' and p.sold < p.total and p.starts_at <= ${now} and p.ends_at > ${now}`
      const ordered = found.selectAll().orderBy(sql`${isOnSale}`, 'desc').orderBy('matures_at').orderBy('yearly', 'desc').orderBy('id')
      return pageOf(db, ordered, page)
    },
    /** Number of products by base coin, of those that have not matured. */
    coins: (now: number) => unmatured(now).select(['p.base_id', count]).groupBy('p.base_id').orderBy('p.base_id').execute(),
    product: (id: number, tx?: Tx): Promise<DualProduct | undefined> =>
      (tx ?? db).selectFrom('dual_product').selectAll().where('id', '=', id).executeTakeFirst(),
    byIds: (ids: readonly number[]): Promise<DualProduct[]> =>
      db.selectFrom('dual_product').selectAll().where(sql<boolean>`id = any(${ids}::int[])`).execute(),
    /** A new product that two operators agreed to, by the number of its proposal. */
    create: ({ tx }: Decision, row: NewTerms & { id: number; simulated: boolean }) =>
      write(1, tx.insertInto('dual_product').values({ ...row, sold: 0, sale: 'open' })),
    /** Other terms of a product. Orders keep theirs. @throws ApiProblem('state_wrong') when its sale has ended */
    async revise({ tx }: Decision, id: number, row: NewTerms): Promise<void> {
      const changed = tx.updateTable('dual_product').set(row).where('id', '=', id).where('sale', '<>', 'ended')
      if ((await changed.returning('id').execute()).length !== 1) throw new ApiProblem('state_wrong')
    },
    /** @returns false when another decision came first */
    async decideSale({ tx, by }: Decision, { id, sale: before }: DualProduct, sale: DualSale): Promise<boolean> {
      const changed = tx.updateTable('dual_product').set({ sale, sale_by: by }).where('id', '=', id).where('sale', '=', before)
      return (await changed.returning('id').execute()).length === 1
    },
    /** Amounts of orders that are not paid back, by day of the maturity and coin: the quote coin above the linked price, the base coin below. */
    async owed(): Promise<{ day: number; currency: number; orders: number; above: string; below: string }[]> {
      const { rows } = await sql<{
        day: number
        currency: number
        orders: number
        above: string
        below: string
      }>`select (o.due_at / 86400000)::int as day,
          p.currency, count(*)::int as orders, sum(p.above)::text as above, sum(p.below)::text as below
        from dual_order o cross join lateral (values (o.quote_id, o.quote_amount, 0), (o.base_id, 0, o.base_amount)) as p (currency, above, below)
        where o.status in ('purchased', 'settling') group by 1, 2 order by 1, 2`.execute(db)
      return rows
    },
    /** Orders of a customer that are not paid back, those that mature first. */
    running: (uid: number): Promise<DualOrder[]> =>
      db
        .selectFrom('dual_order')
        .selectAll()
        .where('uid', '=', uid)
        .where('status', 'in', ['purchased', 'settling'])
        .orderBy('due_at')
        .orderBy('id')
        .execute(),
    /**
     * Yield that was paid to a customer, by UTC day and coin: the amount without the deposit. A deposit that was paid back in the other coin is
     * counted as the part of the amount that bore the yield.
     */
    async income(uid: number): Promise<{ day: number; currency: number; amount: string }[]> {
      const { rows } = await sql<{
        day: number
        currency: number
        amount: string
      }>`select (o.booked_at / 86400000)::int as day, c.id as currency,
          trim_scale(sum(p.paid - case when (o.outcome = 'base') = (o.type = 'call') then o.amount
            else trunc(p.paid / (1 + o.days * o.yearly / 365), c.scale) end))::text as amount
        from dual_order o
          cross join lateral (select case o.outcome when 'base' then o.base_id else o.quote_id end as coin,
            case o.outcome when 'base' then o.base_amount else o.quote_amount end as paid) as p
          join currency c on c.id = p.coin
        where o.uid = ${uid} and o.outcome is not null group by 1, 2 order by 1, 2`.execute(db)
      return rows
    },
    /** Products of which shares are left, those that mature first. */
    onSale: (now: number): Promise<DualProduct[]> =>
      unmatured(now)
        .selectAll()
        .where('p.sale', '=', 'open')
        .where('p.starts_at', '<=', now)
        .where('p.ends_at', '>', now)
        .whereRef('p.sold', '<', 'p.total')
        .orderBy('p.matures_at')
        .orderBy('p.id')
        .limit(listMost.page)
        .execute(),
    /** Products of the demonstration that have not matured. */
    simulated: (symbol: string, type: DualType, now: number, tx?: Tx): Promise<DualProduct[]> =>
      (tx ?? db)
        .selectFrom('dual_product')
        .selectAll()
        .where('simulated', '=', true)
        .where('symbol', '=', symbol)
        .where('type', '=', type)
        .where('matures_at', '>', now)
        .execute(),
    /** Numbers of products of the demonstration whose sale has not ended. */
    simulatedOnSale: async (now: number): Promise<number[]> =>
      (await unmatured(now).select('p.id').where('p.simulated', '=', true).where('p.sale', '<>', 'ended').execute()).map(({ id }) => id),
    async held(uid: number, product: number, tx?: Tx): Promise<number> {
      const found = (tx ?? db).selectFrom('dual_holding').select('num').where('product_id', '=', product).where('uid', '=', uid)
      return (await found.executeTakeFirst())?.num ?? 0
    },
    /**
     * Takes shares from the stock, and from what the customer may have, in one statement: of two who want the last one, one gets it.
     * @returns false when there are not as many, the sale has stopped, or the terms are others by now; the transaction must then be undone
     */
    async take(tx: Tx, { id, terms_version: version }: DualProduct, uid: number, num: number): Promise<boolean> {
      const { rows } = await sql`with taken as (update dual_product set sold = sold + ${num}
          where id = ${id} and terms_version = ${version} and sale = 'open' and sold + ${num} <= total returning id, limit_each)
        insert into dual_holding as h (product_id, uid, num) select id, ${uid}, ${num} from taken where ${num} <= limit_each
          on conflict (product_id, uid) do update set num = h.num + excluded.num
            where h.num + excluded.num <= (select limit_each from taken) returning num`.execute(tx)
      return rows.length === 1
    },

    async add(tx: Tx, row: NewOrder): Promise<DualOrder> {
      return (
        await write(
          1,
          tx
            .insertInto('dual_order')
            .values({ ...row, ...bought })
            .returningAll(),
        )
      )[0]!
    },
    /** Moves orders to `settling`. @param rows locked */
    mature: (tx: Tx, rows: readonly DualOrder[]): Promise<DualOrder[]> =>
      write(
        rows.length,
        tx
          .updateTable('dual_order')
          .set((row) => ({ status: 'settling', version: row('version', '+', 1) }))
          .where(sql<boolean>`id = any(${rows.map(({ id }) => id)}::int[]) and status = 'purchased'`)
          .returningAll(),
      ),
    /** @param works locked orders, and what settles each */
    async settle(tx: Tx, works: readonly { row: DualOrder; found: Settlement }[]): Promise<DualOrder[]> {
      const settled = works.map(({ row, found: { status, outcome, tick, log_end, at } }): DualOrder => {
        if (!dualOrderMachine.allows(row.status, status)) throw new Error(`an order does not go from ${row.status} to ${status}`)
        const by = status === 'success' ? tick : undefined
        const price = { settle_tick_id: by?.id ?? null, settle_price: by?.price ?? null }
        return { ...row, ...price, status, outcome, booked_at: at, log_end, version: row.version + 1 }
      })
      await change(
        tx,
        works.map(({ row: before }, at) => ({ before, after: settled[at]! })),
      )
      return settled
    },
    order: (uid: number, id: number): Promise<DualOrder | undefined> =>
      db.selectFrom('dual_order').selectAll().where('id', '=', id).where('uid', '=', uid).executeTakeFirst(),
    find: (uid: number, filter: OrderFilter, page: PageAsk) => pageOf(db, matching(uid, filter).selectAll().orderBy('id', 'desc'), page),
  }
}
