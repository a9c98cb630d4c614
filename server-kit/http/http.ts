import type { Request, Response, Router } from 'express'
import type * as z from 'zod'
import type { CallRow } from '#contract/call.ts'
import { AnswerDiffers, differenceOf } from '#contract/held.ts'
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

/** The logged-in customer, from the session of the token. */
export interface User {
  /** Number of the account. */
  uid: number
  /** Public id of the session; not its token. */
  session: string
  /** The account is frozen: only calls that read, and those with `whileFrozen`, are answered. */
  frozen?: boolean
}

/** An operator of the console, as the session of the cookie says. */
export interface Operator {
  id: number
  name: string
  roles: readonly string[]
  /** Has given password and code within the last minutes. */
  fresh: boolean
}

/** The facts about a request, beside its input, that a handler gets. */
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
/** The caller that the handler of a row gets: for rows with auth 'user' there is a user. */
type CallerOf<R extends CallRow> = R['auth'] extends 'user' ? UserCaller : R['auth'] extends 'operator' ? OperatorCaller : Caller
/** The result of a row's handler; nothing where the row `streams`. */
type Given<R extends CallRow> = R['streams'] extends true ? undefined : z.input<R['output']>
/** @typeParam X what the server knows of a request beside the caller; see `context` of MountOptions */
export type Handler<R extends CallRow, X = unknown> = (input: z.output<R['input']>, caller: CallerOf<R> & X) => Given<R> | Promise<Given<R>>

/**
 * For the few calls that are asked thousands of times a second: the whole envelope as finished JSON. It is sent as it stands, so its data must
 * already be what the row declares; with `checkRaw` (tests, development) it is read back and checked.
 */
export interface RawHandler<R extends CallRow> {
  raw(input: z.output<R['input']>, caller: CallerOf<R>): Buffer
}
export type Handlers<T extends Record<string, CallRow>, X = unknown> = { readonly [N in keyof T]: Handler<T[N], X> }
type AnyHandler<R extends CallRow, X = unknown> = Handler<R, X> | RawHandler<R>
export type AnyHandlers<T extends Record<string, CallRow>, X = unknown> = { readonly [N in keyof T]: AnyHandler<T[N], X> }

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
    lang: chooseLanguage(fields.lang ?? req.get('lang')),
    token: header || undefined,
    agent: (fields.agent_id ?? req.get('agent-id') ?? '').slice(0, agentMax),
    ip: req.ip ?? '',
    userAgent: req.get('user-agent')?.slice(0, userAgentMax) ?? '',
    ...(key && { key }),
  }
}

/** Fields that every call takes besides its own. */
const everyCall: readonly string[] = ['lang', 'agent_id']
/** The most unknown names that are listed. */
const namesMax = 3

/** A name that a call which changes something does not know may be a misspelt one, and without it the call would do something else. */
function mustKnow(row: CallRow, fields: Record<string, string>): void {
  const own = (row.input as z.ZodObject).shape
  const isKnown = (name: string) => Object.hasOwn(own, name) || everyCall.includes(name) || (row.ignored?.includes(name) ?? false)
  const unknown = Object.keys(fields).filter((name) => !isKnown(name))
  if (!unknown.length) return
  const names = unknown.slice(0, namesMax).map((name) => name.slice(0, agentMax))
  throw new ApiProblem('parameter_unknown', { field: names[0]!, values: { names: names.join(', ') } })
}

function parse(row: CallRow, fields: Record<string, string>): unknown {
  if (row.keyed) mustKnow(row, fields)
  const read = row.input.safeParse(fields)
  if (read.success) return read.data
  const issue = read.error.issues[0]
  const field = issue?.path.join('.')
  const absent = field !== undefined && !Object.hasOwn(fields, field)
  const tooLong = issue?.code === 'too_big' && issue.origin === 'string'
  throw new ApiProblem(absent ? 'parameter_missing' : tooLong ? 'text_too_long' : 'parameter_error', { field })
}

/** How the fields of a request are read and an answer is written. */
export interface Wire {
  /** Returns the fields that may name the language, before the caller is known. @throws ApiProblem for what must not even be tried */
  fields(req: Request, row: CallRow): Record<string, string>
  /** The input of the row; asked once the caller may call. @param params parameters of the path @throws ApiProblem */
  input(row: CallRow, fields: Record<string, string>, params: Record<string, string>, req: Request, res: Response): unknown
  /** @param data what the row declares */
  send(req: Request, res: Response, data: unknown): Promise<void> | void
}

export interface MountOptions<X = unknown> {
  prefix: string
  chooseLanguage: (asked: string | undefined) => string
  /** Returns the caller, for rows with auth 'user'. @throws ApiProblem('unauthorized') */
  requireUser: (caller: Caller) => Promise<User> | User
  /**
   * Returns the operator, for rows with auth 'operator'.
   * @throws ApiProblem('unauthorized'), ApiProblem('forbidden') for roles that do not fit
   */
  requireOperator?: (req: Request, row: CallRow, res: Response) => Promise<Operator>
  /** Reads the multipart body of rows with `upload`; its text fields are in `req.body` afterwards. Asked only for a caller who may call. */
  receive?: (req: Request, res: Response, caller: Caller) => Promise<UploadedFile>
  /** Answers rows that are keyed 'data' once for a key: the stored answer, or that of `work`, which is then stored. */
  keep?: <A>(caller: Caller, options: { call: string; input: unknown }, work: () => Promise<A>) => Promise<A>
  /** Refuses new work of calls that are keyed 'money' while this server cannot do them; their stored answers are still given. @throws ApiProblem */
  admit?: ((row: CallRow) => void) | undefined
  /** Reads the bytes of raw handlers back and checks them against the contract. */
  checkRaw?: boolean
  /** Absent: forms, and the envelope of the specification. */
  wire?: Wire
  /** Returns the values that handlers get beside the caller. */
  context?: (req: Request, res: Response) => X
}

const formWire: Wire = {
  fields: fieldsOf,
  input: parse,
  send: (req, res, data) => sendBytes(req, res, Buffer.from(JSON.stringify({ code: 1, msg: '', data }))),
}

function sendBytes(req: Request, res: Response, envelope: Buffer): void {
  res.statusCode = 200
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.setHeader('Content-Length', envelope.length)
  if (req.method === 'HEAD') res.end()
  else res.end(envelope)
}

/** @throws ApiProblem('unauthorized'), ApiProblem('account_frozen') */
async function userOf<X>(row: CallRow, caller: Caller, res: Response, options: MountOptions<X>): Promise<User> {
  const user = await options.requireUser(caller)
  res.locals.subject = `user ${user.uid}`
  if (user.frozen && !row.reads && !row.whileFrozen) throw new ApiProblem('account_frozen')
  return user
}

/** A caller without permission is refused before a file is read, and again after it, which may be a while later. */
async function fileOf<X>(row: CallRow, req: Request, res: Response, options: MountOptions<X>): Promise<UploadedFile> {
  const sender = callerOf(req, {}, options.chooseLanguage)
  res.locals.lang = sender.lang
  if (row.auth === 'user') sender.user = await userOf(row, sender, res, options)
  if (!options.receive) throw new Error('nothing here reads a file')
  return options.receive(req, res, sender)
}

function operatorOf<X>(row: CallRow, req: Request, res: Response, options: MountOptions<X>): Promise<Operator> {
  if (!options.requireOperator) throw new ApiProblem('not_found')
  return options.requireOperator(req, row, res)
}

/** An answer, cut to what its row declares. @throws AnswerDiffers */
function answerOf(name: string, { output }: CallRow, data: unknown): unknown {
  const read = output.safeParse(data)
  if (read.success) return read.data
  throw new AnswerDiffers(name, differenceOf(output, data) ?? { path: '', expected: '' })
}

function handlerOf<X>(name: string, row: CallRow, handler: AnyHandler<CallRow, X>, options: MountOptions<X>) {
  const { wire = formWire } = options
  return async (req: Request, res: Response, params: Record<string, string>): Promise<void> => {
    res.locals.call = name
    const file = row.upload && (await fileOf(row, req, res, options))
    const fields = wire.fields(req, row)
    let isReplayed = false
    const replayed = () => {
      isReplayed = true
    }
    const admit = () => options.admit?.(row)
    const caller: Caller = { replayed, admit, ...callerOf(req, fields, options.chooseLanguage), ...(file && { file }) }
    res.locals.lang = caller.lang
    if (row.auth === 'user') caller.user = await userOf(row, caller, res, options)
    if (row.auth === 'operator') caller.operator = await operatorOf(row, req, res, options)
    const input = await wire.input(row, fields, params, req, res)
    if (typeof handler === 'function') {
      const known = { ...caller, ...options.context?.(req, res) } as Caller & X
      if (row.streams) return void (await handler(input, known))
      const work = async (by: typeof known) => answerOf(name, row, await handler(input, by))
      // A handler that took the key that is kept for it would wait for its own end.
      const keep = row.keyed === 'data' ? options.keep : undefined
      const data = keep ? await keep(caller, { call: name, input }, () => work({ ...known, key: undefined })) : await work(known)
      if (isReplayed) res.setHeader('Idempotent-Replayed', 'true')
      await wire.send(req, res, data)
    } else {
      const envelope = handler.raw(input, caller)
      if (options.checkRaw) answerOf(name, row, (JSON.parse(envelope.toString()) as { data: unknown }).data)
      sendBytes(req, res, envelope)
    }
  }
}

interface Mounted {
  name: string
  row: CallRow
  handle: (req: Request, res: Response, params: Record<string, string>) => Promise<void>
}

/** Matches paths that a row with parameters names. `:id` matches 1 to 15 digits, every other parameter one segment. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/:(\w+)/g, (_, name) => `(?<${name}>${name === 'id' ? '[0-9]{1,15}' : '[^/]+'})`)}$`)

/**
 * Answers the rows of a contract. The answer is the envelope; its data is cut to what the row declares. Paths are looked up whole and as they are
 * written (one table, however many calls), then among those with parameters. A path answers to no other method than those of its rows.
 */
export function mount<T extends Record<string, CallRow>, X = unknown>(
  app: Router,
  rows: T,
  handlers: AnyHandlers<T, X>,
  options: MountOptions<X>,
): void {
  const paths = new Map<string, Mounted[]>()
  for (const [name, row] of Object.entries(rows)) {
    const path = options.prefix + row.path
    const calls = paths.get(path) ?? []
    if (calls.some((other) => other.row.method === row.method)) throw new Error(`two calls have the path ${path}`)
    calls.push({ name, row, handle: handlerOf(name, row, handlers[name as keyof T] as AnyHandler<CallRow, X>, options) })
    paths.set(path, calls)
  }
  const patterns = [...paths].flatMap(([path, calls]) => (path.includes('/:') ? [{ pattern: patternOf(path), calls }] : []))
  const find = (path: string): { calls: Mounted[]; params: Record<string, string> } | undefined => {
    const calls = paths.get(path)
    if (calls) return { calls, params: {} }
    for (const { pattern, calls: found } of patterns) {
      const match = pattern.exec(path)
      if (!match) continue
      return {
        calls: found,
        params: Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)])),
      }
    }
    return undefined
  }
  app.use((req, res, next) => {
    const found = find(req.path)
    if (!found) return next()
    const { calls, params } = found
    const call = calls.find(({ row }) => row.method === req.method) ?? calls.find((one) => req.method === 'HEAD' && takesHead(one.row))
    if (call) return call.handle(req, res, params)
    res.locals.call = calls[0]?.name
    res.setHeader('Allow', calls.map(({ row }) => (takesHead(row) ? 'GET, HEAD' : row.method)).join(', '))
    throw new ApiProblem('method_not_allowed')
  })
}

/** A HEAD promises to change nothing, which a call of a user's own, such as logout by GET, does not. */
const takesHead = (row: CallRow) => row.method === 'GET' && row.auth === 'none'
