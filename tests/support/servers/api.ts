import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AddressLimits } from '#api-server/account/login/guess-limits.ts'
import { type ApiServer, createApiServer } from '#api-server/app.ts'
import { migrations } from '#api-server/migrations.ts'
import { operatorMigrations } from '#config-server/operators/operators.migration.ts'
import type { PlannedCall } from '#contract/planned.ts'
import type { Database, DatabaseOptions } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import type { RateLimit } from '#server-kit/http/limiter.ts'
import { createHttpServer } from '#server-kit/http/listen.ts'
import { createSettableClock, type SettableClock } from '#server-kit/ops/clock.ts'
import { readEnv } from '#server-kit/ops/env.ts'
import { createLog, type Log } from '#server-kit/ops/log.ts'
import { loadTexts } from '#server-kit/ops/texts.ts'
import type { OperatorGate } from '#server-kit/security/operator-gate.ts'
import { layEmptyDatabase } from '#tests/support/databases/empty-database.ts'
import { standInFor } from '#tests/support/databases/engines.ts'
import { type Answer, ask } from '#tests/support/servers/http.ts'

export interface TestApi {
  readonly api: ApiServer
  readonly database: Database
  readonly clock: SettableClock
  readonly origin: string
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** A form-encoded body, given as text or as fields. */
  post(path: string, body?: string | Record<string, string>, headers?: Record<string, string>): Promise<Answer>
  close(): Promise<void>
}

interface TestApiOptions {
  place: Pick<DatabaseOptions, 'dataDir' | 'databaseUrl'>
  /** Variables in addition to FEED=manual and TEST_HOOKS=1. */
  env?: Record<string, string>
  limit?: RateLimit
  /** Rate limits of account calls per address; almost unlimited by default. */
  addressLimits?: AddressLimits
  /** No log by default. */
  log?: Log
  /**
   * The clock stands still between two settings: for tests that depend on seconds, which a slow machine would use up. By default it runs.
   */
  standing?: boolean
  /** Authenticates operators on this database; without it there is no back office. */
  operators?: (database: Database) => Promise<OperatorGate>
  /** Those of the product by default. */
  planned?: Record<string, PlannedCall>
}

const generousAddress: AddressLimits = {
  checksPerHour: 100_000,
  codesPerHour: 100_000,
  wrongCodesPerHour: 100_000,
  failedLoginsPer15Minutes: 100_000,
  failedLoginsLoopback: 100_000,
}

/** The API server on a free port, with demonstration content and a feed that moves only by pushed ticks. */
export async function startApi({ place, env: set, limit, addressLimits = generousAddress, ...rest }: TestApiOptions): Promise<TestApi> {
  const env = readEnv({ FEED: 'manual', TEST_HOOKS: '1', LOG_LEVEL: 'silent', PORT: '0', DATA_DIR: place.dataDir, ...set })
  const log = rest.log ?? createLog(env.LOG_LEVEL)
  const began = Date.now()
  const clock = createSettableClock(rest.standing ? { now: () => began } : undefined)
  const onFatal = (error: unknown) => {
    throw error
  }
  const databaseUrl = place.databaseUrl ?? (await standInFor(place.dataDir))
  if (databaseUrl === undefined) layEmptyDatabase(place.dataDir)
  const database = await openDatabase({
    dataDir: place.dataDir,
    databaseUrl,
    log,
    onFatal,
    migrations: rest.operators ? [...migrations, ...operatorMigrations] : migrations,
  })
  const api = await createApiServer({
    database,
    env,
    log,
    clock,
    texts: loadTexts('locales', 'problem'),
    version: '0.8.0',
    limit,
    addressLimits,
    operators: await rest.operators?.(database),
    ...(rest.planned && { planned: rest.planned }),
  })
  await api.start()
  const server: Server = createHttpServer(api.app)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    api,
    database,
    clock,
    origin,
    get: (path, headers) => ask(origin, path, { headers }),
    post(path, body = '', headers) {
      const text = typeof body === 'string' ? body : new URLSearchParams(body).toString()
      const length = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(Buffer.byteLength(text)) }
      return ask(origin, path, { method: 'POST', headers: { ...length, ...headers }, body: text })
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      await api.stop()
      await database.close()
    },
  }
}
