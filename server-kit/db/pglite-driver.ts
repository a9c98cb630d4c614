import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'
import { ApiProblem } from '#contract/problem.ts'
import { waitLimits } from '#server-kit/db/guarded-driver.ts'
import { type Answer, PreparedStatements } from '#server-kit/db/pglite-prepared.ts'

/** PGlite runs in this thread and its awaits never reach the event loop: after so many statements the loop gets a turn. */
const statementsPerTurn = 16

interface Waiter {
  give(): void
  refuse(error: Error): void
  timer: NodeJS.Timeout
}

const writing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
const maybeWriting = /^\s*(?:insert|update|delete|merge|create|alter|copy|truncate)\b/i

/** The engine's stack or memory broke. Its later answers are worthless, and the next such statement never returns. */
function isBroken(error: unknown): boolean {
  const { severity } = error as { severity?: unknown }
  if (severity === 'PANIC' || severity === 'FATAL') return true
  return (
    error instanceof WebAssembly.RuntimeError ||
    (error instanceof Error && /Aborted\(|Maximum call stack|memory access out of bounds/.test(error.message))
  )
}

class OneConnection implements DatabaseConnection {
  writes = 0
  #count = 0
  #broken: Error | undefined
  /** Statements that are not awaited wait for each other here; the engine would mix them up. */
  #last: Promise<unknown> | undefined
  readonly #statements: PreparedStatements
  readonly #options: PgliteDriverOptions

  constructor(pg: PGlite, options: PgliteDriverOptions) {
    this.#statements = new PreparedStatements(pg)
    this.#options = options
  }

  get broken(): boolean {
    return this.#broken !== undefined
  }

  #fail(cause: unknown): never {
    this.#broken = new Error('the embedded database broke and takes no more statements', { cause })
    this.#options.onFatal(this.#broken)
    throw this.#broken
  }

  async #turn(): Promise<void> {
    if (this.#broken) throw this.#broken
    if (++this.#count % statementsPerTurn === 0) await nextTurn()
  }

  async #answer<A extends Answer | undefined>(asked: Promise<A>): Promise<A> {
    let answer: A
    try {
      answer = await asked
    } catch (error) {
      if (isBroken(error)) this.#fail(error)
      throw error
    }
    // Every statement is answered with a tag; an overflow inside the engine looks like success without one.
    if (answer && answer.command === undefined) this.#fail(new Error('a statement was answered without its tag'))
    return answer
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#after(() => this.#execute<R>(query))
  }

  /** In the order of asking: a rollback comes after what was asked before it, which would else be done outside of the transaction. */
  async #after<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last ? this.#last.then(work, work) : work()
    this.#last = mine
    try {
      return await mine
    } finally {
      if (this.#last === mine) this.#last = undefined
    }
  }

  async #execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    await this.#turn()
    const cause = maybeWriting.test(query.sql) ? this.#options.diskError?.() : undefined
    if (cause) throw new ApiProblem('busy', { cause })
    const { rows, command, count } = await this.#answer(this.#statements.run(query.sql, query.parameters))
    const isWrite = writing.has(command!)
    if (isWrite) this.writes++
    return { rows: rows as R[], numAffectedRows: isWrite ? BigInt(count) : undefined }
  }

  begin(text: string): void {
    this.#statements.begin(text)
  }

  /** @throws Error when the engine undid what it was to commit */
  end(how: 'commit' | 'rollback'): Promise<void> {
    return this.#after(() => this.#end(how))
  }

  async #end(how: 'commit' | 'rollback'): Promise<void> {
    await this.#turn()
    const answer = await this.#answer(this.#statements.end(how))
    if (answer && answer.command !== how.toUpperCase()) throw new Error('the embedded database undid a transaction')
  }

  // biome-ignore lint/correctness/useYield: the engine holds whole answers in memory anyway
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('the embedded database does not stream: page through the rows')
  }
}

interface PgliteDriverOptions {
  onFatal: (error: unknown) => void
  /** Why the disk takes no writes, while it takes none: an engine that runs out of room in its log never answers again. */
  diskError?: () => Error | undefined
  /** Called whenever the connection comes free. */
  onFree?: () => void
}

/** One connection, given out in the order of asking: a query outside a transaction never runs inside one. */
export class PgliteDriver implements Driver {
  readonly #connection: OneConnection
  readonly #pg: PGlite
  readonly #options: PgliteDriverOptions
  readonly #queue: Waiter[] = []
  #taken = false

  constructor(pg: PGlite, options: PgliteDriverOptions) {
    this.#pg = pg
    this.#options = options
    this.#connection = new OneConnection(pg, options)
  }

  get waiting(): number {
    return this.#queue.length
  }

  /** How many statements have changed rows, or tried to. */
  get writes(): number {
    return this.#connection.writes
  }

  async init(): Promise<void> {}

  acquireConnection(): Promise<DatabaseConnection> {
    if (!this.#taken) {
      this.#taken = true
      return Promise.resolve(this.#connection)
    }
    if (this.#queue.length >= waitLimits.queueMax) return Promise.reject(new ApiProblem('busy'))
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        give: () => resolve(this.#connection),
        refuse: reject,
        timer: setTimeout(() => {
          this.#queue.splice(this.#queue.indexOf(waiter), 1)
          reject(new ApiProblem('busy', { cause: new Error(`no connection came free in ${waitLimits.waitMs} ms`) }))
        }, waitLimits.waitMs),
      }
      this.#queue.push(waiter)
    })
  }

  async releaseConnection(): Promise<void> {
    const next = this.#queue.shift()
    if (next) {
      clearTimeout(next.timer)
      next.give()
    } else this.#taken = false
    this.#options.onFree?.()
  }

  async beginTransaction(_connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const isolation = settings.isolationLevel ? ` isolation level ${settings.isolationLevel}` : ''
    const access = settings.accessMode ? ` ${settings.accessMode}` : ''
    this.#connection.begin(`start transaction${isolation}${access}`)
  }

  commitTransaction = (_connection: DatabaseConnection): Promise<void> => this.#connection.end('commit')
  rollbackTransaction = (_connection: DatabaseConnection): Promise<void> => this.#connection.end('rollback')

  /** A broken engine is left alone: even closing it may never return. */
  async destroy(): Promise<void> {
    for (const waiter of this.#queue.splice(0)) {
      clearTimeout(waiter.timer)
      waiter.refuse(new ApiProblem('busy', { cause: new Error('the database is closing') }))
    }
    if (!this.#connection.broken) await this.#pg.close()
  }
}
