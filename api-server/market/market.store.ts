import { sql } from 'kysely'
import type { Bar } from '#api-server/market/bars/bars.rules.ts'
import { bucketEnd } from '#api-server/market/bars/periods.rules.ts'
import type { TickPlace } from '#api-server/market/board.ts'
import { type MarketInstrument, withUnits } from '#api-server/market/instruments.ts'
import { fromUnits, toUnits, toUnitsCut } from '#api-server/market/units.rules.ts'
import { type Period, periods } from '#contract/calls/market.calls.ts'
import { listMost } from '#contract/fields.ts'
import { type ChainedTick, type ChainTip, genesisHash, type LoggedTick } from '#contract/tick-chain.ts'
import { type Database, fixed, type Tables, type Tx, write, writeAny } from '#server-kit/db/db.ts'
import { checkMost } from '#server-kit/http/list-bounds.ts'
import '#api-server/market/market.migration.ts'

/** A closed candle to be stored. */
export interface ClosedCandle {
  instrument: MarketInstrument
  period: Period
  bar: Bar
  /** The bar is one tick that came too late for its bucket: its place in the log. */
  late?: TickPlace | undefined
}
interface CandleRange {
  instrument: MarketInstrument
  period: Period
  source: string
  /** Range of times in ms UTC, both inclusive. */
  from: number
  to: number
  limit: number
}

/** The identity of a tick, and its price. */
export type NamedTick = Pick<ChainedTick, 'id' | 'symbol' | 'price'>

const rowsPerStatement = 500
const dayMs = 86_400_000
const columns = ['id', 'symbol', 'price', 'size', 'time', 'source', 'prev_hash', 'hash'] as const

const chained = (row: Omit<ChainedTick, 'prev_hash' | 'hash'> & { prev_hash: Buffer; hash: Buffer }): ChainedTick => ({
  ...row,
  prev_hash: row.prev_hash.toString('hex'),
  hash: row.hash.toString('hex'),
})

/** Converts stored text to units. Stored candles never have more decimals than the scale. */
function barFrom(
  row: { time: number; open: string; high: string; low: string; close: string; volume: string },
  instrument: MarketInstrument,
): Bar {
  const units = (text: string) => {
    const found = toUnits(text, instrument.priceScale)
    if (found === undefined) throw new Error(`a stored candle of ${instrument.symbol} does not fit its price step`)
    return found
  }
  return {
    time: row.time,
    open: units(row.open),
    high: units(row.high),
    low: units(row.low),
    close: units(row.close),
    volume: toUnitsCut(row.volume, instrument.sizeScale) ?? 0,
  }
}

const inLog = fixed<{
  at: number
}>(`select s.at from unnest($1::bigint[], $2::text[], $3::numeric[]) with ordinality s (id, symbol, price, at)
  join tick t on t.id = s.id and t.symbol = s.symbol and t.price = s.price`)

export type MarketStore = ReturnType<typeof createMarketStore>

/** One candle for each bucket: the statement that stores them may name none twice. */
function mergedBuckets(candles: readonly ClosedCandle[]): ClosedCandle[] {
  const buckets = new Map<string, ClosedCandle>()
  for (const candle of candles) {
    const { bar } = candle
    const key = `${candle.instrument.symbol} ${candle.period} ${bar.time}`
    const before = buckets.get(key)?.bar
    const whole = before && {
      ...before,
      close: bar.close,
      volume: before.volume + bar.volume,
      high: Math.max(before.high, bar.high),
      low: Math.min(before.low, bar.low),
    }
    buckets.set(key, whole ? { ...candle, bar: whole } : candle)
  }
  return [...buckets.values()]
}

/** Keeps where the log ends after these ticks, and where it ended on the days that they end. */
async function moveTip(tx: Tx, ticks: readonly ChainedTick[]): Promise<void> {
  const last = ticks.at(-1)
  if (!last) return
  const kept = await tx.selectFrom('tick_tip').select(['since', 'day']).executeTakeFirst()
  let { since = null, day = null } = kept ?? {}
  const ended: Tables['tick_day'][] = []
  for (const { id, time, prev_hash } of ticks) {
    const until = time - (time % dayMs)
    if (day === null) since = until
    else if (until > day) ended.push({ day, until, id: id - 1, hash: Buffer.from(prev_hash, 'hex') })
    day = Math.max(day ?? until, until)
  }
  if (ended.length)
    await writeAny(
      tx
        .insertInto('tick_day')
        .values(ended)
        .onConflict((on) => on.doNothing()),
    )
  const tip = { id: last.id, hash: Buffer.from(last.hash, 'hex'), since, day }
  await write(
    1,
    tx
      .insertInto('tick_tip')
      .values({ one: 1, ...tip })
      .onConflict((on) => on.column('one').doUpdateSet(tip)),
  )
}

function rowOf({ instrument, period, bar }: ClosedCandle, source: string) {
  const price = (units: number) => fromUnits(units, instrument.priceScale)
  return {
    symbol: instrument.symbol,
    period,
    source,
    time: bar.time,
    open: price(bar.open),
    high: price(bar.high),
    low: price(bar.low),
    close: price(bar.close),
    volume: fromUnits(bar.volume, instrument.sizeScale),
  }
}

/** Adds a late tick to the candle of its time. It opens or closes the candle only where the log has no earlier, or no later, tick of the bucket. */
async function addLate(tx: Tx, candle: ClosedCandle, { time, id }: TickPlace, source: string): Promise<void> {
  const { instrument, period, bar } = candle
  const ofBucket = sql`tick.symbol = candle.symbol and tick.source = candle.source and tick.time >= candle.time and tick.time < ${bucketEnd(period, bar.time)}`
  // The bucket in which ticks begin opens with the simulated past.
  const opens = bar.time >= (instrument.historyEnd ?? 0)
  await write(
    1,
    tx
      .insertInto('candle')
      .values(rowOf(candle, source))
      .onConflict((on) =>
        on.columns(['symbol', 'period', 'source', 'time']).doUpdateSet({
          high: sql<string>`greatest(candle.high, excluded.high)`,
          low: sql<string>`least(candle.low, excluded.low)`,
          volume: sql<string>`candle.volume + excluded.volume`,
          ...(opens && {
            open: sql<string>`case when exists (select from tick where ${ofBucket} and (tick.time, tick.id) < (${time}, ${id})) then candle.open else excluded.open end`,
          }),
          close: sql<string>`case when exists (select from tick where ${ofBucket} and (tick.time, tick.id) > (${time}, ${id})) then candle.close else excluded.close end`,
        }),
      ),
  )
}

/** All SQL statements of the market. */
export function createMarketStore(database: Database) {
  const { db } = database
  const candleColumns = ['time', 'open', 'high', 'low', 'close', 'volume'] as const

  return {
    async instruments(): Promise<MarketInstrument[]> {
      const rows = await db
        .selectFrom('instrument')
        .selectAll()
        .where('enabled', '=', true)
        .orderBy('position')
        .orderBy('match_id')
        .execute()
      checkMost(rows, listMost.instruments, 'instrument')
      return rows.map(({ history_end, enabled: _, ...row }) => withUnits({ ...row, historyEnd: history_end }))
    },

    /** Sets the end of the simulated past once. Later calls have no effect. */
    async setHistoryEnd(time: number): Promise<void> {
      await writeAny(db.updateTable('instrument').set({ history_end: time }).where('history_end', 'is', null))
    },

    /**
     * Where the log ends. Ticks that were removed at its end keep their numbers, so that the gap stays and the audit finds it.
     */
    async tip(): Promise<ChainTip> {
      const { rows } = await sql<{ id: number; hash: Buffer }>`select id, hash from ((select id, hash from tick order by id desc limit 1)
        union all select id, hash from tick_tip) ends order by id desc limit 1`.execute(db)
      return rows[0] ? { id: rows[0].id, hash: rows[0].hash.toString('hex') } : { id: 0, hash: genesisHash }
    },

    /** Where the log ended on days, from the one of `from` (ms UTC) on, oldest first. */
    async dayEnds(from: number, limit: number): Promise<{ day: number; id: number; hash: string }[]> {
      const rows = await db
        .selectFrom('tick_day')
        .select(['day', 'id', 'hash'])
        .where('day', '>=', from - (from % dayMs))
        .orderBy('day')
        .limit(limit)
        .execute()
      return rows.map((row) => ({ ...row, hash: row.hash.toString('hex') }))
    },

    /** Stores ticks, where the log ends after them, and the candles that they closed, in one commit. @throws when a row exists already, because another node writes */
    async append(ticks: readonly ChainedTick[], candles: readonly ClosedCandle[], source: string): Promise<void> {
      await database.transaction(async (tx) => {
        for (let at = 0; at < ticks.length; at += rowsPerStatement) {
          const rows = ticks
            .slice(at, at + rowsPerStatement)
            .map((tick) => ({ ...tick, prev_hash: Buffer.from(tick.prev_hash, 'hex'), hash: Buffer.from(tick.hash, 'hex') }))
          await write(rows.length, tx.insertInto('tick').values(rows))
        }
        await moveTip(tx, ticks)
        const closed = mergedBuckets(candles.filter(({ late }) => !late))
        for (let at = 0; at < closed.length; at += rowsPerStatement) {
          const rows = closed.slice(at, at + rowsPerStatement).map((candle) => rowOf(candle, source))
          // A bucket closes twice only when the clock was set back. Both parts are merged, also those of an earlier batch.
          await write(
            rows.length,
            tx
              .insertInto('candle')
              .values(rows)
              .onConflict((on) =>
                on.columns(['symbol', 'period', 'source', 'time']).doUpdateSet({
                  high: sql<string>`greatest(candle.high, excluded.high)`,
                  low: sql<string>`least(candle.low, excluded.low)`,
                  close: sql<string>`excluded.close`,
                  volume: sql<string>`candle.volume + excluded.volume`,
                }),
              ),
          )
        }
        for (const candle of candles) if (candle.late) await addLate(tx, candle, candle.late, source)
      })
    },

    /** The last tick of each symbol with time ≤ `until`. */
    async lastTicks(until: number): Promise<LoggedTick[]> {
      const { rows } = await sql<LoggedTick>`select t.id, t.symbol, t.price, t.size, t.time, t.source from instrument i cross join lateral
        (select * from tick where tick.symbol = i.symbol and tick.time <= ${until} order by tick.time desc, tick.id desc limit 1) t`.execute(
        db,
      )
      return rows
    },

    /** The last tick with time ≤ `time`, for settlements. */
    async tickAtOrBefore(symbol: string, time: number): Promise<ChainedTick | undefined> {
      const row = await db
        .selectFrom('tick')
        .select(columns)
        .where('symbol', '=', symbol)
        .where('time', '<=', time)
        .orderBy('time', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && chained(row)
    },

    async tickById(id: number): Promise<ChainedTick | undefined> {
      const row = await db.selectFrom('tick').select(columns).where('id', '=', id).executeTakeFirst()
      return row && chained(row)
    },

    /**
     * Which of these ticks the log has: what was seen of a source that lost the log is not there, or is another price.
     * @returns a function that reports whether the log has a tick
     */
    async logged(tx: Tx, ticks: readonly NamedTick[]): Promise<(tick: NamedTick) => boolean> {
      const nameOf = ({ id, symbol, price }: NamedTick) => `${id} ${symbol} ${price}`
      const distinct = [...new Map(ticks.map((tick) => [nameOf(tick), tick])).values()]
      const lists = [distinct.map(({ id }) => id), distinct.map(({ symbol }) => symbol), distinct.map(({ price }) => price)]
      const rows = distinct.length ? await inLog(tx, lists).execute() : []
      const names = new Set(rows.map(({ at }) => nameOf(distinct[at - 1]!)))
      return (tick) => names.has(nameOf(tick))
    },

    /** Ticks of one symbol from `from` (ms UTC, inclusive), oldest first. */
    async ticksSince(symbol: string, from: number, limit: number): Promise<ChainedTick[]> {
      const rows = await db
        .selectFrom('tick')
        .select(columns)
        .where('symbol', '=', symbol)
        .where('time', '>=', from)
        .orderBy('time')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(chained)
    },

    /** Rows of the log after an id, in order of id. */
    async ticksAfter(id: number, limit: number): Promise<ChainedTick[]> {
      const rows = await db.selectFrom('tick').select(columns).where('id', '>', id).orderBy('id').limit(limit).execute()
      return rows.map(chained)
    },

    /** The newest `limit` stored candles of a range, oldest first. */
    async candles({ instrument, period, source, from, to, limit }: CandleRange): Promise<Bar[]> {
      const rows = await db
        .selectFrom('candle')
        .select(candleColumns)
        .where('symbol', '=', instrument.symbol)
        .where('period', '=', period)
        .where('source', '=', source)
        .where('time', '>=', from)
        .where('time', '<=', to)
        .orderBy('time', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => barFrom(row, instrument)).reverse()
    },

    /** Closed candles of one symbol from the given start of each period, oldest first. */
    async candlesSince(
      instrument: MarketInstrument,
      source: string,
      since: Readonly<Partial<Record<Period, number>>>,
    ): Promise<Map<Period, Bar[]>> {
      const found = new Map<Period, Bar[]>(periods.map((period) => [period, []]))
      const rows = await db
        .selectFrom('candle')
        .select(['period', ...candleColumns])
        .where('symbol', '=', instrument.symbol)
        .where('source', '=', source)
        .where((where) =>
          where.or(Object.entries(since).map(([period, from]) => where.and([where('period', '=', period), where('time', '>=', from)]))),
        )
        .orderBy('time')
        .execute()
      for (const row of rows) found.get(row.period as Period)?.push(barFrom(row, instrument))
      return found
    },
  }
}
