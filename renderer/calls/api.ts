import axios, { type AxiosAdapter, type AxiosRequestConfig } from 'axios'
import type { ClientProblemCode, ProblemCode } from '#contract/problem.ts'
import { timeHeader } from '#contract/time.ts'
import { noteRowKeys, type RowKey } from '#language/types/row-keys.ts'
import { lazy } from '#renderer/core/lazy.ts'
import type { Clock } from '#renderer/device/clock.ts'

/**
 * A row of the contract as the browser needs it. `auth` user: without a token the call is not even sent. Flag `keyed`: it takes an idempotency
 * key, and can be asked about. Flag `session`: what the session knows of its user is another one afterwards. Flag `rows:accounts=kind`: rows of the list `accounts` are looked up by `kind`.
 */
export type Route = readonly [
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  auth: 'none' | 'user' | 'operator',
  ...flags: string[],
]
export type RouteTable = Readonly<Record<string, Route>>

/**
 * Why a call did not answer with code 1. `code` is the server's number, 0 when the problem arose in the client. `name` is the
 * translation key below `problem.`; `msg` is the server's own sentence, empty when there is none; `field` the input that is wrong.
 */
export class CallProblem extends Error {
  readonly code: number
  override readonly name: string
  readonly msg: string
  readonly field: string | undefined
  constructor(code: number, name: ProblemCode | ClientProblemCode | (string & {}), msg = '', field?: string) {
    super(msg || name)
    this.code = code
    this.name = name
    this.msg = msg
    this.field = field
  }
}

/** A refusal that is about who the customer is (401) or has proved to be (402), not about the call. */
export const ofSession = (problem: unknown): problem is CallProblem =>
  problem instanceof CallProblem && (problem.code === 401 || problem.code === 402)

/** The server's own sentence, which is in the language of the request, otherwise ours. */
export function problemWords(problem: unknown, say: (key: string) => string): string {
  const known = problem instanceof CallProblem ? problem : undefined
  return known?.msg || say(`problem.${known?.name ?? 'internal'}`)
}

export interface CallOptions {
  signal?: AbortSignal
  /** Idempotency key, at most 255 characters; goes with calls that change something. */
  key?: string
}

export interface Api {
  /**
   * Resolves with the envelope's data.
   * @throws CallProblem; when `signal` ended the call, the signal's reason
   */
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<unknown>
  /** Sends a form as it is; upload.ts makes one of a file. Resolves and throws as `call` does. */
  send(name: string, form: URLSearchParams | FormData, more: AxiosRequestConfig): Promise<unknown>
  /** Whether the call is for customers only. */
  needsUser(name: string): boolean
  /** Whether the session must ask anew who its user is after the call. Absent: after none. */
  changesSession?(name: string): boolean
  /** Whether the call takes an idempotency key. Absent: none does. @throws CallProblem when its row cannot be had */
  keyed?(name: string): Promise<boolean>
  /** Whether a call that was sent changes something on the server: one with a key. Absent: none does. */
  changes?(name: string): boolean
  /** Whether anybody may send the call, without a login. Absent: none is such a call. */
  isPublic?(name: string): boolean
  /** Notes by which members the rows in an answer of the call are looked up: an answer that was copied is another one. Absent: the usual. */
  noteRows?(name: string, answer: unknown): void
}

export interface ApiOptions {
  /** `/api`, or an absolute address. */
  baseUrl: string
  routes: RouteTable
  /** The rows of customers, fetched when the first of them is called. Absent: all rows are in `routes`. */
  customerRoutes?: () => Promise<RouteTable>
  token: () => string | undefined
  language: () => string
  /** Goes with every request as `agent_id`. */
  agent: string
  timeoutMs?: number
  /** Hears of every answer of code 1, and of every problem but a call that was given up, with the token that was sent along. */
  heard?: (name: string, data: unknown, secret: string | undefined) => void
  failed?: (problem: CallProblem, secret: string | undefined, from: string | undefined) => void
  /** The page that a call is sent from, which `failed` receives. */
  where?: () => string
  /** Set by the time that stands in every answer. Absent: none is. */
  clock?: Pick<Clock, 'elapsed' | 'heard'>
  /** Replaces the browser's own transport. */
  adapter?: AxiosAdapter
}

const timeoutMsDefault = 60_000

/** Calls of the contract by name: form-encoded, with token, language and agent, and one kind of error. */
export function createApi(options: ApiOptions): Api {
  const { routes, token, language, agent } = options
  const http = axios.create({
    baseURL: options.baseUrl,
    timeout: options.timeoutMs ?? timeoutMsDefault,
    // The envelope decides, and it is read here: neither the status nor axios' lenient parser.
    validateStatus: () => true,
    responseType: 'text',
    transformResponse: [(text: unknown) => text],
    ...(options.adapter && { adapter: options.adapter }),
  })
  const customers = options.customerRoutes && lazy(options.customerRoutes)
  const rowIn = (rows: RouteTable | undefined, name: string) => (rows && Object.hasOwn(rows, name) ? rows[name] : undefined)
  const known = (name: string) => rowIn(routes, name) ?? rowIn(customers?.ready(), name)
  /** @throws CallProblem when the row is in the later table and that cannot be had */
  async function routeOf(name: string): Promise<Route | undefined> {
    if (!known(name) && customers && !customers.ready())
      await customers.load().catch(() => {
        throw new CallProblem(0, 'chunk_load_failed')
      })
    return known(name)
  }

  /** One request with what every request carries. @throws CallProblem, or the signal's reason */
  async function send(name: string, form: URLSearchParams | FormData, { headers, ...more }: AxiosRequestConfig, key?: string) {
    const [secret, from] = [token(), options.where?.()]
    try {
      const route = await routeOf(name)
      if (!route) throw new CallProblem(4004, 'not_found')
      const [method, path, auth] = route
      if (auth === 'user' && !secret) throw new CallProblem(401, 'unauthorized')
      form.set('lang', language())
      form.set('agent_id', agent)
      const inAddress = method === 'GET' || method === 'DELETE'
      const idempotency = key && method !== 'GET' ? { 'Idempotency-Key': key } : {}
      const request = { ...more, method, url: path, headers: { ...headers, ...idempotency, ...(secret && { Authorization: secret }) } }
      const data = dataOf(await answerOf({ ...request, ...(inAddress ? { params: form } : { data: form }) }))
      noteRowKeys(data, rowsOf(route))
      options.heard?.(name, data, secret)
      return data
    } catch (error) {
      if (error instanceof CallProblem) options.failed?.(error, secret, from)
      throw error
    }
  }
  async function answerOf(request: AxiosRequestConfig): Promise<unknown> {
    const sentAt = options.clock?.elapsed()
    try {
      const { data, headers } = await http.request<unknown>(request)
      if (options.clock && sentAt !== undefined) hearTime(options.clock, headers as Record<string, unknown>, sentAt)
      return data
    } catch (error) {
      const { signal } = request as { signal?: AbortSignal }
      if (signal?.aborted) throw signal.reason
      const code = axios.isAxiosError(error) ? error.code : undefined
      throw new CallProblem(0, code === 'ECONNABORTED' || code === 'ETIMEDOUT' ? 'timed_out' : 'network_failed')
    }
  }

  return {
    async call(name, args, { signal, key } = {}) {
      return send(name, formOf(args), signal ? { signal } : {}, key)
    },
    send,
    // Calls that are not public are in the other table.
    needsUser: (name) => (known(name)?.[2] ?? (options.customerRoutes && 'user')) === 'user',
    changesSession: (name) => known(name)?.includes('session') ?? false,
    noteRows: (name, answer) => noteRowKeys(answer, rowsOf(known(name))),
    changes: (name) => known(name)?.some((flag) => flag === 'keyed' || flag === 'changes') ?? false,
    isPublic: (name) => known(name)?.[2] === 'none',
    keyed: async (name) => (await routeOf(name))?.includes('keyed') ?? false,
  }
}

/** Servers without the header of this product say the time to the second. An answer with an age comes out of a cache. */
function hearTime(clock: Pick<Clock, 'elapsed' | 'heard'>, headers: Record<string, unknown>, sentAt: number): void {
  if (headers.age !== undefined) return
  const tookMs = clock.elapsed() - sentAt
  if (headers[timeHeader] !== undefined) clock.heard(Number(headers[timeHeader]), tookMs)
  else if (headers.date !== undefined) clock.heard(Date.parse(String(headers.date)), tookMs, 1_000)
}

function rowsOf(route: Route | undefined): RowKey[] {
  return (route ?? []).flatMap((flag) => {
    const [, list, key] = /^rows:(.+)=(.+)$/.exec(flag) ?? []
    return list !== undefined && key !== undefined ? [[list, key] as const] : []
  })
}

const isSendable = (value: unknown) =>
  typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint' || Number.isFinite(value)
/** A list of records, as a form with rows has one. */
const isRows = (value: unknown): value is readonly object[] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row))

/**
 * Absent values are left out; form encoding has no null, so null is absent too. Rows go as the JSON text of their list. Anything else with
 * parts is refused.
 */
function formOf(args: Record<string, unknown>): URLSearchParams {
  const form = new URLSearchParams()
  for (const [field, value] of Object.entries(args)) {
    if (value === undefined || value === null) continue
    if (isRows(value)) form.set(field, JSON.stringify(value.map((row) => rowOf(row, field))))
    else if (isSendable(value)) form.set(field, String(value))
    else throw new CallProblem(4000, 'parameter_error', '', field)
  }
  return form
}

/** A record without absent members. @throws CallProblem for members with parts */
function rowOf(row: object, field: string): object {
  const members = Object.entries(row).filter(([, value]) => value !== undefined && value !== null)
  if (!members.every(([, value]) => isSendable(value))) throw new CallProblem(4000, 'parameter_error', '', field)
  return Object.fromEntries(members)
}

/** Data of an answered envelope. @throws CallProblem when it is a refusal, or no envelope */
export function dataOf(text: unknown): unknown {
  const body = parse(text)
  if (!Number.isInteger(body?.code) || typeof body?.msg !== 'string') throw new CallProblem(0, 'answer_unreadable')
  const code = body.code as number
  if (code === 1) return body.data ?? null
  throw new CallProblem(code, problemName(code, body.name), body.msg, typeof body.field === 'string' ? body.field : undefined)
}

function parse(text: unknown): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text as string)
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** The specification's own two codes are known without a name; any other nameless code is `internal`. */
function problemName(code: number, name: unknown): string {
  if (typeof name === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(name)) return name
  return code === 401 ? 'unauthorized' : code === 402 ? 'verification_required' : 'internal'
}
