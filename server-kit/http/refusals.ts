import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express'
import { type ParseError, parse } from 'jsonc-parser'
import { AnswerDiffers } from '#contract/held.ts'
import { ApiProblem, type ProblemCode, problems } from '#contract/problem.ts'
import { isUnavailable } from '#server-kit/http/unavailable.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { Texts } from '#server-kit/ops/texts.ts'
import { answerLog } from '#server-kit/security/access-log.ts'

/** Names of body-parser's errors that are the caller's. */
const callerErrors: Record<string, ProblemCode> = {
  'entity.too.large': 'body_too_large',
  'parameters.too.many': 'parameter_error',
  'entity.parse.failed': 'body_unreadable',
  'encoding.unsupported': 'body_unreadable',
  'charset.unsupported': 'body_unreadable',
  'request.aborted': 'body_unreadable',
  'request.size.invalid': 'body_unreadable',
}

/** The fault of a body, by the type of body-parser's error. */
const bodyReasons: Record<string, string> = {
  'encoding.unsupported': 'Content-Encoding is not supported',
  'charset.unsupported': 'the charset is not supported; send UTF-8',
  'request.aborted': 'the body ended early',
  'request.size.invalid': 'Content-Length does not fit the body',
}

/** Position of the first mistake in a text that is no JSON; undefined where the reader itself gives up. */
function mistakeAt(text: string): number | undefined {
  const found: ParseError[] = []
  try {
    parse(text, found, { disallowComments: true })
  } catch {
    // Nested deeper than the stack.
    return undefined
  }
  return found[0]?.offset
}

/** The reason why a body cannot be read, in English, for the developer of a client. @param error of body-parser */
export function bodyReason(error: unknown): string | undefined {
  const { type, body } = (error ?? {}) as { type?: string; body?: unknown }
  if (type !== 'entity.parse.failed') return type === undefined ? undefined : bodyReasons[type]
  const at = typeof body === 'string' ? mistakeAt(body) : undefined
  return at === undefined ? 'the body must be a JSON object' : `the JSON has a mistake at position ${at}`
}

/** Returns the problem that is answered for an error, from any source. Only our own codes get out; the rest stays in `cause`. */
export function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  if (isUnavailable(error)) return new ApiProblem('busy', { cause: error })
  if (error instanceof URIError) return new ApiProblem('not_found', { cause: error })
  const { type, status } = (error ?? {}) as { type?: unknown; status?: unknown }
  if (typeof type === 'string' && Object.hasOwn(callerErrors, type))
    return new ApiProblem(callerErrors[type]!, { reason: bodyReason(error), cause: error })
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new ApiProblem('body_unreadable', { reason: 'the body is not what its headers say', cause: error })
  return new ApiProblem('internal', { cause: error })
}

/** Problems that pass by themselves: the answer says when to ask again, also where the code that found the problem did not say. */
const passing: Partial<Record<ProblemCode, number>> = { busy: 2, outcome_unknown: 2 }

const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)

/**
 * Last handlers of a server: JSON for what is not there and for every error; the cause goes to the log only.
 * @param developing the caller reads how an answer differs from the contract, too
 */
export function lastHandlers(texts: Texts, log: Log, developing = false): [RequestHandler, ErrorRequestHandler] {
  const refused = answerLog(log)
  return [
    () => {
      throw new ApiProblem('not_found')
    },
    (error: unknown, req: Request, res: Response, next: NextFunction) => {
      if (res.headersSent) return next(error)
      const problem = problemOf(error)
      const row = problems[problem.code]
      const retryAfter = problem.retryAfterSeconds ?? passing[problem.code]
      // A planned call is no failure.
      const differs = problem.cause instanceof AnswerDiffers ? problem.cause : undefined
      if (differs)
        log.error(
          { id: res.locals.requestId, call: differs.call, ...differs.difference },
          'api: an answer differs from the contract; the client gets the problem code',
        )
      else if (row.http >= 500 && problem.code !== 'not_built_yet')
        log.error(
          { id: res.locals.requestId, path: req.path, problem: problem.code, err: problem.cause ?? problem },
          'api: a request failed; the client gets the problem code',
        )
      refused(req, res, problem.code, row.http)
      const lang = asText(res.locals.lang) ?? asText((req.body as Record<string, unknown> | undefined)?.lang) ?? req.get('lang')
      const body = {
        code: row.code,
        msg:
          developing && differs ? differs.message : texts.say(lang, problem.values ? `${problem.code}_with` : problem.code, problem.values),
        data: null,
        name: problem.code,
        ...(problem.field && { field: problem.field }),
        ...(problem.reason && { reason: problem.reason }),
        ...(retryAfter !== undefined && { retry_after: retryAfter }),
      }
      if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter)
      res.locals.problem = problem.code
      res.setHeader('Cache-Control', 'no-store')
      res.status(row.http).json(body)
    },
  ]
}
