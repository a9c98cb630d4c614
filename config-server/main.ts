import { createConfigServer } from '#config-server/app.ts'
import { createHttpServer } from '#server-kit/listen.ts'
import { createLog } from '#server-kit/log.ts'
import { findRoot } from '#server-kit/root.ts'
import { createSecurity } from '#server-kit/security.ts'
import { serve } from '#server-kit/serve.ts'
import { settingsOrExit, startOrExit } from '#server-kit/start.ts'

/** The config server alone, for an installation that runs it apart from the API. */
const env = settingsOrExit()
startOrExit(async () => {
  const log = createLog(env.LOG_LEVEL)
  const security = createSecurity({ trustProxy: env.TRUST_PROXY })
  const config = await createConfigServer({
    root: findRoot(import.meta.dirname),
    dataDir: env.DATA_DIR,
    log,
    security,
    testHooks: env.TEST_HOOKS,
  })
  await serve(createHttpServer(config.handle), {
    host: env.HOST,
    port: env.PORT,
    log,
    addresses: [['manifest', '/config/manifest']],
    onStop: () => config.close(),
  })
})
