import type { ErrorRequestHandler, Express, NextFunction, Request, RequestHandler, Response } from 'express'
import type * as z from 'zod'
import type { CallRow } from '#contract/call.ts'
import { ApiProblem, type ProblemCode, problems } from '#contract/problem.ts'
import type { Log } from '#server-kit/log.ts'
import type { Texts } from '#server-kit/texts.ts'

/** What a handler knows of the request beside its input. */
export interface Caller {
  /** Language to answer in: one that the platform has. */
  lang: string
  /** Opaque token from the Authorization header, if any. */
  token: string | undefined
  /** Which app or partner calls; free text of at most 60 characters, for the log. */
  agent: string
  ip: string
}
export type Handler<R extends CallRow> = (input: z.output<R['input']>, caller: Caller) => z.input<R['output']> | Promise<z.input<R['output']>>
export type Handlers<T extends Record<string, CallRow>> = { readonly [N in keyof T]: Handler<T[N]> }

const agentMax = 60

function one(value: unknown, field: string): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw new ApiProblem('parameter_error', { field })
  return value
}

/** Own, single, textual fields of the body or the query: doubled ones are refused, not joined. */
function fieldsOf(req: Request): Record<string, string> {
  const source: unknown = req.method === 'GET' || req.method === 'DELETE' ? req.query : (req.body ?? {})
  const fields: Record<string, string> = Object.create(null)
  for (const [key, value] of Object.entries(source as Record<string, unknown>)) {
    const text = one(value, key)
    if (text !== undefined) fields[key] = text
  }
  return fields
}

function callerOf(req: Request, fields: Record<string, string>, chooseLanguage: (asked: string | undefined) => string): Caller {
  const header = req.get('authorization')?.replace(/^Bearer /i, '')
  return {
    lang: chooseLanguage(fields.lang ?? req.get('lang')),
    token: header || undefined,
    agent: (fields.agent_id ?? req.get('agent-id') ?? '').slice(0, agentMax),
    ip: req.ip ?? '',
  }
}

const refused: ProblemCode = 'parameter_error'

function parse(row: CallRow, fields: Record<string, string>): unknown {
  const known = Object.fromEntries(Object.entries(fields))
  const read = row.input.safeParse(known)
  if (read.success) return read.data
  const issue = read.error.issues[0]
  const field = issue?.path.join('.')
  const absent = field !== undefined && !Object.hasOwn(known, field)
  throw new ApiProblem(absent ? 'parameter_missing' : issue?.code === 'too_big' && issue.origin === 'string' ? 'text_too_long' : refused, { field })
}

export interface MountOptions {
  prefix: string
  chooseLanguage: (asked: string | undefined) => string
  /** Who the caller is, for rows with auth 'user'. @throws ApiProblem('unauthorized') */
  requireUser: (caller: Caller) => Promise<void> | void
}

/** One route per row of the contract. The answer is the envelope; its data is cut to what the row declares. */
export function mount<T extends Record<string, CallRow>>(app: Express, rows: T, handlers: Handlers<T>, options: MountOptions): void {
  for (const [name, row] of Object.entries(rows)) {
    const handler = handlers[name as keyof T] as Handler<CallRow>
    const handle: RequestHandler = async (req, res) => {
      const fields = fieldsOf(req)
      const caller = callerOf(req, fields, options.chooseLanguage)
      res.locals.lang = caller.lang
      if (row.auth === 'user') await options.requireUser(caller)
      const data = await handler(parse(row, fields), caller)
      res.json({ code: 1, msg: '', data: row.output.parse(data) })
    }
    const path = options.prefix + row.path
    app[row.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'](path, handle)
    app.all(path, () => {
      throw new ApiProblem('method_not_allowed')
    })
  }
}

/** Names of body-parser and router errors that are the caller's. */
const callerErrors: Record<string, ProblemCode> = {
  'entity.too.large': 'body_too_large',
  'parameters.too.many': 'parameter_error',
  'entity.parse.failed': 'body_unreadable',
  'encoding.unsupported': 'body_unreadable',
  'charset.unsupported': 'body_unreadable',
  'request.aborted': 'body_unreadable',
  'request.size.invalid': 'body_unreadable',
}

function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  const type = (error as { type?: unknown } | null)?.type
  if (typeof type === 'string' && Object.hasOwn(callerErrors, type)) return new ApiProblem(callerErrors[type]!, { cause: error })
  const status = (error as { status?: unknown } | null)?.status
  if (typeof status === 'number' && status >= 400 && status < 500) return new ApiProblem('body_unreadable', { cause: error })
  return new ApiProblem('internal', { cause: error })
}

/** Last handlers of a server: JSON for what is not there and for every error; the cause goes to the log only. */
export function lastHandlers(texts: Texts, log: Log): [RequestHandler, ErrorRequestHandler] {
  return [
    () => {
      throw new ApiProblem('not_found')
    },
    (error: unknown, req: Request, res: Response, next: NextFunction) => {
      if (res.headersSent) return next(error)
      const problem = problemOf(error)
      const row = problems[problem.code]
      if (row.http >= 500) log.error({ path: req.path, problem: problem.code, err: problem.cause ?? problem }, 'request failed')
      const lang = typeof res.locals.lang === 'string' ? res.locals.lang : req.get('lang')
      res.status(row.http).json({ code: row.code, msg: texts.say(lang, problem.code), data: null, name: problem.code, ...(problem.field && { field: problem.field }) })
    },
  ]
}
