import { existsSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { demoAccount } from '#api-server/account/demo.ts'
import { type ApiServer, createApiServer } from '#api-server/app.ts'
import { attachFeed, socketOrigins } from '#api-server/feed/feed.ts'
import { migrations } from '#api-server/migrations.ts'
import { addMetrics } from '#api-server/ops/metrics.ts'
import { createConfigServer } from '#config-server/app.ts'
import { createFlowRunner } from '#config-server/flow-runner.ts'
import { configMigrations } from '#config-server/migrations.ts'
import { keepSetupLink } from '#config-server/operators/setup-link.ts'
import { createBackups } from '#server-kit/files/backups.ts'
import { createProbes } from '#server-kit/health/probes.ts'
import { createDevPages, type DevPages, type DevProblem } from '#server-kit/http/dev-pages.ts'
import { createHttpServer } from '#server-kit/http/listen.ts'
import { createStatic } from '#server-kit/http/static.ts'
import { createSettableClock, systemClock } from '#server-kit/ops/clock.ts'
import { buildOf, findRoot, versionOf } from '#server-kit/ops/root.ts'
import { type Foundation, type ServerParts, serve } from '#server-kit/ops/serve.ts'
import { settingsOrExit, startOrExit } from '#server-kit/ops/start.ts'
import { loadTexts } from '#server-kit/ops/texts.ts'
import { openSecrets } from '#server-kit/security/secrets.ts'

/** Both servers and the app on one port. `--dev` serves the app from its sources and publishes documents as they are saved. */
const env = settingsOrExit()
const dev = process.argv.includes('--dev')

const root = findRoot(import.meta.dirname)
const built = join(root, 'dist/app')

startOrExit(async () => {
  if (!dev && !existsSync(join(built, 'index.html'))) throw new Error('The app is not built; npm run build does that.')
  await serve({ env, dev, migrations: [...migrations, ...configMigrations], open })
})

async function open({ database, log, security, isDraining, say }: Foundation): Promise<ServerParts> {
  const registry = new Registry()
  const backups = env.BACKUP_DIR
    ? createBackups({ database, log, clock: systemClock, registry, dir: env.BACKUP_DIR, everyMs: env.BACKUP_MINUTES * 60_000 })
    : undefined
  let devPages: DevPages | undefined
  let problems: readonly DevProblem[] = []
  const config = await createConfigServer({
    onProblems(found) {
      problems = found
      devPages?.show(problems, config.release() !== undefined)
    },
    root,
    database,
    log,
    security,
    testHooks: env.TEST_HOOKS,
    watch: dev,
    say,
    registry,
    eventsPerAddressMax: env.STREAMS_PER_ADDRESS,
    console: {
      secrets: openSecrets({ secretKey: env.SECRET_KEY, oldKeys: env.SECRET_KEYS_OLD, dataDir: env.DATA_DIR }),
      pages: dev ? undefined : join(root, 'dist/console'),
      flows: createFlowRunner(root, env.CHROMIUM_PATH),
      trustProxy: env.TRUST_PROXY,
      publicUrl: env.PUBLIC_URL,
    },
  })
  const api: ApiServer = await createApiServer({
    database,
    env,
    log,
    clock: createSettableClock(),
    texts: loadTexts(join(root, 'locales'), 'problem'),
    mailTexts: loadTexts(join(root, 'locales'), 'mail', 'notice'),
    version: versionOf(root),
    build: dev ? undefined : buildOf(root),
    developing: dev,
    seedDir: join(root, 'api-server/content/seed'),
    release: () => config.release(),
    operators: config.console?.gate,
    registry,
  })
  await api.start()

  /** The first that fits answers. Each room sets its own headers; the config server's are ready made. */
  const rooms: [prefix: string, handle: RequestListener][] = [
    ['/config', config.handle],
    // The back office is worked in the console, and its rows belong to the API.
    ...['api', 'events', 'picture'].map((part): [string, RequestListener] => [`/console/back-office/${part}`, api.app]),
    [dev ? '/console/api' : '/console', config.handle],
    ...(env.TEST_HOOKS ? ['/test/release', '/test/operator'].map((path): [string, RequestListener] => [path, config.handle]) : []),
    ['/api', api.app],
    ['/health', api.app],
    ['/metrics', api.app],
    ['/openapi.json', api.app],
    ...(env.TEST_HOOKS ? ([['/test', api.app]] as [string, RequestListener][]) : []),
  ]
  const probes = createProbes({ database, security, isDraining, ledger: api.ledger })
  const server = createHttpServer((req, res) => {
    if (probes(req, res)) return
    const path = pathOf(req.url ?? '')
    const room = rooms.find(([prefix]) => path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/'))
    if (room) room[1](req, res)
    else pages(req, res)
  })
  const feed = attachFeed(server, {
    market: api.market,
    sessions: api.accounts.sessions,
    changes: api.changes,
    clock: api.clock,
    log,
    origins: socketOrigins(env),
    trusts: security.trusts,
    limits: { perAddress: env.STREAMS_PER_ADDRESS },
  })
  addMetrics(registry, 'tessera_feed', 'Sockets and their messages', feed.counts)
  if (backups) addMetrics(registry, 'tessera_backup', 'The newest copy of the embedded database', backups.metrics)
  addMetrics(registry, 'tessera_clients', 'Reports of clients about documents and releases', config.reports)
  devPages = dev ? await createDevPages(root, server, security) : undefined
  devPages?.show(problems, config.release() !== undefined)
  const pages = devPages?.handle ?? createStatic(built, security)

  backups?.start()
  if (api.demo) say(`demo account, open on this machine only: ${demoAccount.username} ${demoAccount.password}`)
  const setup = await config.console?.setupAddress()
  return {
    server,
    addresses: [
      ['app', '/'],
      ...(dev ? ([['gallery', '/gallery']] as const) : []),
      ['console', '/console/'],
      ...(setup && !env.SETUP_LINK_FILE ? ([['console, first operator', `${env.PUBLIC_URL ?? ''}${setup}`]] as const) : []),
      ['config', '/config/manifest'],
      ['API', '/openapi.json'],
      ['health', '/health'],
    ],
    async onListening(origin) {
      if (env.SETUP_LINK_FILE) await keepSetupLink(env.SETUP_LINK_FILE, setup && `${env.PUBLIC_URL ?? origin}${setup}`)
    },
    onStop: async () => {
      await Promise.all([config.close(), feed.stop(), devPages?.close()])
    },
    onStopped: async () => {
      await backups?.stop()
      await api.stop()
    },
  }
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
