import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  type QueryResult,
  Transaction,
  type TransactionBuilder,
  type TransactionSettings,
} from 'kysely'
import { ApiProblem } from '#contract/problem.ts'
import { runCommitted, type Tables, type Tx } from '#server-kit/db/db.ts'
import { bracketDepth, inputLimits, isTooDeepJson, valueDepth } from '#server-kit/http/depth.ts'
import { isUnavailable } from '#server-kit/http/unavailable.ts'

/** Code that both engines share: refusals before a statement reaches the engine, and the watch over nested use. */

/** The transaction that the current asynchronous flow is in. */
interface Flow {
  open: boolean
  acquired: boolean
}
/** Following the flow makes every await of the process dearer, a quarter of what a money call costs: it begins with the first database that wants it. */
const flows = new AsyncLocalStorage<Flow>()

function checkParameter(value: unknown): void {
  if (typeof value === 'string') {
    if (value.length > inputLimits.textLengthMax) throw new ApiProblem('text_too_long')
    if (isTooDeepJson(value, inputLimits.storedDepthMax) || bracketDepth(value, inputLimits.bracketsMax) > inputLimits.bracketsMax)
      throw new ApiProblem('parameter_error')
  } else if (ArrayBuffer.isView(value)) {
    if (value.byteLength > inputLimits.bytesMax) throw new ApiProblem('body_too_large')
  } else if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) value.forEach(checkParameter)
  else if (typeof value === 'object' && value !== null && valueDepth(value, inputLimits.storedDepthMax) > inputLimits.storedDepthMax)
    throw new ApiProblem('parameter_error')
}

/** Texts that were found fit; most statements come again and again. */
const fit = new Set<string>()
const fitMost = 500

function checkText(text: string): void {
  if (fit.has(text)) return
  if (text.length > inputLimits.sqlLengthMax) throw new Error('a statement is too long')
  if (bracketDepth(text, inputLimits.sqlDepthMax) > inputLimits.sqlDepthMax) throw new Error('a statement nests too deep')
  if (fit.size < fitMost) fit.add(text)
}

/** @throws ApiProblem for parameters that come from people, Error for a statement that only a bug can write */
function checkStatement(query: CompiledQuery): void {
  checkText(query.sql)
  for (const value of query.parameters) checkParameter(value)
}

/** A migration has changed a table since the statement was prepared. Told by where it comes from, as its code says more than this. */
export function isOutdatedPlan(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

class GuardedConnection implements DatabaseConnection {
  /** The error of the first statement of this transaction that failed; `commit` would quietly roll back. */
  failure: { error: unknown } | undefined
  readonly inner: DatabaseConnection
  constructor(inner: DatabaseConnection) {
    this.inner = inner
  }
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    checkStatement(query)
    try {
      return await this.inner.executeQuery<R>(query)
    } catch (error) {
      this.failure ??= { error }
      throw error
    }
  }
  streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    checkStatement(query)
    return this.inner.streamQuery<R>(query, chunkSize ?? 100)
  }
}

const innerOf = (connection: DatabaseConnection) => (connection as GuardedConnection).inner

class GuardedDriver implements Driver {
  readonly #inner: Driver
  constructor(inner: Driver) {
    this.#inner = inner
  }
  init = () => this.#inner.init()
  async acquireConnection(): Promise<DatabaseConnection> {
    const flow = flows.getStore()
    if (flow?.open) {
      if (flow.acquired) throw new Error('a query through db inside a transaction: use the tx that the transaction was given')
      flow.acquired = true
    }
    return new GuardedConnection(await this.#inner.acquireConnection())
  }
  beginTransaction = (connection: DatabaseConnection, settings: TransactionSettings) =>
    this.#inner.beginTransaction(innerOf(connection), settings)
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const guarded = connection as GuardedConnection
    if (guarded.failure) throw new Error('a statement of this transaction failed and its error was swallowed: nothing was stored')
    try {
      await this.#inner.commitTransaction(guarded.inner)
    } catch (error) {
      // A statement that was not awaited is why nothing was committed.
      throw (guarded.failure as GuardedConnection['failure'])?.error ?? error
    }
  }
  rollbackTransaction = (connection: DatabaseConnection) => this.#inner.rollbackTransaction(innerOf(connection))
  savepoint = async (connection: DatabaseConnection, name: string, compile: QueryCompiler['compileQuery']) =>
    this.#inner.savepoint?.(innerOf(connection), name, compile)
  async rollbackToSavepoint(connection: DatabaseConnection, name: string, compile: QueryCompiler['compileQuery']): Promise<void> {
    await this.#inner.rollbackToSavepoint?.(innerOf(connection), name, compile)
    ;(connection as GuardedConnection).failure = undefined
  }
  releaseSavepoint = async (connection: DatabaseConnection, name: string, compile: QueryCompiler['compileQuery']) =>
    this.#inner.releaseSavepoint?.(innerOf(connection), name, compile)
  releaseConnection = (connection: DatabaseConnection) => this.#inner.releaseConnection(innerOf(connection))
  destroy = () => this.#inner.destroy()
}

async function inFlow<T>(work: () => Promise<T>): Promise<T> {
  if (flows.getStore()?.open) throw new Error('a transaction inside a transaction: use the tx that the outer one was given')
  const flow: Flow = { open: true, acquired: false }
  try {
    return await flows.run(flow, work)
  } finally {
    flow.open = false
  }
}

/** Runs upkeep that a transaction set off as if it stood outside of it. */
export function outsideTransactions<T>(work: () => T): T {
  return flows.exit(work)
}

function watched(builder: TransactionBuilder<Tables>): TransactionBuilder<Tables> {
  const { execute, setIsolationLevel, setAccessMode } = builder
  builder.execute = (work) => inFlow(() => execute.call(builder, work) as ReturnType<typeof work>)
  builder.setIsolationLevel = (level) => watched(setIsolationLevel.call(builder, level))
  builder.setAccessMode = (mode) => watched(setAccessMode.call(builder, mode))
  return builder
}

const adapter = new PostgresAdapter()
const compiler = new PostgresQueryCompiler()

/** Hands statements straight to the connection of a transaction, in the order in which they come. */
class TransactionExecutor extends DefaultQueryExecutor {
  readonly #connection: DatabaseConnection
  isOver = false

  constructor(connection: DatabaseConnection) {
    const provideConnection = <T>(consumer: (connection: DatabaseConnection) => Promise<T>) => consumer(this.#open())
    super(compiler, adapter, { provideConnection })
    this.#connection = connection
  }

  #open(): DatabaseConnection {
    if (this.isOver) throw new Error('a statement after the end of its transaction')
    return this.#connection
  }

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#open().executeQuery<R>(query)
  }
}

/** Kysely whose transactions are short of what we do not use: settings, plugins, a queue of statements. */
export class GuardedKysely extends Kysely<Tables> {
  readonly #dialect: Dialect
  readonly #driver: Driver
  readonly #isWatched: boolean

  constructor(dialect: Dialect, driver: Driver, isWatched: boolean) {
    super({ dialect })
    this.#dialect = dialect
    this.#driver = driver
    this.#isWatched = isWatched
  }

  override transaction(): TransactionBuilder<Tables> {
    return this.#isWatched ? watched(super.transaction()) : super.transaction()
  }

  /** Runs `work` in a transaction, once. Statements that it does not await are done before the commit, or nothing is. */
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#isWatched ? inFlow(() => this.#run(work)) : this.#run(work)
  }

  #run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const driver = this.#driver
    return this.getExecutor().provideConnection(async (connection) => {
      await driver.beginTransaction(connection, {})
      const executor = new TransactionExecutor(connection)
      let isCommitting = false
      try {
        const result = await work(new Transaction<Tables>({ config: { dialect: this.#dialect }, dialect: this.#dialect, driver, executor }))
        executor.isOver = true
        isCommitting = true
        await driver.commitTransaction(connection)
        return result
      } catch (error) {
        executor.isOver = true
        // The first error says more than that of the rollback; the driver gives such a connection up.
        await driver.rollbackTransaction(connection).catch(() => {})
        // The database may have committed before the connection was lost. Lost before that, nothing was done.
        if (isCommitting && isUnavailable(error)) throw new ApiProblem('outcome_unknown', { cause: error })
        throw error
      }
    })
  }
}

/**
 * Kysely over a driver of PostgreSQL's dialect, with the guards of this file.
 * @param isWatched refuses a query through db inside a transaction at once; otherwise it waits for a connection and fails with busy
 */
export function guardedKysely(createDriver: () => Driver, isWatched = true): GuardedKysely {
  const driver = new GuardedDriver(createDriver())
  const dialect: Dialect = {
    createAdapter: () => adapter,
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => compiler,
  }
  return new GuardedKysely(dialect, driver, isWatched)
}

const retriesMax = 3

/** Serialisation failure or deadlock, or a table that was changed meanwhile: the same transaction may succeed when run again. */
function isRetryable(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === '40001' || code === '40P01' || isOutdatedPlan(error)
}

/** A statement that waited or worked too long; what its transaction did is undone. */
const isTooMuch = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '57014'

/** Runs `work` in a transaction, again when the engine asks for it. */
export async function transact<T>(db: GuardedKysely, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    let tx: Tx | undefined
    try {
      const done = await db.inTransaction((own) => work((tx = own)))
      runCommitted(tx!)
      return done
    } catch (error) {
      if (isTooMuch(error) || (isRetryable(error) && attempt >= retriesMax)) throw new ApiProblem('busy', { cause: error })
      if (!isRetryable(error)) throw error
      await new Promise((wake) => setTimeout(wake, Math.random() * 20 * 2 ** attempt))
    }
  }
}

/** bigint as a number: times in ms and counts. Money is numeric and stays text. */
export function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error('a bigint is too large for a number: select it as text')
  return value
}

/** Limits of waiting for a connection; beyond them the answer is `busy`. */
export const waitLimits = { waitMs: 5_000, queueMax: 1_000 } as const
