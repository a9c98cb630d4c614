import type { ServerResponse } from 'node:http'
import { flat, type HeaderPairs } from '#config-server/serving/answers.ts'

/** What this server refuses, with the codes of the contract. Its readers are programs, so the name is the message. */
export const refusals = {
  parameter_error: { http: 400, code: 4000 },
  body_unreadable: { http: 400, code: 4007 },
  forbidden: { http: 403, code: 4030 },
  not_found: { http: 404, code: 4004 },
  method_not_allowed: { http: 405, code: 4005 },
  body_too_large: { http: 413, code: 4006 },
  too_many_requests: { http: 429, code: 429 },
  internal: { http: 500, code: 5001 },
  busy: { http: 503, code: 5003 },
} as const
export type Refusal = keyof typeof refusals

export type Refuse = (res: ServerResponse, name: Refusal, more?: HeaderPairs) => void

/** @param security headers of every answer */
export function createRefuse(security: HeaderPairs): Refuse {
  return (res, name, more = []) => {
    const { http, code } = refusals[name]
    const body = JSON.stringify({ code, msg: name, data: null, name })
    const headers = flat([...security, ['Content-Type', 'application/json; charset=utf-8'], ['Cache-Control', 'no-store'], ...more])
    res.writeHead(http, [...headers, 'Content-Length', String(Buffer.byteLength(body))]).end(body)
  }
}
