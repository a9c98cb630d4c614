import type { ConsoleProblem } from '#contract/console/console.problems.ts'

/**
 * All problem codes of calls. The name is the text key (`problem.<name>`), the number goes over the wire, `http` is the HTTP status.
 * Groups: 400x parameter, 403x state, 410x balance, 420x limit, 430x market, 500x unknown.
 */
export const problems = {
  unauthorized: { code: 401, http: 401 },
  verification_required: { code: 402, http: 403 },
  parameter_error: { code: 4000, http: 400 },
  parameter_missing: { code: 4001, http: 400 },
  text_too_long: { code: 4002, http: 400 },
  parameter_unknown: { code: 4003, http: 400 },
  not_found: { code: 4004, http: 404 },
  method_not_allowed: { code: 4005, http: 405 },
  body_too_large: { code: 4006, http: 413 },
  body_unreadable: { code: 4007, http: 400 },
  range_too_wide: { code: 4008, http: 400 },
  range_reversed: { code: 4070, http: 400 },
  headers_too_large: { code: 4009, http: 431 },
  request_too_slow: { code: 4071, http: 408 },
  email_wrong: { code: 4010, http: 400 },
  mobile_wrong: { code: 4011, http: 400 },
  nickname_wrong: { code: 4012, http: 400 },
  signature_wrong: { code: 4013, http: 400 },
  password_too_short: { code: 4014, http: 400 },
  password_too_long: { code: 4015, http: 400 },
  password_common: { code: 4016, http: 400 },
  password_same: { code: 4017, http: 400 },
  passwords_differ: { code: 4018, http: 400 },
  pay_password_too_short: { code: 4019, http: 400 },
  pay_password_same: { code: 4020, http: 400 },
  invite_code_wrong: { code: 4021, http: 400 },
  code_wrong: { code: 4022, http: 400 },
  code_void: { code: 4023, http: 400 },
  amount_wrong: { code: 4024, http: 400 },
  amount_too_small: { code: 4025, http: 400 },
  wallet_address_wrong: { code: 4026, http: 400 },
  qrcode_differs: { code: 4027, http: 400 },
  voucher_missing: { code: 4028, http: 400 },
  wallet_tag_wrong: { code: 4029, http: 400 },
  qrcode_unread: { code: 4087, http: 400 },
  wallet_address_token: { code: 4088, http: 400 },
  wallet_address_own: { code: 4089, http: 400 },
  nickname_reserved: { code: 4090, http: 400 },
  name_wrong: { code: 4060, http: 400 },
  id_number_wrong: { code: 4061, http: 400 },
  picture_missing: { code: 4062, http: 400 },
  card_wrong: { code: 4063, http: 400 },
  outbid: { code: 4072, http: 409 },
  accounts_same: { code: 4064, http: 400 },
  currencies_same: { code: 4065, http: 400 },
  currency_unknown: { code: 4066, http: 404 },
  chain_unknown: { code: 4067, http: 404 },
  address_unknown: { code: 4068, http: 404 },
  reason_missing: { code: 4069, http: 400 },
  price_wrong: { code: 4073, http: 400 },
  size_wrong: { code: 4074, http: 400 },
  multiple_wrong: { code: 4075, http: 400 },
  stop_price_wrong: { code: 4076, http: 400 },
  amount_too_large: { code: 4077, http: 400 },
  duration_unknown: { code: 4078, http: 404 },
  order_unknown: { code: 4079, http: 404 },
  trader_unknown: { code: 4080, http: 404 },
  product_unknown: { code: 4091, http: 404 },
  forbidden: { code: 4030, http: 403 },
  login_failed: { code: 4031, http: 403 },
  second_factor_required: { code: 4032, http: 403 },
  second_factor_wrong: { code: 4033, http: 403 },
  password_wrong: { code: 4034, http: 403 },
  account_frozen: { code: 4035, http: 403 },
  account_exists: { code: 4036, http: 409 },
  address_taken: { code: 4037, http: 409 },
  address_missing: { code: 4038, http: 409 },
  second_factor_on: { code: 4039, http: 409 },
  second_factor_off: { code: 4040, http: 409 },
  second_factor_not_set_up: { code: 4041, http: 409 },
  list_full: { code: 4042, http: 409 },
  key_reused: { code: 4043, http: 409 },
  state_wrong: { code: 4044, http: 409 },
  currency_closed: { code: 4045, http: 409 },
  contacts_unbound: { code: 4046, http: 409 },
  level_missing: { code: 4047, http: 409 },
  card_missing: { code: 4048, http: 409 },
  fee_changed: { code: 4049, http: 409 },
  pay_password_missing: { code: 4054, http: 409 },
  pay_password_wrong: { code: 4055, http: 403 },
  own_decision: { code: 4056, http: 403 },
  quote_unknown: { code: 4057, http: 409 },
  wallet_address_taken: { code: 4058, http: 409 },
  fresh_login_required: { code: 4059, http: 403 },
  trader_self: { code: 4081, http: 409 },
  trader_follows: { code: 4082, http: 409 },
  trader_followed: { code: 4083, http: 409 },
  trader_already: { code: 4084, http: 409 },
  trader_name_taken: { code: 4085, http: 409 },
  trader_ended: { code: 4086, http: 409 },
  file_type_refused: { code: 4050, http: 415 },
  file_too_large: { code: 4051, http: 413 },
  picture_too_large: { code: 4052, http: 413 },
  file_refused: { code: 4053, http: 403 },
  insufficient_balance: { code: 4101, http: 409 },
  code_too_soon: { code: 4201, http: 429 },
  code_daily_limit: { code: 4202, http: 429 },
  too_many_tries: { code: 4203, http: 429 },
  upload_quota: { code: 4204, http: 429 },
  withdraw_limit: { code: 4205, http: 409 },
  order_limit: { code: 4206, http: 409 },
  too_many_open: { code: 4207, http: 409 },
  purchase_limit: { code: 4208, http: 409 },
  withdraw_on_hold: { code: 423, http: 423 },
  address_on_hold: { code: 4231, http: 423 },
  too_many_requests: { code: 429, http: 429 },
  symbol_unknown: { code: 4301, http: 404 },
  price_stale: { code: 4302, http: 409 },
  rates_unavailable: { code: 4303, http: 503 },
  quote_expired: { code: 4304, http: 409 },
  market_halted: { code: 4305, http: 409 },
  market_closed: { code: 4306, http: 409 },
  price_moved: { code: 4307, http: 409 },
  price_out_of_band: { code: 4308, http: 409 },
  order_would_match: { code: 4309, http: 409 },
  order_not_filled: { code: 4310, http: 409 },
  terms_changed: { code: 4311, http: 409 },
  price_changed: { code: 4313, http: 409 },
  order_unmatched: { code: 4314, http: 409 },
  offer_closed: { code: 4312, http: 409 },
  sale_closed: { code: 4315, http: 409 },
  sold_out: { code: 4316, http: 409 },
  internal: { code: 5001, http: 500 },
  outcome_unknown: { code: 5002, http: 503 },
  busy: { code: 5003, http: 503 },
  ledger_inconsistent: { code: 5004, http: 503 },
  not_built_yet: { code: 5005, http: 501 },
} as const
export type ProblemCode = keyof typeof problems

/** Problems that arise in the client; they have texts like those of the server. */
export const clientProblems = [
  'network_failed',
  'timed_out',
  'answer_unreadable',
  'chunk_load_failed',
  'socket_connect_error',
  'socket_message_invalid',
  'too_much_data',
] as const
export type ClientProblemCode = (typeof clientProblems)[number]

/** Problem code of any server: of the API, or of the console only. */
export type AnyProblemCode = ProblemCode | ConsoleProblem

/**
 * The error type of both servers. `cause` is for the log only. `field` names the wrong input; `retryAfterSeconds` is set when a retry makes
 * sense. `figures` are the values that the sentence of the problem names, as texts by their names. `data` is sent to the caller, by calls of the console only, so it must hold nothing that the caller may not read.
 */
export class ApiProblem<Code extends AnyProblemCode = ProblemCode> extends Error {
  readonly code: Code
  readonly field: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly values: Readonly<Record<string, string>> | undefined
  readonly data: unknown
  /** The mistake of a program, in English, for its developer: a position, a header. */
  readonly reason: string | undefined
  constructor(
    code: Code,
    options: {
      field?: string | undefined
      retryAfterSeconds?: number
      values?: Readonly<Record<string, string>>
      data?: unknown
      reason?: string | undefined
      cause?: unknown
    } = {},
  ) {
    super(options.data === undefined ? code : `${code} ${JSON.stringify(options.data)}`, { cause: options.cause })
    this.name = 'ApiProblem'
    this.code = code
    this.field = options.field
    this.retryAfterSeconds = options.retryAfterSeconds
    this.values = options.values
    this.reason = options.reason
    this.data = options.data
  }
}

/** Answer of every call. `data` is null unless code is 1. `name` is the name of a problem; `retry_after` is in seconds. */
export type Envelope<T> =
  | { code: 1; msg: string; data: T }
  | { code: number; msg: string; data: null; name: ProblemCode; field?: string; retry_after?: number }
