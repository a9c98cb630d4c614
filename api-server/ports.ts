import { join } from 'node:path'
import { Registry } from 'prom-client'
import { type Accounts, createAccounts } from '#api-server/account/accounts.ts'
import type { AddressLimits } from '#api-server/account/login/guess-limits.ts'
import { officePorts } from '#api-server/back-office/back-office.ts'
import { tellBackOffices } from '#api-server/back-office/stream.ts'
import { type ContentReads, createContentReads } from '#api-server/content/content.reads.ts'
import { createContentStore } from '#api-server/content/content.store.ts'
import { readSeed, seedContent } from '#api-server/content/seed.ts'
import { createCurrencyReads } from '#api-server/currency/currency.reads.ts'
import { listCurrencies, seedCurrencies } from '#api-server/currency/currency.store.ts'
import { type Changes, createChanges, tellingLost } from '#api-server/feed/changes.ts'
import { holdRows } from '#api-server/feed/held-rows.ts'
import { createIdempotency, type IdempotencyKeys } from '#api-server/idempotency/keys.ts'
import type { ProductPorts, RunningParts } from '#api-server/kit/module.ts'
import { createLedgerReads } from '#api-server/ledger/ledger.reads.ts'
import { createLedger } from '#api-server/ledger/ledger.store.ts'
import { openMarket } from '#api-server/market/market.ts'
import { createNotices, type NoticesModule } from '#api-server/notices/notices.ts'
import { addMetrics } from '#api-server/ops/metrics.ts'
import { mailCarrier } from '#api-server/outbox/mail.carrier.ts'
import { createOutbox, type Outbox } from '#api-server/outbox/outbox.ts'
import { createTradingStore, type TradingStore } from '#api-server/trading/trading.store.ts'
import { openTrading } from '#api-server/trading/trading.ts'
import { createUploads, type Uploads } from '#api-server/upload/uploads.ts'
import { seedParameters } from '#api-server/wallet/parameter.store.ts'
import type { CallRow } from '#contract/call.ts'
import type { Database } from '#server-kit/db/db.ts'
import { createLocalBus, createNatsBus } from '#server-kit/ops/bus.ts'
import type { SettableClock } from '#server-kit/ops/clock.ts'
import { type Env, isLoopback } from '#server-kit/ops/env.ts'
import type { Log } from '#server-kit/ops/log.ts'
import { createPresence } from '#server-kit/ops/presence.ts'
import { loadTexts, type Texts } from '#server-kit/ops/texts.ts'
import { openSecrets } from '#server-kit/security/secrets.ts'

/** Everything that products stand on, and the parts that have calls of their own beside the products. */
export interface ServerPorts extends ProductPorts {
  once: IdempotencyKeys
  env: Env
  accounts: Accounts
  uploads: Uploads
  content: ContentReads
  /** Terms of symbols and calendars as they are stored. */
  terms: TradingStore
  outbox: Outbox
  notices: NoticesModule
  changes: Changes
  /** The demonstration account, whose password is published, can log in. */
  demo: boolean
  /** Jobs and connections below the modules, in the order of starting. */
  parts: readonly RunningParts[]
}

export interface PortDeps {
  /** An open database, migrated with api-server/migrations.ts. */
  database: Database
  env: Env
  log: Log
  clock: SettableClock
  /** Folder of the demonstration content; the default is the repository's. */
  seedDir?: string
  /** Rate limits of account calls per address. */
  addressLimits?: AddressLimits
  /** Texts of mail.json and notice.json; the default are the repository's. */
  mailTexts?: Texts
  /** Refuses new work of a call while no money may move. @throws ApiProblem */
  admit(row: CallRow): void
  /** Holds answers and pushed rows against the contract, and says to the caller what differs. */
  developing?: boolean
  /** Registry of the metrics; a new one unless another part of the process has metrics too. */
  registry?: Registry | undefined
}

/** Opens the ports of the server: what is seeded, checked and connected before any product is made. */
export async function openPorts(deps: PortDeps): Promise<ServerPorts> {
  const { env, log, clock, registry = new Registry() } = deps
  const bus = env.NATS_URL ? await createNatsBus(env.NATS_URL, log) : createLocalBus(log)
  const changes = deps.developing ? holdRows(createChanges(bus), log) : createChanges(bus)
  const database = tellingLost(deps.database, changes.lost)
  if (env.SEED === 'demo') {
    await seedContent(database, readSeed(deps.seedDir ?? join('api-server', 'content', 'seed')), clock.now())
    await seedCurrencies(database)
    await seedParameters(database, clock.now())
  }
  const nodes = bus.shared ? createPresence({ database, log, registry, gone: changes.lost }) : undefined
  const content = createContentReads(createContentStore(database), clock)
  const secrets = openSecrets({ secretKey: env.SECRET_KEY, oldKeys: env.SECRET_KEYS_OLD, dataDir: env.DATA_DIR })
  const once = createIdempotency({ database, clock, secrets, log })
  const outbox = createOutbox({
    database,
    clock,
    log,
    secrets,
    texts: deps.mailTexts ?? loadTexts('locales', 'mail', 'notice'),
    carriers: { mail: env.SMTP_URL ? mailCarrier(env.SMTP_URL, env.MAIL_FROM) : undefined },
  })
  const notices = createNotices({ database, clock, post: outbox, rowChanged: changes.tell })
  const demo = env.SEED === 'demo' && isLoopback(env.HOST)
  const accounts = await createAccounts({
    database,
    clock,
    log,
    bus,
    secrets,
    post: outbox,
    notices,
    demo,
    limits: deps.addressLimits,
    passwordMin: env.PASSWORD_MIN,
  })
  const uploads = createUploads({
    database,
    dataDir: env.DATA_DIR,
    clock,
    log,
    secrets,
    uidOf: (caller) => caller.user!.uid,
    async userOf(token) {
      const found = await accounts.sessions.check(token)
      return found && Number(found.uid)
    },
  })
  const market = await openMarket({ database, clock, bus, log, source: env.FEED, feedUrl: env.FEED_URL, history: env.SEED === 'demo' })
  const { reads } = market
  const terms = createTradingStore(database)
  await terms.seed(clock.now())
  const trading = await openTrading({ store: terms, reads, clock, bus, log })
  addMetrics(registry, 'tessera_market', 'Ticks and the price source', market.counts)
  addMetrics(registry, 'tessera_bus', 'Messages between nodes', bus.counts)
  addMetrics(registry, 'tessera_upload', 'Processes that draw pictures', () => uploads.counts())
  const queueChanged = () => tellBackOffices(bus)
  return {
    database,
    env,
    clock,
    log,
    bus,
    registry,
    secrets,
    ledger: createLedger(),
    balances: createLedgerReads(database),
    once,
    coins: createCurrencyReads({
      list: () => listCurrencies(database),
      clock,
      quoteAge: reads.quoteAge,
      lastPrice: (symbol) => reads.lastPrice(symbol)?.price,
    }),
    market,
    reads,
    trading,
    terms,
    accounts,
    proofs: accounts.proofs,
    uploads,
    content,
    outbox,
    notices,
    changes,
    demo,
    simulated: env.FEED === 'simulator',
    demonstration: demo && env.FEED === 'simulator' && !env.TEST_HOOKS,
    admit: deps.admit,
    changed: (uid) => changes.tell(uid, 'balance'),
    rowChanged: changes.tell,
    queueChanged,
    office: officePorts({ database, clock, once, proofs: accounts.proofs, notices, queueChanged }),
    parts: [
      // Closed last: the other nodes get all messages about this one's work.
      { stop: () => bus.close() },
      { start: () => nodes?.start(), stop: async () => nodes?.stop() },
      { stop: () => market.stop() },
      trading,
      accounts,
      outbox,
      once,
      uploads,
    ],
  }
}
