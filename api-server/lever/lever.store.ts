import { type Expression, type SqlBool, sql } from 'kysely'
import { type PaidDay, statesOf } from '#api-server/lever/lever.rules.ts'
import type { Tick } from '#api-server/lever/triggers/trigger.rules.ts'
import type { LeverSide, LeverStatus } from '#contract/calls/lever.rows.ts'
import { type AllOf, insertMany, namesIn, nextIds, updateMany } from '#server-kit/db/bulk.ts'
import { type Database, type Db, fixed, type Tables, type Tx, write, writeAny } from '#server-kit/db/db.ts'
import { pageOf } from '#server-kit/http/list-bounds.ts'
import '#api-server/lever/lever.migration.ts'

export type Position = Omit<Tables['lever_position'], 'xact'>
export type Close = Tables['lever_close']
export type Night = Tables['lever_overnight']

export interface HistoryFilter {
  position?: number | undefined
  symbol?: string | undefined
  side?: LeverSide | undefined
  /** ms UTC, inclusive. */
  from?: number | undefined
  /** ms UTC, exclusive. */
  to?: number | undefined
}
/** Positions that are open or closing, and orders that wait. */
export interface Counts {
  open: number
  entrusts: number
}

const positionColumns = {
  bigint: [
    'id',
    'uid',
    'open_tick',
    'since',
    'tp_since',
    'sl_since',
    'exit_since',
    'next_night',
    'close_tick',
    'created',
    'opened',
    'ended',
  ],
  int: ['currency', 'multiple', 'terms_version', 'rev'],
  text: ['symbol', 'side', 'type', 'state', 'close_reason', 'cancel_reason'],
  numeric: [
    'lots',
    'lots_closed',
    'lot_size',
    'price',
    'worst_price',
    'open_price',
    'margin',
    'held',
    'tp',
    'sl',
    'liquidation',
    'fee_rate',
    'maintenance_rate',
    'overnight_rate',
    'spread',
    'profit',
    'fee',
    'overnight',
    'overnight_closed',
    'closed_worth',
    'result',
    'close_price',
  ],
} as const
const closeColumns = {
  bigint: ['id', 'position_id', 'uid', 'tick_id', 'opened', 'at'],
  int: ['currency', 'multiple'],
  text: ['symbol', 'side', 'reason'],
  numeric: ['lots', 'lots_left', 'open_price', 'price', 'margin', 'profit', 'fee', 'open_fee', 'overnight', 'back', 'insurance'],
} as const
const columns = namesIn(positionColumns satisfies AllOf<Position, typeof positionColumns>)
const xact = sql<number>`pg_current_xact_id()::text::bigint`

const insert = insertMany('lever_position', positionColumns)
const several = fixed<Position>(`select ${columns} from lever_position where id = any($1::bigint[])`)
/** In the order of their numbers, so that two transactions never wait for each other. */
const locked = fixed<Position>(`select ${columns} from lever_position where id = any($1::bigint[]) order by id for update`)
/** Changes each row once. @throws RowCountError when one was not locked and has changed */
const update = updateMany(
  'lever_position',
  {
    bigint: ['open_tick', 'since', 'tp_since', 'sl_since', 'exit_since', 'next_night', 'close_tick', 'opened', 'ended'],
    int: ['rev'],
    text: ['state', 'close_reason', 'cancel_reason'],
    numeric: [
      'lots',
      'lots_closed',
      'price',
      'open_price',
      'margin',
      'held',
      'tp',
      'sl',
      'liquidation',
      'profit',
      'fee',
      'overnight',
      'overnight_closed',
      'closed_worth',
      'result',
      'close_price',
    ],
  },
  'rev',
  'xact = pg_current_xact_id()::text::bigint',
)
const close = insertMany('lever_close', closeColumns satisfies AllOf<Close, typeof closeColumns>)
const counted = fixed<{ uid: number } & Counts>(`select uid, count(*) filter (where state in ('open', 'closing'))::int as open,
  count(*) filter (where state = 'entrust')::int as entrusts from lever_position
  where uid = any($1::bigint[]) and state in ('entrust', 'open', 'closing') and ($2::text is null or symbol = $2) group by uid`)

export type LeverStore = ReturnType<typeof createLeverStore>

/** All SQL of contract trading. */
export function createLeverStore(database: Database) {
  const { db } = database
  const positions = (from: Db | Tx) => from.selectFrom('lever_position').select(columns)

  return {
    /** New numbers of positions or closings; gaps stay where they are not used. */
    ids: (of: 'lever_position_id' | 'lever_close_id', count: number): Promise<number[]> => nextIds(db, of, count),
    insert,
    /** Nobody else changes it before the transaction is over. */
    lock: async (tx: Tx, id: number): Promise<Position | undefined> => (await locked(tx, [[id]]).execute())[0],
    lockAll: (tx: Tx, ids: readonly number[]): Promise<Position[]> => locked(tx, [ids]).execute(),
    one: async (id: number): Promise<Position | undefined> => (await several(db, [[id]]).execute())[0],
    /** In any order; those that are not there are absent. */
    several: (ids: readonly number[]): Promise<Position[]> => several(db, [ids]).execute(),
    update,
    close,
    night: (tx: Tx, row: Night) => write(1, tx.insertInto('lever_overnight').values(row)),
    /** @returns its number */
    margin: async (tx: Tx, row: Omit<Tables['lever_margin'], 'id'>): Promise<number> =>
      (await write(1, tx.insertInto('lever_margin').values(row).returning('id')))[0]!.id,

    /** Ticks of a symbol up to one, of which nobody has noted yet that what they fired is done. */
    undecided: (symbol: string, upTo: number, tx?: Tx): Promise<Tick[]> =>
      (tx ?? db)
        .selectFrom('tick')
        .select(['id', 'symbol', 'price', 'time'])
        .where('symbol', '=', symbol)
        .where('id', '>', sql<number>`coalesce((select tick from lever_progress), 0)`)
        .where('id', '<=', upTo)
        .orderBy('id')
        .execute(),

    /** By customer; one who has nothing is absent. */
    async counts(uids: readonly number[], symbol?: string, tx?: Tx): Promise<Map<number, Counts>> {
      const rows = await counted(tx ?? db, [uids, symbol ?? null]).execute()
      return new Map(rows.map(({ uid, ...counts }) => [uid, counts]))
    },

    async list(uid: number, status: LeverStatus, { symbol, side, from, to }: HistoryFilter, page: { offset: number; size: number }) {
      const at = sql<number>`coalesce(ended, opened, created)`
      const asked = db.selectFrom('lever_position').where(({ eb, and }) => {
        const all: Expression<SqlBool>[] = [eb('uid', '=', uid), eb('state', 'in', statesOf(status))]
        if (symbol !== undefined) all.push(eb('symbol', '=', symbol))
        if (side !== undefined) all.push(eb('side', '=', side))
        if (from !== undefined) all.push(eb(at, '>=', from))
        if (to !== undefined) all.push(eb(at, '<', to))
        return and(all)
      })
      return pageOf(db, asked.select(columns).orderBy(at, 'desc').orderBy('id', 'desc'), page)
    },
    open: (uid: number, symbol?: string, side?: LeverSide): Promise<Position[]> =>
      positions(db)
        .where('uid', '=', uid)
        .where('state', 'in', ['open', 'closing'])
        .$if(symbol !== undefined, (only) => only.where('symbol', '=', symbol!))
        .$if(side !== undefined, (only) => only.where('side', '=', side!))
        .orderBy('opened', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    async closes(uid: number, { position, symbol, side, from, to }: HistoryFilter, page: { offset: number; size: number }) {
      const asked = db.selectFrom('lever_close').where(({ eb, and }) => {
        const all: Expression<SqlBool>[] = [eb('uid', '=', uid)]
        if (position !== undefined) all.push(eb('position_id', '=', position))
        if (symbol !== undefined) all.push(eb('symbol', '=', symbol))
        if (side !== undefined) all.push(eb('side', '=', side))
        if (from !== undefined) all.push(eb('at', '>=', from))
        if (to !== undefined) all.push(eb('at', '<', to))
        return and(all)
      })
      return pageOf(db, asked.selectAll().orderBy('at', 'desc').orderBy('id', 'desc'), page)
    },

    closing: (uid: number, id: number): Promise<Close | undefined> =>
      db.selectFrom('lever_close').where('id', '=', id).where('uid', '=', uid).selectAll().executeTakeFirst(),

    /** Days of [from, to) on which something was closed, oldest first. All that a closing has cost counts for its day. */
    async days(uid: number, from: number, to: number): Promise<PaidDay[]> {
      const { rows } = await sql<PaidDay>`select at - at % 86400000 as day, sum(profit)::text as profit, sum(open_fee + fee)::text as fee,
          sum(overnight)::text as overnight, sum(back - margin - open_fee - overnight)::text as result, count(*)::int as closes
        from lever_close where uid = ${uid} and at >= ${from} and at < ${to} group by 1 order by 1`.execute(db)
      return rows
    },

    /** Waiting orders, and positions that are open or closing, by number. */
    active: (after: number, most: number): Promise<Position[]> =>
      positions(db).where('state', 'in', ['entrust', 'open', 'closing']).where('id', '>', after).orderBy('id').limit(most).execute(),
    /**
     * Returns the rows that were changed by transactions from `from` on.
     * @returns where to go on: all transactions before it are over, and what they did was seen
     */
    async changed(from: number): Promise<{ rows: Position[]; next: number }> {
      const { rows: found } = await sql<{ next: number }>`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as next`.execute(db)
      const rows = await positions(db).where('xact', '>=', from).orderBy('id').execute()
      return { rows, next: found[0]!.next }
    },
    /**
     * Where a node that begins to read has to look for changes from. The numbers of transactions begin anew where a database is restored: rows of
     * what would be the future are rows of the past.
     */
    async adopt(): Promise<number> {
      const { rows } = await sql<{ first: number; next: number }>`select pg_snapshot_xmin(s)::text::bigint as first,
        pg_snapshot_xmax(s)::text::bigint as next from pg_current_snapshot() s`.execute(db)
      const { first, next } = rows[0]!
      await writeAny(db.updateTable('lever_position').set({ xact }).where('xact', '>', next))
      return first
    },
    /** Returns the open part of a position, without a lock. */
    held: (tx: Tx, id: number): Promise<Pick<Position, 'state' | 'lots'>> =>
      tx.selectFrom('lever_position').select(['state', 'lots']).where('id', '=', id).executeTakeFirstOrThrow(),
    /** Closed positions of a customer. */
    async traded(uid: number): Promise<{ closed: number; winning: number; profit: string }> {
      const { rows } = await sql<{ closed: number; winning: number; profit: string }>`select count(*)::int as closed,
        count(*) filter (where result > 0)::int as winning, trim_scale(coalesce(sum(result), 0))::text as profit
        from lever_position where uid = ${uid} and state = 'closed'`.execute(db)
      return rows[0]!
    },

    async progress(): Promise<number | undefined> {
      return (await db.selectFrom('lever_progress').select('tick').executeTakeFirst())?.tick
    },
    /** Never back. */
    async setProgress(tick: number): Promise<void> {
      const row = { one: 1, tick }
      await writeAny(
        db
          .insertInto('lever_progress')
          .values(row)
          .onConflict((on) => on.column('one').doUpdateSet({ tick: sql<number>`greatest(lever_progress.tick, excluded.tick)` })),
      )
    },
  }
}
