import { type Expression, type SqlBool, sql } from 'kysely'
import { statesOfList } from '#api-server/lever/lever.rules.ts'
import type { Tick } from '#api-server/lever/trigger.rules.ts'
import type { LeverList, LeverSide, LeverState } from '#contract/calls/lever.calls.ts'
import { type Database, type Db, fixed, type Tables, type Tx, write, writeAny } from '#server-kit/db/db.ts'
import '#api-server/lever/lever.migration.ts'

export type Position = Omit<Tables['lever_position'], 'xact'>
export type Close = Tables['lever_close']
export type Night = Tables['lever_overnight']

export interface HistoryFilter {
  symbol?: string | undefined
  side?: LeverSide | undefined
  /** ms UTC, inclusive. */
  from?: number | undefined
  /** ms UTC, exclusive. */
  to?: number | undefined
}
/** What one day of a customer has brought. Exact decimals. */
export interface DayOf {
  /** 00:00 UTC, ms. */
  day: number
  profit: string
  fee: string
  overnight: string
  result: string
  closes: number
}

const columns = [
  ...['id', 'uid', 'symbol', 'currency', 'side', 'type', 'state', 'multiple', 'lots', 'lot_size', 'price', 'worst_price', 'open_price'],
  ...['open_tick', 'margin', 'held', 'tp', 'sl', 'liquidation', 'since', 'tp_since', 'sl_since', 'terms_version', 'fee_rate'],
  ...['maintenance_rate', 'overnight_rate', 'spread', 'profit', 'fee', 'overnight', 'result', 'next_night', 'close_reason', 'close_price'],
  ...['close_tick', 'cancel_reason', 'created', 'opened', 'ended', 'rev', 'lots_closed'],
] as const as readonly (keyof Position)[]
const xact = sql<number>`pg_current_xact_id()::text::bigint`

/** Only while the customer has fewer rows in such states, and where a tick is named, only when it stands in the log as it was seen. */
const inserted =
  fixed(`insert into lever_position (id, uid, symbol, currency, side, type, state, multiple, lots, lot_size, price, worst_price, open_price,
  open_tick, margin, held, tp, sl, liquidation, since, tp_since, sl_since, terms_version, fee_rate, maintenance_rate, overnight_rate, spread, profit, fee,
  overnight, result, next_night, close_reason, close_price, close_tick, cancel_reason, created, opened, ended, rev, lots_closed) select $1, $2::bigint, $3::text, $4, $5, $6, $7, $8,
  $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41
  where (select count(*) from lever_position where uid = $2::bigint and state = any($42::text[])) < $43::int
  and ($44::bigint is null or exists (select from tick where id = $44::bigint and symbol = $3::text and price = $45::numeric))`)
const mine =
  fixed<Position>(`select id, uid, symbol, currency, side, type, state, multiple, lots, lot_size, price, worst_price, open_price, open_tick, margin, held, tp, sl,
  liquidation, since, tp_since, sl_since, terms_version, fee_rate, maintenance_rate, overnight_rate, spread, profit, fee, overnight, result, next_night,
  close_reason, close_price, close_tick, cancel_reason, created, opened, ended, rev, lots_closed from lever_position where id = $1 and ($2::bigint is null or uid = $2)`)
const lockedOne =
  fixed<Position>(`select id, uid, symbol, currency, side, type, state, multiple, lots, lot_size, price, worst_price, open_price, open_tick, margin, held, tp, sl,
  liquidation, since, tp_since, sl_since, terms_version, fee_rate, maintenance_rate, overnight_rate, spread, profit, fee, overnight, result, next_night,
  close_reason, close_price, close_tick, cancel_reason, created, opened, ended, rev, lots_closed from lever_position where id = $1 and ($2::bigint is null or uid = $2) for update`)
/** What may change of a row, in the order of the statement. */
const changing = [
  ...[
    'state',
    'lots',
    'open_price',
    'open_tick',
    'margin',
    'held',
    'tp',
    'sl',
    'liquidation',
    'since',
    'tp_since',
    'sl_since',
    'profit',
    'fee',
  ],
  ...[
    'overnight',
    'result',
    'next_night',
    'close_reason',
    'close_price',
    'close_tick',
    'cancel_reason',
    'opened',
    'ended',
    'rev',
    'lots_closed',
  ],
] as const as readonly (keyof Position)[]
const updated =
  fixed(`update lever_position set state = $3, lots = $4, open_price = $5, open_tick = $6, margin = $7, held = $8, tp = $9, sl = $10,
  liquidation = $11, since = $12, tp_since = $13, sl_since = $14, profit = $15, fee = $16, overnight = $17, result = $18, next_night = $19,
  close_reason = $20, close_price = $21, close_tick = $22, cancel_reason = $23, opened = $24, ended = $25, rev = $26, lots_closed = $27,
  xact = pg_current_xact_id()::text::bigint where id = $1 and rev = $2`)
const closing = [
  ...[
    'id',
    'position_id',
    'uid',
    'symbol',
    'currency',
    'side',
    'multiple',
    'lots',
    'lots_left',
    'open_price',
    'price',
    'tick_id',
    'margin',
  ],
  ...['profit', 'fee', 'back', 'insurance', 'reason', 'opened', 'at'],
] as const as readonly (keyof Close)[]
const closed =
  fixed(`insert into lever_close (id, position_id, uid, symbol, currency, side, multiple, lots, lots_left, open_price, price, tick_id, margin,
  profit, fee, back, insurance, reason, opened, at)
  select $1, $2, $3, $4::text, $5, $6, $7, $8, $9, $10, $11, $12::bigint, $13, $14, $15, $16, $17, $18, $19, $20
  where $21::numeric is null or exists (select from tick where id = $12::bigint and symbol = $4::text and price = $21::numeric)`)
const counted = fixed<{ open: number; entrusts: number }>(`select count(*) filter (where state in ('open', 'closing'))::int as open,
  count(*) filter (where state = 'entrust')::int as entrusts from lever_position where uid = $1 and state in ('entrust', 'open', 'closing')
  and ($2::text is null or symbol = $2)`)
const found = fixed<{ id: number }>('select id from tick where id = $1 and symbol = $2 and price = $3::numeric')

export type LeverStore = ReturnType<typeof createLeverStore>

/** All SQL of contract trading. */
export function createLeverStore(database: Database) {
  const { db } = database
  const positions = (from: Db | Tx) => from.selectFrom('lever_position').select(columns)

  return {
    /** New numbers of positions or closings; gaps stay where they are not used. */
    async ids(of: 'lever_position_id' | 'lever_close_id', count: number): Promise<number[]> {
      const { rows } = await sql<{ id: number }>`select nextval(${of}::regclass) as id from generate_series(1, ${count}::int)`.execute(db)
      return rows.map(({ id }) => id)
    },
    /** @returns false when the customer has `most` rows in these states already, or the log does not have the tick */
    async insert(tx: Tx, row: Position, only: { states: readonly LeverState[]; most: number; tick?: Tick | undefined }): Promise<boolean> {
      const { states, most, tick } = only
      const values = [...columns.map((name) => row[name]), states, most, tick?.id ?? null, tick?.price ?? null]
      return (await writeAny(inserted(tx, values))) === 1
    },
    /** Nobody else changes it before the transaction is over. @param uid whose it must be */
    lock: async (tx: Tx, id: number, uid?: number): Promise<Position | undefined> => (await lockedOne(tx, [id, uid ?? null]).execute())[0],
    one: async (id: number, uid?: number): Promise<Position | undefined> => (await mine(db, [id, uid ?? null]).execute())[0],
    /** @returns the row as it is then @throws RowCountError when it was not locked and has changed */
    async update(tx: Tx, before: Position, set: Partial<Position>): Promise<Position> {
      const after: Position = { ...before, ...set, rev: before.rev + 1 }
      await write(1, updated(tx, [before.id, before.rev, ...changing.map((name) => after[name])]))
      return after
    },
    /** @param tick that must stand in the log @returns false when it does not */
    close: async (tx: Tx, row: Close, tick?: Tick): Promise<boolean> =>
      (await writeAny(closed(tx, [...closing.map((name) => row[name]), tick?.price ?? null]))) === 1,
    night: (tx: Tx, row: Night) => write(1, tx.insertInto('lever_overnight').values(row)),
    /** @returns its number */
    margin: async (tx: Tx, row: Omit<Tables['lever_margin'], 'id'>): Promise<number> =>
      (await write(1, tx.insertInto('lever_margin').values(row).returning('id')))[0]!.id,

    /** Whether the log has this tick: what was seen of a source that lost the log is not there, or is another price. */
    logged: async (tx: Tx, { id, symbol, price }: Tick): Promise<boolean> => (await found(tx, [id, symbol, price]).execute()).length === 1,

    /** Ticks of a symbol up to one, of which nobody has noted yet that what they fired is done. */
    undecided: (symbol: string, upTo: number): Promise<Tick[]> =>
      db
        .selectFrom('tick')
        .select(['id', 'symbol', 'price', 'time'])
        .where('symbol', '=', symbol)
        .where('id', '>', sql<number>`coalesce((select tick from lever_progress), 0)`)
        .where('id', '<=', upTo)
        .orderBy('id')
        .execute(),

    async count(uid: number, symbol: string | null): Promise<{ open: number; entrusts: number }> {
      return (await counted(db, [uid, symbol]).execute())[0]!
    },

    async list(uid: number, list: LeverList, symbol: string | undefined, page: { offset: number; size: number }) {
      let asked = db.selectFrom('lever_position').where('uid', '=', uid).where('state', 'in', statesOfList(list))
      if (symbol !== undefined) asked = asked.where('symbol', '=', symbol)
      const rows: Position[] = await asked
        .select(columns)
        .orderBy(sql`coalesce(ended, opened, created)`, 'desc')
        .orderBy('id', 'desc')
        .offset(page.offset)
        .limit(page.size)
        .execute()
      const { total } = await asked.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
      return { rows, total }
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

    async closes(uid: number, { symbol, side, from, to }: HistoryFilter, page: { offset: number; size: number }) {
      const asked = db.selectFrom('lever_close').where(({ eb, and }) => {
        const all: Expression<SqlBool>[] = [eb('uid', '=', uid)]
        if (symbol !== undefined) all.push(eb('symbol', '=', symbol))
        if (side !== undefined) all.push(eb('side', '=', side))
        if (from !== undefined) all.push(eb('at', '>=', from))
        if (to !== undefined) all.push(eb('at', '<', to))
        return and(all)
      })
      const rows: Close[] = await asked
        .selectAll()
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .offset(page.offset)
        .limit(page.size)
        .execute()
      const { total } = await asked.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
      return { rows, total }
    },

    /** Days of [from, to) on which something was paid, oldest first. A fee of opening counts for the day of the opening. */
    async days(uid: number, from: number, to: number): Promise<DayOf[]> {
      const { rows } = await sql<DayOf>`select day, sum(profit)::text as profit, sum(fee)::text as fee, sum(overnight)::text as overnight,
          sum(result)::text as result, sum(closes)::int as closes from (
        select at - at % 86400000 as day, profit, fee, 0::numeric as overnight, back - margin as result, 1 as closes
          from lever_close where uid = ${uid} and at >= ${from} and at < ${to}
        union all select p.opened - p.opened % 86400000, 0, p.paid, 0, -p.paid, 0 from (select opened,
          fee - coalesce((select sum(c.fee) from lever_close c where c.position_id = lever_position.id), 0) as paid
          from lever_position where uid = ${uid} and opened >= ${from} and opened < ${to}) p
        union all select night, 0, 0, fee, -fee, 0 from lever_overnight where uid = ${uid} and night >= ${from} and night < ${to}
      ) paid group by day order by day`.execute(db)
      return rows
    },

    /** Waiting orders, and positions that are open or closing, by number. */
    active: (after: number, most: number): Promise<Position[]> =>
      positions(db).where('state', 'in', ['entrust', 'open', 'closing']).where('id', '>', after).orderBy('id').limit(most).execute(),
    /**
     * What was changed by transactions from `from` on.
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
    /** Open positions whose night was due then, oldest first. */
    nights: (at: number, most: number): Promise<Position[]> =>
      positions(db).where('state', '=', 'open').where('next_night', '<=', at).orderBy('next_night').limit(most).execute(),

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
