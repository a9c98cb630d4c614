import { problems } from '#contract/problem.ts'
import { type SampleOptions, sampleAnswer, sampleOf } from '#contract/samples.ts'
import type { RowChange, RowsOf } from '#contract/topic.ts'
import type { FlowAnswer, FlowPush, FlowWho } from '#language/documents/documents.ts'
import type { CallManifest, Catalog } from '#language/types/catalog.ts'

/** How the reads of a screen come out. `stale` is arranged by asking twice, see states.ts. */
export type DataState = 'ok' | 'loading' | 'empty' | 'error'

/** One call that the app made. */
export interface MadeCall {
  name: string
  args: Record<string, string>
}

/** What becomes of a request to the API. */
export type Answered = { made: MadeCall; auth: CallManifest['auth'] } & (
  | { kind: 'answer'; status: number; body: string }
  /** No answer comes. */
  | { kind: 'hold' }
  /** The API itself answers. */
  | { kind: 'pass' }
)

export interface AnswerRules {
  state: DataState
  who: FlowWho
  /** Answers laid down by a flow, by call. */
  given: ReadonlyMap<string, FlowAnswer>
  /** False: what nothing was laid down for goes to the API. */
  dry: boolean
  /** Calls that are pressed, not read: they answer in every state. */
  pressed?: ReadonlySet<string>
  /** The moment that samples tell their times from, ms. */
  atMs?: number
  /** Rows of which the app was told, in order: the answers of their calls hold them. */
  pushed?: readonly PushedRow[]
}

export interface PushedRow {
  rows: RowsOf
  change: RowChange
  row: Readonly<Record<string, unknown>>
}

export interface ApiRequest {
  method: string
  /** Path below /api. */
  path: string
  args: Record<string, string>
  /** It carries a token: somebody is logged in, from the start or since a step of the flow. */
  loggedIn: boolean
}

/** Finds calls by method and path. */
export function callFinder({ calls }: Catalog): (method: string, path: string) => CallManifest | undefined {
  const table = new Map(calls.map((call) => [`${call.method} ${call.path}`, call]))
  return (method, path) => table.get(`${method} ${path}`)
}

/** The account of a customer of a flow, as user.info answers it. A visitor who logs in has the sample one. */
export function accountOf(who: FlowWho, catalog: Catalog): Record<string, unknown> {
  const { kyc = 1, info = {} } = who === 'visitor' ? {} : who.customer
  const output = catalog.calls.find(({ name }) => name === 'user.info')?.output
  return { ...((output ? sampleOf(output) : {}) as object), level: kyc, ...info }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members of an object stand in place of the sample's, at any depth; everything else stands for the whole. */
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

/** The row of which the app is told: what a new one does not say is that of a sample. @throws Error for a topic that carries no rows */
export function pushedRow({ push, change, row }: FlowPush, { topics, calls }: Catalog, atMs?: number): PushedRow {
  const rows = topics.find(({ name }) => name === push)?.rows
  const sample = calls.find(({ name }) => name === rows?.call)?.output.properties?.list?.items
  if (!rows || !sample) throw new Error(`there is no topic "${push}" that carries rows`)
  const whole = change === 'insert' ? laidOver(sampleOf(sample, '', atMs === undefined ? {} : { atMs }), row) : row
  return { rows, change, row: whole as PushedRow['row'] }
}

/** An answer with a list as it is after a change of one row. What was asked for decides whether the row belongs to it. */
function withPushed(answer: unknown, { rows, change, row }: PushedRow, args: Readonly<Record<string, string>>): unknown {
  if (!isObject(answer) || !Array.isArray(answer.list)) return answer
  const list: unknown[] = answer.list
  const at = list.findIndex((one) => isObject(one) && one[rows.key] === row[rows.key])
  const isOther = Object.entries(rows.by).some(([name, member]) => args[name] !== undefined && args[name] !== String(row[member]))
  const isNew = at < 0 && change === 'insert' && !isOther && Number(args.page ?? 1) === 1
  const more = isNew ? 1 : at >= 0 && change === 'remove' ? -1 : 0
  const total = typeof answer.total === 'number' && { total: answer.total + more }
  if (isNew) return { ...answer, ...total, list: rows.newest === 'first' ? [row, ...list] : [...list, row] }
  if (at < 0) return answer
  return { ...answer, ...total, list: change === 'remove' ? list.toSpliced(at, 1) : list.with(at, laidOver(list[at], row)) }
}

/** Decides about one request. Undefined for a path that the contract does not have. */
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
  // Without an account nothing can be said of a customer, so it is there in every state.
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
