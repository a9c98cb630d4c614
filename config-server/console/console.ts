import type { RequestListener } from 'node:http'
import express, { type Express } from 'express'
import type { Registry } from 'prom-client'
import type { ConsoleContext } from '#config-server/console/context.ts'
import { draftHandlers, releaseHandlers } from '#config-server/console/draft.handlers.ts'
import { createFlows, type FlowRunner, noFlows } from '#config-server/console/flows.ts'
import { createGate } from '#config-server/console/gate.ts'
import { logHandlers } from '#config-server/console/log.handlers.ts'
import { type ConsoleLimits, finish, mountConsole } from '#config-server/console/mount.ts'
import { operatorHandlers } from '#config-server/console/operator.handlers.ts'
import { createPages } from '#config-server/console/pages.ts'
import { createStream } from '#config-server/console/stream.ts'
import { operatorHook } from '#config-server/console/test.handlers.ts'
import type { Audit } from '#config-server/operators/account.ts'
import { createOperators, type Operators } from '#config-server/operators/operators.ts'
import type { Publishing } from '#config-server/publishing/publishing.ts'
import type { GuardMetrics } from '#language/publish/publishing.ts'
import type { Catalog } from '#language/types/catalog.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Security } from '#server-kit/http/security-headers.ts'
import { type Clock, systemClock } from '#server-kit/ops/clock.ts'
import { every } from '#server-kit/ops/every.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { OperatorGate } from '#server-kit/security/operator-gate.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

export interface ConsoleOptions {
  /** Open, with operatorsMigration among its migrations. */
  database: Database
  publishing: Publishing
  /** The names that the editor completes and checks against. */
  catalog: Catalog
  log: Log
  security: Security
  /** Second factors are sealed with it. */
  secrets: Secrets
  /** Folder of the built console; absent where something else serves its pages, and while there is no build they are not found. */
  pages?: string | undefined
  clock?: Clock | undefined
  /** Returns the guard's metrics of the current releases. */
  guard?: (() => Promise<GuardMetrics[]> | GuardMetrics[]) | undefined
  /** Where a browser may be started. */
  flows?: FlowRunner | undefined
  /** Proxies whose X-Forwarded-For is believed, as in the API. */
  trustProxy?: readonly string[] | undefined
  /** Address under which people reach the console; without it that of the request. */
  publicUrl?: string | undefined
  /** Opens POST /test/operator. */
  testHooks?: boolean | undefined
  limits?: Partial<ConsoleLimits> | undefined
  /** Gets the metrics of jobs; see every.ts. */
  registry?: Registry | undefined
}

const defaultLimits: ConsoleLimits = {
  all: { requests: 600, seconds: 10, loopbackRequests: 200_000 },
  guarded: { requests: 30, seconds: 60, loopbackRequests: 3_000 },
}

export interface Console {
  /** Answers /console, /console/api/… and, with test hooks, /test/operator. Headers are set here. */
  handle: RequestListener
  readonly app: Express
  readonly operators: Operators
  /** For parts of the platform that operators work in and that are not the console: the back office. */
  readonly gate: OperatorGate
  /**
   * For the start of the server: address of the page where the first operator is made, `/console/#/setup/<token>`, new at each start and
   * only while nobody has set up. It is shown to the person at the terminal, and written to no log.
   */
  setupAddress(): Promise<string | undefined>
  close(): Promise<void>
}

const sweepEveryMs = 10 * 60_000

/**
 * The operators' side of the config server. In app.ts: `const console = await createConsole({…})`, hand it every request whose path is /console
 * or below, and /test/operator where hooks are open; call `close` when the server stops. `publishing.note` writes its log.
 */
export async function createConsole(options: ConsoleOptions): Promise<Console> {
  const { database, publishing, catalog, log, security, secrets, clock = systemClock } = options
  const audit: Audit = ({ actor, ...entry }, tx) => publishing.note({ name: actor, roles: [], kind: 'operator' }, entry, tx)
  const operators = await createOperators({ database, clock, log, secrets, audit })
  const stream = createStream(operators.isAlive)
  const context: ConsoleContext = {
    operators,
    publishing,
    catalog,
    stream,
    overTls: security.overTls,
    publicUrl: options.publicUrl,
    flows: createFlows(publishing, options.flows ?? noFlows, log, clock.now),
    guard: options.guard ?? (() => []),
  }
  const handlers = { ...operatorHandlers(context), ...draftHandlers(context), ...releaseHandlers(context), ...logHandlers(context) }
  const deaf = publishing.onChange((event) => stream.tell(event))
  const sweep = every(sweepEveryMs, { name: 'operators', work: operators.sweep, log, registry: options.registry })

  const app = express().disable('x-powered-by').disable('etag').set('query parser', 'simple')
  app.set('trust proxy', [...(options.trustProxy ?? [])])
  mountConsole(app, handlers, { operators, security, log, clock, limits: { ...defaultLimits, ...options.limits } })
  if (options.testHooks) app.post('/test/operator', express.json(), operatorHook(operators))
  finish(app, log)
  const pages = createPages(options.pages, security)

  return {
    handle(req, res) {
      const path = (req.url ?? '').split('?', 1)[0]!
      if (path.startsWith('/console/api/') || path === '/console/api' || path.startsWith('/test/')) app(req, res)
      else pages(req, res)
    },
    app,
    operators,
    gate: createGate(operators, clock, security.overTls),
    async setupAddress() {
      const token = await operators.firstLink()
      return token && `/console/#/setup/${token}`
    },
    async close() {
      deaf()
      stream.close()
      await sweep.stop()
    },
  }
}
