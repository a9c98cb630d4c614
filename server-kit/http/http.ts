import type { Request, RequestHandler, Response, Router } from 'express'
import type * as z from 'zod'
import type { CallRow } from '#contract/call.ts'
import { ApiProblem } from '#contract/problem.ts'
import { isTooDeepJson } from '#server-kit/http/depth.ts'

/** A file that came with a call whose row says `upload`. Name and type are what the sender says. */
export interface UploadedFile {
  bytes: Buffer
  name: string
  type: string
  /** Aborted when the sender has left. */
  gone: AbortSignal
}

/** Who is logged in, as the session of the token says. */
export interface User {
  /** Number of the account. */
  uid: number
  /** Public id of the session; not its token. */
  session: string
}

/** An operator of the console, as the session of the cookie says. */
export interface Operator {
  id: number
  name: string
  roles: readonly string[]
  /** Has given password and code within the last minutes. */
  fresh: boolean
}

/** What a handler knows of the request beside its input. */
export interface Caller {
  /** Language to answer in: one that the platform has. */
  lang: string
  /** Opaque token from the Authorization header, if any. */
  token: string | undefined
  /** Which app or partner calls; free text of at most 60 characters, for the log. */
  agent: string
  ip: string
  /** User-Agent header, at most 300 characters. */
  userAgent?: string
  /** Idempotency-Key header: 1 to 255 printable ASCII characters. */
  key?: string
  /** Called when the answer is the stored one of an earlier call with this key. */
  replayed?: (() => void) | undefined
  /** Asked before new work is done under a key, and not for an answer that is stored. @throws ApiProblem */
  admit?: (() => void) | undefined
  /** Only for rows with auth 'user', and then always. */
  user?: User
  /** Only for rows with auth 'operator', and then always. */
  operator?: Operator
  /** Only for rows with `upload`, and then always. */
  file?: UploadedFile
}
export type UserCaller = Caller & { user: User }
export type OperatorCaller = Caller & { operator: Operator }
/** What the handler of a row knows: for rows with auth 'user' there is a user. */
export type CallerOf<R extends CallRow> = R['auth'] extends 'user' ? UserCaller : R['auth'] extends 'operator' ? OperatorCaller : Caller
export type Handler<R extends CallRow> = (
  input: z.output<R['input']>,
  caller: CallerOf<R>,
) => z.input<R['output']> | Promise<z.input<R['output']>>

/**
 * For the few calls that are asked thousands of times a second: the whole envelope as finished JSON. It is sent as it stands, so its data must
 * already be what the row declares; with `checkRaw` (tests, development) it is read back and checked.
 */
export interface RawHandler<R extends CallRow> {
  raw(input: z.output<R['input']>, caller: CallerOf<R>): Buffer
}
export type Handlers<T extends Record<string, CallRow>> = { readonly [N in keyof T]: Handler<T[N]> }
export type AnyHandler<R extends CallRow> = Handler<R> | RawHandler<R>
export type AnyHandlers<T extends Record<string, CallRow>> = { readonly [N in keyof T]: AnyHandler<T[N]> }

const agentMax = 60
const userAgentMax = 300

const keyPattern = /^[\x21-\x7e]{1,255}$/

/** NUL, which the database does not take, and the mark that stands for bytes that were no UTF-8. */
const unreadable = /[\0\uFFFD]/

/** Own, single, textual fields of the body or the query. Doubled ones are refused, not joined; so are broken text and JSON that nests too deep. */
function fieldsOf(req: Request): Record<string, string> {
  const source: unknown = req.method === 'GET' || req.method === 'HEAD' || req.method === 'DELETE' ? req.query : (req.body ?? {})
  const fields: Record<string, string> = Object.create(null)
  for (const [field, text] of Object.entries(source as Record<string, unknown>)) {
    if (typeof text !== 'string' || unreadable.test(text) || isTooDeepJson(text))
      throw new ApiProblem('parameter_error', { field: field.slice(0, agentMax) })
    fields[field] = text
  }
  return fields
}

function callerOf(req: Request, fields: Record<string, string>, chooseLanguage: (asked: string | undefined) => string): Caller {
  const header = req.get('authorization')?.replace(/^Bearer /i, '')
  const key = req.get('idempotency-key')
  if (key && !keyPattern.test(key)) throw new ApiProblem('parameter_error', { field: 'Idempotency-Key' })
  return {
    ...(key && { key }),
    lang: chooseLanguage(fields.lang ?? req.get('lang')),
    token: header || undefined,
    agent: (fields.agent_id ?? req.get('agent-id') ?? '').slice(0, agentMax),
    ip: req.ip ?? '',
    userAgent: req.get('user-agent')?.slice(0, userAgentMax) ?? '',
  }
}

function parse(row: CallRow, fields: Record<string, string>): unknown {
  const read = row.input.safeParse(fields)
  if (read.success) return read.data
  const issue = read.error.issues[0]
  const field = issue?.path.join('.')
  const absent = field !== undefined && !Object.hasOwn(fields, field)
  const tooLong = issue?.code === 'too_big' && issue.origin === 'string'
  throw new ApiProblem(absent ? 'parameter_missing' : tooLong ? 'text_too_long' : 'parameter_error', { field })
}

export interface MountOptions {
  prefix: string
  chooseLanguage: (asked: string | undefined) => string
  /** Who the caller is, for rows with auth 'user'. @throws ApiProblem('unauthorized') */
  requireUser: (caller: Caller) => Promise<User> | User
  /** Who the operator is, for rows with auth 'operator'. @throws ApiProblem('unauthorized'), ApiProblem('forbidden') for roles that do not fit */
  requireOperator?: (req: Request, row: CallRow) => Promise<Operator>
  /** Reads the multipart body of rows with `upload`; its text fields are in `req.body` afterwards. Asked only for a caller who may call. */
  receive?: (req: Request, res: Response, caller: Caller) => Promise<UploadedFile>
  /** Answers rows that are keyed 'data' once for a key: the stored answer, or that of `work`, which is then stored. */
  keep?: <A>(caller: Caller, options: { call: string; input: unknown }, work: () => Promise<A>) => Promise<A>
  /** Refuses new work of calls that are keyed 'money' while this server cannot do them; their stored answers are still given. @throws ApiProblem */
  admit?: ((row: CallRow) => void) | undefined
  /** Reads the bytes of raw handlers back and checks them against the contract. */
  checkRaw?: boolean
}

function sendBytes(req: Request, res: Response, envelope: Buffer): void {
  res.statusCode = 200
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.setHeader('Content-Length', envelope.length)
  if (req.method === 'HEAD') res.end()
  else res.end(envelope)
}

/** Whoever may not call is refused before a file is read, and again after it, which may be a while later. */
async function fileOf(row: CallRow, req: Request, res: Response, options: MountOptions): Promise<UploadedFile> {
  const sender = callerOf(req, {}, options.chooseLanguage)
  res.locals.lang = sender.lang
  if (row.auth === 'user') sender.user = await options.requireUser(sender)
  if (!options.receive) throw new Error('nothing here reads a file')
  return options.receive(req, res, sender)
}

function operatorOf(row: CallRow, req: Request, options: MountOptions): Promise<Operator> {
  if (!options.requireOperator) throw new ApiProblem('not_found')
  return options.requireOperator(req, row)
}

function handlerOf(name: string, row: CallRow, handler: AnyHandler<CallRow>, options: MountOptions): RequestHandler {
  return async (req, res) => {
    res.locals.call = name
    const file = row.upload && (await fileOf(row, req, res, options))
    const fields = fieldsOf(req)
    let isReplayed = false
    const replayed = () => {
      isReplayed = true
    }
    const admit = () => options.admit?.(row)
    const caller: Caller = { ...callerOf(req, fields, options.chooseLanguage), replayed, admit, ...(file && { file }) }
    res.locals.lang = caller.lang
    if (row.auth === 'user') caller.user = await options.requireUser(caller)
    if (row.auth === 'operator') caller.operator = await operatorOf(row, req, options)
    const input = parse(row, fields)
    if (typeof handler === 'function') {
      const work = async () => row.output.parse(await handler(input, caller))
      const data = row.keyed === 'data' && options.keep ? await options.keep(caller, { call: name, input }, work) : await work()
      if (isReplayed) res.setHeader('Idempotent-Replayed', 'true')
      sendBytes(req, res, Buffer.from(JSON.stringify({ code: 1, msg: '', data })))
    } else {
      const envelope = handler.raw(input, caller)
      if (options.checkRaw) row.output.parse((JSON.parse(envelope.toString()) as { data: unknown }).data)
      sendBytes(req, res, envelope)
    }
  }
}

/**
 * Answers the rows of a contract. The answer is the envelope; its data is cut to what the row declares. Paths are looked up whole and as they are
 * written (one table, however many calls), and a path answers to no other method than its row's.
 */
export function mount<T extends Record<string, CallRow>>(app: Router, rows: T, handlers: AnyHandlers<T>, options: MountOptions): void {
  const calls = new Map<string, { name: string; row: CallRow; handle: RequestHandler }>()
  for (const [name, row] of Object.entries(rows)) {
    const path = options.prefix + row.path
    if (calls.has(path)) throw new Error(`two calls have the path ${path}`)
    calls.set(path, { name, row, handle: handlerOf(name, row, handlers[name as keyof T] as AnyHandler<CallRow>, options) })
  }
  app.use((req, res, next) => {
    const call = calls.get(req.path)
    if (!call) return next()
    const { name, row, handle } = call
    // A HEAD promises to change nothing, which a call of a user's own, such as logout by GET, does not.
    const alsoHead = row.method === 'GET' && row.auth === 'none'
    if (req.method === row.method || (req.method === 'HEAD' && alsoHead)) return handle(req, res, next)
    res.locals.call = name
    res.setHeader('Allow', alsoHead ? 'GET, HEAD' : row.method)
    throw new ApiProblem('method_not_allowed')
  })
}
