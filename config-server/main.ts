import { join } from 'node:path'
import { createConfigServer } from '#config-server/app.ts'
import { configMigrations } from '#config-server/migrations.ts'
import { keepSetupLink } from '#config-server/operators/setup-link.ts'
import { createProbes } from '#server-kit/health/probes.ts'
import { createHttpServer } from '#server-kit/http/listen.ts'
import { findRoot } from '#server-kit/ops/root.ts'
import { type Foundation, type ServerParts, serve } from '#server-kit/ops/serve.ts'
import { settingsOrExit, startOrExit } from '#server-kit/ops/start.ts'
import { openSecrets } from '#server-kit/security/secrets.ts'

/** The config server alone, for an installation that runs it apart from the API. */
const env = settingsOrExit()

startOrExit(() => serve({ env, migrations: configMigrations, open }))

async function open({ database, log, security, isDraining, say }: Foundation): Promise<ServerParts> {
  const root = findRoot(import.meta.dirname)
  const config = await createConfigServer({
    root,
    database,
    log,
    security,
    testHooks: env.TEST_HOOKS,
    say,
    eventsPerAddressMax: env.STREAMS_PER_ADDRESS,
    console: {
      secrets: openSecrets({ secretKey: env.SECRET_KEY, oldKeys: env.SECRET_KEYS_OLD, dataDir: env.DATA_DIR }),
      pages: join(root, 'dist/console'),
      trustProxy: env.TRUST_PROXY,
      publicUrl: env.PUBLIC_URL,
    },
  })
  const setup = await config.console?.setupAddress()
  const probes = createProbes({ database, security, isDraining })
  return {
    server: createHttpServer((req, res) => {
      if (!probes(req, res)) config.handle(req, res)
    }),
    addresses: [
      ['manifest', '/config/manifest'],
      ['console', '/console/'],
      ...(setup && !env.SETUP_LINK_FILE ? ([['console, first operator', `${env.PUBLIC_URL ?? ''}${setup}`]] as const) : []),
    ],
    async onListening(origin) {
      if (env.SETUP_LINK_FILE) await keepSetupLink(env.SETUP_LINK_FILE, setup && `${env.PUBLIC_URL ?? origin}${setup}`)
    },
    onStop: () => config.close(),
  }
}
