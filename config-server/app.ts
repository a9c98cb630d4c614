import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import type { Registry } from 'prom-client'
import { readCatalog, readCheckerHash, readOwnCaps } from '#config-server/catalog.ts'
import { createCheck, createFileCheck, createPreparer } from '#config-server/check.ts'
import { type Console, type ConsoleOptions, createConsole } from '#config-server/console/console.ts'
import { createGuard, type Guard } from '#config-server/guard/guard.ts'
import { createMetrics } from '#config-server/guard/metrics.ts'
import { createTickets, ownMac } from '#config-server/guard/tickets.ts'
import { createBuildStore } from '#config-server/publishing/builds.store.ts'
import { createPublishing } from '#config-server/publishing/drafts/create.ts'
import { createMetricStore } from '#config-server/publishing/metrics.store.ts'
import type { Publishing } from '#config-server/publishing/publishing.ts'
import { createRefuse, type Refusal, type Refuse } from '#config-server/refuse.ts'
import type { Release } from '#config-server/release.rules.ts'
import type { HeaderPairs } from '#config-server/serving/answers.ts'
import { openBuildFiles } from '#config-server/serving/build-files.ts'
import { capsLimits } from '#config-server/serving/caps.rules.ts'
import { readBefore, readReports, registerCaps, takeReports } from '#config-server/serving/client.handlers.ts'
import { createEvents } from '#config-server/serving/events.ts'
import { answerAtOnce, handTickets, readDocument, readManifest } from '#config-server/serving/read.handlers.ts'
import { createReportBook, reportLimits } from '#config-server/serving/reports.rules.ts'
import { createRevisionStore } from '#config-server/serving/revision.store.ts'
import { createShapeCheck } from '#config-server/shapes/shape-check.ts'
import { forceRelease, restoreRelease } from '#config-server/test.handlers.ts'
import type { Migrations } from '#language/publish/migrate.ts'
import type { LintProblem, SourceFile } from '#language/types/catalog.ts'
import type { Database } from '#server-kit/db/db.ts'
import { clientKey } from '#server-kit/http/client-address.ts'
import { createQuickLimit, type RateLimit, rateLimit } from '#server-kit/http/limiter.ts'
import { mayUseTestHooks } from '#server-kit/http/local-request.ts'
import type { Security } from '#server-kit/http/security-headers.ts'
import type { Log } from '#server-kit/ops/log.ts'

export interface ConfigServerOptions {
  /** Folder that holds schemas/, locales/ and the manifests of widgets and calls. */
  root: string
  /** Open, with configMigrations among its migrations; it stays open when the server closes. */
  database: Database
  log: Log
  security: Security
  /** Opens /test/release and, with a console, /test/operator. */
  testHooks: boolean
  /** Takes the files in again whenever one changes; broken ones are reported to `say` and the last good release stays. */
  watch?: boolean
  say?: (lines: string) => void
  /** See BuildFilesOptions. */
  onProblems?: (problems: readonly LintProblem[]) => void
  /** Options that only /console needs; without them there is no console. */
  console?: Pick<ConsoleOptions, 'secrets' | 'pages' | 'clock' | 'flows' | 'trustProxy' | 'publicUrl' | 'limits'>
  heartbeatMs?: number
  eventClientsMax?: number
  /** Streams of one address; see STREAMS_PER_ADDRESS. */
  eventsPerAddressMax?: number
  /** Requests of one address below /config. */
  readLimit?: RateLimit
  /** See PublishingOptions. */
  migrations?: Migrations
  /** How often it looks for due work and for changes of other nodes; 0 only on request. */
  tickMs?: number
  guardMs?: number
  /** Gets the metrics of jobs; see every.ts. */
  registry?: Registry | undefined
  /** Ms since 1970. */
  now?: () => number
}

export interface ConfigServer {
  /** Everything below /config and /console, and the hooks of tests. */
  handle: RequestListener
  publishing: Publishing
  guard: Guard
  console: Console | undefined
  /** Takes files in as if they had been saved while somebody watches. Without words those that are live stay. @throws BrokenSources */
  publishFiles(files: readonly SourceFile[]): Promise<Release>
  /** Number and hash of the live release. */
  release(): string | undefined
  /** Returns the counts of the clients' reports. */
  reports(): Record<string, number>
  /** Ends the streams, the watch and the look at the clock; what is being answered goes on. */
  close(): Promise<void>
}

const bodyBytesMax = 4 * 1024 * 1024
/** Of one address. A first visit reads some 50 documents and keeps them; 500 clients behind one address read what is new within seconds of a release. */
const readLimit: RateLimit = { requests: 10_000, seconds: 10, loopbackRequests: 1_000_000 }
/** Of one address. A client sends few reports, and its catalog once. */
const postLimit = { requests: 60, seconds: 60, loopbackRequests: 20_000 }

/** @throws BrokenSources when the documents may not be published, nothing was published before, and nothing watches for their repair */
export async function createConfigServer(options: ConfigServerOptions): Promise<ConfigServer> {
  const { root, database, log, testHooks, watch = false, say = () => undefined, now = Date.now, tickMs, guardMs, registry } = options
  const security: HeaderPairs = options.security.data
  const catalog = await readCatalog(root)
  const refuse = createRefuse(security)
  const store = createRevisionStore({ security, own: await readOwnCaps(root, catalog, watch), buildStore: createBuildStore(database), now })
  await store.open()
  const { heartbeatMs, eventClientsMax: clientsMax, eventsPerAddressMax: perAddressMax } = options
  const { trusts } = options.security
  const readsOf = createQuickLimit(options.readLimit ?? readLimit, now)
  const newest = () => store.candidate()?.release ?? store.current()
  const events = createEvents({ security, refuse, heartbeatMs, clientsMax, trusts, perAddressMax, now: store.current })
  const book = createReportBook()
  const mac = options.console?.secrets.mac ?? ownMac()
  const tickets = createTickets({ mac, now, localEach: testHooks })
  const metrics = createMetrics({ knows: store.knows, now, store: createMetricStore(database, randomUUID()) })
  const handed = handTickets(tickets, metrics, options.security.trusts)
  const shapes = createShapeCheck(catalog)
  const created = createPublishing({
    database,
    catalog,
    check: createCheck(catalog, shapes),
    checkShape: createFileCheck(shapes),
    prepareOne: createPreparer(catalog),
    show: store.show,
    builds: store.builds,
    checker: watch ? undefined : await readCheckerHash(root, catalog, import.meta.filename),
    ...(options.migrations && { migrations: options.migrations }),
    log,
    now,
    registry,
    ...(tickMs !== undefined && { tickMs }),
    canRunFlows: async () => (await options.console?.flows?.available()) ?? false,
    onShown(event) {
      log.info({ ...event, documents: newest()?.documents.size }, 'publishing: a release is live')
      events.tell(event)
    },
  })
  const { publishing } = created
  const files = await created
    .open()
    .then(() => openBuildFiles({ root, created, log, watch, say, onProblems: options.onProblems }))
    .catch(async (error: unknown) => {
      await publishing.close()
      events.close()
      throw error
    })
  const guard = createGuard({ publishing, metrics, now, log, registry, ...(guardMs !== undefined && { everyMs: guardMs }) })
  guard.onChange(() => created.tell({ about: 'guard', id: null }))
  const console =
    options.console &&
    (await createConsole({
      database,
      publishing,
      catalog,
      log,
      security: options.security,
      testHooks,
      registry,
      guard: guard.metrics,
      ...options.console,
    }))

  if (console) void shapes.warmUp()

  const app = express().disable('x-powered-by').disable('etag').set('query parser', 'simple')
  app.set('trust proxy', options.security.trusts)
  app.get('/config/manifest', readManifest(store, handed, refuse))
  app.get('/config/documents/:file', readDocument(store, refuse))
  app.get('/config/events', (req, res) => events.open(req, res))
  const [limit, secure] = [rateLimit(postLimit, log), setHeaders(security)]
  app.get('/config/revisions', secure, readBefore(store, refuse))
  app.get('/config/reports', secure, readReports(book, refuse))
  app.post('/config/caps', secure, limit, express.json({ limit: capsLimits.bytesMax }), registerCaps(store, refuse))
  app.post(
    '/config/reports',
    secure,
    limit,
    express.json({ limit: reportLimits.bytesMax }),
    takeReports(book, metrics, tickets, options.security.trusts, refuse),
  )
  app.all('/config/caps', (_req, res) => refuse(res, 'method_not_allowed', [['Allow', 'POST']]))
  app.all('/config/reports', (_req, res) => refuse(res, 'method_not_allowed', [['Allow', 'GET, HEAD, POST']]))
  app.all(['/config/revisions', '/config/manifest', '/config/documents/:file', '/config/events'], (_req, res) =>
    refuse(res, 'method_not_allowed', [['Allow', 'GET, HEAD']]),
  )
  if (testHooks) {
    app.use(secure)
    app.use('/test', (req, res, next) => (mayUseTestHooks(req) ? next() : refuse(res, 'not_found')))
    app.post('/test/release', express.json({ limit: bodyBytesMax }), forceRelease(publishing, store.current, refuse))
    app.delete('/test/release', restoreRelease(publishing, store.current, refuse))
  }
  app.use((_req, res) => refuse(res, 'not_found'))
  app.use(lastHandler(refuse, log))

  return {
    handle(req, res) {
      const url = req.url ?? ''
      if (console && /^\/(?:console|test\/operator)(?:[/?]|$)/.test(url)) return console.handle(req, res)
      options.security.transport(req, res)
      const waitSeconds = readsOf(clientKey(req, trusts))
      if (waitSeconds) return refuse(res, 'too_many_requests', [['Retry-After', String(waitSeconds)]])
      if (!answerAtOnce(store, handed, req, res)) app(req, res)
    },
    publishing,
    guard,
    console,
    async publishFiles(sources) {
      await files.publish(sources)
      return store.current()!
    },
    release: () => releaseName(store.current()),
    reports: () => book.counts(),
    async close() {
      files.close()
      events.close()
      await Promise.all([console?.close(), guard.close(), publishing.close()])
    },
  }
}

const releaseName = (release: Release | undefined) => release && `${release.release}-${release.hash}`

const setHeaders =
  (security: HeaderPairs): RequestHandler =>
  (_req, res, next) => {
    for (const [name, value] of security) res.setHeader(name, value)
    next()
  }

function lastHandler(refuse: Refuse, log: Log): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) return next(error)
    const { status, type, code } = (error ?? {}) as { status?: unknown; type?: unknown; code?: unknown }
    if (code === 'too_many_requests') return refuse(res, code)
    const callers = typeof status === 'number' && status >= 400 && status < 500
    if (!callers) log.error({ path: req.path, err: error }, 'config: a request failed; the client gets an internal error')
    const name: Refusal = !callers
      ? 'internal'
      : type === 'entity.too.large'
        ? 'body_too_large'
        : type
          ? 'body_unreadable'
          : 'parameter_error'
    refuse(res, name)
  }
}
