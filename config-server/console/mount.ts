import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler, type Response } from 'express'
import { none } from '#config-server/console/bodies.ts'
import type { ConsoleLimits } from '#config-server/console/console.ts'
import { comesFromUs, sessionOf } from '#config-server/console/gate.ts'
import { answerOf } from '#config-server/console/problems.ts'
import { type Asked, answered, type Route } from '#config-server/console/route.ts'
import type { Operators, Session } from '#config-server/operators/operators.ts'
import { ConsoleRefusal } from '#config-server/operators/refusal.ts'
import type { Actor } from '#config-server/publishing/publishing.ts'
import { rateLimit } from '#server-kit/http/limiter.ts'
import type { Security } from '#server-kit/http/security-headers.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Log } from '#server-kit/ops/log.ts'

export const prefix = '/console/api'
const bodyBytesMax = 4 * 1024 * 1024
/** Of a stranger. */
const smallBodyBytesMax = 16 * 1024
const gzipFromBytes = 8 * 1024
const zip = promisify(gzip)

export interface MountDeps {
  operators: Operators
  security: Security
  log: Log
  clock: Clock
  limits: ConsoleLimits
}

/** Answers the routes of the list and nothing else. Who may ask is decided in this order, and before a body is read. */
export function mountRoutes(app: Express, list: readonly Route[], { operators, security, log, clock, limits }: MountDeps): void {
  const everybody = rateLimit(limits.all, log)
  const guarded = rateLimit(limits.guarded, log)

  const ownOnly: RequestHandler = (req, res, next) => {
    security.apply(req, res, security.data)
    res.setHeader('Cache-Control', 'no-store')
    // Express would answer a HEAD by running the GET; nobody here asks for one.
    if (req.method === 'HEAD') throw new ConsoleRefusal('method_not_allowed')
    next(comesFromUs(req, security.overTls(req)) ? undefined : new ConsoleRefusal('forbidden'))
  }
  app.use(prefix, ownOnly, everybody)

  for (const route of list) {
    const requireOperator: RequestHandler = async (req, res, next) => {
      // What a query may hold is read first: one that holds a token must not even be tried.
      res.locals.query = readQuery(route, req)
      if (route.who !== 'nobody') res.locals.session = await sessionFor(route, req, security.overTls(req), operators, clock)
      next()
    }
    const json = express.json({ limit: route.who === 'nobody' ? smallBodyBytesMax : bodyBytesMax })
    const handle: RequestHandler = async (req, res) => {
      const data = await route.handle(askedOf(route, req, res))
      if (data !== answered) await send(req, res, { data: data ?? null })
    }
    const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
    app[method](prefix + route.path, ...(route.guarded ? [guarded] : []), requireOperator, json, handle)
  }
  const known = list.map(({ path, method }) => ({ method, form: new RegExp(`^${path.replace('.', '\\.').replace(/:\w+/g, '[^/]+')}$`) }))
  app.use(prefix, (req, res, next) => {
    const methods = known.filter(({ form }) => form.test(req.path)).map(({ method }) => method)
    if (!methods.length) return next()
    res.setHeader('Allow', methods.join(', '))
    throw new ConsoleRefusal('method_not_allowed')
  })
}

/** @throws ConsoleRefusal login_required, not_allowed, fresh_login_required */
async function sessionFor(
  { who, fresh, passive }: Route,
  req: Request,
  overTls: boolean,
  operators: Operators,
  clock: Clock,
): Promise<Session> {
  const session = await sessionOf(req, operators, overTls, !passive)
  if (!session) throw new ConsoleRefusal('login_required')
  const { roles } = session.operator
  if (who !== 'operator' && who !== 'nobody' && !who.some((role) => roles.includes(role))) throw new ConsoleRefusal('not_allowed')
  if (fresh && session.freshUntil <= clock.now()) throw new ConsoleRefusal('fresh_login_required')
  return session
}

function readQuery(route: Route, req: Request): unknown {
  const read = (route.query ?? none).safeParse({ ...req.query })
  if (!read.success || unreadable(read.data)) throw new ConsoleRefusal('parameter_error')
  return route.query && read.data
}

/** Text that the database cannot keep, or that would come back as another: NUL, and halves of a character. */
const unreadable = (value: unknown): boolean => {
  if (typeof value === 'string') return value.includes('\0') || /\p{Surrogate}/u.test(value)
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some(([name, one]) => unreadable(name) || unreadable(one))
}

function readBody({ body, method }: Route, req: Request): unknown {
  if (method === 'GET') return undefined
  const sent: unknown = req.body ?? (body ? undefined : {})
  const read = (body ?? none).safeParse(sent)
  if (read.success && !unreadable(read.data)) return body && read.data
  const field = read.success ? undefined : read.error.issues[0]?.path.join('.')
  throw new ConsoleRefusal('parameter_error', field ? { data: { field } } : {})
}

const idForm = /^[0-9]{1,15}$/

function askedOf(route: Route, req: Request, res: Response): Asked<unknown, unknown> {
  const { session, query } = res.locals as { session: Session; query: unknown }
  const { id = '0', session: name = '' } = req.params as Record<string, string>
  if (!idForm.test(id)) throw new ConsoleRefusal('not_found')
  const actor: Actor = session
    ? { name: session.operator.name, roles: session.operator.roles, kind: 'operator' }
    : { name: 'nobody', roles: [], kind: 'operator' }
  return { session, actor, body: readBody(route, req), query, id: Number(id), name, req, res }
}

async function send(req: Request, res: Response, answer: unknown, status = 200): Promise<void> {
  const plain = Buffer.from(JSON.stringify(answer))
  const packs = plain.length >= gzipFromBytes && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(req.get('accept-encoding') ?? '')
  const body = packs ? await zip(plain, { level: constants.Z_BEST_SPEED + 3 }) : plain
  if (res.destroyed) return
  res.statusCode = status
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.setHeader('Content-Length', body.length)
  if (packs) res.setHeader('Content-Encoding', 'gzip')
  res.setHeader('Vary', 'Accept-Encoding')
  res.end(req.method === 'HEAD' ? undefined : body)
}

/** What is not there, and every error. */
export function finish(app: Express, log: Log): void {
  app.use(() => {
    throw new ConsoleRefusal('not_found')
  })
  const last: ErrorRequestHandler = async (error: unknown, req, res, next) => {
    if (res.headersSent) return next(error)
    const { status, body, retryAfterSeconds } = answerOf(error)
    if (status >= 500) log.error({ path: req.path, problem: body.code, err: error }, 'request failed')
    if (retryAfterSeconds !== undefined) res.setHeader('Retry-After', retryAfterSeconds)
    await send(req, res, body, status)
  }
  app.use(last)
}
