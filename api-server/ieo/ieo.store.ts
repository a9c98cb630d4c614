import { type Insertable, type Selectable, sql } from 'kysely'
import type { IeoOrderTable, IeoProjectTable } from '#api-server/ieo/ieo.migration.ts'
import { type Allocated, type Applied, dayMs } from '#api-server/ieo/ieo.rules.ts'
import type { Decision } from '#api-server/kit/decision.ts'
import type { IeoGroup, IeoOrderState, IeoSale } from '#contract/calls/ieo.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { updateMany } from '#server-kit/db/bulk.ts'
import { type Database, type Tx, write } from '#server-kit/db/db.ts'
import { type PageAsk, pageOf } from '#server-kit/http/list-bounds.ts'

/** A project with its coins. */
export type IeoProject = Selectable<IeoProjectTable> & { token: string; token_scale: number; quote: string }
export type IeoOrder = Selectable<IeoOrderTable>
/** An order with its project and its coins. */
export type IeoOrderOf = IeoOrder & {
  name: string
  token: string
  token_scale: number
  quote: string
  pay: string
  issue_price: string
  lists_at: number
  lock_days: number
  releases: number
  all_applied: string
  issue_total: string
}
/** An application as the back office lists it. */
export type AppliedRow = Applied & { pay: string; passed: string | null; charged: string | null }

export interface OrderFilter {
  status?: IeoOrderState | undefined
  /** ms UTC; made at or after, and before. */
  from?: number | undefined
  to?: number | undefined
}

/** Terms that a project has now. */
type NewTerms = Omit<
  Insertable<IeoProjectTable>,
  'id' | 'applied' | 'customers' | 'sale' | 'sale_by' | 'stage' | 'passed' | 'hash' | 'allocated_at' | 'simulated'
>
/** A position after a change. */
export type Position = Pick<IeoOrder, 'amount' | 'frozen' | 'rate' | 'terms_version' | 'status' | 'changed_at'>

/** Orders are written in parts of this size. */
export const togetherMost = 500
const change = updateMany(
  'ieo_order',
  { int: ['version', 'done'], bigint: ['due_at', 'changed_at'], text: ['status'], numeric: ['passed', 'charged', 'released'] },
  'version',
)
type Moved = Pick<IeoOrder, 'status' | 'passed' | 'charged' | 'released' | 'done' | 'due_at' | 'changed_at'>

/** The number of a project that is proposed. A number whose proposal is dropped stays unused. */
export const nextProject = async (tx: Tx): Promise<number> =>
  (await sql<{ id: number }>`select nextval(pg_get_serial_sequence('ieo_project', 'id'))::int as id`.execute(tx)).rows[0]!.id
export const coinByCode = (tx: Tx, code: string) => tx.selectFrom('currency').selectAll().where('code', '=', code).executeTakeFirst()
/** A token that the platform did not have. Nobody can deposit or withdraw it until it has routes, and its market gives it a price. */
export async function addToken({ tx }: Decision, code: string, name: string, quote: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into currency (id, code, name, scale, status, price_symbol, position)
    select max(id) + 1, ${code}, ${name}, 8, 1, ${code + quote}, max(position) + 1 from currency returning id`.execute(tx)
  return rows[0]!.id
}

export type IeoStore = ReturnType<typeof createIeoStore>

/** All SQL of sales of new tokens. */
export function createIeoStore({ db }: Database) {
  const projects = (tx?: Tx) =>
    (tx ?? db)
      .selectFrom('ieo_project as p')
      .innerJoin('currency as t', 't.id', 'p.token_id')
      .innerJoin('currency as q', 'q.id', 'p.quote_id')
      .selectAll('p')
      .select(['t.code as token', 't.scale as token_scale', 'q.code as quote'])
  const orders = () =>
    db
      .selectFrom('ieo_order as o')
      .innerJoin('ieo_project as p', 'p.id', 'o.project_id')
      .innerJoin('currency as t', 't.id', 'p.token_id')
      .innerJoin('currency as q', 'q.id', 'p.quote_id')
      .innerJoin('currency as c', 'c.id', 'o.pay_id')
      .selectAll('o')
      .select(['p.name', 't.code as token', 't.scale as token_scale', 'q.code as quote', 'c.code as pay', 'p.issue_price'])
      .select(['p.lists_at', 'p.lock_days', 'p.releases', 'p.applied as all_applied', 'p.issue_total'])
  const isOver = (now: number) => sql<boolean>`(p.stage <> 'sale' or p.sale = 'ended' or p.ends_at <= ${now}::bigint)`
  /** The positions of a sale that count, by number. */
  const applications = (project: number, tx?: Tx) =>
    (tx ?? db)
      .selectFrom('ieo_order as o')
      .innerJoin('currency as c', 'c.id', 'o.pay_id')
      .select(['o.id', 'o.uid', 'o.pay_id', 'o.amount', 'o.frozen', 'o.passed', 'o.charged', 'c.scale', 'c.code as pay'])
      .where('o.project_id', '=', project)
      .where('o.status', '<>', 'cancelled')
      .orderBy('o.id')

  return {
    /** Sales: those that run first by their end, those to come by their beginning, then those that are over, newest first. */
    async projects(now: number, group: IeoGroup | undefined, page: PageAsk) {
      const over = isOver(now)
      let found = projects()
      if (group === 'ended') found = found.where(over)
      if (group === 'in_progress') found = found.where(sql<boolean>`not ${over} and p.starts_at <= ${now}::bigint`)
      if (group === 'warm_up') found = found.where(sql<boolean>`not ${over} and p.starts_at > ${now}::bigint`)
      const place = sql`case when ${over} then 2 when p.starts_at > ${now}::bigint then 1 else 0 end`
      const time = sql`case when ${over} then -p.ends_at when p.starts_at > ${now}::bigint then p.starts_at else p.ends_at end`
      return pageOf(db, found.orderBy(place).orderBy(time).orderBy('p.id'), page)
    },
    newest: (page: PageAsk) => pageOf(db, projects().orderBy('p.id', 'desc'), page),
    project: (id: number, tx?: Tx): Promise<IeoProject | undefined> => projects(tx).where('p.id', '=', id).executeTakeFirst(),
    /** The same, and no order of it and no other allocation runs until the transaction ends. */
    async lockProject(tx: Tx, id: number): Promise<IeoProject | undefined> {
      await tx.selectFrom('ieo_project').select('id').where('id', '=', id).forUpdate().execute()
      return projects(tx).where('p.id', '=', id).executeTakeFirst()
    },
    byIds: (ids: readonly number[]): Promise<IeoProject[]> => projects().where(sql<boolean>`p.id = any(${ids}::int[])`).execute(),
    /** A new project that two operators agreed to, by the number of its proposal. */
    create: ({ tx }: Decision, row: NewTerms & { id: number; simulated: boolean }) =>
      write(1, tx.insertInto('ieo_project').values({ ...row, applied: '0', customers: 0, sale: 'open', stage: 'sale' })),
    /** Other terms of a project that has not begun. @throws ApiProblem('state_wrong') when it has */
    async revise({ tx, at }: Decision, id: number, row: NewTerms): Promise<void> {
      const changed = tx.updateTable('ieo_project').set(row).where('id', '=', id).where('starts_at', '>', at).where('sale', '<>', 'ended')
      if ((await changed.returning('id').execute()).length !== 1) throw new ApiProblem('state_wrong')
    },
    /** @returns false when another decision came first */
    async decideSale({ tx, by }: Decision, { id, sale: before }: IeoProject, sale: IeoSale): Promise<boolean> {
      const changed = tx.updateTable('ieo_project').set({ sale, sale_by: by }).where('id', '=', id).where('sale', '=', before)
      return (await changed.where('stage', '=', 'sale').returning('id').execute()).length === 1
    },

    position: (project: number, uid: number, tx?: Tx): Promise<IeoOrder | undefined> =>
      (tx ?? db)
        .selectFrom('ieo_order')
        .selectAll()
        .where('project_id', '=', project)
        .where('uid', '=', uid)
        .where('status', '<>', 'cancelled')
        .executeTakeFirst(),
    /** Adds a position, or changes the one that there is, and the sums of its sale. @param project locked */
    async setPosition(
      tx: Tx,
      { project, uid, pay_id, before }: { project: number; uid: number; pay_id: number; before: IeoOrder | undefined },
      now: Position,
    ): Promise<IeoOrder> {
      const one = (before ? 0 : 1) - (now.status === 'cancelled' ? 1 : 0)
      const counted = now.status === 'cancelled' ? '0' : now.amount
      const sums = tx.updateTable('ieo_project').set({
        applied: sql<string>`applied + ${counted}::numeric - ${before?.amount ?? '0'}::numeric`,
        customers: sql<number>`customers + ${one}::int`,
      })
      await write(1, sums.where('id', '=', project).where('stage', '=', 'sale'))
      if (!before) {
        const fresh = { passed: null, charged: null, released: '0', done: 0, due_at: null, version: 1 } as const
        const row = { uid, project_id: project, pay_id, created_at: now.changed_at, ...now, ...fresh }
        return (await write(1, tx.insertInto('ieo_order').values(row).returningAll()))[0]!
      }
      const changed = tx.updateTable('ieo_order').set({ ...now, version: before.version + 1 })
      return (await write(1, changed.where('id', '=', before.id).where('version', '=', before.version).returningAll()))[0]!
    },
    order: (uid: number, id: number): Promise<IeoOrderOf | undefined> =>
      orders().where('o.id', '=', id).where('o.uid', '=', uid).executeTakeFirst(),
    ordersOf: (ids: readonly number[]): Promise<IeoOrderOf[]> => orders().where(sql<boolean>`o.id = any(${ids}::int[])`).execute(),
    find(uid: number, { status, from, to }: OrderFilter, page: PageAsk) {
      let found = orders().where('o.uid', '=', uid)
      if (status) found = found.where('o.status', '=', status)
      if (from !== undefined) found = found.where('o.created_at', '>=', from)
      if (to !== undefined) found = found.where('o.created_at', '<', to)
      return pageOf(db, found.orderBy('o.id', 'desc'), page)
    },

    applications: (project: number, tx?: Tx): Promise<AppliedRow[]> => applications(project, tx).execute(),
    /** Writes the result of an allocation: positions with tokens are locked, those without are refunded. @param first time of the first release */
    async allocate(tx: Tx, rows: readonly Allocated[], { first, at }: { first: number; at: number }): Promise<number[]> {
      for (let from = 0; from < rows.length; from += togetherMost) {
        const part = rows.slice(from, from + togetherMost)
        const ids = part.map(({ id }) => id)
        const before = await tx
          .selectFrom('ieo_order')
          .select(['id', 'version'])
          .where(sql<boolean>`id = any(${ids}::int[])`)
          .where('status', '=', 'applied')
          .execute()
        const versions = new Map(before.map(({ id, version }) => [id, version]))
        const changes = part.map(({ id, passed, charged }) => {
          const isLocked = passed !== '0'
          const moved: Moved = {
            status: isLocked ? 'locked' : 'refunded',
            passed,
            charged,
            released: '0',
            done: 0,
            due_at: isLocked ? first : null,
            changed_at: at,
          }
          const version = versions.get(id) ?? 0
          return { before: { id, version }, after: { ...moved, version: version + 1 } }
        })
        await change(tx, changes)
      }
      return rows.map(({ id }) => id)
    },
    /** @param project locked @param by what two operators agreed to */
    close: ({ tx, at }: Decision, id: number, by: { passed: string; hash: string }) =>
      write(
        1,
        tx
          .updateTable('ieo_project')
          .set({ ...by, stage: 'allocated', allocated_at: at })
          .where('id', '=', id)
          .where('stage', '=', 'sale'),
      ),
    /** Books a release of each order. @param works locked orders, and what follows for each */
    async release(tx: Tx, works: readonly { row: IeoOrder; released: string; due_at: number | null; at: number }[]): Promise<IeoOrder[]> {
      const moved = works.map(({ row, released, due_at, at }): IeoOrder => {
        const status = due_at === null ? 'unlocked' : 'locked'
        return { ...row, status, released, done: row.done + 1, due_at, changed_at: at, version: row.version + 1 }
      })
      await change(
        tx,
        works.map(({ row: before }, at) => ({ before, after: moved[at]! })),
      )
      return moved
    },
    /** Whether a project has tokens that are not released. */
    async hasLocked(project: number): Promise<boolean> {
      const found = db.selectFrom('ieo_order').select('id').where('project_id', '=', project).where('status', '=', 'locked').limit(1)
      return (await found.execute()).length > 0
    },
    unlock: (tx: Tx, ids: readonly number[]) =>
      write(
        ids.length,
        tx.updateTable('ieo_project').set({ stage: 'unlocked' }).where(sql<boolean>`id = any(${ids}::int[]) and stage = 'allocated'`),
      ),
    /** Locked tokens by day of the next release and token. */
    async owed(): Promise<{ day: number; currency: number; code: string; orders: number; amount: string }[]> {
      const { rows } = await sql<{ day: number; currency: number; code: string; orders: number; amount: string }>`select
          (o.due_at / ${dayMs}::bigint)::int as day, p.token_id as currency, t.code, count(*)::int as orders, sum(o.passed - o.released)::text as amount
        from ieo_order o join ieo_project p on p.id = o.project_id join currency t on t.id = p.token_id
        where o.status = 'locked' group by 1, 2, 3 order by 1, 3`.execute(db)
      return rows
    },
    /** Numbers of projects of the demonstration whose sale has not ended. */
    simulatedOnSale: async (now: number): Promise<number[]> =>
      (
        await db
          .selectFrom('ieo_project')
          .select('id')
          .where('simulated', '=', true)
          .where('sale', '<>', 'ended')
          .where('ends_at', '>', now)
          .execute()
      ).map(({ id }) => id),
    simulated: (tx?: Tx) => projects(tx).where('p.simulated', '=', true).orderBy('p.id').execute(),
  }
}
