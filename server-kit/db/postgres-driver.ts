import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'
import type pg from 'pg'
import { ApiProblem } from '#contract/problem.ts'
import { isOutdatedPlan } from '#server-kit/db/guarded-driver.ts'
import { type Answer, forgetStatements, Line } from '#server-kit/db/postgres-line.ts'

const writing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
/** SQLSTATE of a write to a server that only reads: a copy, or one whose place another has taken. A new connection leads to the right one. */
const readsOnly = '25006'

class PoolConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #line: Line
  /** Begins the transaction; sent together with its first statement. */
  #begin: string | undefined
  #begun: Promise<Answer> | undefined
  #lost = false

  constructor(client: pg.PoolClient, line: Line) {
    this.#client = client
    this.#line = line
  }

  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#begin !== undefined) {
      this.#begun = this.#line.ask(this.#begin, [])
      this.#begin = undefined
      // The caller of `commit` gets the error.
      this.#begun.catch(() => {})
    }
    const { command, count, rows } = await this.#ask(text, parameters)
    return { rows: rows as R[], numAffectedRows: writing.has(command) ? BigInt(count) : undefined }
  }

  async #ask(text: string, parameters: readonly unknown[]): Promise<Answer> {
    try {
      return await this.#line.ask(text, parameters)
    } catch (error) {
      // Leads back to who asked, where the message of the database came from nowhere.
      if (error instanceof Error) Error.captureStackTrace(error)
      if ((error as { code?: unknown }).code === readsOnly) this.#lost = true
      if (!isOutdatedPlan(error)) throw error
      forgetStatements()
      if (this.#begun) throw error
      return this.#line.ask(text, parameters)
    }
  }

  begin(text: string): void {
    this.#begin = text
  }

  /** @throws Error when the database undid what it was to commit */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    if (this.#begin !== undefined || !this.#begun) {
      this.#begin = undefined
      return
    }
    const begun = this.#begun
    try {
      const { command } = await this.#line.ask(how, [])
      if (how === 'commit') await begun
      if (command !== how.toUpperCase()) throw new Error('the database undid a transaction')
      this.#begun = undefined
    } catch (error) {
      // A connection that cannot even be rolled back is in nobody knows what state.
      if (how === 'rollback') this.#lost = true
      throw error
    }
  }

  // biome-ignore lint/correctness/useYield: nothing here reads more than fits
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('no statement is streamed: page through the rows')
  }

  release(): void {
    this.#client.release(this.#lost)
  }
}

/** Connections of a pool. */
export class PoolDriver implements Driver {
  readonly #pool: pg.Pool
  readonly #lines = new WeakMap<pg.PoolClient, Line>()
  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    try {
      const client = await this.#pool.connect()
      const line = this.#lines.get(client) ?? new Line(client)
      this.#lines.set(client, line)
      return new PoolConnection(client, line)
    } catch (error) {
      if (error instanceof Error && /timeout exceeded when trying to connect|due to connection timeout/.test(error.message))
        throw new ApiProblem('busy', { cause: error })
      throw error
    }
  }

  async beginTransaction(connection: DatabaseConnection, { isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const isolation = isolationLevel ? ` isolation level ${isolationLevel}` : ''
    ;(connection as PoolConnection).begin(`start transaction${isolation}${accessMode ? ` ${accessMode}` : ''}`)
  }

  commitTransaction = (connection: DatabaseConnection): Promise<void> => (connection as PoolConnection).end('commit')
  rollbackTransaction = (connection: DatabaseConnection): Promise<void> => (connection as PoolConnection).end('rollback')
  releaseConnection = async (connection: DatabaseConnection): Promise<void> => (connection as PoolConnection).release()
  destroy = (): Promise<void> => this.#pool.end()
}
