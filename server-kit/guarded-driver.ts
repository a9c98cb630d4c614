import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  type QueryResult,
  type TransactionBuilder,
  type TransactionSettings,
} from 'kysely'
import { ApiProblem } from '#contract/problem.ts'
import type { Tables, Tx } from '#server-kit/db.ts'
import { bracketDepth, inputLimits, isTooDeepJson, valueDepth } from '#server-kit/depth.ts'

/** What both engines share: refusals before a statement reaches the engine, and the watch over nested use. */

/** The transaction that the current asynchronous flow is in. */
interface Flow {
  open: boolean
  acquired: boolean
}
const flows = new AsyncLocalStorage<Flow>()

function checkParameter(value: unknown): void {
  if (typeof value === 'string') {
    if (value.length > inputLimits.textLengthMax) throw new ApiProblem('text_too_long')
    if (isTooDeepJson(value) || bracketDepth(value, inputLimits.bracketsMax) > inputLimits.bracketsMax)
      throw new ApiProblem('parameter_error')
  } else if (ArrayBuffer.isView(value)) {
    if (value.byteLength > inputLimits.bytesMax) throw new ApiProblem('body_too_large')
  } else if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) value.forEach(checkParameter)
  else if (typeof value === 'object' && value !== null && valueDepth(value) > inputLimits.depthMax) throw new ApiProblem('parameter_error')
}

/** @throws ApiProblem for parameters that come from people, Error for a statement that only a bug can write */
export function checkStatement(query: CompiledQuery): void {
  if (query.sql.length > inputLimits.sqlLengthMax) throw new Error('a statement is too long')
  if (bracketDepth(query.sql, inputLimits.sqlDepthMax) > inputLimits.sqlDepthMax) throw new Error('a statement nests too deep')
  query.parameters.forEach(checkParameter)
}

/** A migration has changed a table since the statement was prepared. Told by where it comes from, as its code says more than this. */
export function isOutdatedPlan(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

class GuardedConnection implements DatabaseConnection {
  /** A statement of this transaction failed, so that `commit` would quietly roll back. */
  failed = false
  readonly inner: DatabaseConnection
  constructor(inner: DatabaseConnection) {
    this.inner = inner
  }
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    checkStatement(query)
    try {
      return await this.inner.executeQuery<R>(query)
    } catch (error) {
      this.failed = true
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
    if ((connection as GuardedConnection).failed)
      throw new Error('a statement of this transaction failed and its error was swallowed: nothing was stored')
    await this.#inner.commitTransaction(innerOf(connection))
  }
  rollbackTransaction = (connection: DatabaseConnection) => this.#inner.rollbackTransaction(innerOf(connection))
  savepoint = async (connection: DatabaseConnection, name: string, compile: QueryCompiler['compileQuery']) =>
    this.#inner.savepoint?.(innerOf(connection), name, compile)
  async rollbackToSavepoint(connection: DatabaseConnection, name: string, compile: QueryCompiler['compileQuery']): Promise<void> {
    await this.#inner.rollbackToSavepoint?.(innerOf(connection), name, compile)
    ;(connection as GuardedConnection).failed = false
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

class GuardedKysely extends Kysely<Tables> {
  override transaction(): TransactionBuilder<Tables> {
    return watched(super.transaction())
  }
}

/** Kysely over a driver of PostgreSQL's dialect, with the guards of this file. */
export function guardedKysely(createDriver: () => Driver): Kysely<Tables> {
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new GuardedDriver(createDriver()),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
  return new GuardedKysely({ dialect })
}

const retriesMax = 3

/** Serialisation failure or deadlock, or a table that was changed meanwhile: the same transaction may succeed when run again. */
function isRetryable(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === '40001' || code === '40P01' || isOutdatedPlan(error)
}

/** Runs `work` in a transaction, again when the engine asks for it. */
export async function transact<T>(db: Kysely<Tables>, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!isRetryable(error) || attempt >= retriesMax) throw error
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
