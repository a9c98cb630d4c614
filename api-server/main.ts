import { join } from 'node:path'
import { createApiServer } from '#api-server/app.ts'
import { attachFeed, socketOrigins } from '#api-server/feed/feed.ts'
import { migrations } from '#api-server/migrations.ts'
import { addMetrics } from '#api-server/ops/metrics.ts'
import { createProbes } from '#server-kit/health/probes.ts'
import { createHttpServer } from '#server-kit/http/listen.ts'
import { createSettableClock } from '#server-kit/ops/clock.ts'
import { findRoot, versionOf } from '#server-kit/ops/root.ts'
import { type Foundation, type ServerParts, serve } from '#server-kit/ops/serve.ts'
import { settingsOrExit, startOrExit } from '#server-kit/ops/start.ts'
import { loadTexts } from '#server-kit/ops/texts.ts'

/** Starts the API server alone, for an installation that runs it apart from config server and app. */
const env = settingsOrExit()

startOrExit(() => serve({ env, migrations, open }))

async function open({ database, log, security, isDraining }: Foundation): Promise<ServerParts> {
  const root = findRoot(import.meta.dirname)
  const api = await createApiServer({
    database,
    env,
    log,
    clock: createSettableClock(),
    texts: loadTexts(join(root, 'locales'), 'problem'),
    mailTexts: loadTexts(join(root, 'locales'), 'mail', 'notice'),
    version: versionOf(root),
    seedDir: join(root, 'api-server/content/seed'),
  })
  await api.start()
  log.info('this process has no back office; operators review where the console runs in the same process')
  const probes = createProbes({ database, security, isDraining, ledger: api.ledger })
  const server = createHttpServer((req, res) => {
    if (!probes(req, res)) api.app(req, res)
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
  addMetrics(api.registry, 'tessera_feed', 'Sockets and their messages', feed.counts)
  return {
    server,
    addresses: [
      ['API', '/openapi.json'],
      ['health', '/health'],
    ],
    onStop: () => feed.stop(),
    onStopped: api.stop,
  }
}
