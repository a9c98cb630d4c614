import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database, Tables, Tx } from '#server-kit/db/db.ts'

export interface DueAsk<Row> {
  /** ms UTC. */
  now: number
  /** So many at most. */
  most: number
  /** Keys of rows that failed and are not to be tried yet. */
  except: readonly string[]
  /** Only rows that are due after this one; absent: from the first. */
  after: Row | undefined
  /** Only rows that belong to these, as `pass` was asked; absent: all. */
  among: readonly number[] | undefined
}

/** Where due rows come from. `dueTable` makes one of a table; a job whose rows are found by a join writes its own. */
export interface DueSource<Row> {
  /** Rows that are due, those that have waited longest first. Locks nothing. */
  find(ask: DueAsk<Row>): Promise<Row[]>
  /**
   * Locks those of the rows that are still due as they were found and that no other transaction is at.
   * @returns them as they are now, in the order of their keys, so that two transactions never wait for each other
   */
  lock(tx: Tx, rows: readonly Row[]): Promise<Row[]>
  /** Name of a row within the job. */
  keyOf(row: Row): string
  /** ms UTC. Absent where rows have no due time of their own: then their age is not measured. */
  dueOf?: (row: Row) => number
  /** Rows that are due now, those that failed among them. @returns oldest ms UTC, undefined where none is */
  waiting?: (now: number) => Promise<{ waiting: number; oldest: number | undefined }>
  /** Those of the keys whose rows still wait to be done. */
  pending?: (keys: readonly string[]) => Promise<string[]>
}

/**
 * Rows of one table. They need an index on their due time.
 * @param where the condition under which a row waits: sql`status = 'settling'`
 */
export function dueTable<Name extends keyof Tables, Row extends Selectable<Tables[Name]> = Selectable<Tables[Name]>>(
  { db }: Pick<Database, 'db'>,
  {
    table,
    due,
    where,
    id = 'id' as never,
  }: {
    table: Name
    due: keyof Row & string
    where: RawBuilder<unknown>
    /** Column of the primary key; `id` unless said. */
    id?: keyof Row & string
  },
): Required<DueSource<Row>> {
  const [from, key, at] = [sql.table(table), sql.ref(id), sql.ref(due)]
  const dueOf = (row: Row) => row[due] as number
  return {
    async find({ now, most, except, after }) {
      const others = except.length ? sql`and ${key}::text <> all(${[...except]}::text[])` : sql``
      const later = after ? sql`and (${at}, ${key}) > (${dueOf(after)}::bigint, ${after[id]})` : sql``
      const { rows } = await sql<Row>`select * from ${from} where ${where} and ${at} <= ${now}::bigint ${others} ${later}
        order by ${at}, ${key} limit ${most}`.execute(db)
      return rows
    },
    async lock(tx, rows) {
      const found = new Map(rows.map((row) => [row[id], dueOf(row)]))
      const { rows: locked } = await sql<Row>`select * from ${from} where ${key} in (${sql.join([...found.keys()])}) and ${where}
        order by ${key} for update skip locked`.execute(tx)
      // One that another node has done may be due again, later.
      return locked.filter((row) => found.get(row[id]) === dueOf(row))
    },
    keyOf: (row) => String(row[id]),
    dueOf,
    async waiting(now) {
      const { rows } = await sql<{ waiting: number; oldest: number | null }>`select count(*)::int as waiting, min(${at}) as oldest
        from ${from} where ${where} and ${at} <= ${now}::bigint`.execute(db)
      const { waiting, oldest } = rows[0]!
      return { waiting, oldest: oldest ?? undefined }
    },
    async pending(keys) {
      const { rows } = await sql<{ key: string }>`select ${key}::text as key from ${from}
        where ${key}::text = any(${[...keys]}::text[]) and ${where}`.execute(db)
      return rows.map((row) => row.key)
    },
  }
}
