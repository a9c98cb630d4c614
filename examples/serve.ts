import { join } from 'node:path'
import express from 'express'
import { createConfigServer } from '#config-server/app.ts'
import { configMigrations } from '#config-server/migrations.ts'
import type { CallRow } from '#contract/call.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database, Migration } from '#server-kit/db/db.ts'
import { createProbes } from '#server-kit/health/probes.ts'
import { formBody } from '#server-kit/http/form-body.ts'
import { type Handlers, mount } from '#server-kit/http/http.ts'
import { generousLimit, rateLimit } from '#server-kit/http/limiter.ts'
import { createHttpServer } from '#server-kit/http/listen.ts'
import { lastHandlers } from '#server-kit/http/refusals.ts'
import { createStatic } from '#server-kit/http/static.ts'
import { type Foundation, type ServerParts, serve } from '#server-kit/ops/serve.ts'
import { settingsOrExit } from '#server-kit/ops/start.ts'
import { chooseLanguage, loadTexts } from '#server-kit/ops/texts.ts'

/** The API of an app: its calls, what they need in the database, and what answers them. */
export interface AppApi<T extends Record<string, CallRow> = Record<string, CallRow>> {
  calls: T
  migrations: readonly Migration[]
  handlers(database: Database): Handlers<T>
}

/** Keeps the types of calls and handlers together. */
export const defineApi = <const T extends Record<string, CallRow>>(api: AppApi<T>): AppApi<T> => api

/**
 * Serves an app on one port: its documents, its API and its pages.
 * @param built folder that `buildApp` wrote: schemas/, locales/, manifests, and the pages below dist/app
 */
export const serveApp = (built: string, api: AppApi): Promise<void> =>
  serve({
    env: settingsOrExit(),
    isWatched: true,
    migrations: [...api.migrations, ...configMigrations],
    open: (foundation) => openApp(built, api, foundation),
  })

async function openApp(built: string, api: AppApi, { env, log, security, database, isDraining, say }: Foundation): Promise<ServerParts> {
  const config = await createConfigServer({
    root: built,
    database,
    log,
    security,
    testHooks: env.TEST_HOOKS,
    watch: true,
    say,
    eventsPerAddressMax: env.STREAMS_PER_ADDRESS,
  })
  const texts = loadTexts(join(built, 'locales'), 'problem')
  const calls = express().disable('x-powered-by').disable('etag').set('trust proxy', security.trusts)
  calls.use((req, res, next) => {
    res.setHeader('Cache-Control', 'no-store')
    security.apply(req, res, security.data)
    next()
  })
  calls.use(rateLimit(generousLimit, log), formBody())
  mount(calls, api.calls, api.handlers(database), {
    prefix: '/api',
    chooseLanguage: (asked) => chooseLanguage(asked, texts.languages),
    // An app without accounts has no calls for customers.
    requireUser() {
      throw new ApiProblem('unauthorized')
    },
  })
  calls.use(...lastHandlers(texts, log))
  const pages = createStatic(join(built, 'dist/app'), security)
  const probes = createProbes({ database, security, isDraining })
  const server = createHttpServer((req, res) => {
    if (probes(req, res)) return
    if (req.url?.startsWith('/config/')) config.handle(req, res)
    else if (req.url?.startsWith('/api/')) calls(req, res)
    else pages(req, res)
  })
  return {
    server,
    addresses: [
      ['app', '/'],
      ['config', '/config/manifest'],
    ],
    onStop: () => config.close(),
  }
}
