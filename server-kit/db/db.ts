import { CompiledQuery, DeleteResult, InsertResult, type Kysely, sql, type Transaction, UpdateResult } from 'kysely'
import type { Copied } from '#server-kit/db/pglite-backup.ts'
import type { Log } from '#server-kit/ops/log.ts'

/**
 * Every table there is. A module adds its own beside its store:
 * `declare module '#server-kit/db/db.ts' { interface Tables { article: ArticleTable } }`.
 * On both engines bigint arrives as a number (times in ms; an unsafe one throws), numeric as text, json parsed, bytea as Buffer, date as text.
 * Give json columns text made by JSON.stringify.
 */
export interface Tables {
  migration: { id: string; applied_at: number }
}
/** Names of the tables that have the columns of `Row`, and perhaps others. */
export type TableOf<Row> = { [Name in keyof Tables]: Tables[Name] extends Row ? Name : never }[keyof Tables]
export type Db = Kysely<Tables>
/** Inside a transaction everything goes through `tx`; a query through `db` in the same flow is refused. */
export type Tx = Transaction<Tables>

export interface Database {
  readonly db: Db
  readonly engine: 'pglite' | 'postgres'
  /**
   * All or nothing. May run `work` up to three times more when PostgreSQL asks for it (serialisation, deadlock), so `work` does nothing but SQL.
   * @throws ApiProblem('outcome_unknown') when the connection was lost during the commit
   * @throws ApiProblem('busy') when no connection came free in 5 s, a statement took too long, or it was asked for each time: nothing was done
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** How many wait for a connection just now. */
  waiting(): number
  /** Writes everything to the data files and cuts the log; nothing to do on PostgreSQL, which does it by itself. */
  checkpoint(): Promise<void>
  /**
   * Copies the embedded database into a folder that is not there yet, while it works; a whole DATA_DIR without its keys. Not on PostgreSQL.
   * @throws Error when it cannot be copied, or the signal says so; nothing is left of the copy then
   */
  readonly copyTo?: (folder: string, signal: AbortSignal) => Promise<Copied>
  close(): Promise<void>
}

/** One step of the schema. Steps are never edited once released: a change is a new step. */
export interface Migration {
  /** Unique; area and content: `spot-limits`. Those of the config server begin with `config-`. */
  readonly id: string
  /**
   * Ids of the steps of earlier builds that this one stands for, and that no build has any more. A database that has them all is taken over without
   * running this one; see `migrate`.
   */
  readonly replaces?: readonly string[]
  up(tx: Tx): Promise<unknown>
}

/** A step of the schema that is SQL alone. @param replaces see `Migration` */
export const sqlStep = (id: string, statements: readonly string[], replaces: readonly string[] = []): Migration => ({
  id,
  replaces,
  async up(tx) {
    for (const statement of statements) await sql.raw(statement).execute(tx)
  },
})

export interface DatabaseOptions {
  /** Folder of the embedded database, its lock and its marker. */
  dataDir: string
  /** postgres://…; in place of the embedded database. */
  databaseUrl?: string | undefined
  log: Log
  /** The engine broke for good (its memory cannot be trusted): the process must end, with code 70, and be started again. */
  onFatal: (error: unknown) => void
  /**
   * Refuses a query through `db` inside a transaction at once, by following every await of the process, which is a quarter of what a money
   * call costs. A product that runs leaves it out: there such a query, which only a bug can send, waits for a connection and fails with
   * busy.
   */
  isWatched?: boolean
  /** Run before the database is handed out; the first start counts as complete only after them. */
  migrations?: readonly Migration[]
}

const committing = new WeakMap<Tx, (() => void)[]>()

/**
 * Runs `work` once the transaction is committed, before its caller goes on, and never for one that was rolled back, run again, or whose commit
 * nobody knows. `work` neither waits nor throws.
 */
export function afterCommit(tx: Tx, work: () => void): void {
  const all = committing.get(tx) ?? []
  committing.set(tx, all)
  all.push(work)
}

/** For the engines: what `afterCommit` was given. */
export function runCommitted(tx: Tx): void {
  for (const work of committing.get(tx) ?? []) work()
}

/** A write that touched another number of rows than it must. Thrown inside a transaction it rolls everything back. */
export class RowCountError extends Error {
  readonly expected: number
  readonly affected: number
  constructor(expected: number, affected: number) {
    super(`a write touched ${affected} rows where ${expected} were expected`)
    this.name = 'RowCountError'
    this.expected = expected
    this.affected = affected
  }
}

function affectedRows(results: readonly unknown[]): number {
  const first = results[0]
  if (first instanceof InsertResult) return Number(first.numInsertedOrUpdatedRows ?? 0)
  if (first instanceof UpdateResult) return Number(first.numUpdatedRows)
  if (first instanceof DeleteResult) return Number(first.numDeletedRows)
  return results.length
}

/**
 * Every insert, update and delete goes through here: `await write(1, tx.updateTable('x').set(…).where(…))`.
 * @returns the rows of `returning`, if the query has it
 * @throws RowCountError when another number of rows was touched
 */
export async function write<R>(expected: number, query: { execute(): Promise<R[]> }): Promise<R[]> {
  const results = await query.execute()
  const affected = affectedRows(results)
  if (affected !== expected) throw new RowCountError(expected, affected)
  return results
}

/** As `write` where any number of rows is right, such as clearing a table. @returns how many rows were touched */
export async function writeAny(query: { execute(): Promise<unknown[]> }): Promise<number> {
  return affectedRows(await query.execute())
}

/**
 * A statement whose text is always the same, for the few that go with every money call: Kysely would build and compile it each time. Its values
 * stand in the order of their numbers. To be given to `write` or `writeAny`.
 */
export function fixed<R = UpdateResult>(text: string): (to: Db | Tx, values: readonly unknown[]) => { execute(): Promise<R[]> } {
  return (to, values) => ({
    async execute() {
      const { rows, numAffectedRows } = await to.executeQuery<R>(CompiledQuery.raw(text, values as unknown[]))
      return rows.length || numAffectedRows === undefined ? rows : [new UpdateResult(numAffectedRows, undefined) as R]
    },
  })
}

/** Any numbers, the same in every node; those of the ledger, the market and the migrations are others. */
export const turns = {
  publishingLog: 748_291_036,
  backOfficeLog: 748_291_051,
  seed: 748_291_052,
  operators: 748_291_053,
  rates: 748_291_054,
  terms: 748_291_055,
} as const

/**
 * Waits for its turn until no other node is between this and the end of its transaction: for what is decided by rows that are not there
 * yet, and so cannot be locked. The statements that follow see the commits of all turns before. The embedded database does one transaction
 * after the other anyway.
 */
export async function takeTurnIn({ engine }: Pick<Database, 'engine'>, tx: Tx, turn: keyof typeof turns): Promise<void> {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${turns[turn]}::bigint)`.execute(tx)
}

/** True for a row that is there already (SQLSTATE 23505), on both engines. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '23505'
}
