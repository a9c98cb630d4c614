import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import express, { type Express, type RequestHandler } from 'express'
import type { Registry } from 'prom-client'
import { createAccountStore } from '#api-server/account/account.store.ts'
import { type Accounts, createAccounts } from '#api-server/account/accounts.ts'
import { demoAccount } from '#api-server/account/demo.ts'
import type { AddressLimits } from '#api-server/account/login/guess-limits.ts'
import { createBackOfficeAuditStore } from '#api-server/back-office/audit.store.ts'
import { createBackOffice } from '#api-server/back-office/back-office.ts'
import { createBooks } from '#api-server/back-office/books.ts'
import { tellBackOffices } from '#api-server/back-office/stream.ts'
import { bankHandlers } from '#api-server/bank/bank.handlers.ts'
import { createCardReads } from '#api-server/bank/card.reads.ts'
import { seedDemoCards } from '#api-server/bank/demo.ts'
import { contentHandlers } from '#api-server/content/content.handlers.ts'
import { createContentReads } from '#api-server/content/content.reads.ts'
import { createContentStore } from '#api-server/content/content.store.ts'
import { readSeed, seedContent } from '#api-server/content/seed.ts'
import { currencyHandlers } from '#api-server/currency/currency.handlers.ts'
import { createCurrencyReads } from '#api-server/currency/currency.reads.ts'
import { listCurrencies, seedCurrencies } from '#api-server/currency/currency.store.ts'
import { rateHook } from '#api-server/currency/rate.hook.ts'
import { favouritesHandlers } from '#api-server/favourites/favourites.handlers.ts'
import { createFavouritesStore } from '#api-server/favourites/favourites.store.ts'
import { type Changes, createChanges, tellingLost } from '#api-server/feed/changes.ts'
import { copyTexts, orderTexts, otcTexts, statementTexts } from '#api-server/file-texts.ts'
import { createFollow } from '#api-server/follow/follow.ts'
import { createIdempotency } from '#api-server/idempotency/keys.ts'
import { outcomeHandlers } from '#api-server/idempotency/outcome.ts'
import { createIdentity, type Identity } from '#api-server/identity/identity.ts'
import { createAuditor } from '#api-server/ledger/audit/auditor.ts'
import { creditHook } from '#api-server/ledger/credit.hook.ts'
import { createLedgerReads } from '#api-server/ledger/ledger.reads.ts'
import { createLedger } from '#api-server/ledger/ledger.store.ts'
import { createLever } from '#api-server/lever/lever.ts'
import { createListings, type Titles } from '#api-server/market/listings.ts'
import { createMarketHandlers } from '#api-server/market/market.handlers.ts'
import { type Market, openMarket } from '#api-server/market/market.ts'
import { createMic } from '#api-server/mic/mic.ts'
import { openApi } from '#api-server/openapi.ts'
import { createHealth, type HealthPart } from '#api-server/ops/health.ts'
import { addMetrics, createMetrics } from '#api-server/ops/metrics.ts'
import { createOtc } from '#api-server/otc/otc.ts'
import { mailCarrier } from '#api-server/outbox/mail.carrier.ts'
import { createOutboxReads, type OutboxReads } from '#api-server/outbox/outbox.reads.ts'
import { createOutbox } from '#api-server/outbox/outbox.ts'
import { ratesHandlers } from '#api-server/rates/rates.handlers.ts'
import { embeddedProvider, httpProvider } from '#api-server/rates/rates.provider.ts'
import { createRatesStore } from '#api-server/rates/rates.store.ts'
import { createSpot } from '#api-server/spot/spot.ts'
import { testHooks } from '#api-server/test-hooks.ts'
import { instrumentHook } from '#api-server/trading/instrument.hook.ts'
import { createTradingReview } from '#api-server/trading/review.ts'
import { createTradingStore } from '#api-server/trading/trading.store.ts'
import { openTrading } from '#api-server/trading/trading.ts'
import { portraitHandlers } from '#api-server/upload/portrait.handlers.ts'
import { createUploads, type Uploads } from '#api-server/upload/uploads.ts'
import { seedParameters } from '#api-server/wallet/parameter.store.ts'
import { createWallet } from '#api-server/wallet/wallet.ts'
import { readLimits } from '#api-server/wallet/withdraw/limits.reads.ts'
import { authCalls } from '#contract/calls/auth.calls.ts'
import { c2cCalls } from '#contract/calls/c2c.calls.ts'
import { commonCalls, uploadCalls } from '#contract/calls/common.calls.ts'
import { followCalls } from '#contract/calls/follow.calls.ts'
import { fundingCalls } from '#contract/calls/funding.calls.ts'
import { identityCalls } from '#contract/calls/identity.calls.ts'
import { leverCalls } from '#contract/calls/lever.calls.ts'
import { marketCalls } from '#contract/calls/market.calls.ts'
import { micCalls } from '#contract/calls/mic.calls.ts'
import { otcCalls } from '#contract/calls/otc.calls.ts'
import { userCalls } from '#contract/calls/user.calls.ts'
import { walletCalls } from '#contract/calls/wallet.calls.ts'
import { contract } from '#contract/contract.ts'
import { defaultAreaCode } from '#contract/credentials.ts'
import { loginOf } from '#contract/rules/contact.rules.ts'
import { timeHeader } from '#contract/time.ts'
import type { Database } from '#server-kit/db/db.ts'
import { diskState } from '#server-kit/files/disk.ts'
import { formBody } from '#server-kit/http/form-body.ts'
import { type MountOptions, mount } from '#server-kit/http/http.ts'
import { generousLimit, type RateLimit, rateLimit } from '#server-kit/http/limiter.ts'
import { lastHandlers } from '#server-kit/http/refusals.ts'
import { createSecurity } from '#server-kit/http/security-headers.ts'
import { type Bus, createLocalBus, createNatsBus } from '#server-kit/ops/bus.ts'
import type { Clock, SettableClock } from '#server-kit/ops/clock.ts'
import { type Env, isLoopback } from '#server-kit/ops/env.ts'
import type { Log } from '#server-kit/ops/log.ts'
import { createPresence } from '#server-kit/ops/presence.ts'
import { mountTestHooks } from '#server-kit/ops/test-hooks.ts'
import { chooseLanguage, loadTexts, type Texts } from '#server-kit/ops/texts.ts'
import type { OperatorGate } from '#server-kit/security/operator-gate.ts'
import { openSecrets } from '#server-kit/security/secrets.ts'

interface ApiDeps {
  /** An open database, migrated with api-server/migrations.ts. */
  database: Database
  env: Env
  log: Log
  clock: SettableClock
  /** Texts of problem.json. */
  texts: Texts
  /** Version of the product, 0.8.0, and stamp of the build, which sources have none of. */
  version: string
  build?: string | undefined
  /** Folder of the demonstration content; the default is the repository's. */
  seedDir?: string
  limit?: RateLimit
  /** Rate limits of account calls per address. */
  addressLimits?: AddressLimits
  /** Texts of mail.json; the default are the repository's. */
  mailTexts?: Texts
  /** Number of the published release, when the config server runs in the same process. */
  release?: () => string | undefined
  /** Authenticates operators of the console; without it there is no back office. */
  operators?: OperatorGate | undefined
  /** Registry of the metrics; a new one unless another part of the process has metrics too. */
  registry?: Registry | undefined
}

export interface ApiServer {
  /** Answers /api, /health, /metrics, /openapi.json and /test; other paths are not found. */
  readonly app: Express
  readonly market: Market
  readonly accounts: Accounts
  readonly identity: Identity
  readonly uploads: Uploads
  /** The demonstration account, whose password is published, can log in. */
  readonly demo: boolean
  /** Messages to customers, for operators. */
  readonly outbox: OutboxReads
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

/** Creates the API server: the list of its middlewares and modules, in order. */
export async function createApiServer(deps: ApiDeps): Promise<ApiServer> {
  const { env, log, clock, texts, version, build, addressLimits: limits } = deps
  const passwordMin = env.PASSWORD_MIN
  const bus = env.NATS_URL ? await createNatsBus(env.NATS_URL, log) : createLocalBus(log)
  const changes = createChanges(bus)
  const database = tellingLost(deps.database, changes.lost)
  const auditor = createAuditor({ database, clock, log, decisions: deps.operators !== undefined })
  await auditor.quick()
  if (env.SEED === 'demo') {
    await seedContent(database, readSeed(deps.seedDir ?? join('api-server', 'content', 'seed')), clock.now())
    await seedCurrencies(database)
    await seedParameters(database)
  }
  const security = createSecurity({ trustProxy: env.TRUST_PROXY })
  const metrics = createMetrics(database, env.METRICS_TOKEN, deps.registry)
  const { registry } = metrics
  const nodes = bus.shared ? createPresence({ database, log, registry, gone: changes.lost }) : undefined
  const content = createContentReads(createContentStore(database), clock)
  const provider = env.RATES_URL ? httpProvider(env.RATES_URL) : embeddedProvider
  const rates = ratesHandlers({ store: createRatesStore(database), provider, clock, log })
  const tellBalance = (uid: number) => changes.tell(uid, 'balance')
  const queueChanged = () => tellBackOffices(bus)
  const secrets = openSecrets({ secretKey: env.SECRET_KEY, oldKeys: env.SECRET_KEYS_OLD, dataDir: env.DATA_DIR })
  const mail = env.SMTP_URL ? mailCarrier(env.SMTP_URL, env.MAIL_FROM) : undefined
  const ledger = createLedger()
  const once = createIdempotency({ database, clock, secrets, log, registry })
  const mailTexts = deps.mailTexts ?? loadTexts('locales', 'mail')
  const outbox = createOutbox({ database, clock, log, secrets, texts: mailTexts, carriers: { mail }, registry })
  const demo = env.SEED === 'demo' && isLoopback(env.HOST)
  const accounts = await createAccounts({ database, clock, log, bus, secrets, post: outbox, demo, limits, registry, passwordMin })
  const uploads = createUploads({
    database,
    dataDir: env.DATA_DIR,
    clock,
    log,
    secrets,
    registry,
    uidOf: (caller) => caller.user!.uid,
    async userOf(token) {
      const found = await accounts.sessions.check(token)
      return found && Number(found.uid)
    },
  })
  const bank = bankHandlers({ database, clock, log, secrets, once, proofs: accounts.proofs })
  const identity = createIdentity({
    database,
    clock,
    log,
    secrets,
    once,
    proofs: accounts.proofs,
    claim: uploads.claim,
    limits: () => readLimits(database),
    changed: queueChanged,
  })
  const portrait = portraitHandlers({ uploads, setPortrait: accounts.setPortrait, log })
  const market = await openMarket({ database, clock, bus, log, source: env.FEED, feedUrl: env.FEED_URL, history: env.SEED === 'demo' })
  const terms = createTradingStore(database)
  await terms.seed(clock.now())
  const trading = await openTrading({ store: terms, reads: market.reads, clock, bus, log, registry })
  addMetrics(registry, 'tessera_market', 'Ticks and the price source', market.counts)
  addMetrics(registry, 'tessera_audit', 'Last audits without a finding, in seconds UTC', auditor.metrics)
  addMetrics(registry, 'tessera_bus', 'Messages between nodes', bus.counts)
  addMetrics(registry, 'tessera_upload', 'Processes that draw pictures', () => uploads.counts())
  const titles: Titles = (lang, symbol) => content.symbolTitle(symbol, lang)
  const quotes = createMarketHandlers(market, titles)
  const listing = createListings(market, titles).one
  const favourites = favouritesHandlers({
    store: createFavouritesStore(database),
    isKnown: (symbol) => market.reads.instrument(symbol) !== undefined,
    listing,
  })
  const coins = createCurrencyReads({
    list: () => listCurrencies(database),
    clock,
    quoteAge: market.reads.quoteAge,
    lastPrice: (symbol) => market.reads.lastPrice(symbol)?.price,
  })
  const currencies = currencyHandlers(coins)
  const balances = createLedgerReads(database)
  const fileTexts = statementTexts()
  const wallet = createWallet({
    database,
    clock,
    secrets,
    ledger,
    once,
    coins,
    proofs: accounts.proofs,
    texts: fileTexts,
    balances,
    cards: createCardReads(database, secrets),
    claim: (uid, address) => uploads.claim(uid, address, 'proof', 'imgs'),
    marksOf: uploads.marksOf,
    changed: tellBalance,
    rowChanged: changes.tell,
    queueChanged,
  })
  const mic = createMic({
    database,
    clock,
    log,
    ledger,
    once,
    coins,
    trading,
    balances,
    reads: market.reads,
    proofs: accounts.proofs,
    texts: fileTexts,
    changed: tellBalance,
    rowChanged: changes.tell,
  })
  addMetrics(registry, 'tessera_option', 'Seconds options that this node opened and settled', mic.counts)
  const lever = createLever({
    database,
    clock,
    bus,
    log,
    ledger,
    once,
    balances,
    coins,
    trading,
    reads: market.reads,
    registry,
    proofs: accounts.proofs,
    options: mic.house,
    texts: fileTexts,
    changed: tellBalance,
    rowChanged: changes.tell,
    ticks: (ticked) => market.listen({ ticked, closed: () => {} }),
  })
  addMetrics(registry, 'tessera_lever', 'Contract trading on this node', lever.counts)
  const spot = createSpot({
    database,
    clock,
    log,
    bus,
    ledger,
    once,
    coins,
    balances,
    trading,
    registry,
    proofs: accounts.proofs,
    marketDepth: market.depth,
    simulated: env.FEED === 'simulator',
    changed: tellBalance,
    rowChanged: changes.tell,
    texts: orderTexts(),
    lastPrice: (symbol) => market.reads.lastPrice(symbol)?.price,
  })
  addMetrics(registry, 'tessera_spot', 'Orders and fills of spot trading', spot.counts)
  /** Programs trade with demonstration money in simulated markets. */
  const isDemonstration = demo && env.FEED === 'simulator' && !env.TEST_HOOKS
  const follow = createFollow({
    database,
    clock,
    log,
    once,
    coins,
    lever,
    queueChanged,
    registry,
    reads: market.reads,
    proofs: accounts.proofs,
    admit: () => auditor.admit(followCalls['follow.follow']),
    rowChanged: changes.tell,
    texts: copyTexts(),
    programs: isDemonstration ? { ledger, account: accounts.program } : undefined,
  })
  addMetrics(registry, 'tessera_follow', 'Copies of positions, on this node', follow.counts)
  const backOfficeLog = createBackOfficeAuditStore(database)
  const otc = createOtc({
    database,
    clock,
    log,
    ledger,
    balances,
    once,
    coins,
    registry,
    proofs: accounts.proofs,
    texts: otcTexts(),
    changed: tellBalance,
    rowChanged: changes.tell,
    queueChanged,
    desk: isDemonstration,
    limits: () => readLimits(database),
    logged: (tx, by, row) => backOfficeLog.append(tx, by, row, clock.now()),
  })
  const guest = demo && (await createAccountStore(database).byLogin({ kind: 'email', address: demoAccount.username }))
  if (guest) {
    await wallet.seedDemo(guest.id)
    await seedDemoCards(database, secrets, guest.id, clock.now())
  }
  const backOffice =
    deps.operators &&
    createBackOffice({
      database,
      clock,
      log,
      bus,
      once,
      gate: deps.operators,
      review: wallet.review,
      identity: identity.reviews,
      trading: createTradingReview({ store: terms, trading }),
      traders: follow.reviews,
      otc: otc.reviews,
      exposure: lever.house,
      options: mic.house,
      books: createBooks(balances, coins),
      accounts: accounts.administration,
      readPicture: uploads.readFor,
      changed: (uid, topic = 'balance') => changes.tell(uid, topic),
    })
  const feedHealth: HealthPart = () => {
    const ages = market.symbols().map((symbol) => market.reads.quoteAge(symbol) ?? Number.POSITIVE_INFINITY)
    return env.FEED === 'manual' || Math.min(...ages) < feedStaleMs ? 'up' : 'stale'
  }
  const disk = () => diskState(env.DATA_DIR)

  const options: MountOptions = {
    prefix: '/api',
    chooseLanguage: (asked) => chooseLanguage(asked, texts.languages),
    requireUser: accounts.sessions.requireUser,
    receive: uploads.receive,
    keep: once.keep,
    admit: auditor.admit,
    checkRaw: env.TEST_HOOKS,
  }
  /** Written when it is first asked for: a start has no use for it. */
  let description: Buffer | undefined
  const [notFound, refusal] = lastHandlers(texts, log)

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
  mount(app, uploadCalls, uploads.handlers, options)
  app.use(formBody())
  mount(app, commonCalls, contentHandlers(content, { source: env.FEED, passwordMin }), options)
  mount(app, walletCalls, { ...currencies, ...rates, ...wallet.handlers }, options)
  mount(app, fundingCalls, wallet.fundingHandlers, options)
  mount(app, leverCalls, lever.handlers, options)
  mount(app, micCalls, mic.handlers, options)
  mount(app, c2cCalls, spot.handlers, options)
  mount(app, followCalls, follow.handlers, options)
  mount(app, otcCalls, otc.handlers, options)
  mount(app, marketCalls, quotes, options)
  mount(app, authCalls, accounts.auth, options)
  mount(app, userCalls, { ...accounts.user, ...portrait, ...favourites }, options)
  // These calls post nothing to the ledger, so they are admitted while it is broken.
  const always: MountOptions = { ...options, admit: undefined }
  const outcome = outcomeHandlers(once, spot.answers)
  mount(app, identityCalls, { ...identity.handlers, ...bank, ...accounts.invited, ...outcome }, always)
  app.get('/api/upload/:name', uploads.page)
  backOffice?.mount(app, options)
  if (env.TEST_HOOKS) {
    const findUser = async (text: string) => {
      const login = loginOf(text, defaultAreaCode)
      return login && (await createAccountStore(database).byLogin(login))?.id
    }
    const money = [
      creditHook({ database, ledger, clock, findUser, moved: tellBalance }),
      rateHook(coins),
      instrumentHook({ database, store: terms, trading, clock }),
    ]
    mountTestHooks(app, testHooks(clock, market, accounts, outbox, money), options)
  }
  app.use(notFound, refusal)

  return {
    app,
    market: { ...market, depth: spot.depth },
    accounts,
    identity,
    uploads,
    demo,
    outbox: createOutboxReads(database, secrets),
    bus,
    changes,
    clock,
    registry,
    ledger: auditor.state,
    async start() {
      metrics.start()
      nodes?.start()
      accounts.start()
      outbox.start()
      once.start()
      uploads.start()
      wallet.start(log, registry)
      await lever.start()
      mic.start(registry)
      follow.start()
      await otc.start()
      auditor.start()
      await spot.start()
      await content.content()
    },
    async stop() {
      backOffice?.stop()
      metrics.stop()
      await follow.stop()
      await otc.stop()
      await lever.stop()
      await Promise.all([accounts.stop(), once.stop(), uploads.stop(), wallet.stop(), mic.stop()])
      await auditor.stop()
      await outbox.stop()
      await spot.stop()
      await trading.stop()
      await market.stop()
      // Last: what this node has done was told.
      await nodes?.stop()
      await bus.close()
    },
  }
}
