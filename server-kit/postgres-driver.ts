import type { Writable } from 'node:stream'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'
import type pg from 'pg'
import { ApiProblem } from '#contract/problem.ts'
import { isOutdatedPlan } from '#server-kit/guarded-driver.ts'

/** Texts that get a name, by which a connection knows them from then on. Lists of other lengths make ever new texts, so there is an end to it. */
const named = { most: 500, textMax: 4_000 } as const
const names = new Map<string, string>()
let given = 0

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size >= named.most || text.length > named.textMax) return known
  const name = `t${++given}`
  names.set(text, name)
  return name
}

const writing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

class PoolConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  #begun: Promise<unknown> | undefined
  #held: Writable | undefined
  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const values = [...parameters]
    const inTransaction = this.#begun !== undefined
    let answer: pg.QueryResult
    try {
      const asked = this.#client.query({ name: nameOf(text), text, values })
      this.#send()
      answer = await asked
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error
      // From here on every statement has another name, on every connection.
      names.clear()
      if (inTransaction) throw error
      answer = await this.#client.query(text, values)
    }
    const { command, rowCount, rows } = answer
    return { rows: rows as R[], numAffectedRows: writing.has(command) ? BigInt(rowCount ?? 0) : undefined }
  }

  /** Does not wait: it is sent together with the first statement of the transaction. */
  begin(text: string): void {
    this.#held = (this.#client as { connection?: { stream?: Writable } }).connection?.stream
    this.#held?.cork()
    this.#begun = this.#client.query(text)
    // Whoever awaits it hears of a failure.
    this.#begun.catch(() => {})
  }

  #send(): void {
    this.#held?.uncork()
    this.#held = undefined
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    const begun = this.#begun
    this.#begun = undefined
    this.#send()
    if (how === 'commit') await begun
    const { command } = await this.#client.query(how)
    if (command !== how.toUpperCase()) throw new Error('the database undid a transaction')
  }

  // biome-ignore lint/correctness/useYield: nothing here reads more than fits
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('no statement is streamed: page through the rows')
  }

  release(): void {
    this.#client.release()
  }
}

/** Connections of a pool. Statements have names, so that each connection parses and plans them once. */
export class PoolDriver implements Driver {
  readonly #pool: pg.Pool
  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    try {
      return new PoolConnection(await this.#pool.connect())
    } catch (error) {
      if (error instanceof Error && error.message.includes('timeout exceeded when trying to connect'))
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
