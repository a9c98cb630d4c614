import { problems } from '#contract/problem.ts'
import { type SampleOptions, sampleAnswer, sampleOf } from '#contract/samples.ts'
import { isAmong, type RowChange, type RowsOf } from '#contract/topic.ts'
import type { FlowAnswer, FlowPush, FlowWho } from '#language/documents/documents.ts'
import { isObject } from '#language/documents/json.ts'
import type { CallManifest, Catalog } from '#language/types/catalog.ts'

/** State of a screen's data. `stale` is produced by asking twice, see states.ts. */
export type DataState = 'ok' | 'loading' | 'empty' | 'error'

/** One call of the app. */
export interface MadeCall {
  name: string
  args: Record<string, string>
}

/** How a request to the API is handled. */
export type Answered = { made: MadeCall; auth: CallManifest['auth'] } & (
  | { kind: 'answer'; status: number; body: string }
  /** No answer is sent. */
  | { kind: 'hold' }
  /** The request is passed to the API. */
  | { kind: 'pass' }
)

export interface AnswerRules {
  state: DataState
  who: FlowWho
  /** Answers given by a flow, by call. */
  given: ReadonlyMap<string, FlowAnswer>
  /** False: calls without a given answer are passed to the API. */
  dry: boolean
  /** Calls of presses, as opposed to sources: they are answered in every state. */
  pressed?: ReadonlySet<string>
  /** Reference time of samples, ms. */
  atMs?: number
  /** Pushed rows in order; the answers of their calls contain them. */
  pushed?: readonly PushedRow[]
}

export interface PushedRow {
  rows: RowsOf
  change: RowChange
  row: Readonly<Record<string, unknown>>
}

interface ApiRequest {
  method: string
  /** Path below /api. */
  path: string
  args: Record<string, string>
  /** The request has a token: somebody is logged in, from the start or since a step of the flow. */
  loggedIn: boolean
}

/** Returns a function that finds a call by method and path. */
export function callFinder({ calls }: Catalog): (method: string, path: string) => CallManifest | undefined {
  const table = new Map(calls.map((call) => [`${call.method} ${call.path}`, call]))
  return (method, path) => table.get(`${method} ${path}`)
}

/** The account of a flow's customer, as answered by user.info. A visitor who logs in gets the sample account. */
export function accountOf(who: FlowWho, catalog: Catalog): Record<string, unknown> {
  const { kyc = 1, info = {} } = who === 'visitor' ? {} : who.customer
  const output = catalog.calls.find(({ name }) => name === 'user.info')?.output
  return { ...((output ? sampleOf(output) : {}) as object), level: kyc, ...info }
}

/** Members of objects replace those of the sample, at any depth; other values replace the whole. */
export function laidOver(sample: unknown, own: unknown): unknown {
  if (!isObject(sample) || !isObject(own)) return own
  const both: Record<string, unknown> = { ...sample }
  for (const [name, value] of Object.entries(own)) both[name] = laidOver(sample[name], value)
  return both
}

const envelope = (data: unknown) => ({ status: 200, body: JSON.stringify({ code: 1, msg: '', data }) })

function refusal(name: string, field?: string): { status: number; body: string } {
  const known = Object.hasOwn(problems, name) ? problems[name as keyof typeof problems] : problems.internal
  return {
    status: known.http,
    body: JSON.stringify({ code: known.code, msg: '', data: null, name, ...(field !== undefined && { field }) }),
  }
}

/** A pushed row; members that a new row does not set come from a sample. @throws Error for a topic without rows */
export function pushedRow({ push, change, row }: FlowPush, { topics, calls }: Catalog, atMs?: number): PushedRow {
  const rows = topics.find(({ name }) => name === push)?.rows
  const sample = calls.find(({ name }) => name === rows?.call)?.output.properties?.list?.items
  if (!rows || !sample) throw new Error(`there is no topic "${push}" that carries rows`)
  const whole = change === 'insert' ? laidOver(sampleOf(sample, '', atMs === undefined ? {} : { atMs }), row) : row
  return { rows, change, row: whole as PushedRow['row'] }
}

/** Applies the change of one row to an answer with a list. The arguments of the call decide whether the row belongs to it. */
function withPushed(answer: unknown, { rows, change, row }: PushedRow, args: Readonly<Record<string, string>>): unknown {
  if (!isObject(answer) || !Array.isArray(answer.list)) return answer
  const list: unknown[] = answer.list
  const at = list.findIndex((one) => isObject(one) && one[rows.key] === row[rows.key])
  const isOther = Object.entries(rows.by).some(([name, members]) => args[name] !== undefined && !isAmong(row, members, args[name]))
  const isNew = at < 0 && change === 'insert' && !isOther && Number(args.page ?? 1) === 1
  const more = isNew ? 1 : at >= 0 && change === 'remove' ? -1 : 0
  const total = typeof answer.total === 'number' && { total: answer.total + more }
  if (isNew) return { ...answer, ...total, list: rows.newest === 'first' ? [row, ...list] : [...list, row] }
  if (at < 0) return answer
  return { ...answer, ...total, list: change === 'remove' ? list.toSpliced(at, 1) : list.with(at, laidOver(list[at], row)) }
}

/** Decides how to handle a request. Undefined for a path that is not in the contract. */
export function answerTo(request: ApiRequest, rules: AnswerRules, catalog: Catalog, find = callFinder(catalog)): Answered | undefined {
  const call = find(request.method, request.path)
  if (!call) return undefined
  const made = { name: call.name, args: request.args }
  const common = { made, auth: call.auth }
  const given = rules.given.get(call.name)
  if (given && 'problem' in given) return { ...common, kind: 'answer', ...refusal(given.problem, given.field) }
  if (!rules.dry && !given) return { ...common, kind: 'pass' }
  const isAccount = call.name === 'user.info'
  const settled = rules.pressed?.has(call.name) ?? false
  // The account is answered in every state, because a customer's screens cannot be shown without it.
  if (!given && !isAccount && !settled) {
    if (rules.state === 'loading') return { ...common, kind: 'hold' }
    if (rules.state === 'error') return { ...common, kind: 'answer', ...refusal('internal') }
  }
  if (call.auth === 'user' && !request.loggedIn) return { ...common, kind: 'answer', ...refusal('unauthorized') }
  const options: SampleOptions = {
    empty: rules.state === 'empty' && !isAccount && !settled,
    ...(rules.atMs !== undefined && { atMs: rules.atMs }),
  }
  const sample = isAccount ? accountOf(rules.who, catalog) : sampleAnswer(call, request.args, options)
  const pushed = (rules.pushed ?? []).filter(({ rows }) => rows.call === call.name)
  const answer = given ? laidOver(sample, given.data) : sample
  return { ...common, kind: 'answer', ...envelope(pushed.reduce((now, one) => withPushed(now, one, request.args), answer)) }
}
