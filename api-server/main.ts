import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApiServer } from '#api-server/app.ts'
import { attachFeed } from '#api-server/feed/feed.ts'
import { migrations } from '#api-server/migrations.ts'
import { addMetrics } from '#api-server/ops/metrics.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createHttpServer, mustBeFree } from '#server-kit/http/listen.ts'
import { createSecurity } from '#server-kit/http/security-headers.ts'
import { createSettableClock } from '#server-kit/ops/clock.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { findRoot } from '#server-kit/ops/root.ts'
import { serve } from '#server-kit/ops/serve.ts'
import { settingsOrExit, startOrExit } from '#server-kit/ops/start.ts'
import { loadTexts } from '#server-kit/ops/texts.ts'

/** The API server alone, for an installation that runs it apart from config and app. */
const env = settingsOrExit()
/** Exit code when the database engine in this process has broken. */
const brokenEngine = 70

startOrExit(async () => {
  const root = findRoot(import.meta.dirname)
  const log = createLog(env.LOG_LEVEL)
  const onFatal = (error: unknown) => {
    log.fatal({ err: error }, 'the embedded database broke; the process must be started again')
    process.exit(brokenEngine)
  }
  await mustBeFree(env)
  const database = await openDatabase({ dataDir: env.DATA_DIR, databaseUrl: env.DATABASE_URL, log, onFatal, isWatched: false, migrations })
  const api = await createApiServer({
    database,
    env,
    log,
    clock: createSettableClock(),
    texts: loadTexts(join(root, 'locales'), 'problem'),
    mailTexts: loadTexts(join(root, 'locales'), 'mail'),
    version: (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version,
    seedDir: join(root, 'api-server/content/seed'),
  })
  await api.start()
  log.info('this process has no back office; operators review where the console runs in the same process')
  const server = createHttpServer(api.app)
  const feed = attachFeed(server, {
    market: api.market,
    sessions: api.accounts.sessions,
    changes: api.changes,
    clock: api.clock,
    log,
    origins: env.ORIGINS,
    trusts: createSecurity({ trustProxy: env.TRUST_PROXY }).trusts,
    limits: { perAddress: env.STREAMS_PER_ADDRESS },
  })
  addMetrics(api.registry, 'tessera_feed', 'Sockets and their messages', feed.counts)
  await serve(server, {
    host: env.HOST,
    port: env.PORT,
    log,
    addresses: [
      ['API', '/openapi.json'],
      ['health', '/health'],
    ],
    onStop: () => feed.stop(),
    onStopped: async () => {
      await api.stop()
      await database.close()
    },
  })
})
