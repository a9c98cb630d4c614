import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler, type Response } from 'express'
import * as z from 'zod'
import { comesFromUs, sessionOf } from '#config-server/console/gate.ts'
import { answerOf } from '#config-server/console/problems.ts'
import type { Session } from '#config-server/operators/account.ts'
import type { Operators } from '#config-server/operators/operators.ts'
import type { Actor } from '#config-server/publishing/publishing.ts'
import type { CallRow } from '#contract/call.ts'
import { type ConsoleCalls, consoleCalls } from '#contract/console/console.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { isObject } from '#language/documents/json.ts'
import { type Handlers, mount, type Operator, type Wire } from '#server-kit/http/http.ts'
import { type RateLimit, rateLimit } from '#server-kit/http/limiter.ts'
import type { Security } from '#server-kit/http/security-headers.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Log } from '#server-kit/ops/log.ts'
import { answerLog } from '#server-kit/security/access-log.ts'

export const prefix = '/console/api'
const bodyBytesMax = 4 * 1024 * 1024
/** Of a stranger. */
const smallBodyBytesMax = 16 * 1024
const gzipFromBytes = 8 * 1024
const zip = promisify(gzip)

/** Of one address. */
export interface ConsoleLimits {
  all: RateLimit
  /** Login, set-up and what asks for password and code again; beside the delay that grows with each wrong try. */
  guarded: RateLimit
}

interface MountDeps {
  operators: Operators
  security: Security
  log: Log
  clock: Clock
  limits: ConsoleLimits
}

/** The request, beside its input, as a handler of the console gets it. */
export interface ConsoleRequest {
  /** Session of the operator; absent on calls before a login. */
  session: Session
  /** The operator, as publishing asks for one; nobody on calls before a login. */
  actor: Actor
  req: Request
  res: Response
}
/** Handlers of some of the console's calls. */
export type ConsoleHandlers<N extends keyof ConsoleCalls> = Handlers<Pick<ConsoleCalls, N>, ConsoleRequest>

const nobody: Actor = { name: 'nobody', roles: [], kind: 'operator' }

/** Mounts the calls of the console. Permission is checked before a body is read. */
export function mountConsole(app: Express, handlers: ConsoleHandlers<keyof ConsoleCalls>, deps: MountDeps): void {
  const { operators, security, log, clock, limits } = deps
  const ownOnly: RequestHandler = (req, res, next) => {
    security.apply(req, res, security.data)
    res.setHeader('Cache-Control', 'no-store')
    // Express would answer a HEAD by running the GET; nobody here asks for one.
    if (req.method === 'HEAD') throw new ApiProblem('method_not_allowed')
    next(comesFromUs(req, security.overTls(req)) ? undefined : new ApiProblem('forbidden'))
  }
  app.use(prefix, ownOnly, rateLimit(limits.all, log))
  const guessLimit = rateLimit(limits.guarded, log)
  for (const { path, method, guessable } of Object.values<CallRow>(consoleCalls))
    if (guessable)
      app.use(prefix + path, (req, res, next) => (req.method === method && req.path === '/' ? guessLimit(req, res, next) : next()))

  mount<ConsoleCalls, ConsoleRequest>(app, consoleCalls, handlers, {
    prefix,
    wire: jsonWire,
    chooseLanguage: () => '',
    requireUser: () => {
      throw new ApiProblem('unauthorized')
    },
    async requireOperator(req, row, res): Promise<Operator> {
      const session = await sessionFor(row, req, res, { operators, overTls: security.overTls(req), clock })
      const { id, name, roles } = session.operator
      return { id, name, roles, fresh: session.freshUntil > clock.now() }
    },
    context(req, res) {
      const { session } = res.locals as { session: Session | undefined }
      const actor: Actor = session ? { name: session.operator.name, roles: session.operator.roles, kind: 'operator' } : nobody
      return { session: session as Session, actor, req, res }
    },
  })
}

/** @throws ApiProblem login_required, not_allowed, fresh_login_required */
async function sessionFor(
  { roles: wanted, fresh, passive }: CallRow,
  req: Request,
  res: Response,
  { operators, overTls, clock }: { operators: Operators; overTls: boolean; clock: Clock },
): Promise<Session> {
  const session = await sessionOf(req, operators, overTls, !passive)
  if (!session) throw new ApiProblem('login_required')
  const { id, roles } = session.operator
  res.locals.session = session
  res.locals.subject = `operator ${id}`
  if (wanted && !wanted.some((role) => roles.includes(role))) throw new ApiProblem('not_allowed')
  if (fresh && session.freshUntil <= clock.now()) throw new ApiProblem('fresh_login_required')
  return session
}

/** Text that the database cannot keep, or that would come back as another: NUL, and halves of a character. */
const unreadable = (value: unknown): boolean => {
  if (typeof value === 'string') return value.includes('\0') || /\p{Surrogate}/u.test(value)
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some(([name, one]) => unreadable(name) || unreadable(one))
}

const paramsOf = ({ path }: CallRow) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
/** Members of the input that the path does not name. */
const membersOf = (row: CallRow) => {
  const shape = row.input instanceof z.ZodObject ? Object.keys(row.input.shape) : []
  return shape.filter((name) => !paramsOf(row).includes(name))
}

const wrong = (field?: string) => new ApiProblem('parameter_error', field ? { data: { field } } : {})

function parse(row: CallRow, input: unknown): unknown {
  const read = row.input.safeParse(input)
  if (read.success && !unreadable(input)) return read.data
  throw wrong(read.success ? undefined : read.error.issues[0]?.path.join('.'))
}

const parsers = {
  none: express.json({ limit: smallBodyBytesMax }),
  user: express.json({ limit: bodyBytesMax }),
  operator: express.json({ limit: bodyBytesMax }),
}

/** JSON in, `{data}` out: see contract/console/console.calls.ts for what stands where. */
const jsonWire: Wire = {
  // A query that holds what the call does not name, such as a token, must not even be tried.
  fields(req, row) {
    const query = { ...(req.query as Record<string, string>) }
    if (row.method !== 'GET') {
      if (Object.keys(query).length) throw wrong()
    } else {
      const params = paramsOf(row)
      if (params.some((name) => Object.hasOwn(query, name))) throw wrong()
      parse(row, { ...query, ...Object.fromEntries(params.map((name) => [name, '0'])) })
    }
    return query
  },
  async input(row, query, params, req, res) {
    if (row.method === 'GET') return parse(row, { ...query, ...params })
    await new Promise<void>((done, fail) => parsers[row.auth](req, res, (error?: unknown) => (error ? fail(error) : done())))
    const body: unknown = req.body ?? (membersOf(row).length ? undefined : {})
    if (!isObject(body) || Object.keys(params).some((name) => Object.hasOwn(body, name))) throw wrong()
    return parse(row, { ...body, ...params })
  },
  send: (req, res, data) => send(req, res, { data: data ?? null }),
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

/** Mounts the answers to unknown paths and to all errors. */
export function finish(app: Express, log: Log): void {
  app.use(() => {
    throw new ApiProblem('not_found')
  })
  const refused = answerLog(log)
  const last: ErrorRequestHandler = async (error: unknown, req, res, next) => {
    if (res.headersSent) return next(error)
    const { status, body, retryAfterSeconds } = answerOf(error)
    refused(req, res, body.code, status)
    if (status >= 500)
      log.error({ path: req.path, problem: body.code, err: error }, 'console: a request failed; the client gets the problem code')
    if (retryAfterSeconds !== undefined) res.setHeader('Retry-After', retryAfterSeconds)
    await send(req, res, body, status)
  }
  app.use(last)
}
