import { type Selectable, sql } from 'kysely'
import { type Db, fixed, type Tables, type Tx, write } from '#server-kit/db/db.ts'

/** Columns by their types: `{ bigint: ['id', 'uid'], numeric: ['price'] }`. */
type ColumnsOf<Row> = { readonly [Type in 'int' | 'bigint' | 'numeric' | 'text']?: readonly (keyof Row & string)[] }
type RowOf<Table extends keyof Tables> = Selectable<Tables[Table]>
type NameIn<Columns> = NonNullable<Columns[keyof Columns]> extends readonly (infer Name)[] ? Name : never
/** The columns, where they are all of the row; otherwise never: `columns satisfies AllOf<Position, typeof columns>`. */
export type AllOf<Row, Columns> = [Exclude<keyof Row, NameIn<Columns>>] extends [never] ? Columns : never

const typesIn = (columns: Readonly<Record<string, readonly string[] | undefined>>) =>
  Object.entries(columns).flatMap(([type, names = []]) => names.map((name) => [name, type] as const))
/** Names of columns. */
export const namesIn = <Columns extends object>(columns: Columns) => Object.values(columns).flat() as (NameIn<Columns> & string)[]
/** Holes for lists of columns. @param from number of the first */
const holes = (types: readonly (readonly [string, string])[], from = 1) =>
  types.map(([, type], at) => `$${at + from}::${type}[]`).join(', ')
/** The values of a statement with holes for lists: one list for each column. */
export const listsOf = <Row>(names: readonly (keyof Row)[], rows: readonly Row[]): unknown[] =>
  names.map((name) => rows.map((row) => row[name]))

/**
 * Adds rows with one statement, whose text is always the same. The rows have their numbers.
 * @param columns all that are written
 * @returns adds rows; none is fine @throws RowCountError, or the error of a constraint
 */
export function insertMany<Table extends keyof Tables, const Columns extends ColumnsOf<RowOf<Table>>>(table: Table, columns: Columns) {
  type Row = Pick<RowOf<Table>, NameIn<Columns> & keyof RowOf<Table>>
  const names = namesIn(columns) as (keyof Row & string)[]
  const inserted = fixed(`insert into ${table} (${names}) overriding system value select * from unnest(${holes(typesIn(columns))})`)
  return async (tx: Tx, rows: readonly Row[]): Promise<void> => {
    if (rows.length) await write(rows.length, inserted(tx, listsOf(names, rows)))
  }
}

/**
 * Changes rows with one statement, whose text is always the same. Each must still have the version that it had before.
 * @param columns all that may change
 * @param version column that grows with each change, an int; the key is `id`
 * @param also what is set beside them, as SQL: `xact = pg_current_xact_id()`
 * @returns changes rows, each once; none is fine @throws RowCountError when one has changed since it was read
 */
export function updateMany<
  Table extends keyof Tables,
  const Columns extends ColumnsOf<RowOf<Table>>,
  Version extends keyof RowOf<Table> & string,
>(table: Table, columns: Columns, version: Version, also = '') {
  type Key = Version | ('id' & keyof RowOf<Table>)
  type Row = Pick<RowOf<Table>, NameIn<Columns> & keyof RowOf<Table>>
  const names = namesIn(columns) as (keyof Row & string)[]
  const set = [...names.map((name) => `${name} = c.${name}`), ...(also ? [also] : [])]
  const updated =
    fixed(`update ${table} t set ${set} from unnest($1::bigint[], $2::int[], ${holes(typesIn(columns), 3)}) c (id, was, ${names})
    where t.id = c.id and t.${version} = c.was`)
  const key = ['id', version] as Key[]
  return async (tx: Tx, changes: readonly { before: Pick<RowOf<Table>, Key>; after: Row }[]): Promise<void> => {
    if (!changes.length) return
    const before = listsOf(
      key,
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
