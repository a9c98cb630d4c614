import type { ServerResponse } from 'node:http'
import { flat, type HeaderPairs } from '#config-server/serving/answers.ts'
import { type ProblemCode, problems } from '#contract/problem.ts'

/** The problems that this server answers with. Its readers are programs, so the name is the message. */
export type Refusal = Extract<
  ProblemCode,
  | 'parameter_error'
  | 'body_unreadable'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'too_many_requests'
  | 'internal'
  | 'busy'
>

export type Refuse = (res: ServerResponse, name: Refusal, more?: HeaderPairs) => void

/** @param security headers of every answer */
export function createRefuse(security: HeaderPairs): Refuse {
  return (res, name, more = []) => {
    const { http, code } = problems[name]
    const body = JSON.stringify({ code, msg: name, data: null, name })
    const headers = flat([...security, ['Content-Type', 'application/json; charset=utf-8'], ['Cache-Control', 'no-store'], ...more])
    res.writeHead(http, [...headers, 'Content-Length', String(Buffer.byteLength(body))]).end(body)
  }
}
