import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import express, { type Express, type RequestHandler } from 'express'
import type { Registry } from 'prom-client'
import { contentHandlers } from '#api-server/content/content.handlers.ts'
import { createContentReads } from '#api-server/content/content.reads.ts'
import { createContentStore } from '#api-server/content/content.store.ts'
import { readSeed, seedContent } from '#api-server/content/seed.ts'
import { currencyHandlers, type LastPrice } from '#api-server/currency/currency.handlers.ts'
import { listCurrencies, seedCurrencies } from '#api-server/currency/currency.store.ts'
import { addFigures } from '#api-server/feed/figures.ts'
import { createHealth, type HealthPart } from '#api-server/health.ts'
import { createMarketHandlers } from '#api-server/market/market.handlers.ts'
import { type Market, openMarket } from '#api-server/market/market.ts'
import { createMetrics } from '#api-server/metrics.ts'
import { openApi } from '#api-server/openapi.ts'
import { ratesHandlers } from '#api-server/rates/rates.handlers.ts'
import { embeddedProvider, httpProvider } from '#api-server/rates/rates.provider.ts'
import { createRatesStore } from '#api-server/rates/rates.store.ts'
import { testHooks } from '#api-server/test-hooks.ts'
import { commonCalls, walletCalls } from '#contract/common.calls.ts'
import { contract } from '#contract/contract.ts'
import { marketCalls } from '#contract/market.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { type Bus, createLocalBus, createNatsBus } from '#server-kit/bus.ts'
import type { SettableClock } from '#server-kit/clock.ts'
import type { Database } from '#server-kit/db.ts'
import type { Env } from '#server-kit/env.ts'
import { formBody } from '#server-kit/form-body.ts'
import { type MountOptions, mount } from '#server-kit/http.ts'
import { generousLimit, type RateLimit, rateLimit } from '#server-kit/limiter.ts'
import type { Log } from '#server-kit/log.ts'
import { lastHandlers } from '#server-kit/refusals.ts'
import { createSecurity } from '#server-kit/security.ts'
import { mountTestHooks } from '#server-kit/test-hooks.ts'
import { chooseLanguage, type Texts } from '#server-kit/texts.ts'

export interface ApiDeps {
  /** Open, with api-server/migrations.ts applied. */
  database: Database
  env: Env
  log: Log
  clock: SettableClock
  /** Texts of problem.json. */
  texts: Texts
  /** Of the product: 0.8.0. */
  version: string
  /** Folder of the demonstration content; by default the one of the repository. */
  seedDir?: string
  limit?: RateLimit
  /** Number of the published release, when the config server runs in the same process. */
  release?: () => string | undefined
}

export interface ApiServer {
  /** Answers /api, /health, /metrics, /openapi.json and /test; anything else is not found. */
  readonly app: Express
  readonly market: Market
  readonly bus: Bus
  readonly clock: SettableClock
  /** Modules add their figures to it. */
  readonly registry: Registry
  start(): Promise<void>
  stop(): Promise<void>
}

/** Without any new price for so long the feed counts as stale. */
const feedStaleMs = 30_000

const requestId: RequestHandler = (_req, res, next) => {
  const id = randomUUID()
  res.locals.requestId = id
  res.setHeader('X-Request-Id', id)
  res.setHeader('Cache-Control', 'no-store')
  next()
}

/** The API server: this function is the list of its middlewares and modules, in order. */
export async function createApiServer(deps: ApiDeps): Promise<ApiServer> {
  const { database, env, log, clock, texts, version } = deps
  if (env.SEED === 'demo') {
    await seedContent(database, readSeed(deps.seedDir ?? join('api-server', 'content', 'seed')), clock.now())
    await seedCurrencies(database)
  }
  const security = createSecurity({ trustProxy: env.TRUST_PROXY })
  const metrics = createMetrics(database, env.METRICS_TOKEN)
  const content = createContentReads(createContentStore(database), clock)
  const provider = env.RATES_URL ? httpProvider(env.RATES_URL) : embeddedProvider
  const rates = ratesHandlers({ store: createRatesStore(database), provider, clock, log })
  const bus = env.NATS_URL ? await createNatsBus(env.NATS_URL, log) : createLocalBus(log)
  const market = await openMarket({ database, clock, bus, log, source: env.FEED, feedUrl: env.FEED_URL, history: env.SEED === 'demo' })
  addFigures(metrics.registry, 'tessera_market', 'Ticks and the price source', market.counts)
  addFigures(metrics.registry, 'tessera_bus', 'Messages between nodes', bus.counts)
  const quotes = createMarketHandlers(market, (lang, symbol) => content.symbolTitle(symbol, lang))
  const lastPrice: LastPrice = (symbol) => market.reads.lastPrice(symbol)?.price
  const currencies = currencyHandlers(() => listCurrencies(database), lastPrice, clock)
  const feedHealth: HealthPart = () => {
    const ages = market.symbols().map((symbol) => market.reads.quoteAge(symbol) ?? Number.POSITIVE_INFINITY)
    return env.FEED === 'manual' || Math.min(...ages) < feedStaleMs ? 'up' : 'stale'
  }

  const options: MountOptions = {
    prefix: '/api',
    chooseLanguage: (asked) => chooseLanguage(asked, texts.languages),
    requireUser: () => {
      throw new ApiProblem('unauthorized')
    },
    checkRaw: env.TEST_HOOKS,
  }
  const description = Buffer.from(JSON.stringify(openApi(contract, options.prefix, version)))
  const [notFound, refusal] = lastHandlers(texts, log)

  const app = express()
  app.disable('x-powered-by').disable('etag').set('trust proxy', env.TRUST_PROXY)
  app.use(requestId)
  app.use((req, res, next) => {
    security.apply(req, res, security.data)
    next()
  })
  app.use(metrics.timing)
  app.use(rateLimit(deps.limit ?? generousLimit, log))
  app.get('/health', createHealth({ database, feed: feedHealth, release: deps.release }))
  app.get('/metrics', metrics.page)
  app.get('/openapi.json', (_req, res) => void res.type('json').end(description))
  app.use(formBody())
  mount(app, commonCalls, contentHandlers(content, { version, source: env.FEED }), options)
  mount(app, walletCalls, { ...currencies, ...rates }, options)
  mount(app, marketCalls, quotes, options)
  if (env.TEST_HOOKS) mountTestHooks(app, testHooks(clock, market), options)
  app.use(notFound, refusal)

  return {
    app,
    market,
    bus,
    clock,
    registry: metrics.registry,
    async start() {
      metrics.start()
      await content.content()
    },
    async stop() {
      metrics.stop()
      await market.stop()
      await bus.close()
    },
  }
}
