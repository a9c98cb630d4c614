import { join } from 'node:path'
import { createConfigServer } from '#config-server/app.ts'
import { configMigrations } from '#config-server/migrations.ts'
import { keepSetupLink } from '#config-server/operators/setup-link.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createHttpServer, mustBeFree } from '#server-kit/http/listen.ts'
import { createSecurity } from '#server-kit/http/security-headers.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { findRoot } from '#server-kit/ops/root.ts'
import { serve } from '#server-kit/ops/serve.ts'
import { settingsOrExit, startOrExit } from '#server-kit/ops/start.ts'
import { openSecrets } from '#server-kit/security/secrets.ts'

/** The config server alone, for an installation that runs it apart from the API. */
const env = settingsOrExit()
/** Exit code when the database engine in this process has broken. */
const brokenEngine = 70

startOrExit(async () => {
  const root = findRoot(import.meta.dirname)
  const log = createLog(env.LOG_LEVEL)
  const security = createSecurity({ trustProxy: env.TRUST_PROXY })
  const onFatal = (error: unknown) => {
    log.fatal({ err: error }, 'the embedded database broke; the process must be started again')
    process.exit(brokenEngine)
  }
  await mustBeFree(env)
  const place = { dataDir: env.DATA_DIR, databaseUrl: env.DATABASE_URL }
  const database = await openDatabase({ ...place, log, onFatal, isWatched: false, migrations: configMigrations })
  const config = await createConfigServer({
    ...{ root, database, log, security, testHooks: env.TEST_HOOKS },
    say: (lines) => void process.stdout.write(`${lines}\n`),
    eventsPerAddressMax: env.STREAMS_PER_ADDRESS,
    console: {
      secrets: openSecrets({ secretKey: env.SECRET_KEY, oldKeys: env.SECRET_KEYS_OLD, dataDir: env.DATA_DIR }),
      pages: join(root, 'dist/console'),
      trustProxy: env.TRUST_PROXY,
    },
  })
  const setup = await config.console?.setupAddress()
  await serve(createHttpServer(config.handle), {
    host: env.HOST,
    port: env.PORT,
    log,
    addresses: [
      ['manifest', '/config/manifest'],
      ['console', '/console/'],
      ...(setup && !env.SETUP_LINK_FILE ? ([['console, first operator', setup]] as const) : []),
    ],
    async onListening(origin) {
      if (env.SETUP_LINK_FILE) await keepSetupLink(env.SETUP_LINK_FILE, setup && `${origin}${setup}`)
    },
    onStop: () => config.close(),
    onStopped: () => database.close(),
  })
})
