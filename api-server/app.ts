import { randomUUID } from 'node:crypto'
import express, { type Express, type RequestHandler } from 'express'
import type { Registry } from 'prom-client'
import type { Accounts } from '#api-server/account/accounts.ts'
import { createBackOffice } from '#api-server/back-office/back-office.ts'
import { createBooks } from '#api-server/back-office/books.ts'
import type { Changes } from '#api-server/feed/changes.ts'
import type { Identity } from '#api-server/identity/identity.ts'
import { makeModules, runParts } from '#api-server/kit/module.ts'
import { createAuditor } from '#api-server/ledger/audit/auditor.ts'
import type { Market } from '#api-server/market/market.ts'
import { identity, lever, mic, modules, otc, spot } from '#api-server/modules.ts'
import { openApi } from '#api-server/openapi.ts'
import { createHealth, type HealthPart } from '#api-server/ops/health.ts'
import { addMetrics, createMetrics } from '#api-server/ops/metrics.ts'
import { openPorts, type PortDeps } from '#api-server/ports.ts'
import { testHooks } from '#api-server/test-hooks.ts'
import { createTradingReview } from '#api-server/trading/review.ts'
import type { Uploads } from '#api-server/upload/uploads.ts'
import type { CallRow } from '#contract/call.ts'
import { contract } from '#contract/contract.ts'
import { type PlannedCall, plannedCalls } from '#contract/planned.ts'
import { ApiProblem } from '#contract/problem.ts'
import { timeHeader } from '#contract/time.ts'
import { diskState } from '#server-kit/files/disk.ts'
import { formBody } from '#server-kit/http/form-body.ts'
import { type AnyHandlers, type MountOptions, mount } from '#server-kit/http/http.ts'
import { generousLimit, type RateLimit, rateLimit } from '#server-kit/http/limiter.ts'
import { lastHandlers } from '#server-kit/http/refusals.ts'
import { createSecurity } from '#server-kit/http/security-headers.ts'
import type { Bus } from '#server-kit/ops/bus.ts'
import type { Clock, SettableClock } from '#server-kit/ops/clock.ts'
import { mountTestHooks } from '#server-kit/ops/test-hooks.ts'
import { chooseLanguage, type Texts } from '#server-kit/ops/texts.ts'
import type { OperatorGate } from '#server-kit/security/operator-gate.ts'

interface ApiDeps extends Omit<PortDeps, 'admit'> {
  /** Texts of problem.json. */
  texts: Texts
  /** Version of the product, 0.8.0, and stamp of the build, which sources have none of. */
  version: string
  build?: string | undefined
  limit?: RateLimit
  /** Calls that are refused because no server answers them yet. */
  planned?: Readonly<Record<string, PlannedCall>>
  /** Number of the published release, when the config server runs in the same process. */
  release?: () => string | undefined
  /** Authenticates operators of the console; without it there is no back office. */
  operators?: OperatorGate | undefined
}

export interface ApiServer {
  /** Answers /api, /health, /metrics, /openapi.json and /test; other paths are not found. */
  readonly app: Express
  readonly market: Market
  readonly accounts: Accounts
  readonly identity: Pick<Identity, 'queue'>
  readonly uploads: Uploads
  /** The demonstration account, whose password is published, can log in. */
  readonly demo: boolean
  /** Messages to customers, for operators. */
  readonly bus: Bus
  /** Notifications to customers over the socket; `tell(uid, 'balance')` after money has moved. */
  readonly changes: Changes
  readonly clock: SettableClock
  /** Registry to which modules add their metrics. */
  readonly registry: Registry
  readonly ledger: () => 'sound' | 'broken' | 'unchecked'
  start(): Promise<void>
  stop(): Promise<void>
}

/** The feed counts as stale without a new price for this long. */
const feedStaleMs = 30_000

const requestId =
  (clock: Clock): RequestHandler =>
  (_req, res, next) => {
    const id = randomUUID()
    res.locals.requestId = id
    res.setHeader('X-Request-Id', id)
    res.setHeader(timeHeader, clock.now())
    res.setHeader('Cache-Control', 'no-store')
    next()
  }

/** Answer of every planned call, after its input and its caller were looked at as those of any call. */
const refusePlanned = () => {
  throw new ApiProblem('not_built_yet')
}

/** Creates the API server: its ports, its modules, and the list of its middlewares in order. */
export async function createApiServer(deps: ApiDeps): Promise<ApiServer> {
  const { env, log, clock, texts, version, build, planned = plannedCalls, developing = false } = deps
  // Operators decide in this process, so each decision has its row in the log of the back office.
  const auditor = createAuditor({ database: deps.database, clock, log, decisions: deps.operators !== undefined })
  await auditor.quick()
  const ports = await openPorts({ ...deps, admit: auditor.admit })
  const { database, bus, changes, registry, accounts, uploads, market, once, trading, terms } = ports
  addMetrics(registry, 'tessera_audit', 'Last audits without a finding, in seconds UTC', auditor.metrics)
  const metrics = createMetrics(database, env.METRICS_TOKEN, registry)
  const running = await makeModules(modules, ports)
  const base = runParts(ports.parts, ports)
  const { get } = running
  const backOffice =
    deps.operators &&
    createBackOffice({
      office: ports.office,
      log,
      bus,
      gate: deps.operators,
      queues: running.queues,
      terms: running.terms,
      proposals: running.proposals,
      handlers: running.officeHandlers,
      trading: createTradingReview({ store: terms, trading, office: ports.office }),
      offers: get(otc).offers,
      exposure: get(lever).reads,
      options: get(mic).reads,
      books: createBooks(ports.balances, ports.coins),
      accounts: accounts.administration,
      readPicture: uploads.readFor,
    })
  const feedHealth: HealthPart = () => {
    const ages = market.symbols().map((symbol) => market.reads.quoteAge(symbol) ?? Number.POSITIVE_INFINITY)
    return env.FEED === 'manual' || Math.min(...ages) < feedStaleMs ? 'up' : 'stale'
  }
  const disk = () => diskState(env.DATA_DIR)

  const { handlers, whileBroken } = running.calls()
  const calls = Object.entries(contract) as [string, CallRow][]
  const unanswered = calls.flatMap(([name]) => (name in handlers ? [] : name))
  if (unanswered.length) throw new Error(`no module answers ${unanswered.join(', ')}`)
  const alwaysAdmitted = new Set(calls.flatMap(([name, row]) => (whileBroken.has(name) ? row : [])))
  const options: MountOptions = {
    prefix: '/api',
    chooseLanguage: (asked) => chooseLanguage(asked, texts.languages),
    requireUser: accounts.sessions.requireUser,
    receive: uploads.receive,
    keep: once.keep,
    admit(row) {
      if (!alwaysAdmitted.has(row)) ports.admit(row)
    },
    checkRaw: env.TEST_HOOKS || developing,
  }
  const mountCalls = (wanted: (row: CallRow) => boolean) =>
    mount(app, Object.fromEntries(calls.filter(([, row]) => wanted(row))), handlers as AnyHandlers<Record<string, CallRow>>, options)
  /** Written when it is first asked for: a start has no use for it. */
  let description: Buffer | undefined
  const [notFound, refusal] = lastHandlers(texts, log, developing)

  const security = createSecurity({ trustProxy: env.TRUST_PROXY })
  const app = express()
  app.disable('x-powered-by').disable('etag').set('trust proxy', env.TRUST_PROXY)
  app.use(requestId(clock))
  app.use((req, res, next) => {
    security.apply(req, res, security.data)
    next()
  })
  app.use(metrics.timing)
  app.use(rateLimit(deps.limit ?? generousLimit, log))
  app.get('/health', createHealth({ database, feed: feedHealth, disk, ledger: auditor.state, release: deps.release, version, build }))
  app.get('/metrics', metrics.page)
  app.get('/openapi.json', (_req, res) => {
    description ??= Buffer.from(JSON.stringify(openApi(contract, options.prefix, version, env.PUBLIC_URL)))
    res.type('json').end(description)
  })
  // Files are read by a receiver of their own.
  mountCalls((row) => row.upload === true)
  app.use(formBody())
  mountCalls((row) => row.upload !== true)
  mount(app, planned, Object.fromEntries(Object.keys(planned).map((name) => [name, refusePlanned])), options)
  app.get('/api/upload/:name', uploads.page)
  backOffice?.mount(app, options)
  if (env.TEST_HOOKS) mountTestHooks(app, testHooks(clock, running.hooks), options)
  app.use(notFound, refusal)

  return {
    app,
    market: { ...market, depth: get(spot).depth },
    accounts,
    identity: get(identity),
    uploads,
    demo: ports.demo,
    bus,
    changes,
    clock,
    registry,
    ledger: auditor.state,
    async start() {
      metrics.start()
      await base.start()
      await running.start()
      auditor.start()
    },
    async stop() {
      backOffice?.stop()
      metrics.stop()
      await auditor.stop()
      await running.stop()
      await base.stop()
    },
  }
}
