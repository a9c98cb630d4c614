import { sql } from 'kysely'
import { type Db, fixed, type Tables, type Tx, write } from '#server-kit/db/db.ts'

/** Columns with their types in lists: `{ id: 'bigint', price: 'numeric' }`. */
type TypesOf<Row> = { readonly [Name in keyof Row & string]: string }

const namesIn = <Row>(types: TypesOf<Row>) => Object.keys(types) as (keyof Row & string)[]
/** Holes for lists of columns. @param from number of the first */
const holes = (types: Readonly<Record<string, string>>, names: readonly string[], from = 1) =>
  names.map((name, at) => `$${at + from}::${types[name]}[]`).join(', ')
/** The values of a statement with holes for lists: one list for each column. */
export const listsOf = <Row>(names: readonly (keyof Row)[], rows: readonly Row[]): unknown[] =>
  names.map((name) => rows.map((row) => row[name]))

/**
 * Adds rows with one statement, whose text is always the same. The rows have their numbers.
 * @param types all columns that are written
 * @returns adds rows; none is fine @throws RowCountError, or the error of a constraint
 */
export function insertMany<Row extends object>(table: keyof Tables, types: TypesOf<Row>): (tx: Tx, rows: readonly Row[]) => Promise<void> {
  const names = namesIn(types)
  const inserted = fixed(`insert into ${table} (${names}) overriding system value select * from unnest(${holes(types, names)})`)
  return async (tx, rows) => {
    if (rows.length) await write(rows.length, inserted(tx, listsOf(names, rows)))
  }
}

/**
 * Changes rows with one statement, whose text is always the same. Each must still have the version that it had before.
 * @param types all columns that may change, and `id`
 * @param version column that grows with each change
 * @param also what is set beside them, as SQL: `xact = pg_current_xact_id()`
 * @returns changes rows, each once; none is fine @throws RowCountError when one has changed since it was read
 */
export function updateMany<Row extends object>(
  table: keyof Tables,
  types: TypesOf<Row>,
  version: keyof Row & string,
  also = '',
): (tx: Tx, changes: readonly { before: Row; after: Row }[]) => Promise<void> {
  const names = namesIn(types).filter((name) => name !== 'id')
  const set = names.map((name) => `${name} = c.${name}`).concat(also || [])
  const updated = fixed(`update ${table} t set ${set}
    from unnest($1::${types['id' as keyof Row & string]}[], $2::int[], ${holes(types, names, 3)}) c (id, was, ${names})
    where t.id = c.id and t.${version} = c.was`)
  return async (tx, changes) => {
    if (!changes.length) return
    const before = listsOf(
      ['id' as keyof Row, version],
      changes.map((one) => one.before),
    )
    const after = listsOf(
      names,
      changes.map((one) => one.after),
    )
    await write(changes.length, updated(tx, [...before, ...after]))
  }
}

/** New numbers of a sequence, for `createIds`; gaps stay where they are not used. @param sequence `spot_order_id_seq` */
export async function nextIds(db: Db, sequence: string, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select nextval(${sequence}::regclass) as id from generate_series(1, ${count}::int)`.execute(db)
  return rows.map(({ id }) => id)
}

/** Numbers that are fetched ahead, so that a row has its number before it is written. */
const blockSize = 200
const refillBelow = 100

/** Numbers grow within a node; those of several nodes take turns in blocks. @param fetch asks the database, outside of any transaction */
export function createIds(fetch: (count: number) => Promise<number[]>) {
  const ids: number[] = []
  let underWay: Promise<void> | undefined
  const refill = () => {
    underWay ??= fetch(blockSize)
      .then((more) => void ids.push(...more))
      .finally(() => {
        underWay = undefined
      })
    return underWay
  }
  return {
    /** Never inside of a transaction. A number that is not used leaves a gap. */
    async take(): Promise<number> {
      while (!ids.length) await refill()
      const id = ids.shift()!
      // A caller that finds no number loads a block itself, and gets the error.
      if (ids.length < refillBelow) refill().catch(() => {})
      return id
    },
  }
}
