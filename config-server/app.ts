import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import type { HeaderPairs } from '#config-server/answers.ts'
import { createArchive } from '#config-server/archive.store.ts'
import { capsLimits } from '#config-server/caps.rules.ts'
import { readCatalog, readOwnCaps } from '#config-server/catalog.ts'
import { createCheck, createPreparer, showProblem } from '#config-server/check.ts'
import { readBefore, readReports, registerCaps, takeReports } from '#config-server/client.handlers.ts'
import { createEvents } from '#config-server/events.ts'
import { readSources } from '#config-server/files.ts'
import { answerAtOnce, readDocument, readManifest } from '#config-server/read.handlers.ts'
import { createRefuse, type Refusal, type Refuse } from '#config-server/refuse.ts'
import type { Release } from '#config-server/release.rules.ts'
import { BrokenSources, createReleases, type Releases } from '#config-server/releases.ts'
import { createReportBook, reportLimits } from '#config-server/reports.rules.ts'
import { createRevisionStore } from '#config-server/revision.store.ts'
import { forceRelease, restoreRelease } from '#config-server/test.handlers.ts'
import { watchFolders } from '#config-server/watch.ts'
import type { LintProblem } from '#language/catalog.ts'
import { rateLimit } from '#server-kit/limiter.ts'
import type { Log } from '#server-kit/log.ts'
import type { Security } from '#server-kit/security.ts'

export interface ConfigServerOptions {
  /** Folder that holds schemas/, locales/ and the manifests of widgets and calls. */
  root: string
  /** Folder where releases, revisions and known builds outlive the process; without one they end with it. */
  dataDir?: string
  log: Log
  security: Security
  /** Opens /test/release. */
  testHooks: boolean
  /** Publishes again whenever a file changes; broken files are told to `say` and the last good release stays. */
  watch?: boolean
  say?: (lines: string) => void
  heartbeatMs?: number
  eventClientsMax?: number
}

export interface ConfigServer {
  handle: RequestListener
  releases: Releases
  /** Number and hash of the live release. */
  release(): string | undefined
  /** What clients reported, in figures. */
  reports(): Record<string, number>
  /** Ends the streams and the watch; what is being answered goes on. */
  close(): void
}

const bodyBytesMax = 4 * 1024 * 1024
/** Of one address. A client sends few reports, and its catalog once. */
const postLimit = { requests: 60, seconds: 60, loopbackRequests: 20_000 }

/** @throws BrokenSources when the documents may not be published and nothing watches for their repair */
export async function createConfigServer(options: ConfigServerOptions): Promise<ConfigServer> {
  const { root, log, testHooks, watch = false, say = () => undefined } = options
  const security: HeaderPairs = options.security.data
  const catalog = await readCatalog(root)
  const refuse = createRefuse(security)
  const archive = options.dataDir === undefined ? undefined : createArchive(join(options.dataDir, 'config'), log)
  const store = createRevisionStore({ security, own: await readOwnCaps(root, catalog), ...(archive && { archive }) })
  await store.open()
  const book = createReportBook()
  const releases = createReleases({ store, check: createCheck(catalog), prepareOne: createPreparer(catalog) })
  const { heartbeatMs, eventClientsMax: clientsMax } = options
  const events = createEvents({ security, refuse, heartbeatMs, clientsMax, now: () => store.current() })
  releases.onRelease((release) => {
    log.info({ release: release.release, hash: release.hash, documents: release.documents.size }, 'release')
    events.tell(release)
  })

  async function publishFiles(): Promise<void> {
    const { files, texts, problems } = await readSources(root)
    if (problems.length) throw new BrokenSources(problems)
    await releases.publish(files, texts)
  }
  let broken = false
  async function publishAndSay(): Promise<void> {
    try {
      await publishFiles()
      if (broken) say('The documents are whole again.')
      broken = false
    } catch (error) {
      if (!(error instanceof BrokenSources)) log.error({ err: error }, 'publishing failed')
      broken = true
      say(error instanceof BrokenSources ? problemReport(error.problems) : String(error))
    }
  }
  await (watch ? publishAndSay() : publishFiles())
  const unwatch = watch ? await watchFolders([join(root, 'schemas'), join(root, 'locales')], publishAndSay) : () => undefined

  const app = express().disable('x-powered-by').disable('etag').set('query parser', 'simple')
  app.get('/config/manifest', readManifest(store, refuse))
  app.get('/config/documents/:file', readDocument(store, refuse))
  app.get('/config/events', (req, res) => events.open(req, res))
  const [limit, secure] = [rateLimit(postLimit, log), setHeaders(security)]
  app.get('/config/revisions', secure, readBefore(store, refuse))
  app.get('/config/reports', secure, readReports(book, refuse))
  app.post('/config/caps', secure, limit, express.json({ limit: capsLimits.bytesMax }), registerCaps(store, refuse))
  app.post('/config/reports', secure, limit, express.json({ limit: reportLimits.bytesMax }), takeReports(book, refuse))
  app.all('/config/caps', (_req, res) => refuse(res, 'method_not_allowed', [['Allow', 'POST']]))
  app.all('/config/reports', (_req, res) => refuse(res, 'method_not_allowed', [['Allow', 'GET, HEAD, POST']]))
  app.all(['/config/revisions', '/config/manifest', '/config/documents/:file', '/config/events'], (_req, res) =>
    refuse(res, 'method_not_allowed', [['Allow', 'GET, HEAD']]),
  )
  if (testHooks) {
    app.use(secure)
    app.post('/test/release', express.json({ limit: bodyBytesMax }), forceRelease(releases, refuse))
    app.delete('/test/release', restoreRelease(releases, refuse))
  }
  app.use((_req, res) => refuse(res, 'not_found'))
  app.use(lastHandler(refuse, log))

  return {
    handle(req, res) {
      options.security.transport(req, res)
      if (!answerAtOnce(store, req, res)) app(req, res)
    },
    releases,
    release: () => releaseName(store.current()),
    reports: () => book.counts(),
    close() {
      unwatch()
      events.close()
    },
  }
}

const releaseName = (release: Release | undefined) => release && `${release.release}-${release.hash}`
const problemReport = (problems: readonly LintProblem[]) => `The last good release stays:\n${problems.map(showProblem).join('\n')}`

const setHeaders =
  (security: HeaderPairs): RequestHandler =>
  (_req, res, next) => {
    for (const [name, value] of security) res.setHeader(name, value)
    next()
  }

function lastHandler(refuse: Refuse, log: Log): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) return next(error)
    const { status, type, code } = (error ?? {}) as { status?: unknown; type?: unknown; code?: unknown }
    if (code === 'too_many_requests') return refuse(res, code)
    const callers = typeof status === 'number' && status >= 400 && status < 500
    if (!callers) log.error({ path: req.path, err: error }, 'request failed')
    const name: Refusal = !callers
      ? 'internal'
      : type === 'entity.too.large'
        ? 'body_too_large'
        : type
          ? 'body_unreadable'
          : 'parameter_error'
    refuse(res, name)
  }
}
