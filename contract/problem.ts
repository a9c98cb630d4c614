/**
 * Every code that a call may answer beside 1. The name is the translation key (`problem.<name>`), the number goes over the wire,
 * `http` is the status line. Grouped as 04-domain-rules: 400x parameter, 403x state, 410x balance, 420x limit, 430x market, 500x unknown.
 */
export const problems = {
  unauthorized: { code: 401, http: 401 },
  verification_required: { code: 402, http: 403 },
  parameter_error: { code: 4000, http: 400 },
  parameter_missing: { code: 4001, http: 400 },
  text_too_long: { code: 4002, http: 400 },
  not_found: { code: 4004, http: 404 },
  method_not_allowed: { code: 4005, http: 405 },
  body_too_large: { code: 4006, http: 413 },
  body_unreadable: { code: 4007, http: 400 },
  range_too_wide: { code: 4008, http: 400 },
  forbidden: { code: 4030, http: 403 },
  too_many_requests: { code: 429, http: 429 },
  symbol_unknown: { code: 4301, http: 404 },
  price_stale: { code: 4302, http: 409 },
  rates_unavailable: { code: 4303, http: 503 },
  internal: { code: 5001, http: 500 },
  busy: { code: 5003, http: 503 },
} as const
export type ProblemCode = keyof typeof problems

/** Codes that arise in the client itself; they have texts beside the server's. */
export const clientProblems = [
  'network_failed',
  'timed_out',
  'answer_unreadable',
  'chunk_load_failed',
  'socket_connect_error',
  'socket_message_invalid',
] as const
export type ClientProblemCode = (typeof clientProblems)[number]

/** The one error type of both servers. `cause` is for the log; `field` names the input that is wrong. */
export class ApiProblem extends Error {
  readonly code: ProblemCode
  readonly field: string | undefined
  constructor(code: ProblemCode, options: { field?: string; cause?: unknown } = {}) {
    super(code, { cause: options.cause })
    this.name = 'ApiProblem'
    this.code = code
    this.field = options.field
  }
}

/** What every call answers. `data` is null unless code is 1. `name` is the machine name of a problem. */
export type Envelope<T> = { code: 1; msg: string; data: T } | { code: number; msg: string; data: null; name: ProblemCode; field?: string }
