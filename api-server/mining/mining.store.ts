import { type Insertable, type Selectable, sql } from 'kysely'
import type { Decision } from '#api-server/kit/decision.ts'
import type { MiningIncomeTable, MiningOrderTable, MiningProductTable } from '#api-server/mining/mining.migration.ts'
import type { MiningKind, MiningRenewal, MiningSale, MiningState } from '#contract/calls/earning/mining.calls.ts'
import { listMost } from '#contract/fields.ts'
import { ApiProblem } from '#contract/problem.ts'
import { insertMany, updateMany } from '#server-kit/db/bulk.ts'
import { type Database, type Tx, write } from '#server-kit/db/db.ts'
import { type PageAsk, pageOf } from '#server-kit/http/list-bounds.ts'

export type MiningProduct = Selectable<MiningProductTable>
export type MiningOrder = Selectable<MiningOrderTable>
export type MiningIncome = Selectable<MiningIncomeTable>
const bought = {
  paid_days: 0,
  renewal: 'none',
  reminded: false,
  status: 'running',
  how: null,
  closed_at: null,
  penalty_paid: null,
  next_id: null,
  version: 1,
} as const
export type NewOrder = Omit<Insertable<MiningOrderTable>, 'id' | keyof typeof bought> & { renewal?: MiningRenewal }

export interface OrderFilter {
  status?: MiningState | undefined
  /** ms UTC; bought at or after, and before. */
  from?: number | undefined
  to?: number | undefined
}

const change = updateMany(
  'mining_order',
  {
    bigint: ['due_at', 'closed_at'],
    int: ['paid_days', 'next_id', 'version'],
    text: ['status', 'how'],
    numeric: ['penalty_paid'],
  },
  'version',
)
const addIncomes = insertMany('mining_income', {
  int: ['order_id', 'day'],
  numeric: ['amount'],
  bigint: ['due_at', 'booked_at'],
})

/** Terms that a product has now. */
type NewTerms = Omit<Insertable<MiningProductTable>, 'id' | 'locked' | 'sale' | 'sale_by' | 'simulated'>

/** The number of a product that is proposed. A number whose proposal is dropped stays unused. */
export const nextProduct = async (tx: Tx): Promise<number> =>
  (await sql<{ id: number }>`select nextval(pg_get_serial_sequence('mining_product', 'id'))::int as id`.execute(tx)).rows[0]!.id

export interface MiningOwed {
  day: number
  currency: number
  payments: number
  income: string
  principal: string
}

export type MiningStore = ReturnType<typeof createMiningStore>

/** All SQL of locked mining. */
export function createMiningStore({ db }: Database) {
  return {
    products: (kind: MiningKind, page: PageAsk) =>
      pageOf(
        db,
        db
          .selectFrom('mining_product')
          .selectAll()
          .where('kind', '=', kind)
          .where('sale', '<>', 'ended')
          .orderBy('currency_id')
          .orderBy('locked_days')
          .orderBy('id'),
        page,
      ),
    product: (id: number, tx?: Tx): Promise<MiningProduct | undefined> =>
      (tx ?? db).selectFrom('mining_product').selectAll().where('id', '=', id).executeTakeFirst(),
    byIds: (ids: readonly number[]): Promise<MiningProduct[]> =>
      db.selectFrom('mining_product').selectAll().where(sql<boolean>`id = any(${ids}::int[])`).execute(),
    /** Products of the demonstration, those of an ended sale among them. */
    simulated: (tx: Tx): Promise<MiningProduct[]> => tx.selectFrom('mining_product').selectAll().where('simulated', '=', true).execute(),
    /** A new product that two operators agreed to, by the number of its proposal. */
    create: ({ tx }: Decision, row: NewTerms & { id: number; simulated: boolean }) =>
      write(1, tx.insertInto('mining_product').values({ ...row, locked: '0', sale: 'open' })),
    /** Other terms of a product. Orders keep theirs. @throws ApiProblem('state_wrong') when its sale has ended */
    async revise({ tx }: Decision, id: number, row: NewTerms): Promise<void> {
      const changed = tx.updateTable('mining_product').set(row).where('id', '=', id).where('sale', '<>', 'ended')
      if ((await changed.returning('id').execute()).length !== 1) throw new ApiProblem('state_wrong')
    },
    /** @returns false when another decision came first */
    async decideSale({ tx, by }: Decision, { id, sale: before }: MiningProduct, sale: MiningSale): Promise<boolean> {
      const changed = tx.updateTable('mining_product').set({ sale, sale_by: by }).where('id', '=', id).where('sale', '=', before)
      return (await changed.returning('id').execute()).length === 1
    },
    /**
     * Takes an amount from what is left.
     * @returns false when there is not as much, the sale has stopped, or the terms are others by now
     */
    async take(tx: Tx, { id, terms_version: version }: MiningProduct, amount: string): Promise<boolean> {
      const { rows } = await sql`update mining_product set locked = locked + ${amount}::numeric where id = ${id}
        and terms_version = ${version} and sale = 'open' and locked + ${amount}::numeric <= capacity returning id`.execute(tx)
      return rows.length === 1
    },
    /** Amounts of orders that end can be locked by others. */
    async release(tx: Tx, ended: readonly Pick<MiningOrder, 'product_id' | 'amount'>[]): Promise<void> {
      if (!ended.length) return
      const ids = [...new Set(ended.map((one) => one.product_id))]
      // In the order of their numbers, so that two transactions never wait for each other.
      await sql`select id from mining_product where id = any(${ids}::int[]) order by id for update`.execute(tx)
      await write(ids.length, {
        execute: async () =>
          (
            await sql`update mining_product p set locked = locked - e.amount from (select product_id, sum(amount) as amount
              from unnest(${ended.map((one) => one.product_id)}::int[], ${ended.map((one) => one.amount)}::numeric[]) e (product_id, amount)
              group by product_id) e where p.id = e.product_id returning p.id`.execute(tx)
          ).rows,
      })
    },
    async add(tx: Tx, row: NewOrder): Promise<MiningOrder> {
      const [made] = await write(
        1,
        tx
          .insertInto('mining_order')
          .values({ ...bought, ...row })
          .returningAll(),
      )
      return made!
    },
    /** The order of a customer, locked. */
    locked: (tx: Tx, uid: number, id: number): Promise<MiningOrder | undefined> =>
      tx.selectFrom('mining_order').selectAll().where('id', '=', id).where('uid', '=', uid).forUpdate().executeTakeFirst(),
    /** @param changes locked orders, before and after: days that were paid, and the end */
    move: (tx: Tx, changes: readonly { before: MiningOrder; after: MiningOrder }[]): Promise<void> => change(tx, changes),
    addIncomes,
    async choose(tx: Tx, { id, version }: MiningOrder, renewal: MiningRenewal): Promise<MiningOrder> {
      const chosen = tx.updateTable('mining_order').set({ renewal, version: version + 1 })
      return (await write(1, chosen.where('id', '=', id).where('version', '=', version).returningAll()))[0]!
    },
    /** @param rows locked */
    remind: (tx: Tx, rows: readonly MiningOrder[]): Promise<MiningOrder[]> =>
      write(
        rows.length,
        tx
          .updateTable('mining_order')
          .set((row) => ({ reminded: true, version: row('version', '+', 1) }))
          .where(sql<boolean>`id = any(${rows.map(({ id }) => id)}::int[]) and status = 'running'`)
          .returningAll(),
      ),
    order: (uid: number, id: number): Promise<MiningOrder | undefined> =>
      db.selectFrom('mining_order').selectAll().where('id', '=', id).where('uid', '=', uid).executeTakeFirst(),
    hasOrdered: async (uid: number): Promise<boolean> =>
      (await db.selectFrom('mining_order').select('id').where('uid', '=', uid).limit(1).execute()).length > 0,
    incomes: (id: number): Promise<MiningIncome[]> =>
      db.selectFrom('mining_income').selectAll().where('order_id', '=', id).orderBy('day', 'desc').execute(),
    orders(uid: number, { status, from, to }: OrderFilter, page: PageAsk) {
      let found = db.selectFrom('mining_order').selectAll().where('uid', '=', uid).orderBy('id', 'desc')
      if (status) found = found.where('status', '=', status)
      if (from !== undefined) found = found.where('bought_at', '>=', from)
      return pageOf(db, to === undefined ? found : found.where('bought_at', '<', to), page)
    },
    /** Running orders of a customer, those that end first. */
    running: (uid: number): Promise<MiningOrder[]> =>
      db
        .selectFrom('mining_order')
        .selectAll()
        .where('uid', '=', uid)
        .where('status', '=', 'running')
        .orderBy('ends_at')
        .orderBy('id')
        .execute(),
    /** Income that was paid to a customer, by UTC day and coin. */
    async incomeByDay(uid: number): Promise<{ day: number; currency: number; amount: string }[]> {
      const { rows } = await sql<{ day: number; currency: number; amount: string }>`select (i.booked_at / 86400000)::int as day,
          o.currency_id as currency, trim_scale(sum(i.amount))::text as amount
        from mining_order o join mining_income i on i.order_id = o.id where o.uid = ${uid} group by 1, 2 order by 1, 2`.execute(db)
      return rows
    },
    /** Products whose sale is open. */
    onSale: (): Promise<MiningProduct[]> =>
      db.selectFrom('mining_product').selectAll().where('sale', '=', 'open').orderBy('id').limit(listMost.page).execute(),
    /** Income and principal of running orders by UTC day and coin, of the days before one. @param until number of the day */
    async owed(until: number): Promise<MiningOwed[]> {
      const { rows } =
        await sql<MiningOwed>`select ((o.bought_at + d * 86400000::bigint) / 86400000)::int as day, o.currency_id as currency,
          count(*)::int as payments, sum(o.income)::text as income, sum(case when d = o.locked_days then o.amount else 0 end)::text as principal
        from mining_order o cross join lateral generate_series(o.paid_days + 1, least(o.locked_days, ${until} - o.bought_at / 86400000)) d
        where o.status = 'running' and (o.bought_at + d * 86400000::bigint) / 86400000 < ${until} group by 1, 2 order by 1, 2`.execute(db)
      return rows
    },
    /** Income and principal of all running orders, by coin. */
    async owedInAll(): Promise<{ currency: number; income: string; principal: string }[]> {
      const { rows } = await sql<{ currency: number; income: string; principal: string }>`select currency_id as currency,
        sum(income * (locked_days - paid_days))::text as income, sum(amount)::text as principal
        from mining_order where status = 'running' group by 1 order by 1`.execute(db)
      return rows
    },
  }
}
