import type { ConsoleProblem } from '#language/publish/console-problems.ts'
import type {
  FactorProposal,
  Me,
  OperatorInfo,
  OperatorSession,
  OutboxMessage,
  OutboxPage,
  RecoveryCodes,
  SetupAnswer,
  SetupLink,
} from '#language/publish/operator-accounts.ts'
import type {
  AuditChange,
  AuditPage,
  CheckReport,
  ConsoleCatalog,
  DocumentDiff,
  Draft,
  DraftFile,
  DraftStep,
  FileSet,
  FlowRun,
  GuardFigures,
  MergeResult,
  ReleaseInfo,
  Role,
  Rollout,
  Schedule,
  Segment,
} from '#language/publish/publishing.ts'

/** A refusal. `code` is a name of consoleProblems or of the servers; `offline` when no answer came. */
export class ConsoleError extends Error {
  override name = 'ConsoleError'
  readonly code: ConsoleProblem | 'offline' | 'internal' | (string & {})
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** What the server adds: SaveConflict with `save_conflict`, `{hash}` with `hash_changed`. */
  readonly data: unknown

  constructor(code: string, status: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

export interface AuditFilter {
  actor?: string
  action?: string
  subject?: string
  /** ms since 1970, both ends included. */
  from?: number
  to?: number
  /** Only rows with a smaller id. */
  before?: number
  limit?: number
}
export interface PublishWish {
  hash: string
  reason: string
  rollout?: Rollout
  /** ms since 1970; absent for now. */
  at?: number
  /** The guard never takes it back because of reports alone; not together with `at`. */
  emergency?: boolean
}
export interface RolloutWish {
  percent?: number
  segment?: Segment
  complete?: boolean
  stop?: boolean
  /** Only while this one is being rolled out. */
  release?: number
  reason: string
}

export interface ClientOptions {
  fetch?: typeof fetch
  /** Address before every call. */
  base?: string
  /** Asked when the server wants proof of who one is; true: ask again. */
  onFresh?: () => Promise<boolean>
  /** The session is over, or there was none. */
  onLogin?: () => void
}

type Body = Record<string, unknown>
type Ask = <T>(method: string, path: string, body?: Body, signal?: AbortSignal) => Promise<T>

const query = (values: Record<string, unknown>): string => {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  return pairs.length ? `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}` : ''
}

/** One request. @throws {ConsoleError} for every answer but `{data}` */
function createAsk({ fetch: send = (...all) => fetch(...all), base = '/console/api', onFresh, onLogin }: ClientOptions): Ask {
  const once = async <T>(method: string, path: string, body?: Body, signal?: AbortSignal): Promise<T> => {
    const answer = await send(`${base}${path}`, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      headers: { accept: 'application/json', 'x-console': '1', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw new ConsoleError('offline', 0, 'The server cannot be reached.')
    })
    const told = (await answer.json().catch(() => null)) as { data?: T; code?: unknown; name?: unknown; message?: unknown } | null
    if (answer.ok && told !== null) return told.data as T
    const code = [told?.code, told?.name].find((one) => typeof one === 'string') as string | undefined
    throw new ConsoleError(code ?? 'internal', answer.status, typeof told?.message === 'string' ? told.message : '', told?.data)
  }
  return async (method, path, body, signal) => {
    try {
      return await once(method, path, body, signal)
    } catch (error) {
      if (!(error instanceof ConsoleError)) throw error
      if (error.code === 'fresh_login_required' && onFresh && (await onFresh())) return once(method, path, body, signal)
      if (error.code === 'login_required') onLogin?.()
      throw error
    }
  }
}

/** Every endpoint of /console/api. All reject with ConsoleError. */
export function createClient(options: ClientOptions = {}) {
  const ask = createAsk(options)
  const base = options.base ?? '/console/api'
  const draft = (id: number) => `/drafts/${id}`
  return {
    /** @param token from the fragment of the set-up link; it never goes into an address */
    setup: (body: { token: string; name?: string; password?: string }) => ask<SetupAnswer>('POST', '/setup', body),
    setupConfirm: (body: { token: string; code: string }) => ask<Me>('POST', '/setup/confirm', body),
    login: (body: { name: string; password: string; code: string }) => ask<Me>('POST', '/login', body),
    logout: () => ask<unknown>('POST', '/logout', {}),
    me: () => ask<Me>('GET', '/me'),
    fresh: (body: { password: string; code: string }) => ask<Me>('POST', '/fresh', body),
    changePassword: (next: string) => ask<unknown>('POST', '/password', { next }),
    proposeFactor: () => ask<FactorProposal>('POST', '/factor', {}),
    confirmFactor: (code: string) => ask<unknown>('POST', '/factor/confirm', { code }),
    recoveryLeft: () => ask<{ left: number }>('GET', '/recovery'),
    makeRecoveryCodes: () => ask<RecoveryCodes>('POST', '/recovery', {}),
    sessions: () => ask<OperatorSession[]>('GET', '/sessions'),
    endSession: (id: string) => ask<unknown>('DELETE', `/sessions/${encodeURIComponent(id)}`),

    operators: () => ask<OperatorInfo[]>('GET', '/operators'),
    addOperator: (body: { name: string; roles: Role[] }) => ask<SetupLink>('POST', '/operators', body),
    changeOperator: (id: number, body: { roles?: Role[]; frozen?: boolean }) => ask<OperatorInfo>('PATCH', `/operators/${id}`, body),
    resetOperator: (id: number) => ask<SetupLink>('POST', `/operators/${id}/reset`, {}),

    catalog: () => ask<ConsoleCatalog>('GET', '/catalog'),
    files: (of: { draft: number } | { release: number }, signal?: AbortSignal) =>
      ask<FileSet>('GET', `/files${query(of)}`, undefined, signal),

    drafts: () => ask<Draft[]>('GET', '/drafts'),
    createDraft: (body: { name: string; note?: string; from?: number }) => ask<Draft>('POST', '/drafts', body),
    draft: (id: number) => ask<Draft>('GET', draft(id)),
    renameDraft: (id: number, body: { name?: string; note?: string }) => ask<Draft>('PATCH', draft(id), body),
    dropDraft: (id: number) => ask<unknown>('DELETE', draft(id)),
    /** @throws {ConsoleError} `save_conflict` with SaveConflict in `data` */
    saveFile: (id: number, body: { path: string; text: string | null; version: number }) =>
      ask<DraftFile>('PUT', `${draft(id)}/files`, body),
    draftHistory: (id: number) => ask<DraftStep[]>('GET', `${draft(id)}/history`),
    commentDraft: (id: number, text: string) => ask<DraftStep[]>('POST', `${draft(id)}/comments`, { text }),
    check: (id: number) => ask<CheckReport>('POST', `${draft(id)}/check`, {}),
    merge: (id: number, choices: Record<string, 'mine' | 'theirs'>) => ask<MergeResult>('POST', `${draft(id)}/merge`, { choices }),
    runFlows: (id: number) => ask<FlowRun>('POST', `${draft(id)}/flows`, {}),
    flows: (id: number) => ask<FlowRun | null>('GET', `${draft(id)}/flows`),
    submit: (id: number, note: string) => ask<Draft>('POST', `${draft(id)}/submit`, { note }),
    withdraw: (id: number) => ask<Draft>('POST', `${draft(id)}/withdraw`, {}),
    approve: (id: number, body: { hash: string; note: string; unrunFlows: string }) => ask<Draft>('POST', `${draft(id)}/approve`, body),
    reject: (id: number, body: { hash: string; reason: string }) => ask<Draft>('POST', `${draft(id)}/reject`, body),
    publish: (id: number, wish: PublishWish) => ask<ReleaseInfo | Schedule>('POST', `${draft(id)}/publish`, { ...wish }),
    cancelSchedule: (id: number, reason: string) => ask<unknown>('DELETE', `${draft(id)}/schedule`, { reason }),

    releases: () => ask<ReleaseInfo[]>('GET', '/releases'),
    release: (number: number) => ask<ReleaseInfo>('GET', `/releases/${number}`),
    releaseDiff: (number: number, against: number) => ask<DocumentDiff[]>('GET', `/releases/${number}/diff${query({ against })}`),
    rollback: (number: number, reason: string, force?: true) =>
      ask<ReleaseInfo>('POST', `/releases/${number}/rollback`, { reason, ...(force && { force }) }),
    rollout: (wish: RolloutWish) => ask<unknown>('POST', '/rollout', { ...wish }),
    guard: () => ask<GuardFigures[]>('GET', '/guard'),

    audit: (filter: AuditFilter) => ask<AuditPage>('GET', `/audit${query({ ...filter })}`),
    auditChange: (row: number) => ask<AuditChange>('GET', `/audit/${row}/change`),
    /** Address of the log as a table; the browser saves it. */
    auditCsv: (filter: AuditFilter) => `${base}/audit.csv${query({ ...filter })}`,
    outbox: (of: { search?: string; before?: number }) => ask<OutboxPage>('GET', `/outbox${query(of)}`),
    openMessage: (id: number, reason: string) => ask<OutboxMessage>('POST', `/outbox/${id}/open`, { reason }),
    /** Address of the event stream (event data: ConsoleEvent). */
    events: `${base}/events`,
  }
}
export type Client = ReturnType<typeof createClient>
